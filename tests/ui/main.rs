//! What the derives say about keys and row types that are wrong.
//!
//! A case is a file, for one rule, named after it. `TRYBUILD=overwrite cargo test -p tallrow-ui` writes the expected
//! texts anew; they are those of the pinned toolchain. What is right is no case here: it is compiled and run in
//! `codec/tests/derives` and `tests/derives`. Beside a case that must compile, all would be built one at a time.

#[test]
fn wrong_code_is_refused_with_the_expected_text() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("row_key/*/*.rs");
    cases.compile_fail("table/*.rs");
}
