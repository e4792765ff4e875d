//! Fuzz target: any text as a schema, and any row decoded by it.

#![no_main]

#[path = "../../codec/tests/fuzz/schema.rs"]
mod schema;

libfuzzer_sys::fuzz_target!(|input: &[u8]| schema::schema(input));
