//! Fuzz target: any bytes as a ticket cache.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_kerberos::fuzz::ticket_cache(input);
});
