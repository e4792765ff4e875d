//! Fuzz target: any text as a krb5.conf, and each of its settings.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_kerberos::fuzz::krb5_conf(input);
});
