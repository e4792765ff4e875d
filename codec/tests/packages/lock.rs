//! A lock file is written by a test run with `TALLROW_LOCK=overwrite`, and held by every build after it.

use std::fs;

use crate::package::Package;

fn event(fields: &str) -> String {
    format!("#[row_key(lock_file = \"schema/event.key\")]\npub struct Event {{ {fields} }}\n")
}

#[test]
fn a_lock_is_written_and_held() {
    let package = Package::new("lock");
    let lock = package.path("schema/event.key");
    let overwrite = Some("overwrite");
    package.write(&event("user: u32, at: i64"));
    let said = package.cargo("check", None).unwrap_err();
    assert!(said.contains("the package has no schema/event.key yet"), "{said}");
    assert!(said.contains("`TALLROW_LOCK=overwrite cargo test`"), "{said}");

    package.cargo("test", overwrite).unwrap();
    let text = "row key Event\nuser: u32\nat: i64\nfingerprint ";
    let written = fs::read_to_string(&lock).unwrap();
    assert!(written.starts_with(text), "{written}");
    package.cargo("check", None).unwrap();

    // The file is read again when it has changed, and a name in it is not the layout.
    fs::write(&lock, written.replace("user: u32", "user: u64")).unwrap();
    let said = package.cargo("check", None).unwrap_err();
    assert!(said.contains("locked: user: u64") && said.contains("now:    user: u32"), "{said}");
    fs::write(&lock, written.replace("user: u32", "name: u32")).unwrap();
    package.cargo("check", None).unwrap();

    // A build that is to write the file does not check it; the next one does, though nothing but the variable changed.
    package.write(&event("user: u32, at: u64"));
    package.cargo("check", overwrite).unwrap();
    let said = package.cargo("check", None).unwrap_err();
    assert!(said.contains("locked: at: i64") && said.contains("now:    at: u64"), "{said}");
    package.cargo("test", overwrite).unwrap();
    assert!(fs::read_to_string(&lock).unwrap().contains("at: u64"));
    package.cargo("test", None).unwrap();
    fs::remove_file(&lock).unwrap();
    assert!(
        package.cargo("check", None).unwrap_err().contains("the package has no schema/event.key")
    );
}
