//! A search over starts: sets of as many dots as the cross has, for games as long as possible.
//!
//! Starting with the cross, a step moves one to three dots, searches from the new start for a fixed
//! number of playouts, and keeps it if its game is not shorter, or by simulated annealing. What a
//! step does depends on the seed and on the scores before it alone, so the table of scores is all
//! that a resumed search needs: it takes the same steps again, and searches where a score is
//! missing.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::ops::ControlFlow;

use evidence::VerifiedRecord;
use geometry::{Game, Point, Start, mix64};
use hunt::{HuntBudget, HuntSpec};
use rand::SeedableRng as _;
use render::chart::{Axis, Chart, Mark, Panel, Series, SeriesStyle};
use render::{Theme, chart::chart};
use search::random::{below, unit};
use search::{MethodSpec, Rng};

use crate::error::ExperimentError;
use crate::output::{OutputFolder, ResultsView, ViewDetails};
use crate::paper::choice::MethodChoice;
use crate::paper::designs::DesignError;
use crate::request::Request;
use crate::{Event, OnEvent};

/// How far outside the box round the other dots a dot may go.
const MARGIN: i32 = 1;

/// What is searched.
struct StartSearch {
    game: Game,
    method: MethodChoice,
    playouts: u64,
    temperature: f64,
    seed: u64,
}

/// Why a table of scores cannot be continued.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartsTableError {
    /// It was made with other settings, or is no such table.
    #[error("line 1 should be `{expected}`; choose another --out, or use the same settings")]
    Settings {
        /// The settings now.
        expected: String,
    },
    /// A line is damaged.
    #[error("line {line} is not a row of this search; repair or remove the file")]
    Row {
        /// The line, from 1.
        line: usize,
    },
}

impl StartSearch {
    fn settings(&self) -> String {
        let Self { game, method, playouts, temperature, seed } = self;
        let given = method.given.iter().map(|(name, value)| format!(" {name}={value}"));
        format!(
            "# {}: starts of {} dots; {}{}, {playouts} playouts each; temperature {temperature}; \
             seed {seed}",
            game.rules,
            game.start.dots().len(),
            method.name,
            given.collect::<String>()
        )
    }

    /// The generator of a step, whatever the steps before it sampled.
    fn rng(&self, step: usize) -> Rng {
        Rng::seed_from_u64(mix64(self.seed ^ mix64(step as u64)))
    }

    /// A start like another, with one to three of its dots elsewhere.
    fn neighbour(start: &Start, rng: &mut Rng) -> Start {
        let mut dots = start.dots().to_vec();
        for _ in 0..1 + below(rng, 3) {
            dots.swap_remove(below(rng, dots.len()));
            let extent = |coordinate: fn(&Point) -> i32| {
                let all = || dots.iter().map(coordinate);
                let low = all().min().unwrap_or(0) - MARGIN;
                (low, (all().max().unwrap_or(0) + MARGIN - low + 1) as usize)
            };
            let (x, width) = extent(|dot| dot.x);
            let (y, height) = extent(|dot| dot.y);
            // Most places are empty.
            let dot = loop {
                let (right, down) = (below(rng, width) as i32, below(rng, height) as i32);
                let dot = Point::new(x + right, y + down);
                if !dots.contains(&dot) {
                    break dot;
                }
            };
            dots.push(dot);
        }
        Start::from_dots(dots).expect("as many dots as before, close together")
    }

    /// The longest game found from a start; `None` if interrupted.
    fn evaluate(
        &self,
        start: &Start,
        step: usize,
        on: &(dyn Fn() -> ControlFlow<()> + Sync),
    ) -> Result<Option<VerifiedRecord>, ExperimentError> {
        let game = Game { rules: self.game.rules, start: start.clone() };
        let given = self.method.given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let unknown = |error| DesignError::Method(self.method.name.clone(), error);
        let method = MethodSpec::named(&self.method.name, &game, given).map_err(unknown)?;
        let budget = HuntBudget { playouts: Some(self.playouts), ..HuntBudget::default() };
        let seed = mix64(self.seed).wrapping_add(step as u64) >> 12;
        let spec = HuntSpec { game, prefix: Vec::new(), method, seed, threads: 1, budget };
        let found = hunt::run(&spec, None, &|_| on())?;
        Ok(on().is_continue().then_some(found.game))
    }

