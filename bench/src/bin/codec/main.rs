//! Times the row keys of `#[derive(RowKey)]`, hand-written code and other codecs in one run.
//!
//! There are two keys: one of fixed width (16 bytes, a `u64`, a reverse `u64`: 32 bytes), and one
//! of variable width (a text of 6 to 24 characters, an `i64`, a `u32`). The prefix handle hashes a
//! text and encodes a `u64` once, then makes a key for each time.

mod hand;
mod keys;
mod peers;
mod race;
mod tallrow;

use std::alloc::System;
use std::process::ExitCode;

use keys::{fixed, variable};
use peers::{foundationdb_tuple, memcomparable, storekey, zerocopy};
use race::{Line, race};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

const HELP: &str = "codec: times row keys, hand-written code and other codecs, one line for each case and codec

  --rounds N     turns of each codec, of which the best counts   (400)

A line: codec=.. case=.. ns=.. x_hand=.. allocs=..
ns is the time for one key, x_hand its ratio to that of the hand-written code, allocs the allocations for one key.

  cargo run --release -p tallrow-bench --features peers --bin codec";

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn rounds(mut args: impl Iterator<Item = String>) -> Result<usize, String> {
    let mut rounds = 400;
    while let Some(flag) = args.next() {
        if flag != "--rounds" {
            return Err(format!("unknown flag {flag}; see --help"));
        }
        let value = args.next().ok_or_else(|| format!("{flag} needs a value; see --help"))?;
        rounds = value.parse::<usize>().map_err(|e| format!("{flag} {value:?}: {e}"))?.max(1);
    }
    Ok(rounds)
}

fn main() -> ExitCode {
    let rounds = match tallrow_bench::options("codec", HELP, |arguments| rounds(arguments)) {
        Ok(rounds) => rounds,
        Err(exit) => return exit,
    };
    let (fixed, variable) = (fixed(), variable());
    let cases: [(&str, Vec<Line<'_>>); 5] = [
        (
            "fixed_encode",
            vec![
                tallrow::fixed_encode(&fixed),
                hand::fixed_encode(&fixed),
                zerocopy::fixed_encode(&fixed),
                storekey::fixed_encode(&fixed),
                memcomparable::fixed_encode(&fixed),
                foundationdb_tuple::fixed_encode(&fixed),
            ],
        ),
        (
            "fixed_decode",
            vec![
                tallrow::fixed_decode(&fixed),
                hand::fixed_decode(&fixed),
                zerocopy::fixed_decode(&fixed),
                storekey::fixed_decode(&fixed),
                memcomparable::fixed_decode(&fixed),
                foundationdb_tuple::fixed_decode(&fixed),
            ],
        ),
        (
            "variable_encode",
            vec![
                tallrow::variable_encode(&variable),
                tallrow::variable_encode_returned(&variable),
                hand::variable_encode(&variable),
                storekey::variable_encode(&variable),
                memcomparable::variable_encode(&variable),
                foundationdb_tuple::variable_encode(&variable),
            ],
        ),
        (
            "variable_decode",
            vec![
                tallrow::variable_decode(&variable),
                hand::variable_decode(&variable),
                storekey::variable_decode(&variable),
                memcomparable::variable_decode(&variable),
                foundationdb_tuple::variable_decode(&variable),
            ],
        ),
        ("prefix_handle", vec![tallrow::prefix_handle(), hand::prefix_handle()]),
    ];
    for (case, lines) in cases {
        race(case, lines, rounds, ALLOCATOR);
    }
    ExitCode::SUCCESS
}
