//! Help, version and shell completions, and what is said about wrong usage.

use crate::program::{has, tallrow};

#[test]
fn help_lists_the_exit_codes_and_real_invocations() {
    let help = tallrow(&["--help"]).done();
    for line in [
        "  0    done",
        "  1    failed",
        "  2    wrong usage",
        "  3    not found, or a check found something",
        "Examples:",
    ] {
        assert!(help.contains(line), "{line} is not in:\n{help}");
    }
}

#[test]
fn wrong_usage_ends_with_code_2_and_names_what_is_known() {
    let unknown = tallrow(&["keys"]).failed(2);
    has(&unknown, "unrecognized subcommand 'keys'");
    has(&unknown, "'key'");
    let missing = tallrow(&["key", "decode", "x"]).failed(2);
    has(&missing, "--schema <FILE>|--layout <NAME>|--table <TABLE>");
    assert!(tallrow(&[]).failed(2).contains("Usage: tallrow"));
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = concat!("tallrow ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(tallrow(&["--version"]).done(), version);
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = tallrow(&["completions", shell]).done();
        assert!(script.contains("decode") && script.contains("splits"), "{shell}: {script}");
    }
}
