//! Fuzz target: any bytes as a frame, of a request and of a response.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_wire::fuzz::frame(input);
});
