//! The machine code that encodes a row key of fixed width: only stores, with no call, branch or
//! panic.
//!
//! A crate with `source.rs` is built with the settings of the release profile, and its assembly is
//! read.

mod assembly;
mod subject;

use assembly::{Assembly, Kind};

/// The functions of `source.rs` that must not branch.
const STRAIGHT: [&str; 9] = [
    "straight_metric",
    "straight_metric_into",
    "straight_metric_stamp",
    "straight_numbers",
    "straight_descending",
    "straight_small",
    "straight_times",
    "straight_nested",
    "straight_salted",
];

#[test]
fn encoding_a_key_of_fixed_width_does_not_branch() {
    let Some(reader) = assembly::of(std::env::consts::ARCH) else {
        tallrow_tests::say_skipped("machine code is read on x86_64 and aarch64 only");
        return;
    };
    let assembly = Assembly::new(&subject::assembly(), reader);
    for name in STRAIGHT {
        let body = assembly.function(name);
        assert!(body.count(Kind::Return) == 1, "{name} does not return once:\n{body}");
        assert!(body.count(Kind::Plain) >= 6, "{name} does nothing:\n{body}");
        let crooked = body.crooked();
        assert!(crooked.is_empty(), "{name} has {crooked:?}:\n{body}");
    }
    // The reader finds calls and branches where there are some.
    for (name, kind) in [
        ("crooked_text", Kind::Branch),
        ("crooked_text", Kind::Call),
        ("crooked_index", Kind::Branch),
        ("crooked_index", Kind::Call),
    ] {
        let body = assembly.function(name);
        assert!(body.count(kind) > 0, "no {kind:?} found in {name}:\n{body}");
    }
}

#[test]
fn calls_and_branches_are_found_on_both_architectures() {
    let x86 = "_ZN1s1f17h0E:\n\t.cfi_startproc\n\tmovq\t%rdi, %rax\n\tjae\t.LBB0_2\n.LBB0_2:\n\tcallq\tpanic\n\tud2\n\t.cfi_endproc\n";
    let arm = "_ZN1s1f17h0E:\n\t.cfi_startproc\n\trev\tx8, x0\n\tb.hs\t.LBB0_2\n.LBB0_2:\n\tbl\tpanic\n\tbrk\t#1\n\t.cfi_endproc\n";
    for (text, machine) in [(x86, "x86_64"), (arm, "aarch64")] {
        let reader = assembly::of(machine).unwrap();
        let body = Assembly::new(text, reader);
        let body = body.function("f");
        assert_eq!((body.count(Kind::Plain), body.crooked().len()), (1, 3), "{body}");
    }
}
