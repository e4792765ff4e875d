//! Fuzz target: any bytes as what a server says while a client logs in.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow::fuzz::sasl_answers(input);
});
