use std::sync::LazyLock;

/// Whether `TALLROW_THOROUGH` is set, as by `.ci/run`: tests then try all their cases, which takes longer.
pub fn thorough() -> bool {
    static SET: LazyLock<bool> = LazyLock::new(|| std::env::var_os("TALLROW_THOROUGH").is_some());
    *SET
}
