//! The errors of the derives for invalid keys and row types.
//!
//! Each case is a file for one rule, named after it. `TRYBUILD=overwrite cargo test -p tallrow-ui`
//! writes the expected texts again; they are those of the pinned toolchain. Valid code is not
//! tested here but compiled and run in `codec/tests/derives` and `tests/suites/derives`: if a case
//! had to compile, all would be built one at a time.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// Where cargo keeps what is built for the cases, besides the cases themselves.
const BUILD_DIR: &str = "CARGO_BUILD_BUILD_DIR";

/// The flags that trybuild has for the cases. It leaves out the width for what they depend on,
/// which would be checked a second time.
const RUSTFLAGS: [&str; 5] =
    ["--cfg=trybuild", "--verbose", "-A", "dead_code", "--diagnostic-width=140"];

/// The files of a folder and of those in it.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("its entries can be read").path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

fn cases() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in ["row_key", "table"] {
        files(Path::new(folder), &mut found);
    }
    found.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    assert!(found.len() > 150, "cases are missing: {found:?}");
    found.sort();
    found
}

/// In a process of its own, so that cargo finds the macro crates that the workspace has built
/// already.
#[test]
fn wrong_code_is_rejected_with_the_expected_text() {
    if env::var_os(BUILD_DIR).is_some() {
        let tests = trybuild::TestCases::new();
        for case in cases() {
            tests.compile_fail(case);
        }
        return;
    }
    let target =
        Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it is in the target folder");
    let mut cases = Command::new(env::current_exe().expect("the test has a path"));
    cases.arg("--nocapture").env(BUILD_DIR, target);
    cases.env("CARGO_ENCODED_RUSTFLAGS", RUSTFLAGS.join("\x1f"));
    let status = cases.status().unwrap_or_else(|e| panic!("{cases:?}: {e}"));
    assert!(status.success(), "{cases:?}: {status}");
}
