//! Errors that appear only when code is generated for a type.

use crate::package::Package;

#[test]
fn a_parameter_of_an_open_type_is_refused_unless_it_is_last() {
    let package = Package::new("generic");
    let key = "pub struct Key<T> {\n    pub id: T,\n    pub at: i64,\n}\n";
    let encode =
        |id: &str| format!("{key}pub fn row() {{ let _ = Key {{ id: {id}, at: 1 }}.encode(); }}\n");

    package.write(&encode("1_u32"));
    package.cargo("build", None).unwrap();

    package.write(&encode("\"an end that is open\""));
    let errors = package.cargo("build", None).unwrap_err();
    for part in [
        "error[E0080]: evaluation panicked: only the last field of a row key may be plain text or bytes, because nothing \
         marks its end; this field, or the last field of the key nested in it, needs an end: `escaped`, `width = N` or \
         `nul_terminated`",
        " --> src/lib.rs:4:13\n",
        "^ evaluation of `",
        "failed inside this call",
        "the above error was encountered while instantiating `fn ",
    ] {
        assert!(errors.contains(part), "{part} is not in:\n{errors}");
    }
}
