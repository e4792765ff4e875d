//! Builds the crate whose machine code is read, with the settings of the release profile.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The functions that are compiled.
const SOURCE: &str = include_str!("source.rs");

/// What the release profile sets. Only the packages whose code is read have it: what else they
/// depend on has been built already, without.
const RELEASE: [&str; 5] = [
    "opt-level=3",
    "debug-assertions=false",
    "overflow-checks=false",
    "codegen-units=16",
    "incremental=false",
];

/// Writes a file unless it is the same already, at once: another run may read it at the same time.
fn write(path: &Path, content: &[u8]) {
    if fs::read(path).is_ok_and(|before| before == content) {
        return;
    }
    let new = path.with_extension(std::process::id().to_string());
    fs::write(&new, content).unwrap();
    fs::rename(&new, path).unwrap();
}

/// Builds a crate with [`SOURCE`] and returns its assembly.
pub(crate) fn assembly() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let place = tmp.join("machine_code");
    fs::create_dir_all(place.join("src")).unwrap();
    let codec = root.join("codec");
    let manifest = format!(
        "[package]\nname = \"subject\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[dependencies]\n\
         tallrow-codec.path = {codec:?}\n"
    );
    write(&place.join("Cargo.toml"), manifest.as_bytes());
    // The dependency versions of this workspace.
    write(&place.join("Cargo.lock"), &fs::read(root.join("Cargo.lock")).unwrap());
    write(&place.join("src/lib.rs"), SOURCE.as_bytes());
    let out = place.join("subject.s");

    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or("cargo".into()));
    cargo.current_dir(&place).args(["rustc", "--quiet", "--lib", "--target-dir"]);
    cargo.arg(place.join("target")).env("CARGO_BUILD_BUILD_DIR", tmp.parent().unwrap());
    for (package, setting) in
        RELEASE.iter().flat_map(|s| [("subject", s), ("tallrow-codec-core", s)])
    {
        cargo.args(["--config", &format!("profile.dev.package.{package}.{setting}")]);
    }
    cargo.args(["--", "-C", "codegen-units=1"]);
    cargo.arg(format!("--emit=asm={}", out.display()));
    // Flags of this build, such as those for coverage, are not used by the builds of users.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    let status = cargo.status().unwrap();
    assert!(status.success(), "{cargo:?}: {status}");
    fs::read_to_string(&out).unwrap_or_else(|e| panic!("{}: {e}", out.display()))
}
