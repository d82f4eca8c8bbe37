//! The designs of the published experiments.

use std::time::Duration;

use geometry::{Game, Move};
use lab::text::did_you_mean;
use search::{METHODS, MethodError, MethodSpec};

use super::choice::{MethodChoice, ScoreTargets};
use super::published::{GAMES, LONG, NESTED, REPEATS, SAMPLES, STEPS, TABLE_1, TABLE_2};
use crate::design::{Cell, ExperimentDesign, RunLength, digest};

/// The options of a published experiment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PaperOptions {
    /// Smaller sizes and fewer repeats: a preview, not a comparison.
    pub quick: bool,
    /// Runs of each cell; by default as many as published, or five if quick.
    pub repeats: Option<u32>,
    /// The sizes: samples of Table 1, steps of Table 2 and the figures, levels of nested search; by
    /// default the published ones.
    pub sizes: Option<Vec<u64>>,
    /// The seed that all others derive from.
    pub seed: u64,
}

impl PaperOptions {
    fn repeats(&self) -> u32 {
        self.repeats.unwrap_or(if self.quick { 5 } else { REPEATS })
    }

    /// The sizes chosen, or the published ones, up to `quick` if quick.
    fn sizes(&self, published: &[u64], quick: u64) -> Vec<u64> {
        let most = if self.quick { quick } else { u64::MAX };
        let published = published.iter().copied().filter(|&size| size <= most);
        let mut sizes = self.sizes.clone().unwrap_or_else(|| published.collect());
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    fn design(
        &self,
        name: &'static str,
        columns: &'static [&'static str],
        settings: Vec<(&'static str, String)>,
        cells: Vec<Cell>,
    ) -> ExperimentDesign {
        let mut all = vec![("seed", self.seed.to_string())];
        all.extend(settings);
        all.push((PARAMETERS, fingerprint(&cells)));
        let (repeats, seed) = (self.repeats(), self.seed);
        ExperimentDesign { name, settings: all, columns, cells, repeats, seed, traced: false }
    }
}

/// Table 1: random sampling.
pub(crate) fn table1(options: &PaperOptions) -> ExperimentDesign {
    let sizes = options.sizes(&SAMPLES, 100);
    let mut cells = Vec::new();
    for (name, method, printed) in TABLE_1 {
        let per_sample = printed[4].seconds / 1e4 * TO_ATHLON;
        cells.extend(sizes.iter().map(|&samples| sampling(name, method, samples, per_sample)));
    }
    options.design("table1", &["game", "method", "samples"], vec![("samples", list(&sizes))], cells)
}

/// Two readings of RS1, beside Table 1.
pub(crate) fn readings(options: &PaperOptions) -> ExperimentDesign {
    let sizes = options.sizes(&SAMPLES[1..4], 100);
    let mut cells = Vec::new();
    for (name, _, printed) in TABLE_1.into_iter().filter(|(_, method, _)| *method == "rs1") {
        for method in ["rs1", "rs1max"] {
            let per_sample = printed[4].seconds / 1e4 * TO_ATHLON;
            cells.extend(sizes.iter().map(|&samples| sampling(name, method, samples, per_sample)));
        }
    }
    let settings = vec![("samples", list(&sizes))];
    options.design("readings", &["game", "method", "samples"], settings, cells)
}

/// One game by random sampling.
fn sampling(name: &str, method: &str, samples: u64, per_sample: f64) -> Cell {
    let game = known(name);
    let given = [("samples", samples.to_string()), ("games", "1".to_owned())];
    Cell {
        values: vec![name.to_owned(), method.to_owned(), samples.to_string()],
        method: method_of(method, &game, &given),
        game,
        from: Vec::new(),
        length: RunLength::Method,
        cost: per_sample * samples as f64,
    }
}

/// Table 2: simulated annealing at one temperature for each game.
pub(crate) fn table2(options: &PaperOptions) -> ExperimentDesign {
    let sizes = options.sizes(&STEPS, 1_000_000);
    let each = |(name, temperature, _): (&str, f64, _)| {
        sizes.iter().map(move |&steps| annealing(name, temperature, steps)).collect::<Vec<_>>()
    };
    let cells = TABLE_2.into_iter().flat_map(each).collect();
    options.design("table2", ANNEALING, vec![("steps", list(&sizes))], cells)
}

/// Figure 4: simulated annealing of 4D and 4T at all temperatures.
pub(crate) fn fig4(options: &PaperOptions) -> ExperimentDesign {
    figure("fig4", &GAMES[..2], options)
}

/// Figure 5: simulated annealing of 5D and 5T at all temperatures.
pub(crate) fn fig5(options: &PaperOptions) -> ExperimentDesign {
    figure("fig5", &GAMES[2..], options)
}

fn figure(name: &'static str, games: &[&str], options: &PaperOptions) -> ExperimentDesign {
    let sizes = options.sizes(&STEPS, 1_000_000);
    let temperatures: Vec<f64> = if options.quick {
        let tenths = [2, 4, 6, 8, 10, 18, 24, 32, 36, 44, 50, 60, 70, 80, 90, 100];
        tenths.iter().map(|&tenths| f64::from(tenths) / 10.0).collect()
    } else {
        (1..=50).map(|fifths| f64::from(fifths) / 5.0).collect()
    };
    let mut cells = Vec::new();
    for game in games {
        for &steps in &sizes {
            for &temperature in &temperatures {
                cells.push(annealing(game, temperature, steps));
            }
        }
    }
    let settings = vec![("steps", list(&sizes)), ("temperatures", list(&temperatures))];
    options.design(name, ANNEALING, settings, cells)
}

/// The two long annealings of section 3.2 whose parameters are known.
pub(crate) fn long(options: &PaperOptions) -> ExperimentDesign {
    // A quick run has a thousandth of the steps at each temperature.
    let divisor = if options.quick { 1000 } else { 1 };
    let cells = LONG.map(|long| {
        let (game, steps) = (known(long.game), long.steps / divisor);
        let given = [
            ("t0", long.t0.to_string()),
            ("t1", long.t1.to_string()),
            ("cooling", long.cooling.to_string()),
            ("steps", steps.to_string()),
        ];
        let total = long.total() / divisor;
        Cell {
            values: vec![long.game.to_owned(), steps.to_string()],
            method: method_of("sa", &game, &given),
            game,
            from: Vec::new(),
            length: RunLength::Playouts(total),
            cost: total as f64 * PER_STEP,
        }
    });
    let settings = vec![("schedule", "published".to_owned())];
    let columns = &["game", "steps_per_temperature"];
    let design = options.design("long", columns, settings, cells.into());
    // The paper reports one run of each.
    ExperimentDesign { traced: true, repeats: options.repeats.unwrap_or(1), ..design }
}

/// Cazenave 2009: single games by nested Monte-Carlo search, at levels 1 to 9.
pub(crate) fn nmcs(options: &PaperOptions) -> ExperimentDesign {
    let mut levels = options.sizes(&[1, 2], 2);
    levels.retain(|level| (1..=9).contains(level));
    let mut cells = Vec::new();
    for (name, _) in NESTED {
        for &level in &levels {
            let game = known(name);
            let given = [("level", level.to_string()), ("games", "1".to_owned())];
            cells.push(Cell {
                values: vec![name.to_owned(), level.to_string()],
                method: method_of("nmcs", &game, &given),
                game,
                from: Vec::new(),
                length: RunLength::Method,
                cost: 0.002 * 250f64.powi(level as i32 - 1),
            });
        }
    }
    let design = options.design("nmcs", &["game", "level"], vec![("levels", list(&levels))], cells);
    ExperimentDesign {
        repeats: options.repeats.unwrap_or(if options.quick { 5 } else { 100 }),
        ..design
    }
}

/// Rosin 2011: single runs of nested rollout policy adaptation, at levels 1 to 6, with his
/// parameters: 100 iterations of each level, alpha 1, one game for each adaptation.
pub(crate) fn nrpa(options: &PaperOptions) -> ExperimentDesign {
    let mut levels = options.sizes(&[1, 2, 3], 2);
    levels.retain(|level| (1..=6).contains(level));
    let mut cells = Vec::new();
    for (name, _) in NESTED {
        for &level in &levels {
            let game = known(name);
            let playouts = 100u64.pow(level as u32);
            let given = [("level", level), ("iterations", 100), ("alpha", 1), ("playouts", 1)];
            let given = given.map(|(name, value)| (name, value.to_string()));
            cells.push(Cell {
                values: vec![name.to_owned(), level.to_string()],
                method: method_of("nrpa", &game, &given),
                game,
                from: Vec::new(),
                length: RunLength::Playouts(playouts),
                cost: 7e-6 * playouts as f64,
            });
        }
    }
    options.design("nrpa", &["game", "level"], vec![("levels", list(&levels))], cells)
}

/// Section 3.3: annealing from the first moves of a game.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PrefixOptions {
    /// The game.
    pub game: Game,
    /// All of its moves; they must be legal.
    pub moves: Vec<Move>,
    /// How many of them to keep; by default thirteen equal steps around half of them.
    pub keep: Option<Vec<usize>>,
    /// The steps of each run; by default the largest number of Table 2.
    pub steps: Option<u64>,
    /// The temperature; by default Table 2's.
    pub temperature: Option<f64>,
}

