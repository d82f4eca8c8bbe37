#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| morpion_fuzz::games(bytes));
