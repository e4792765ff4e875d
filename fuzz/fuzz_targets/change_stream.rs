//! Fuzz target: any bytes as the messages of a change stream of Bigtable's service.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow::fuzz::change_stream(input);
});
