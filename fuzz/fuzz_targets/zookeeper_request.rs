//! Fuzz target: any bytes as what a client of ZooKeeper sends.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    tallrow_wire::fuzz::zookeeper_request(input);
});
