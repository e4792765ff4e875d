//! The texts of all errors, so that they speak with one voice: what is wrong, then the way out.

use syn::Ident;

pub(super) const NOT_A_STRUCT: &str =
    "a row of a table is a struct, a key and its cells, or an enum of such structs";
pub(super) const NO_NAMES: &str =
    "a row of a table is a struct with named fields: the name of a cell's field names its column";
pub(super) const GENERIC: &str =
    "a row type cannot have parameters, because its table has one definition; name the types";
pub(super) const NO_NAME: &str = "which table? add #[table(name = \"..\")]";
pub(super) const BAD_NAME: &str = "a table is named `table` or `namespace:table`, of letters, digits, `_`, and behind the namespace also `-` and `.`";
pub(super) const NO_FAMILY: &str = "a table needs a column family: add #[family(\"d\")], best of one letter, because every cell repeats it";
pub(super) const BAD_FAMILY: &str = "the name of a family is 1 to 127 bytes, without `:`, `/`, `\\` and control characters, does not start with `.`, and is not `recovered.edits`";
pub(super) const NO_KEY: &str = "which field is the row key? put #[key] on it";
pub(super) const SECOND_KEY: &str = "a row has one key: keep one #[key]";
pub(super) const NO_CELLS: &str =
    "HBase keeps no row without cells: add a field with #[cell(\"family:qualifier\")]";
pub(super) const NO_ATTRIBUTE: &str = "say what this field is: #[key], #[cell(\"family:qualifier\")], #[cells(\"family:*\")] or #[flatten]";
pub(super) const ONE_ATTRIBUTE: &str =
    "a field is the key, a cell, a map of cells or a group: keep one attribute";
pub(super) const CELLS_TAKE_A_RANGE: &str = "dynamic cells name a family, #[cells(\"family:*\")], or in it a beginning of qualifiers, #[cells(\"family:p/*\")]";
pub(super) const FLATTEN_TAKES: &str = "#[flatten] takes nothing, or where its cells are put: #[flatten(family = \"d\", prefix = \"h_\")]";
pub(super) const RENAME_TAKES_A_FIELD: &str = "a cell of a projection is a field of its table's type, #[cell(field = name)], or a column of it, #[cell(\"family:qualifier\")]";
pub(super) const A_CODEC: &str =
    "json, cbor, ordered, protobuf, or the path of a codec type, without quotes";
pub(super) const GROUP_HAS_NO_TABLE: &str =
    "a group of cells belongs to no table: leave #[table(..)] away, or derive Table";
pub(super) const GROUP_HAS_NO_KEY: &str =
    "a group of cells has no key: its row has one; derive Table, or leave this field away";
pub(super) const FAMILIES_ELSEWHERE: &str =
    "the families are those of the type that names the table: say them there";
pub(super) const WHICH_RECORD: &str = "which record? name a variant of the key with its type, as in #[table(variant_of = Rows, key_variant = RowsKey::Order)]";
pub(super) const RECORD_OF_WHAT: &str = "a record belongs to an enum of rows: say #[table(variant_of = Rows, key_variant = ..)] without `name`";
pub(super) const SECOND_VERSION: &str = "a row has one version: keep one";
pub(super) const VERSION_IS_A_NUMBER: &str = "a version is a `u64`";
pub(super) const VERSION_OF_A_WHOLE_ROW: &str =
    "a version guards the put of a whole row: keep it in the type that is put";
pub(super) const VARIANT_HOLDS_A_RECORD: &str =
    "a variant of a row enum holds the row type of one record, as in `Order(Order)`";
pub(super) const NO_VARIANTS: &str = "a row enum needs a variant for each record";
pub(super) const KEY_TAKES_NOTHING: &str = "#[key] takes nothing here; how the key becomes bytes is said on its own type, with #[derive(RowKey)]";
pub(super) const CELL_TAKES_A_COLUMN: &str =
    "a cell names its column: #[cell(\"family:qualifier\")]";
pub(super) const FAMILY_TAKES_A_NAME: &str = "a family has a name: #[family(\"d\")]";

pub(super) fn not_together(name: &str, other: &str) -> String {
    format!("`{name}` does not go together with `{other}`: keep one")
}

pub(super) fn not_on_an_enum(name: &str) -> String {
    format!("`{name}` belongs on a struct, not on an enum of rows")
}

pub(super) fn same_range(field: &str) -> String {
    format!("these cells are among those of field `{field}`; give them another beginning")
}

pub(super) fn same_family(name: &str) -> String {
    format!("family `{name}` is given twice: keep one")
}

pub(super) fn unknown_family(name: &str, way_out: &str) -> String {
    format!("the table has no family `{name}`{way_out}")
}

pub(super) fn add_a_family(name: &str, known: &str) -> String {
    format!("; add #[family(\"{name}\")] or use one of {known}")
}

pub(super) fn constant_of_the_trait(row: &Ident, constant: &Ident) -> String {
    format!(
        "the constant of this field would hide `{row}::{constant}` of its trait; give the field another \
         name, the column keeps its own"
    )
}

pub(super) fn same_constant(field: &Ident, constant: &Ident) -> String {
    format!("`{constant}` is the constant of field `{field}` already; give this one another name")
}

pub(super) fn same_column(field: &str) -> String {
    format!("field `{field}` is kept in this column already; give this one another")
}
