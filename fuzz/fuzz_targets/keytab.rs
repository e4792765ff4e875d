//! Fuzz target: any bytes as a keytab.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_kerberos::fuzz::keytab(input);
});
