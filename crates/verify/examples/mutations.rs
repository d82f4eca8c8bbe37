//! Changes a random number of a proof, or a random letter or digit, again and again, and verifies
//! the result: no other claim may be proven.
//!
//! `cargo run --release -p morpion-verify --example mutations -- 1000 proofs/4D-35.tree.gz
//! proofs/4T-62.tree.gz`

#![allow(clippy::print_stdout, clippy::print_stderr)]

extern crate morpion_verify as verify;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let times: Option<u64> = args.next().and_then(|times| times.parse().ok());
    let (Some(times), files) = (times, args.collect::<Vec<_>>()) else {
        eprintln!("how many times, and which proofs?");
        return ExitCode::from(2);
    };
    let mut all_well = true;
    for file in files {
        match mutate(&file, times) {
            Ok(other) => all_well &= other == 0,
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    ExitCode::from(u8::from(!all_well))
}

/// How often another claim was proven.
fn mutate(file: &str, times: u64) -> Result<u64, Box<dyn std::error::Error>> {
    let text = verify::read(std::fs::File::open(file)?)?;
    let claim = verify::verify_proof(&text)?.to_string();
    let is_digit = |at: usize| text.as_bytes()[at].is_ascii_digit();
    let is_first = |&at: &usize| is_digit(at) && (at == 0 || !is_digit(at - 1));
    let numbers: Vec<usize> = (0..text.len()).filter(is_first).collect();
    let is_letter = |&at: &usize| text.as_bytes()[at].is_ascii_alphanumeric();
    let letters: Vec<usize> = (0..text.len()).filter(is_letter).collect();
    let (mut refused, mut same, mut other) = (0, 0, 0);
    let mut state = 1u64;
    for _ in 0..times {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let start = numbers[(state >> 24) as usize % numbers.len()];
        let end = (start..text.len()).find(|&at| !is_digit(at)).unwrap_or(text.len());
        let number: i64 = text[start..end].parse()?;
        let change = [1, -1, 2, 10, i64::MAX][(state >> 16) as usize % 5];
        let changed = number.saturating_add(change);
        // Every other time a letter or digit instead, like those of prices.
        let (start, end, changed) = match state >> 60 & 1 {
            0 => (start, end, changed.to_string()),
            _ => {
                let at = letters[(state >> 20) as usize % letters.len()];
                let letter = text.as_bytes()[letters[(state >> 28) as usize % letters.len()]];
                (at, at + 1, char::from(letter).to_string())
            }
        };
        let changed_to = changed;
        let changed = format!("{}{changed_to}{}", &text[..start], &text[end..]);
        match verify::verify_proof(&changed) {
            Err(_) => refused += 1,
            Ok(proof) if proof.to_string() == claim => same += 1,
            Ok(proof) => {
                other += 1;
                let line = text[..start].lines().count();
                println!("{file}: line {line}: {changed_to} instead proves {proof}");
            }
        }
    }
    println!(
        "{file}: {claim}; {times} changes: {refused} refused, {same} prove the same, {other} others"
    );
    Ok(other)
}
