//! Damages games and proofs of every format, again and again, and brings each before both
//! verifiers: `morpion verify` (this crate) and `morpion-verify`. Neither may panic, take longer
//! than the budget of the file allows, or say something else than the other.
//!
//! `cargo run --release -p morpion-evidence --example mutations -- 1000000 1 games proofs
//! crates/verify/tests`: how many, the seed, and folders of files to start from.

#![allow(clippy::print_stdout, clippy::print_stderr)]

extern crate morpion_evidence as evidence;

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use evidence::AnyCheck;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let numbers = (args.next().and_then(|it| it.parse().ok()), args.next());
    let (Some(times), Some(Ok(seed))) = (numbers.0, numbers.1.map(|it| it.parse())) else {
        eprintln!("how many times, which seed, and which folders?");
        return ExitCode::from(2);
    };
    let corpus = Corpus::read(args.map(PathBuf::from));
    if corpus.small.is_empty() {
        eprintln!("there is nothing to start from");
        return ExitCode::from(2);
    }
    std::panic::set_hook(Box::new(|_| {}));
    let (mut random, mut tally) = (Random(seed), Tally::default());
    let start = Instant::now();
    for number in 1..=times {
        let bytes = corpus.mutant(&mut random);
        tally.add(&bytes);
        if number % 10_000 == 0 || number == times {
            println!("{number} in {} s: {tally}", start.elapsed().as_secs());
        }
    }
    ExitCode::from(u8::from(tally.faults > 0))
}

/// What the files said.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Said {
    Accepted(String),
    Refused(String),
    Error(String),
}

/// What `morpion verify` says.
fn laboratory(bytes: &[u8]) -> Said {
    match evidence::verify_any(bytes, None) {
        Ok(AnyCheck::Proof(Ok(claim))) => Said::Accepted(claim.to_string()),
        Ok(AnyCheck::Proof(Err(refusal))) => Said::Refused(refusal.to_string()),
        Ok(AnyCheck::Game(check)) => match check.verdict {
            Ok(game) => Said::Accepted(game.to_string()),
            Err(refusal) => Said::Refused(refusal.to_string()),
        },
        Err(error) => Said::Error(error.to_string()),
    }
}

/// What `morpion-verify` says.
fn verifier(bytes: &[u8]) -> Said {
    let text = match verify::read(bytes) {
        Ok(text) => text,
        Err(error) => return Said::Error(error.to_string()),
    };
    let said = match verify::is_proof(&text) {
        true => verify::verify_proof(&text).map(|claim| claim.to_string()),
        false => verify::verify_game(&text).map(|game| game.to_string()),
    };
    match said {
        Ok(claim) => Said::Accepted(claim),
        Err(refusal) if refusal.is_malformed() => Said::Error(refusal.to_string()),
        Err(refusal) => Said::Refused(refusal.to_string()),
    }
}

/// What came of all files so far.
#[derive(Default)]
struct Tally {
    accepted: u64,
    refused: u64,
    errors: u64,
    over_budget: u64,
    other_formats: u64,
    faults: u64,
    slowest: Duration,
    slowest_step: f64,
}

impl Tally {
    fn add(&mut self, bytes: &[u8]) {
        let start = Instant::now();
        let said = catch_unwind(AssertUnwindSafe(|| laboratory(bytes)));
        let took = start.elapsed();
        let small = catch_unwind(AssertUnwindSafe(|| verifier(bytes)));
        self.slowest = self.slowest.max(took);
        let size = verify::read(bytes).map_or(bytes.len(), |text| text.len());
        let steps = verify::allowed_steps(size);
        self.slowest_step = self.slowest_step.max(took.as_nanos() as f64 / steps as f64);
        let (Ok(said), Ok(small)) = (said, small) else {
            return self.fault("panic", bytes, "");
        };
        match &said {
            Said::Accepted(_) => self.accepted += 1,
            Said::Refused(reason) => {
                self.refused += 1;
                self.over_budget += u64::from(reason.contains("steps that a file of its size"));
            }
            Said::Error(_) => self.errors += 1,
        }
        // Other formats are errors to the small program, and to both if they are damaged.
        match (&said, &small) {
            (Said::Error(_), Said::Error(_)) => {}
            (_, Said::Error(_)) if is_foreign(bytes) => self.other_formats += 1,
            _ if said == small => {}
            _ => self.fault("disagreement", bytes, &format!("{said:?} but {small:?}")),
        }
    }

