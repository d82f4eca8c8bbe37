//! `morpion-verify`: the verifier as a program.
//!
//! It reads files in the native formats and reports of each whether it is legal, in which order it
//! can be drawn, or what it proves. All decisions are in the library; here are flags and files.
#![forbid(unsafe_code)]

extern crate morpion_verify as verify;

mod report;

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

use report::Report;

const HELP: &str = "\
Verifies games of Morpion Solitaire, and proofs about them, in the native formats
(docs/reference/game-files.md, docs/reference/certificates.md).

Usage: morpion-verify [--order] [--json] FILE...

FILE is a game, a drawing or a proof, \"-\" the standard input; it may be compressed with gzip.

  --order    ignore the order in the file and find one in which its lines can be drawn;
             lines are numbered from 1 as they stand in the file
  --json     print one JSON list with an object for each file
  --help     print this
  --version  print the version

Exit status: 0 all legal (ordered, proven), 1 some refused (stuck), 2 error: a bad flag, or a file
that cannot be read or is neither a game nor a proof.
";

/// What the command line asks for.
#[derive(Debug, PartialEq, Eq)]
enum Command {
    Help,
    Version,
    Verify { order: bool, json: bool, files: Vec<OsString> },
}

fn main() -> ExitCode {
    let mut output = Output { closed: false, failed: false };
    let code = match parse(std::env::args_os().skip(1)) {
        Ok(Command::Help) => {
            output.print(HELP);
            0
        }
        Ok(Command::Version) => {
            output.print(concat!("morpion-verify ", env!("CARGO_PKG_VERSION"), "\n"));
            0
        }
        Ok(Command::Verify { order, json, files }) => verify_all(order, json, &files, &mut output),
        Err(message) => {
            print_error(&format!("{message}; see morpion-verify --help"));
            2
        }
    };
    ExitCode::from(if output.failed { 2 } else { code })
}

/// Why the arguments are refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
enum ArgumentsError {
    #[error("unknown flag {0:?}")]
    UnknownFlag(OsString),
    #[error("no file given")]
    NoFile,
}

/// Parses the arguments.
fn parse(arguments: impl Iterator<Item = OsString>) -> Result<Command, ArgumentsError> {
    let (mut order, mut json, mut only_files) = (false, false, false);
    let mut files = Vec::new();
    for argument in arguments {
        match argument.to_str() {
            _ if only_files => files.push(argument),
            Some("--") => only_files = true,
            Some("--help" | "-h") => return Ok(Command::Help),
            Some("--version" | "-V") => return Ok(Command::Version),
            Some("--order") => order = true,
            Some("--json") => json = true,
            Some(flag) if flag.starts_with('-') && flag != "-" => {
                return Err(ArgumentsError::UnknownFlag(argument));
            }
            _ => files.push(argument),
        }
    }
    if files.is_empty() {
        return Err(ArgumentsError::NoFile);
    }
    Ok(Command::Verify { order, json, files })
}

/// Verifies the files one after the other and returns the exit code.
fn verify_all(order: bool, json: bool, files: &[OsString], output: &mut Output) -> u8 {
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
        if report.is_error() {
            print_error(&report.to_string());
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

/// The standard output. If it is closed, verification continues for the exit code.
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
                print_error(&format!("cannot write: {error}"));
            }
        }
    }
}

/// Writes to the standard error; if that fails too, there is nowhere left to report it.
fn print_error(message: &str) {
    let _ = writeln!(io::stderr(), "morpion-verify: {message}");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Result<Command, ArgumentsError> {
        parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn flags_and_files_may_mix() {
        let files = vec!["a".into(), "-".into(), "b".into()];
        let command = Command::Verify { order: true, json: true, files };
        assert_eq!(parsed(&["a", "--json", "-", "--order", "b"]), Ok(command));
    }

    #[test]
    fn after_two_dashes_everything_is_a_file() {
        let command = Command::Verify { order: false, json: false, files: vec!["--json".into()] };
        assert_eq!(parsed(&["--", "--json"]), Ok(command));
    }

    #[test]
    fn an_unknown_flag_or_no_file_is_an_error() {
        let unknown = ArgumentsError::UnknownFlag("--jsn".into());
        assert_eq!(unknown.to_string(), "unknown flag \"--jsn\"");
        assert_eq!(parsed(&["--jsn", "a"]), Err(unknown));
        assert_eq!(parsed(&["--json"]), Err(ArgumentsError::NoFile));
    }

    #[test]
    fn help_takes_precedence() {
        assert_eq!(parsed(&["--json", "--help"]), Ok(Command::Help));
        assert_eq!(parsed(&["-V"]), Ok(Command::Version));
    }
}
