//! What modules promise in their headers is held by tests that exist.

use tallrow_layers::{Invariant, Workspace, invariants};

#[test]
fn every_invariant_names_tests_that_exist() {
    let here = Workspace::here().unwrap();
    let found = invariants(&here).unwrap();
    // As many as there were when they came into the modules: a header may not be lost on the way.
    assert!(found.len() >= 84, "{} invariants", found.len());
    let missing: Vec<_> = found
        .iter()
        .flat_map(|invariant| {
            let tests = invariant.missing_tests(&here.root).unwrap().into_iter();
            tests.map(move |test| format!("{}: {test} ({})", invariant.file, invariant.claim))
        })
        .collect();
    assert!(missing.is_empty(), "tests of invariants that do not exist:\n{missing:#?}");
}

#[test]
fn an_invariant_is_an_item_of_its_section_in_the_header() {
    let text = "\
//! Holds things.
//!
//! - No invariant.
//!
//! # Invariants
//!
//! - Nothing is lost: what is taken
//!   is kept. Tests: `tests/lost.rs::nothing_is_lost`, `tests/suites/chaos`.
//! - Nothing comes twice. Tests: `tests/twice.rs`.
//!
//! # Other
//!
//! - No invariant either.

//! # Invariants
//! - Not in the header.
";
    let found = Invariant::in_header("src/things.rs", text).unwrap();
    let invariant = |claim: &str, tests: &[&str]| Invariant {
        claim: claim.into(),
        file: "src/things.rs".into(),
        tests: tests.iter().map(|test| (*test).to_owned()).collect(),
    };
    let lost = ["tests/lost.rs::nothing_is_lost", "tests/suites/chaos"];
    assert_eq!(
        found,
        [
            invariant("Nothing is lost: what is taken is kept", &lost),
            invariant("Nothing comes twice", &["tests/twice.rs"]),
        ]
    );
    let root = &Workspace::here().unwrap().root;
    assert_eq!(found[0].missing_tests(root).unwrap(), ["tests/lost.rs::nothing_is_lost"]);

    // A function of the file itself, and one that is nowhere in it.
    let text = "//! # Invariants\n//! - Here. Tests: `has_function`, `has_none`.\n";
    let file = "tests/tools/layers/src/invariants.rs";
    let found = Invariant::in_header(file, text).unwrap();
    assert_eq!(found[0].missing_tests(root).unwrap(), ["has_none"]);

    let error = Invariant::in_header("x.rs", "//! # Invariants\n//! - No test.\n").unwrap_err();
    assert_eq!(error.to_string(), "x.rs: no `Tests: ` at the end of \"No test.\"");
}
