//! Fuzz target: any bytes as the token of a service.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_kerberos::fuzz::service_answer(input);
});
