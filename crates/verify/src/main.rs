//! `morpion-verify`: the judge as a program of its own.
//!
//! It reads files in the native formats and says of each whether it is legal, in which order it can
//! be drawn, or what it proves. Everything that decides is in the library; here are flags, files and words.
#![forbid(unsafe_code)]

extern crate morpion_verify as verify;

mod report;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

use report::Report;

const HELP: &str = "\
Judges games of Morpion Solitaire, and proofs about them, in the native formats (docs/formats.md).

Usage: morpion-verify [--order] [--json] FILE...

FILE is a game, a drawing, a proof of endless play or the certificate of a bound, \"-\" the standard
input; it may be compressed with gzip.

  --order    passes over the order in the file and finds one in which its lines can be drawn;
             lines are numbered from 1 as they stand in the file
  --json     prints one JSON list with an object for each file
  --help     prints this
  --version  prints the version

Exit: 0 all legal (ordered, proven), 1 some refused (stuck), 2 trouble: a bad flag, or a file that
cannot be read or is neither a game nor a proof.
";

/// What to do, as asked on the command line.
#[derive(Debug, PartialEq, Eq)]
enum Task {
    Help,
    Version,
    Judge { order: bool, json: bool, files: Vec<OsString> },
}

fn main() -> ExitCode {
    let mut output = Output { closed: false, failed: false };
    let code = match parse(std::env::args_os().skip(1)) {
        Ok(Task::Help) => {
            output.print(HELP);
            0
        }
        Ok(Task::Version) => {
            output.print(concat!("morpion-verify ", env!("CARGO_PKG_VERSION"), "\n"));
            0
        }
        Ok(Task::Judge { order, json, files }) => judge_all(order, json, &files, &mut output),
        Err(message) => {
            complain(&format!("{message}; see morpion-verify --help"));
            2
        }
    };
    ExitCode::from(if output.failed { 2 } else { code })
}

/// Why the arguments make no sense.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum BadArguments {
    #[error("unknown flag {0:?}")]
    UnknownFlag(OsString),
    #[error("no file given")]
    NoFile,
}

/// Reads the arguments.
fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Task, BadArguments> {
    let (mut order, mut json, mut only_files) = (false, false, false);
    let mut files = Vec::new();
    for argument in arguments {
        match argument.to_str() {
            _ if only_files => files.push(argument),
            Some("--") => only_files = true,
            Some("--help" | "-h") => return Ok(Task::Help),
            Some("--version" | "-V") => return Ok(Task::Version),
            Some("--order") => order = true,
            Some("--json") => json = true,
            Some(flag) if flag.starts_with('-') && flag != "-" => {
                return Err(BadArguments::UnknownFlag(argument));
            }
            _ => files.push(argument),
        }
    }
    if files.is_empty() {
        return Err(BadArguments::NoFile);
    }
    Ok(Task::Judge { order, json, files })
}

/// Judges the files one after the other and returns the exit code.
fn judge_all(order: bool, json: bool, files: &[OsString], output: &mut Output) -> u8 {
    let mut reports = Vec::new();
    let mut code = 0;
    for file in files {
        let name = file.to_string_lossy().into_owned();
        let text = if file == "-" {
            verify::read(io::stdin().lock())
        } else {
            File::open(file).map_err(Into::into).and_then(verify::read)
        };
        let report = Report::new(name, text, order);
        code = code.max(report.exit_code());
        if report.is_unreadable() {
            complain(&report.to_string());
        } else if !json {
            output.print(&format!("{report}\n"));
        }
        if json {
            reports.push(report.to_json().to_string());
        }
    }
    if json {
        output.print(&format!("[\n{}\n]\n", reports.join(",\n")));
    }
    code
}

/// The standard output. When nobody listens any more, judging goes on for the exit code.
struct Output {
    closed: bool,
    failed: bool,
}

impl Output {
    fn print(&mut self, text: &str) {
        if self.closed {
            return;
        }
        let mut stdout = io::stdout().lock();
        if let Err(error) = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            self.closed = true;
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.failed = true;
                complain(&format!("cannot write: {error}"));
            }
        }
    }
}

/// Writes to the standard error; if that fails too, there is nobody left to tell.
fn complain(message: &str) {
    let _ = writeln!(io::stderr(), "morpion-verify: {message}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Task, BadArguments> {
        parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn flags_and_files_may_mix() {
        let files = vec!["a".into(), "-".into(), "b".into()];
        let task = Task::Judge { order: true, json: true, files };
        assert_eq!(parsed(&["a", "--json", "-", "--order", "b"]), Ok(task));
    }

    #[test]
    fn after_two_dashes_all_is_files() {
        let task = Task::Judge { order: false, json: false, files: vec!["--json".into()] };
        assert_eq!(parsed(&["--", "--json"]), Ok(task));
    }

    #[test]
    fn an_unknown_flag_or_no_file_is_an_error() {
        let unknown = BadArguments::UnknownFlag("--jsn".into());
        assert_eq!(unknown.to_string(), "unknown flag \"--jsn\"");
        assert_eq!(parsed(&["--jsn", "a"]), Err(unknown));
        assert_eq!(parsed(&["--json"]), Err(BadArguments::NoFile));
    }

    #[test]
    fn help_comes_before_all_else() {
        assert_eq!(parsed(&["--json", "--help"]), Ok(Task::Help));
        assert_eq!(parsed(&["-V"]), Ok(Task::Version));
    }
}
