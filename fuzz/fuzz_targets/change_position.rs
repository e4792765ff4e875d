//! Fuzz target: any bytes as a saved position in a change stream.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow::fuzz::change_position(input);
});