impl PrefixOptions {
    /// The default: for a game of 170 moves 60, 65, ..., 120.
    #[must_use]
    pub(crate) fn default_keep(moves: usize) -> Vec<usize> {
        let step = ((moves as f64 / 34.0).round() as usize).max(1);
        let mut keep: Vec<usize> = (12..=24).map(|n| (n * step).min(moves)).collect();
        keep.dedup();
        keep
    }
}

/// Section 3.3: annealing from the first moves of a game.
pub(crate) fn prefix(
    prefix: &PrefixOptions,
    options: &PaperOptions,
) -> Result<ExperimentDesign, DesignError> {
    let PrefixOptions { game, moves, keep, .. } = prefix;
    let steps = prefix.steps.unwrap_or(if options.quick { 300_000 } else { 10_000_000 });
    let mut keep = keep.clone().unwrap_or_else(|| PrefixOptions::default_keep(moves.len()));
    keep.sort_unstable();
    keep.dedup();
    let mut given = vec![("steps", steps.to_string())];
    if let Some(temperature) = prefix.temperature {
        given.extend([("t0", temperature.to_string()), ("t1", temperature.to_string())]);
    }
    let method = MethodSpec::named("sa", game, pairs(&given)).map_err(DesignError::Temperature)?;
    let temperature = method.values().real("t0");
    let cell = |&keep: &usize| Cell {
        values: vec![game.to_string(), keep.to_string()],
        game: game.clone(),
        from: moves[..keep.min(moves.len())].to_vec(),
        method: method.clone(),
        length: RunLength::Playouts(steps),
        cost: steps as f64 * PER_STEP,
    };
    let cells = keep.iter().map(cell).collect();
    let record = record::Record::from_moves(game.clone(), moves.clone());
    let settings = vec![
        ("from", format!("{:016x}", digest(record.to_json().as_bytes()))),
        ("moves", moves.len().to_string()),
        ("keep", list(&keep)),
        ("steps", steps.to_string()),
        ("temperature", temperature.to_string()),
    ];
    Ok(options.design("prefix", &["game", "keep"], settings, cells))
}

