//! Training runs of `morpion learn`, read while they progress. Their folders are fixed when the
//! server starts; no request can name another one.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use evidence::VerifiedRecord;
use serde::Serialize;

/// The most training runs shown.
const MOST: usize = 24;
/// The most bytes of a file.
const MOST_BYTES: u64 = 16 << 20;
/// The most points of a curve.
const POINTS: usize = 500;
/// The columns shown.
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

/// Folders of training runs, or with such folders in them.
pub(crate) struct TrainingRuns(Vec<PathBuf>);

/// The state of a training run.
pub(crate) struct TrainingRun {
    /// The name of its folder.
    pub(crate) name: String,
    /// When its curve last changed, in seconds since 1970.
    pub(crate) changed: u64,
    pub(crate) curve: Curve,
    /// The longest verified game so far.
    pub(crate) best: Option<VerifiedRecord>,
}

/// The learning curve: columns of equal length, by name.
#[derive(Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Curve(BTreeMap<&'static str, Vec<f64>>);

impl TrainingRuns {
    pub(crate) fn new(folders: Vec<PathBuf>) -> Self {
        Self(folders)
    }

    /// All training runs, the latest change first.
    pub(crate) fn list(&self) -> Vec<TrainingRun> {
        let mut found: Vec<(SystemTime, PathBuf)> =
            self.0.iter().flat_map(|folder| curves(folder)).collect();
        found.sort_unstable_by(|one, other| other.cmp(one));
        found.dedup();
        found.truncate(MOST);
        found.into_iter().filter_map(|(time, folder)| training(time, &folder)).collect()
    }
}

/// The modification times of the curves in a folder or its subfolders.
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

fn training(time: SystemTime, folder: &Path) -> Option<TrainingRun> {
    let text = |name: &str| {
        let mut text = String::new();
        let file = File::open(folder.join(name)).ok()?;
        file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
        Some(text)
    };
    let path = folder.canonicalize().ok()?;
    Some(TrainingRun {
        name: path.file_name()?.to_string_lossy().chars().take(80).collect(),
        changed: time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        curve: Curve::read(&text("curve.csv")?),
        best: text("best.json").and_then(|text| VerifiedRecord::parse(&text).ok()),
    })
}

impl Curve {
    /// Parses a CSV file with a header. Invalid lines are skipped: the file is untrusted.
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
        // Always including the last one.
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
    fn training_runs_are_found_in_their_folder_or_one_above() {
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
        let list = TrainingRuns::new(vec![folder.path().to_owned(), one]).list();
        let mut names: Vec<&str> = list.iter().map(|training| training.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["one", "two"], "each once");
        assert!(list.iter().all(|training| training.best.is_none()));
        assert!(TrainingRuns::new(vec![folder.path().join("nowhere")]).list().is_empty());
    }
}
