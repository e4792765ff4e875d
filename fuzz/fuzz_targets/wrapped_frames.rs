//! Fuzz target: any bytes as protected messages of a connection.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow::fuzz::wrapped_frames(input);
});
