//! Fuzz target: any bytes as the preamble and the header of a connection.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_wire::fuzz::preamble_and_header(input);
});
