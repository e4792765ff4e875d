//! Checks that the public signatures of the published crates use only types that a user can name.
//!
//! rustdoc lists every public item and the types it names as JSON. A type may come from this crate,
//! from the crates that are part of its interface on purpose, or from a crate below it that
//! re-exports the type. A type of a private crate (`tallrow-wire`, prost, ..) is a leak: its users
//! could not write it down, and every change of that crate would break them.
//!
//! ```text
//! cargo run -p tallrow-tests --bin public-api
//! ```

mod crates;
mod docs;
mod leaks;

use std::process::ExitCode;

use crates::CRATES;
use docs::Docs;

fn main() -> ExitCode {
    let docs: Vec<Docs> = CRATES.iter().map(Docs::of).collect();
    let mut leaks = Vec::new();
    for (krate, own) in CRATES.iter().zip(&docs) {
        leaks.extend(leaks::find(krate, own, &docs));
    }
    if leaks.is_empty() {
        println!("public signatures use only public types: {} crates", CRATES.len());
        return ExitCode::SUCCESS;
    }
    eprintln!("public signatures use types that users cannot name:\n{}", leaks.join("\n"));
    ExitCode::FAILURE
}
