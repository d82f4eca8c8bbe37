//! What the end-to-end tests share: the real binary, in a folder of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::until::until;

/// A folder that disappears with the test.
pub(crate) struct Bench {
    dir: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    /// A path inside the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.path(name), content).expect("a file");
        self.path(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The files in the folder, hidden ones included.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.dir.path()).expect("the folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// The command, to be run in the folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_morpion"));
        command.args(args).current_dir(self.dir.path());
        command
    }

    /// Another program, to be run in the folder.
    pub(crate) fn in_folder(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.dir.path());
        command
    }

    /// Runs the command to its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).output().expect("the program runs"))
    }

    /// Runs the command with this on its standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: &str) -> Ran {
        self.write("input", input);
        let input = std::fs::File::open(self.path("input")).expect("the input");
        Ran::of(self.command(args).stdin(input).output().expect("the program runs"))
    }

    /// Finds a game of `name` and saves it as `file`, without the search beside it.
    pub(crate) fn find(&self, game: &str, file: &str) {
        let args = ["search", game, "--playouts", "300", "--seed", "5", "--threads", "1"];
        self.run(&[&args[..], &["--out", file]].concat()).succeeds();
        std::fs::remove_file(self.path(&format!("{file}.state"))).expect("the search is kept");
    }
}

/// How a command ended.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let ran =
            Self { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) };
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
        ran
    }

    #[track_caller]
    fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout: {}\nstderr: {}", self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn succeeds(self) -> Self {
        self.ends(0)
    }

    #[track_caller]
    pub(crate) fn ends_negative(self) -> Self {
        self.ends(1)
    }

    /// It was asked to stop, and kept what it had.
    #[track_caller]
    pub(crate) fn stops_interrupted(self) -> Self {
        self.ends(130)
    }

    /// Some of it failed.
    #[track_caller]
    pub(crate) fn ends_with_error(self) -> Self {
        self.ends(2)
    }

    /// Errors go to stderr, and nothing else is printed.
    #[track_caller]
    pub(crate) fn fails(self) -> Self {
        assert!(!self.err.is_empty(), "an error must be reported");
        assert_eq!(self.out, "", "an error has no result");
        self.ends(2)
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// Starts a command whose output is read when it ends.
pub(crate) fn start(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs")
}

/// Kills a process at an arbitrary moment, after about this long; how it ended if it was faster.
///
/// Failpoints are for kills at a given step; this is for those between any two instructions.
pub(crate) fn kill_after(mut child: Child, time: Duration) -> Option<Ran> {
    let began = Instant::now();
    let has_ended = |child: &mut Child| child.try_wait().expect("a child").is_some();
    until(|| has_ended(&mut child) || began.elapsed() >= time);
    if has_ended(&mut child) {
        return Some(Ran::of(child.wait_with_output().expect("it has ended")));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    None
}

/// Asks a process to stop.
#[cfg(unix)]
pub(crate) fn terminate(child: &Child) {
    let kill = format!("kill -TERM {}", child.id());
    let killed = Command::new("sh").args(["-c", &kill]).status();
    assert!(killed.expect("a shell").success());
}

/// Asks a process to stop so long after it has taken over SIGTERM; it may have ended by itself.
#[cfg(target_os = "linux")]
pub(crate) fn interrupt_after(mut child: Child, delay: Duration) -> Ran {
    let status = format!("/proc/{}/status", child.id());
    let takes_over = || {
        let status = std::fs::read_to_string(&status).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = u64::from_str_radix(caught.unwrap_or("0").trim(), 16).expect("a mask");
        // SIGTERM is 15, the first bit is 1.
        caught >> 14 & 1 == 1
    };
    let has_ended = |child: &mut Child| child.try_wait().expect("a child").is_some();
    until(|| takes_over() || has_ended(&mut child));
    let began = Instant::now();
    until(|| began.elapsed() >= delay || has_ended(&mut child));
    if !has_ended(&mut child) {
        terminate(&child);
    }
    Ran::of(child.wait_with_output().expect("it ends"))
}

/// Where `scripts/solver` puts the library.
pub(crate) fn solver() -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../solver/libhighs.so.1");
    assert!(file.is_file(), "{} is missing; run scripts/solver first", file.display());
    file.to_str().expect("UTF-8").to_owned()
}

/// Marsaglia's xorshift: the same numbers in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}