    /// Keeps a file that shows a fault.
    fn fault(&mut self, what: &str, bytes: &[u8], words: &str) {
        self.faults += 1;
        let file = std::env::temp_dir().join(format!("mutation-{what}-{}", self.faults));
        let kept = std::fs::write(&file, bytes).map(|()| file.display().to_string());
        println!("{what}: {} {words}", kept.unwrap_or_default());
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { accepted, refused, errors, over_budget, other_formats, faults, .. } = self;
        let (slowest, step) = (self.slowest.as_millis(), self.slowest_step);
        write!(f, "{accepted} accepted, {refused} refused ")?;
        write!(
            f,
            "({over_budget} over budget), {errors} errors, {other_formats} verified in other "
        )?;
        write!(f, "formats, {faults} faults; slowest ")?;
        write!(f, "{slowest} ms, {step:.2} ns per step allowed; peak {} kB", peak_memory())
    }
}

/// Whether a file is neither native JSON nor a proof, or carries its game inside a picture.
fn is_foreign(bytes: &[u8]) -> bool {
    let text = verify::read(bytes).ok();
    let bytes = text.as_ref().map_or(bytes, String::as_bytes);
    record::recognise(bytes) != record::Format::Native
}

/// The most memory that this process has had, in kB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|it| it.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// The files to start from.
struct Corpus {
    small: Vec<Vec<u8>>,
    /// Proofs that take their time: one mutant in 200 is of these.
    large: Vec<Vec<u8>>,
}

impl Corpus {
    const LARGE: usize = 40_000;

    fn read(folders: impl Iterator<Item = PathBuf>) -> Corpus {
        let mut corpus = Corpus { small: Vec::new(), large: Vec::new() };
        for folder in folders {
            corpus.add_folder(&folder);
        }
        corpus
    }

    fn add_folder(&mut self, folder: &Path) {
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            if path.is_dir() {
                self.add_folder(&path);
            } else if let Ok(bytes) = std::fs::read(&path) {
                self.add(bytes);
            }
        }
    }

    fn add(&mut self, bytes: Vec<u8>) {
        // Larger ones would take seconds each; what they consist of is in the others.
        const MOST: usize = 5_000_000;
        let text = verify::read(&bytes[..]).map_or(bytes, String::into_bytes);
        if text.len() > MOST {
            return;
        }
        if text.len() > Self::LARGE {
            self.large.push(text);
            return;
        }
        if let Ok(record) = record::read(&text, None) {
            let mut other = vec![record.to_text(), record.to_drawing().to_json()];
            other.extend(record.to_pentasol());
            if let Ok(msr) = record.to_msr() {
                other.push(format!("MS1:{}", BASE64_URL_SAFE_NO_PAD.encode(deflate(&msr))));
                other.push(msr);
            }
            other.push(format!("<svg>{}</svg>", record.to_svg_metadata()));
            other.push(exchange(&record));
            self.small.extend(other.into_iter().map(String::into_bytes));
        }
        self.small.push(text);
    }

    fn mutant(&self, random: &mut Random) -> Vec<u8> {
        let is_large = !self.large.is_empty() && random.below(200) == 0;
        let files = if is_large { &self.large } else { &self.small };
        let mut file = files[random.below(files.len())].clone();
        let other = &self.small[random.below(self.small.len())];
        let compressed = random.below(20) == 0;
        let early = compressed && random.below(2) == 0;
        if early {
            file = gzip(&file);
        }
        for _ in 0..=random.below(3) {
            if !file.is_empty() {
                damage(&mut file, other, random);
            }
        }
        match (compressed && !early, random.below(20)) {
            (true, _) => gzip(&file),
            // The checksum is that of the damaged game, so that the game itself is verified.
            (false, 0) => png(&file),
            (false, _) => file,
        }
    }
}

/// The plain JSON that moves are passed around in.
fn exchange(record: &record::Record) -> String {
    let record::Play::Moves(moves) = &record.play else { return String::new() };
    let moves: Vec<String> = moves.iter().map(exchange_move).collect();
    format!("{{\"game\":\"{}\",\"moves\":[{}]}}", record.game.rules, moves.join(","))
}

