//! Training runs of `morpion learn` on disk, read while they progress.
//!
//! Everything read is untrusted: sizes are limited, invalid lines are skipped, games are verified.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use evidence::VerifiedRecord;

use crate::view::{CurveView, TrainingBestView, TrainingRunView};

/// The most training runs listed.
const MOST: usize = 24;
/// The most bytes of a file.
const MOST_BYTES: u64 = 16 << 20;
/// The most points of a curve.
const POINTS: usize = 500;
/// The columns of a curve that are shown.
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

/// The training runs in these folders or one level below, the latest change first.
#[must_use]
pub fn training_runs(folders: &[PathBuf]) -> Vec<TrainingRunView> {
    let mut found: Vec<(SystemTime, PathBuf)> =
        folders.iter().flat_map(|folder| curves(folder)).collect();
    found.sort_unstable_by(|one, other| other.cmp(one));
    found.dedup();
    found.truncate(MOST);
    found.into_iter().filter_map(|(time, folder)| training_run(time, &folder)).collect()
}

/// The folder of the training run with this name, if it is one of those listed.
#[must_use]
pub fn training_run_folder(folders: &[PathBuf], name: &str) -> Option<PathBuf> {
    let found = folders.iter().flat_map(|folder| curves(folder)).map(|(_, folder)| folder);
    found.into_iter().find(|folder| name_of(folder).as_deref() == Some(name))
}

/// The name that a training run is listed under.
fn name_of(folder: &Path) -> Option<String> {
    Some(folder.canonicalize().ok()?.file_name()?.to_string_lossy().chars().take(80).collect())
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

fn training_run(time: SystemTime, folder: &Path) -> Option<TrainingRunView> {
    let text = |name: &str| {
        let mut text = String::new();
        let file = File::open(folder.join(name)).ok()?;
        file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
        Some(text)
    };
    Some(TrainingRunView {
        name: name_of(folder)?,
        running: false,
        changed: time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
        curve: read_curve(&text("curve.csv")?),
        best: text("best.json")
            .and_then(|text| VerifiedRecord::parse(&text).ok())
            .map(|best| TrainingBestView::from(&best)),
    })
}

/// Parses a CSV file with a header. Invalid lines are skipped: the file is untrusted.
fn read_curve(text: &str) -> CurveView {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let places: Option<Vec<usize>> =
        COLUMNS.iter().map(|wanted| names.iter().position(|name| name == wanted)).collect();
    let Some(places) = places else { return CurveView::default() };
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
    CurveView(COLUMNS.iter().enumerate().map(|(place, &name)| (name, column(place))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: &str = "iteration,games,mean,error95,longest,best,threshold,cut,final,\
        policy_loss,value_loss,positions,samples,play_seconds,learn_seconds";

    fn line(iteration: usize) -> String {
        format!("{iteration},256,{}.5,0.7,60,61,55,0,0,1.5,0.5,9000,9000,1.0,2.0", 40 + iteration)
    }

    #[test]
    fn a_curve_is_read_by_its_names_and_what_is_no_number_is_passed_over() {
        let text = format!("{NAMES}\n{}\n2,256,NaN\nrubbish\n{}\n", line(1), line(3));
        let curve = read_curve(&text);
        assert_eq!(curve.0["mean"], [41.5, 43.5]);
        assert_eq!(curve.0["iteration"], [1.0, 3.0]);
        assert_eq!(read_curve("a,b\n1,2\n"), CurveView::default());
        assert_eq!(read_curve(""), CurveView::default());
        assert!(read_curve(NAMES).0["mean"].is_empty());
    }

    #[test]
    fn a_long_curve_is_thinned_out_and_ends_where_it_ends() {
        let lines: Vec<String> = (1..=1777).map(line).collect();
        let curve = read_curve(&format!("{NAMES}\n{}\n", lines.join("\n")));
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
        let list = training_runs(&[folder.path().to_owned(), one]);
        let mut names: Vec<&str> = list.iter().map(|training| training.name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["one", "two"], "each once");
        assert!(list.iter().all(|training| training.best.is_none()));
        assert!(training_runs(&[folder.path().join("nowhere")]).is_empty());
    }
}
