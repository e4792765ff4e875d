//! Fuzz target: any bytes as the encrypted part of a KDC's reply.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_kerberos::fuzz::kdc_reply_part(input);
});
