//! Fuzz target: any bytes as a wrapped message of a service.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_kerberos::fuzz::wrapped_message(input);
});
