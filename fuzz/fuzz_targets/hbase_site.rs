//! Fuzz target: any text as an hbase-site.xml.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow::fuzz::hbase_site(input);
});
