use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

/// A new directory for the files of one test.
///
/// # Panics
/// If it cannot be made.
pub fn scratch_dir() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let name = format!("scratch-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let dir = std::env::temp_dir().join("tallrow").join(name);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}