    /// Whether the next step begins from a start of this score.
    fn accepts(&self, score: u32, current: u32, rng: &mut Rng) -> bool {
        let change = f64::from(score) - f64::from(current);
        change >= 0.0 || unit(rng) < (change / self.temperature).exp()
    }

    fn write(&self, scores: &[u32]) -> String {
        let mut text = format!("{}\nstep,score\n", self.settings());
        for (step, score) in scores.iter().enumerate() {
            let _ = writeln!(text, "{step},{score}");
        }
        text
    }

    fn read(&self, text: &str) -> Result<Vec<u32>, StartsTableError> {
        let mut lines = (1..).zip(text.lines());
        let expected = self.settings();
        if lines.next().is_none_or(|(_, line)| line != expected) {
            return Err(StartsTableError::Settings { expected });
        }
        if lines.next().is_none_or(|(_, line)| line != "step,score") {
            return Err(StartsTableError::Row { line: 2 });
        }
        let row = |(line, text): (usize, &str)| {
            let (step, score) = text.split_once(',').ok_or(StartsTableError::Row { line })?;
            let is_next = step.parse() == Ok(line - 3);
            score.parse().ok().filter(|_| is_next).ok_or(StartsTableError::Row { line })
        };
        lines.map(row).collect()
    }
}

