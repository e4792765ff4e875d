//! Fuzz target: any bytes as a challenge of DIGEST-MD5, and a server's proof.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow::fuzz::digest_challenge(input);
});
