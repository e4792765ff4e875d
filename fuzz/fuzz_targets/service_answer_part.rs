//! Fuzz target: any bytes as the encrypted part of a service's token.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_kerberos::fuzz::service_answer_part(input);
});
