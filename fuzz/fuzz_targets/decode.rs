//! Fuzz target: any bytes, decoded as rows of many keys.

#![no_main]

#[path = "../../codec/tests/fuzz/decode.rs"]
mod decode;
#[path = "../../codec/tests/fuzz/keys.rs"]
mod keys;

libfuzzer_sys::fuzz_target!(|input: &[u8]| decode::decode(input));
