use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The functions that are compiled.
const SOURCE: &str = include_str!("source.rs");

/// Builds a crate with [`SOURCE`] in release mode and returns its assembly.
pub(crate) fn assembly() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("machine_code");
    fs::create_dir_all(place.join("src")).unwrap();
    let codec = root.join("codec");
    let manifest = format!(
        "[package]\nname = \"subject\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         tallrow-codec.path = {codec:?}\n"
    );
    fs::write(place.join("Cargo.toml"), manifest).unwrap();
    // The dependency versions of this workspace.
    fs::copy(root.join("Cargo.lock"), place.join("Cargo.lock")).unwrap();
    fs::write(place.join("src/lib.rs"), SOURCE).unwrap();
    let out = place.join("subject.s");

    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.current_dir(&place).args(["rustc", "--quiet", "--release", "--lib", "--target-dir"]);
    cargo.arg(place.join("target")).args(["--", "-C", "codegen-units=1"]);
    cargo.arg(format!("--emit=asm={}", out.display()));
    // Flags of this build, such as those for coverage, are not used by the builds of users.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    let status = cargo.status().unwrap();
    assert!(status.success(), "{cargo:?}: {status}");
    fs::read_to_string(&out).unwrap_or_else(|e| panic!("{}: {e}", out.display()))
}