/// `experiment starts`.
pub(crate) fn run(request: &Request, on: OnEvent<'_>) -> Result<Vec<ResultsView>, ExperimentError> {
    let quick = request.is_quick();
    let games: Vec<Game> = request.all("game").unwrap_or_default();
    let methods: Vec<MethodChoice> = request.all("method").unwrap_or_default();
    let search = StartSearch {
        game: games.into_iter().next().unwrap_or_else(|| Game::named("5D").expect("known")),
        method: methods.into_iter().next().unwrap_or(MethodChoice::with_defaults("temper")),
        playouts: request.get("playouts").unwrap_or(if quick { 200 } else { 20_000 }),
        temperature: request.get("temperature").unwrap_or(1.0),
        seed: request.seed(),
    };
    let steps: usize = request.get("steps").unwrap_or(if quick { 10 } else { 1000 });
    let folder = OutputFolder::new(request.out(), "starts");
    folder.create()?;
    let csv = folder.path("csv");
    let mut scores = match fs::read_to_string(&csv) {
        Ok(text) => {
            search.read(&text).map_err(|error| ExperimentError::StartsTable(csv.clone(), error))?
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(ExperimentError::File(csv, error)),
    };
    let mut current = (search.game.start.clone(), 0);
    let mut best = current.clone();
    for step in 0..steps {
        let mut rng = search.rng(step);
        let start = match step {
            0 => current.0.clone(),
            _ => StartSearch::neighbour(&current.0, &mut rng),
        };
        let score = match scores.get(step) {
            Some(&score) => score,
            None => {
                let (experiment, unit, total) = ("starts", "starts", steps);
                let report =
                    || on(Event::Progress { experiment, unit, done: step, total, remaining: None });
                let Some(game) = search.evaluate(&start, step, &report)? else {
                    let (done, file) = (step, csv);
                    return Err(ExperimentError::Interrupted {
                        experiment,
                        unit,
                        done,
                        total,
                        file,
                    });
                };
                // The game first: a score without its game could not be shown.
                if game.score() > best.1 {
                    folder.write("json", &game.to_json())?;
                }
                scores.push(game.score());
                folder.write("csv", &search.write(&scores))?;
                game.score()
            }
        };
        if score > best.1 {
            best = (start.clone(), score);
        }
        if search.accepts(score, current.1, &mut rng) {
            current = (start, score);
        }
    }
    folder.write("csv", &search.write(&scores))?;
    folder.write("md", &markdown(&search, &scores, &best))?;
    folder.write("svg", &svg(&search, &scores))?;
    Ok(vec![folder.view(ViewDetails::Starts { starts: scores.len(), longest: best.1 })])
}

fn markdown(search: &StartSearch, scores: &[u32], (start, score): &(Start, u32)) -> String {
    let mut picture = String::new();
    if let Some((low, high)) = start.bounds() {
        for y in low.y..=high.y {
            let dot = |x| if start.dots().contains(&Point::new(x, y)) { 'o' } else { '.' };
            let row: String = (low.x..=high.x).map(dot).collect();
            let _ = writeln!(picture, "{row}");
        }
    }
    format!(
        "# {} from any {} dots\n\n{}.\n\n{} starts searched, the cross first ({} moves). The \
         longest game has {score} moves; it is in `starts.json`. Its start:\n\n```text\n{picture}\
         ```\n",
        search.game.rules,
        start.dots().len(),
        search.settings().trim_start_matches("# "),
        scores.len(),
        scores.first().copied().unwrap_or(0),
    )
}

fn svg(search: &StartSearch, scores: &[u32]) -> String {
    let mut best = 0;
    let mut points = Vec::new();
    for (step, &score) in scores.iter().enumerate() {
        if score > best {
            best = score;
            points.push(Mark::new(step as f64, f64::from(best)));
        }
    }
    points.push(Mark::new(scores.len() as f64, f64::from(best)));
    let series =
        Series { name: search.game.rules.to_string(), hue: 0, look: SeriesStyle::Stairs, points };
    chart(&Chart {
        title: "Games from any start".to_owned(),
        note: search.settings().trim_start_matches("# ").to_owned(),
        panels: vec![Panel {
            title: "The longest game".to_owned(),
            x: Axis::linear("starts searched"),
            y: Axis::linear("moves"),
            series: vec![series],
        }],
        ordered: false,
        theme: Theme::Light,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;

    fn request(folder: &std::path::Path, steps: &str) -> Request {
        let mut request = Request::new(find("starts").expect("an experiment"), 1);
        for (name, value) in [("quick", ""), ("playouts", "60"), ("steps", steps)] {
            request.set(name, value).expect("valid");
        }
        request.set("out", folder.to_str().expect("UTF-8")).expect("valid");
        request
    }

    #[test]
    fn a_neighbour_has_as_many_dots_most_of_them_the_same() {
        let cross = Start::cross(4).expect("in range");
        let mut rng = Rng::seed_from_u64(1);
        for _ in 0..200 {
            let other = StartSearch::neighbour(&cross, &mut rng);
            assert_eq!(other.dots().len(), 36);
            let same = cross.dots().iter().filter(|dot| other.dots().contains(dot)).count();
            assert!(same >= 33);
        }
    }

    #[test]
    fn an_interrupted_search_resumes_as_one_that_was_not() {
        let [whole, parts] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let file = |folder: &tempfile::TempDir, end: &str| {
            fs::read_to_string(folder.path().join(format!("starts.{end}"))).expect("written")
        };
        let go = |_: Event| ControlFlow::Continue(());
        run(&request(whole.path(), "6"), &go).expect("done");
        run(&request(parts.path(), "3"), &go).expect("done");
        let stop = |_: Event| ControlFlow::Break(());
        let stopped = run(&request(parts.path(), "6"), &stop);
        assert!(matches!(stopped, Err(ExperimentError::Interrupted { done: 3, .. })));
        run(&request(parts.path(), "6"), &go).expect("done");
        for end in ["csv", "json", "md", "svg"] {
            assert_eq!(file(&whole, end), file(&parts, end), "{end}");
        }
        let record = record::read(file(&whole, "json").as_bytes(), None).expect("a game");
        let game = VerifiedRecord::new(record).expect("legal");
        let csv = file(&whole, "csv");
        let longest = csv
            .lines()
            .skip(2)
            .filter_map(|row| row.split_once(',').and_then(|(_, score)| score.parse().ok()));
        assert_eq!(longest.max(), Some(game.score()));
    }

    #[test]
    fn a_table_of_another_search_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let go = |_: Event| ControlFlow::Continue(());
        run(&request(folder.path(), "2"), &go).expect("done");
        let mut other = request(folder.path(), "2");
        other.set("seed", "9").expect("valid");
        let refused = run(&other, &go);
        assert!(matches!(
            refused,
            Err(ExperimentError::StartsTable(_, StartsTableError::Settings { .. }))
        ));
        let csv = folder.path().join("starts.csv");
        let text = fs::read_to_string(&csv).expect("written").replace("\n1,", "\n5,");
        fs::write(&csv, text).expect("written");
        let refused = run(&request(folder.path(), "2"), &go);
        let line_4 = StartsTableError::Row { line: 4 };
        assert!(matches!(refused, Err(ExperimentError::StartsTable(_, error)) if error == line_4));
    }
}