/// Why an agent does not start, and what to do.
fn cannot_start(command: &str, kind: std::io::ErrorKind) -> String {
    match (command, kind) {
        ("", _) => "no command: write external:COMMAND".to_owned(),
        (_, std::io::ErrorKind::NotFound) => {
            format!("cannot start the agent `{command}`: no such program")
        }
        _ => format!("cannot start the agent `{command}`: {kind}"),
    }
}

/// What to do about a method that is not among those of `search`.
fn advice(name: &str) -> String {
    match name {
        "learned" => "; it needs a network, which `morpion search --model FILE` takes".to_owned(),
        name => did_you_mean(name, METHODS.iter().map(|info| info.name)),
    }
}

/// Why a design is not valid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DesignError {
    /// No such method.
    #[error(
        "unknown method `{name}`{} (`morpion methods` lists all)",
        advice(.name)
    )]
    Unknown {
        /// The name given.
        name: String,
    },
    /// No such parameter.
    #[error("method `{0}`")]
    Method(String, #[source] MethodError),
    /// The agent cannot be started.
    #[error("{}", cannot_start(.0, *.1))]
    Agent(String, std::io::ErrorKind),
    /// The same cell twice.
    #[error("{0} is requested twice")]
    Duplicate(String),
    /// The method does not take the temperature.
    #[error("--temperature")]
    Temperature(#[source] MethodError),
}

/// Score against CPU time: any methods on any games.
///
/// A run ends with its time, or when it reaches its target in `until`.
pub(crate) fn anytime(
    games: &[Game],
    methods: &[MethodChoice],
    time: Duration,
    until: &ScoreTargets,
    options: &PaperOptions,
) -> Result<ExperimentDesign, DesignError> {
    let mut cells: Vec<Cell> = Vec::new();
    for game in games {
        for choice in methods {
            let method = choice.method(game)?;
            // Canonical, so that two spellings of the same method are one.
            let mut name = choice.name.clone();
            for (parameter, value) in method.values().iter() {
                if choice.given.iter().any(|(given, _)| given == parameter) {
                    name.push_str(&format!(" {parameter}={value}"));
                }
            }
            let values = vec![game.to_string(), name];
            if cells.iter().any(|cell| cell.values == values) {
                return Err(DesignError::Duplicate(values.join(" ")));
            }
            let until = until.get(&game.to_string());
            let length = until.map_or(RunLength::Time(time), |score| RunLength::Until(time, score));
            let (game, cost) = (game.clone(), time.as_secs_f64());
            cells.push(Cell { values, game, from: Vec::new(), method, length, cost });
        }
    }
    let names = |index: usize| {
        let mut names: Vec<&str> = cells.iter().map(|cell| cell.values[index].as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names.join(", ")
    };
    let settings = vec![
        ("games", names(0)),
        ("methods", names(1)),
        ("seconds", time.as_secs_f64().to_string()),
        ("until", until.to_string()),
    ];
    Ok(ExperimentDesign {
        traced: true,
        ..options.design("anytime", &["game", "method"], settings, cells)
    })
}

/// The setting that stands for all parameters of all methods, defaults included.
pub(super) const PARAMETERS: &str = "parameters";

/// Differs if any parameter of any cell does, also by a new default.
fn fingerprint(cells: &[Cell]) -> String {
    let mut text = String::new();
    for Cell { game, method, length, .. } in cells {
        text.push_str(&format!("{game} {} {length:?}", method.resolved().name));
        for (name, value) in method.values().iter() {
            text.push_str(&format!(" {name}={value}"));
        }
        text.push('\n');
    }
    format!("{:016x}", digest(text.as_bytes()))
}

const ANNEALING: &[&str] = &["game", "temperature", "steps"];

/// A run of `steps` steps at one temperature.
fn annealing(name: &str, temperature: f64, steps: u64) -> Cell {
    let game = known(name);
    let temperature = temperature.to_string();
    let given =
        [("t0", temperature.clone()), ("t1", temperature.clone()), ("steps", steps.to_string())];
    Cell {
        method: method_of("sa", &game, &given),
        values: vec![name.to_owned(), temperature, steps.to_string()],
        game,
        from: Vec::new(),
        length: RunLength::Playouts(steps),
        cost: steps as f64 * PER_STEP,
    }
}

/// The CPU time of random sampling on a recent core, relative to the paper's Athlon.
const TO_ATHLON: f64 = 0.06;
/// The CPU seconds of an annealing step on a recent core.
pub(super) const PER_STEP: f64 = 9e-8;

fn known(name: &str) -> Game {
    Game::named(name).expect("the paper's games are known")
}

fn method_of(name: &str, game: &Game, given: &[(&'static str, String)]) -> MethodSpec {
    MethodSpec::named(name, game, pairs(given))
        .expect("the paper's parameters are within their ranges")
}

fn pairs<'a>(given: &'a [(&'static str, String)]) -> impl Iterator<Item = (&'a str, &'a str)> {
    given.iter().map(|(name, value)| (*name, value.as_str()))
}

pub(super) fn list<T: ToString>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn options(quick: bool) -> PaperOptions {
        PaperOptions { quick, repeats: None, sizes: None, seed: 1 }
    }

    #[test]
    fn designs_have_the_published_sizes() {
        let all = [table1, readings, table2, fig4, fig5, long, nmcs, nrpa];
        let totals = all.map(|design| design(&options(false)).total());
        assert_eq!(
            totals,
            [
                8 * 5 * 20,
                8 * 3 * 20,
                4 * 4 * 20,
                2 * 50 * 4 * 20,
                2 * 50 * 4 * 20,
                2,
                2 * 2 * 100,
                2 * 3 * 20
            ]
        );
        for design in all.map(|design| design(&options(true))) {
            assert!(design.cost() < 30.0, "{}: {} s", design.name, design.cost());
        }
        let temperatures = &fig4(&options(false)).settings[2].1;
        assert!(
            temperatures.starts_with("0.2 0.4 0.6 0.8 1 1.2") && temperatures.ends_with("9.8 10")
        );
    }

    #[test]
    fn no_two_runs_share_a_seed_or_a_row() {
        let mut seeds = HashSet::new();
        for design in
            [table1, readings, table2, fig4, fig5, long, nmcs].map(|design| design(&options(false)))
        {
            let values: HashSet<&Vec<String>> =
                design.cells.iter().map(|cell| &cell.values).collect();
            assert_eq!(values.len(), design.cells.len());
            for cell in &design.cells {
                assert_eq!(cell.values.len(), design.columns.len());
                assert!(cell.values.iter().all(|value| !value.contains([',', '\n'])));
            }
            let fresh = design.runs().filter(|&run| seeds.insert(design.seed_of(run))).count();
            assert_eq!(fresh, design.total());
        }
    }

    #[test]
    fn a_parameter_that_is_not_named_is_a_setting_too() {
        let (games, time) = ([known("5D")], Duration::from_secs(1));
        let settings = |text: &str| {
            let choice: MethodChoice = text.parse().expect("a method");
            let design =
                anytime(&games, &[choice], time, &ScoreTargets::default(), &options(false))
                    .expect("a design");
            design.settings.last().cloned().expect("settings")
        };
        assert_eq!(settings("sa").0, PARAMETERS);
        assert_eq!(settings("sa"), settings("sa:cooling=0.99"));
        assert_ne!(settings("sa"), settings("sa:cooling=0.98"));
    }

    #[test]
    fn the_long_annealings_have_as_many_steps_as_their_schedules() {
        // ln(1.8 / 2) / ln(0.99999) = 10535.999 and ln(0.9) / ln(0.9999) = 1053.55.
        assert_eq!(LONG.map(|long| long.total()), [10_536 * 1_000_000, 1054 * 80_000_000]);
    }

    #[test]
    fn the_first_moves_kept_are_the_papers_for_its_game() {
        assert_eq!(PrefixOptions::default_keep(170), (60..=120).step_by(5).collect::<Vec<_>>());
        assert_eq!(PrefixOptions::default_keep(168), PrefixOptions::default_keep(170));
        assert_eq!(PrefixOptions::default_keep(35), (12..=24).collect::<Vec<_>>());
        assert_eq!(PrefixOptions::default_keep(14), [12, 13, 14]);
        assert_eq!(PrefixOptions::default_keep(0), [0]);
    }

    #[test]
    fn methods_are_made_canonical() {
        let choice: MethodChoice = "sa:t0=8,t1=4.0".parse().expect("a method");
        let (games, time) = ([known("5D")], Duration::from_secs(1));
        let design = anytime(
            &games,
            std::slice::from_ref(&choice),
            time,
            &ScoreTargets::default(),
            &options(false),
        );
        assert_eq!(design.expect("a design").cells[0].values, ["5D", "sa t0=8 t1=4"]);
        let same: MethodChoice = "sa:t1=4,t0=8.0".parse().expect("a method");
        let twice =
            anytime(&games, &[choice, same], time, &ScoreTargets::default(), &options(false))
                .expect_err("the same");
        assert_eq!(twice.to_string(), "5D sa t0=8 t1=4 is requested twice");
        let unknown: MethodChoice = "so".parse().expect("looks like a method");
        let refused = anytime(&games, &[unknown], time, &ScoreTargets::default(), &options(false))
            .expect_err("no such method");
        assert!(refused.to_string().contains("did you mean `sa`?"), "{refused}");
    }
}
