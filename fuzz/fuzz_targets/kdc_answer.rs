//! Fuzz target: any bytes as the answer of a KDC.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_kerberos::fuzz::kdc_answer(input);
});
