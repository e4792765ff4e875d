//! The texts of all errors, so that they speak with one voice: what is wrong, then the way out.

pub(super) const NOT_A_STRUCT: &str = "a row of a table is a struct: a key and its cells";
pub(super) const NO_NAMES: &str =
    "a row of a table is a struct with named fields: the name of a cell's field names its column";
pub(super) const GENERIC: &str =
    "a row type cannot have parameters, because its table has one definition; name the types";
pub(super) const NO_NAME: &str = "which table? add #[table(name = \"..\")]";
pub(super) const BAD_NAME: &str = "a table is named `table` or `namespace:table`, of letters, digits, `_`, and behind the namespace also `-` and `.`";
pub(super) const NO_FAMILY: &str = "a table needs a column family: add #[family(\"d\")], best of one letter, because every cell repeats it";
pub(super) const BAD_FAMILY: &str = "the name of a family is 1 to 127 bytes, without `:`, `/`, `\\` and control characters, and does not start with `.`";
pub(super) const NO_KEY: &str = "which field is the row key? put #[key] on it";
pub(super) const SECOND_KEY: &str = "a row has one key: keep one #[key]";
pub(super) const NO_CELLS: &str =
    "HBase keeps no row without cells: add a field with #[cell(\"family:qualifier\")]";
pub(super) const NO_ATTRIBUTE: &str =
    "say what this field is: #[key], or #[cell(\"family:qualifier\")]";
pub(super) const ONE_ATTRIBUTE: &str = "a field is the key or one cell: keep one attribute";
pub(super) const KEY_TAKES_NOTHING: &str = "#[key] takes nothing here; how the key becomes bytes is said on its own type, with #[derive(RowKey)]";
pub(super) const CELL_TAKES_A_COLUMN: &str =
    "a cell names its column: #[cell(\"family:qualifier\")]";
pub(super) const NOT_A_LITERAL: &str = "expected a text, a number, true or false";

pub(super) fn twice(name: &str) -> String {
    format!("`{name}` is given twice: keep one")
}

pub(super) fn expects(name: &str, expected: &str) -> String {
    format!("`{name}` takes {expected}")
}

pub(super) fn unknown(name: &str, place: &str, near: Option<&str>, known: &[&str]) -> String {
    match near {
        Some(near) => format!("there is no `{name}` in `{place}`; did you mean `{near}`?"),
        None => format!("there is no `{name}` in `{place}`; there are {}", list(known)),
    }
}

pub(super) fn same_family(name: &str) -> String {
    format!("family `{name}` is given twice: keep one")
}

pub(super) fn unknown_family(name: &str, near: Option<&str>, known: &[&str]) -> String {
    match near {
        Some(near) => format!("the table has no family `{name}`; did you mean `{near}`?"),
        None => format!(
            "the table has no family `{name}`: add #[family(\"{name}\")], or use {}",
            list(known)
        ),
    }
}

pub(super) fn same_column(field: &str) -> String {
    format!("field `{field}` is kept in this column already; give this one another")
}

pub(super) fn list(words: &[&str]) -> String {
    let quoted: Vec<_> = words.iter().map(|w| format!("`{w}`")).collect();
    quoted.join(", ")
}
