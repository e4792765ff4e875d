//! Fuzz target: any bytes as a filter of a scan.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_mock::fuzz::filter(input);
});
