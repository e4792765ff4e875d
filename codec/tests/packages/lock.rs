//! A lock file is written by a test run with `TALLROW_LOCK=overwrite`, and checked by every build
//! after it.

use std::fs;

use crate::package::Package;

fn event(fields: &str) -> String {
    format!("#[row_key(lock_file = \"schema/event.key\")]\npub struct Event {{ {fields} }}\n")
}

#[test]
fn a_lock_is_written_and_checked() {
    let package = Package::new("lock");
    let lock = package.path("schema/event.key");
    let overwrite = Some("overwrite");
    package.write(&event("user: u32, at: i64"));
    let errors = package.cargo("build", None).unwrap_err();
    assert!(errors.contains("the package has no schema/event.key yet"), "{errors}");
    assert!(errors.contains("`TALLROW_LOCK=overwrite cargo test`"), "{errors}");

    package.cargo("test", overwrite).unwrap();
    let text = "row key Event\nuser: u32\nat: i64\nfingerprint ";
    let written = fs::read_to_string(&lock).unwrap();
    assert!(written.starts_with(text), "{written}");
    package.cargo("build", None).unwrap();

    // The file is read again when it has changed, and names in it are not part of the layout.
    fs::write(&lock, written.replace("user: u32", "user: u64")).unwrap();
    let errors = package.cargo("build", None).unwrap_err();
    assert!(
        errors.contains("locked: user: u64") && errors.contains("now:    user: u32"),
        "{errors}"
    );
    fs::write(&lock, written.replace("user: u32", "name: u32")).unwrap();
    package.cargo("build", None).unwrap();

    // A build that writes the file does not check it; the next one does, although only the variable
    // changed.
    package.write(&event("user: u32, at: u64"));
    package.cargo("build", overwrite).unwrap();
    let errors = package.cargo("build", None).unwrap_err();
    assert!(errors.contains("locked: at: i64") && errors.contains("now:    at: u64"), "{errors}");
    package.cargo("test", overwrite).unwrap();
    assert!(fs::read_to_string(&lock).unwrap().contains("at: u64"));
    package.cargo("test", None).unwrap();
    fs::remove_file(&lock).unwrap();
    assert!(
        package.cargo("build", None).unwrap_err().contains("the package has no schema/event.key")
    );
}
