//! What the derive says about keys that are wrong, and that it is quiet about keys that are right.
//!
//! Cases are in `tests/ui` at the root, one for each rule, named after it. `TRYBUILD=overwrite` writes
//! the expected texts anew; they are those of the pinned toolchain.

#[test]
fn row_key() {
    let cases = trybuild::TestCases::new();
    cases.pass("../tests/ui/row_key/pass/*.rs");
    cases.compile_fail("../tests/ui/row_key/shape/*.rs");
    cases.compile_fail("../tests/ui/row_key/encoding/*.rs");
    cases.compile_fail("../tests/ui/row_key/key_prefix/*.rs");
    cases.compile_fail("../tests/ui/row_key/record/*.rs");
    cases.compile_fail("../tests/ui/row_key/compat/*.rs");
    cases.compile_fail("../tests/ui/row_key/builder/*.rs");
}
