//! A new directory for the files of a test, also when other processes run the same test.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A new directory for the files of one test.
///
/// # Panics
/// If it cannot be made.
pub fn scratch_dir() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let parent = std::env::temp_dir().join("tallrow");
    std::fs::create_dir_all(&parent).unwrap();
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let dir = parent.join(format!("scratch-{}-{number}", std::process::id()));
        match std::fs::create_dir(&dir) {
            Ok(()) => return dir,
            // An earlier process had the same number.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => panic!("{}: {error}", dir.display()),
        }
    }
}
