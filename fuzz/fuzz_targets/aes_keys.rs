//! Fuzz target: any bytes as the keys with which messages are encrypted by AES.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow::fuzz::aes_keys(input);
});
