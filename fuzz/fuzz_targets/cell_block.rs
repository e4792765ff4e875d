//! Fuzz target: any bytes as a cell block.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_wire::fuzz::cell_block(input);
});
