//! Fuzz target: any bytes as records of a data file, each after its length.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_mock::fuzz::data_records(input);
});
