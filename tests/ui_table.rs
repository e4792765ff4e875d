//! What `#[derive(Table)]` says about row types that are wrong, and that it is quiet about those that are right.
//!
//! Cases are in `ui/table`, one for each rule, named after it. `TRYBUILD=overwrite` writes the expected texts anew;
//! they are those of the pinned toolchain.

#[test]
fn table() {
    let cases = trybuild::TestCases::new();
    cases.pass("ui/table/pass/*.rs");
    cases.compile_fail("ui/table/*.rs");
}
