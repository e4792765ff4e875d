//! Fuzz target: any bytes as a file of Hadoop's tokens.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow::fuzz::token_file(input);
});