fn exchange_move(mv: &geometry::Move) -> String {
    use geometry::Direction;
    let (dot, start) = (mv.dot(), mv.line.start);
    let way = match mv.line.direction {
        Direction::East => "H",
        Direction::South => "V",
        Direction::SouthEast => "DN",
        Direction::NorthEast => "DP",
    };
    format!(
        "{{\"new\":[{},{}],\"dir\":\"{way}\",\"start\":[{},{}]}}",
        dot.x, dot.y, start.x, start.y
    )
}

fn deflate(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text.as_bytes()).expect("in memory");
    encoder.finish().expect("in memory")
}

/// A picture of nothing with these bytes for its game.
fn png(game: &[u8]) -> Vec<u8> {
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    let inside = [b"iTXtmorpion-game\0\0\0\0\0", game].concat();
    for chunk in [&inside[..], b"IEND"] {
        let mut checksum = flate2::Crc::new();
        checksum.update(chunk);
        picture.extend((chunk.len() as u32 - 4).to_be_bytes());
        picture.extend(chunk);
        picture.extend(checksum.sum().to_be_bytes());
    }
    picture
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("in memory");
    encoder.finish().expect("in memory")
}

/// Changes some bytes, numbers, words or lines.
fn damage(file: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    const WORDS: [&[u8]; 20] = [
        b"99999999999999999999",
        b"-9223372036854775808",
        b"9223372036854775807",
        b"-1048577",
        b"1e9",
        b"\xff\xfe",
        b"\"",
        b"[[",
        b"null",
        b"\0",
        b"<!ENTITY",
        b"\n",
        b"5D",
        b"16T",
        b"4000000000",
        b" 0:1",
        b"leaf 1\n",
        b"split 9\n",
        b"cross:1024",
        b"square:200",
    ];
    let at = random.below(file.len());
    let some = |random: &mut Random| 1 + random.below(60);
    match random.below(14) {
        0 => file[at] ^= 1 << random.below(8),
        1 => file.truncate(at),
        2 => drop(file.drain(at..(at + some(random)).min(file.len()))),
        3 => drop(file.splice(at..at, WORDS[random.below(WORDS.len())].iter().copied())),
        4 => {
            let copy = file[at..(at + some(random)).min(file.len())].to_vec();
            let place = random.below(file.len());
            drop(file.splice(place..place, copy));
        }
        5 => {
            let from = random.below(other.len().max(1)).min(other.len());
            let piece = &other[from..(from + some(random)).min(other.len())];
            drop(file.splice(at..at, piece.iter().copied()));
        }
        // A line moved, doubled or dropped.
        6 | 7 => {
            let begin = file[..at].iter().rposition(|&it| it == b'\n').map_or(0, |it| it + 1);
            let end =
                file[at..].iter().position(|&it| it == b'\n').map_or(file.len(), |it| at + it + 1);
            let line = file[begin..end].to_vec();
            if random.below(2) == 0 {
                drop(file.drain(begin..end));
            }
            let place = random.below(file.len() + 1);
            let place = file[..place].iter().rposition(|&it| it == b'\n').map_or(0, |it| it + 1);
            drop(file.splice(place..place, line));
        }
        // Another number in the same place: still a file, another game or proof.
        8 | 9 => number(file, at, random),
        _ => {
            if let Some(digit) = (at..file.len()).find(|&it| file[it].is_ascii_digit()) {
                file[digit] = b'0' + random.below(10) as u8;
            }
        }
    }
}

/// Replaces the next number by one nearby or at a limit.
fn number(file: &mut Vec<u8>, at: usize, random: &mut Random) {
    let Some(start) = (at..file.len()).find(|&it| file[it].is_ascii_digit()) else { return };
    let end = (start..file.len()).find(|&it| !file[it].is_ascii_digit()).unwrap_or(file.len());
    let digits = String::from_utf8_lossy(&file[start..end]);
    let old: i64 = digits.parse().unwrap_or(i64::MAX);
    let new = match random.below(6) {
        0 => old.saturating_add(1),
        1 => old.saturating_sub(1),
        2 => old.saturating_mul(2),
        3 => i64::MAX,
        4 => 1 << 20,
        _ => 0,
    };
    drop(file.splice(start..end, new.to_string().into_bytes()));
}

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 11) % bound.max(1) as u64) as usize
    }
}
