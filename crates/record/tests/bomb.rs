//! A small file that inflates to a huge one. Alone in its program, to measure the memory it takes.

extern crate morpion_record as record;

use std::io::Write;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use record::{CompactFault, ReadError, read};

#[test]
fn a_bomb_is_refused_before_it_goes_off() {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(b"{\"version\":\"0.1\",\"variant\":\"5T\",\"moves\":[").expect("in memory");
    let spaces = vec![b' '; 1 << 20];
    for _ in 0..300 {
        encoder.write_all(&spaces).expect("in memory");
    }
    encoder.write_all(b"]}").expect("in memory");
    let bomb = format!("MS1:{}", BASE64_URL_SAFE.encode(encoder.finish().expect("in memory")));
    assert!(bomb.len() < 500_000, "{}", bomb.len());
    assert_eq!(read(bomb.as_bytes(), None), Err(ReadError::Compact(CompactFault::TooLarge)));
    if let Some(peak) = peak_memory() {
        assert!(peak < 50 << 20, "{peak} bytes");
    }
}

/// The most memory this process ever had, where the system tells.
fn peak_memory() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? << 10)
}
