//! Fuzz target: any bytes as the data file of a mock.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_mock::fuzz::data_file(input);
});
