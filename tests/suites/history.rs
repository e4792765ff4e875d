//! A few short runs of the program `history` on the mock; see README.md for longer ones.

use std::path::Path;
use std::process::{Command, id};

use tallrow_tests::{MUST, say_skipped, thorough};

/// Runs the program; every history must fulfil the promise of its delivery.
fn run(delivery: &str, seeds: &str) {
    let checker = concat!(env!("CARGO_MANIFEST_DIR"), "/tools/history/checker");
    let porcupine = Command::new("go").args(["mod", "download"]).current_dir(checker).output();
    if !porcupine.is_ok_and(|download| download.status.success()) {
        let why = "the checker of histories needs Go, and porcupine from Go's module proxy";
        assert!(std::env::var_os(MUST).is_none(), "{why}, and {MUST} is set");
        say_skipped(why);
        return;
    }
    // Of this run alone: the checker is built there, and a program that runs cannot be written.
    let logs = format!("history-{}-{delivery}-{seeds}", id());
    let logs = Path::new(env!("CARGO_TARGET_TMPDIR")).join(logs);
    let mut history = Command::new(env!("CARGO_BIN_EXE_history"));
    let operations = if thorough() { "6000" } else { "1000" };
    history.args(["--mock", "--ops", operations, "--seeds", seeds, "--delivery", delivery]);
    let ended = history.arg("--logs").arg(&logs).output().unwrap();
    let output = String::from_utf8_lossy(&ended.stdout);
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{history:?}: {}\n{output}{errors}", ended.status);
    std::fs::remove_dir_all(&logs).unwrap();
}

/// How many seeds are tried where each of them shows the same.
fn seeds() -> &'static str {
    if thorough() { "2" } else { "1" }
}

#[test]
fn the_checker_rejects_illegal_histories_and_accepts_legal_ones() {
    run("at_most_once", "0");
}

#[test]
fn writes_at_most_once_are_linearizable() {
    run("at_most_once", seeds());
}

/// Some of these runs must be linearizable only if writes may be applied again. A seed has one
/// history, which shows that for three seeds of four.
#[test]
fn writes_at_least_once_are_linearizable_if_they_may_be_applied_again() {
    run("at_least_once", "5");
}

#[test]
fn idempotent_writes_are_linearizable() {
    run("idempotent", seeds());
}
