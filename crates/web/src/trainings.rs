//! Trainings of `morpion learn`, looked at while they go on. Their folders are named when the server
//! starts; nothing that is asked leads to another one.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use evidence::JudgedGame;
use serde::Serialize;

/// The most trainings that are shown.
const MOST: usize = 24;
/// The most bytes of a curve or of a game.
const MOST_BYTES: u64 = 16 << 20;
/// The most points of a curve that are shown.
const POINTS: usize = 500;
/// What of a curve is shown.
const COLUMNS: [&str; 9] = [
    "iteration",
    "games",
    "mean",
    "error95",
    "longest",
    "best",
    "threshold",
    "policy_loss",
    "value_loss",
];

/// Folders of trainings, or with such folders in them.
pub(crate) struct Trainings(Vec<PathBuf>);

/// How a training stands.
pub(crate) struct Training {
    /// The name of its folder.
    pub(crate) name: String,
    /// When its curve last changed, in seconds since 1970.
    pub(crate) changed: u64,
    pub(crate) curve: Curve,
    /// The longest game so far, if the judge accepts it.
    pub(crate) best: Option<JudgedGame>,
}

/// What the iterations have brought: columns of equal length, by name.
#[derive(Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Curve(BTreeMap<&'static str, Vec<f64>>);

impl Trainings {
    pub(crate) fn new(folders: Vec<PathBuf>) -> Self {
        Self(folders)
    }

    /// All trainings, the one that changed last first.
    pub(crate) fn list(&self) -> Vec<Training> {
        let mut found: Vec<(SystemTime, PathBuf)> =
            self.0.iter().flat_map(|folder| curves(folder)).collect();
        found.sort_unstable_by(|one, other| other.cmp(one));
        found.dedup();
        found.truncate(MOST);
        found.into_iter().filter_map(|(time, folder)| training(time, &folder)).collect()
    }
}

/// When the curve of a folder changed, or those of the folders in it.
fn curves(folder: &Path) -> Vec<(SystemTime, PathBuf)> {
    let changed = |folder: PathBuf| {
        let curve = fs::metadata(folder.join("curve.csv")).ok().filter(fs::Metadata::is_file)?;
        Some((curve.modified().ok()?, folder))
    };
    if let Some(own) = changed(folder.to_owned()) {
        return vec![own];
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| changed(entry.path())).collect()
}

fn training(time: SystemTime, folder: &Path) -> Option<Training> {
    let text = |name: &str| {
        let mut text = String::new();
        let file = File::open(folder.join(name)).ok()?;
        file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
        Some(text)
    };
    let path = folder.canonicalize().ok()?;
    Some(Training {
        name: path.file_name()?.to_string_lossy().chars().take(80).collect(),
        changed: time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        curve: Curve::read(&text("curve.csv")?),
        best: text("best.json").and_then(|text| JudgedGame::judge(&text).ok()),
    })
}

impl Curve {
    /// The curve of a CSV file with a line of names. Lines that are no numbers are passed over: the
    /// file may be anything.
    fn read(text: &str) -> Self {
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let places: Option<Vec<usize>> =
            COLUMNS.iter().map(|wanted| names.iter().position(|name| name == wanted)).collect();
        let Some(places) = places else { return Self::default() };
        let row = |line: &str| -> Option<Vec<f64>> {
            let fields: Vec<&str> = line.split(',').collect();
            let number = |&place: &usize| {
                let number: f64 = fields.get(place)?.parse().ok()?;
                number.is_finite().then_some(number)
            };
            places.iter().map(number).collect()
        };
        let rows: Vec<Vec<f64>> = lines.filter_map(row).collect();
        let stride = rows.len().div_ceil(POINTS).max(1);
        // The last one is always there.
        let shown = |index: &usize| (rows.len() - 1 - index).is_multiple_of(stride);
        let shown: Vec<usize> = (0..rows.len()).filter(shown).collect();
        let column = |place| shown.iter().map(|&index| rows[index][place]).collect();
        Self(COLUMNS.iter().enumerate().map(|(place, &name)| (name, column(place))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "iteration,games,mean,error95,longest,best,threshold,cut,final,policy_loss,value_loss,positions,samples,play_seconds,learn_seconds";

    fn line(iteration: usize) -> String {
        format!("{iteration},256,{}.5,0.7,60,61,55,0,0,1.5,0.5,9000,9000,1.0,2.0", 40 + iteration)
    }

    #[test]
    fn a_curve_is_read_by_its_names_and_what_is_no_number_is_passed_over() {
        let text = format!("{NAMES}\n{}\n2,256,NaN\nrubbish\n{}\n", line(1), line(3));
        let curve = Curve::read(&text);
        assert_eq!(curve.0["mean"], [41.5, 43.5]);
        assert_eq!(curve.0["iteration"], [1.0, 3.0]);
        assert_eq!(Curve::read("a,b\n1,2\n"), Curve::default());
        assert_eq!(Curve::read(""), Curve::default());
        assert!(Curve::read(NAMES).0["mean"].is_empty());
    }

    #[test]
    fn a_long_curve_is_thinned_out_and_ends_where_it_ends() {
        let lines: Vec<String> = (1..=1777).map(line).collect();
        let curve = Curve::read(&format!("{NAMES}\n{}\n", lines.join("\n")));
        let iterations = &curve.0["iteration"];
        assert!((300..=POINTS).contains(&iterations.len()), "{}", iterations.len());
        assert_eq!(iterations.last(), Some(&1777.0));
    }

    #[test]
    fn trainings_are_found_in_their_folder_or_one_above() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["one", "two", "empty"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        for name in ["one", "two"] {
            let text = format!("{NAMES}\n{}\n", line(1));
            fs::write(folder.path().join(name).join("curve.csv"), text).expect("written");
        }
        fs::write(folder.path().join("two/best.json"), "{}").expect("written");
        let one = folder.path().join("one");
        let list = Trainings::new(vec![folder.path().to_owned(), one]).list();
        let mut names: Vec<&str> = list.iter().map(|training| training.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["one", "two"], "each once");
        assert!(list.iter().all(|training| training.best.is_none()));
        assert!(Trainings::new(vec![folder.path().join("nowhere")]).list().is_empty());
    }
}
