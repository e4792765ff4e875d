/// Whether `TALLROW_THOROUGH` is set, as by `.ci/run`: tests then try all their cases, which takes longer.
pub fn thorough() -> bool {
    std::env::var_os("TALLROW_THOROUGH").is_some()
}
