//! A small file that inflates to a huge one.

use std::io::Write;
use std::process::Command;

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use record::{CompactFault, ReadError, read};

/// Set for the process that reads the bomb.
const ALONE: &str = "MORPION_TEST_BOMB";

/// Runs in a process of its own, so that the peak of memory is that of this test alone.
#[test]
fn a_bomb_is_refused_before_it_goes_off() {
    if std::env::var_os(ALONE).is_none() {
        let this = std::env::current_exe().expect("the test program");
        let args = ["--exact", "bomb::a_bomb_is_refused_before_it_goes_off"];
        let output = Command::new(this).args(args).env(ALONE, "1").output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
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
