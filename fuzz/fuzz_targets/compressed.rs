//! Fuzz target: any bytes, decompressed by every codec.

#![no_main]

#[path = "../../wire/tests/fuzz/compressed.rs"]
mod compressed;

libfuzzer_sys::fuzz_target!(|input: &[u8]| compressed::decompress(input));
