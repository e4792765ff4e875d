//! Fuzz target: any bytes as the answers of Bigtable's service to a query.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow::fuzz::query_results(input);
});
