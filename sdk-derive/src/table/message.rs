//! The texts of all errors in row types and groups of cells; each text says what is wrong, then how
//! to fix it.

use syn::Ident;

use crate::kernel::{backticked_list, did_you_mean};

pub(super) const NOT_A_STRUCT: &str =
    "a row of a table is a struct with a key and cells, or an enum of such structs";
pub(super) const NEEDS_NAMED_FIELDS: &str = "a row of a table is a struct with named fields";
pub(super) const GENERIC: &str = "a row type cannot have parameters or lifetimes, because its table has one definition, and its \
     rows own their values: use concrete types, as String for &str";
pub(super) const TABLE_WITHOUT_NAME: &str = "the table has no name; add #[table(name = \"..\")]";
pub(super) const BAD_NAME: &str = "a table is named `table` or `namespace:table`; both consist of letters, digits and `_`, the \
     table also of `-` and `.`";
pub(super) const NO_FAMILY: &str = "a table needs a column family: add #[family(\"d\")]; a single letter is best, because every \
     cell stores it";
pub(super) const BAD_FAMILY: &str = "the name of a family is 1 to 127 bytes, without `:`, `/`, `\\` and control characters, does \
     not start with `.`, and is not `recovered.edits`";
pub(super) const NO_KEY: &str = "no field is the row key; add #[key] to it";
pub(super) const SECOND_KEY: &str = "a row has one key: put the fields of the key into one struct with #[derive(RowKey)], or \
     remove the other #[key]";
pub(super) const NOT_A_GROUP: &str =
    "a group of cells is a struct with named fields: #[cell(\"d:a\")] a: u32";
pub(super) const EMPTY_GROUP: &str =
    "a group of cells needs a field with #[cell(\"family:qualifier\")]";
pub(super) const GROUP_FIELD_WITHOUT_ATTRIBUTE: &str =
    "a field of a group needs #[cell(\"family:qualifier\")], #[cells(\"family:*\")] or #[flatten]";
pub(super) const NO_CELLS: &str =
    "HBase stores no row without cells: add a field with #[cell(\"family:qualifier\")]";
pub(super) const FIELD_WITHOUT_ATTRIBUTE: &str =
    "a field needs #[key], #[cell(\"family:qualifier\")], #[cells(\"family:*\")] or #[flatten]";
pub(super) const ONE_ATTRIBUTE_PER_FIELD: &str =
    "a field is the key, a cell, a map of cells or a group: keep one attribute";
pub(super) const CELLS_TAKE_A_RANGE: &str = "a map of cells needs a family, #[cells(\"family:*\")], or a prefix of qualifiers, \
     #[cells(\"family:p/*\")]";
pub(super) const FLATTEN_ARGUMENTS: &str = "#[flatten] takes no arguments, or the place of its cells: #[flatten(family = \"d\", prefix = \
     \"h_\")]";
pub(super) const PROJECTED_CELL_TAKES_A_FIELD: &str = "a cell of a projection is a field of the table's type, #[cell(source_field = name)], or one \
     of its columns, #[cell(\"family:qualifier\")]";
pub(super) const EXPECTED_CODEC: &str =
    "json, cbor, ordered, phoenix, protobuf, or the path of a codec type, without quotes";
pub(super) const GROUP_HAS_NO_TABLE: &str =
    "a group of cells has no table: remove #[table(..)], or derive Table";
pub(super) const GROUP_HAS_NO_KEY: &str =
    "a group of cells has no key: remove this field, or derive Table";
pub(super) const FAMILIES_BELONG_ON_TABLE_TYPE: &str =
    "families belong on the type that names the table: move them there";
pub(super) const KEY_VARIANT_WITHOUT_TYPE: &str = "name a variant of the key with its type, as in #[table(variant_of = Rows, key_variant = \
     RowsKey::Order)]";
pub(super) const KEY_VARIANT_WITHOUT_ENUM: &str = "`key_variant` needs the enum of rows: use #[table(variant_of = Rows, key_variant = ..)] \
     without `name`";
pub(super) const SECOND_ROW_VERSION: &str = "a row has one `row_version`: remove the other";
pub(super) const ROW_VERSION_NOT_U64: &str = "a `row_version` is a `u64`";
pub(super) const ROW_VERSION_ON_PART_OF_ROW: &str =
    "a `row_version` guards the put of a whole row: move it to the type that is put";
pub(super) const VARIANT_HOLDS_A_RECORD: &str =
    "a variant of an enum of rows holds the row type of one record, as in `Order(Order)`";
pub(super) const NO_VARIANTS: &str = "an enum of rows needs a variant for each record type";
pub(super) const KEY_TAKES_NOTHING: &str = "#[key] takes no arguments here; the encoding of the key is defined on its own type, with \
     #[derive(RowKey)]";
pub(super) const CELL_TAKES_A_COLUMN: &str =
    "a cell needs its column, as one literal: #[cell(\"family:qualifier\")]";
pub(super) const FAMILY_TAKES_A_NAME: &str =
    "a family starts with its name: #[family(\"d\")]; each family is an attribute of its own";

pub(super) fn unknown_codec(word: &str, known: &[&str]) -> String {
    let way = did_you_mean(word, known, &format!("; there are {}", backticked_list(known)));
    format!(
        "there is no codec `{word}`{way}; for another one, name a type that implements EncodeCell \
         and DecodeCell"
    )
}

pub(super) fn key_needs_own_type(fields: &[(String, String)], found: &str, row: &Ident) -> String {
    let fields: Vec<String> = fields.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    let fields = fields.join(", ");
    format!(
        "the row key is a type of its own, not a `{found}`: #[derive(RowKey)] struct {row}Key {{ \
         {fields} }}"
    )
}

pub(super) const KEY_IS_REFERENCE: &str =
    "a row owns its key: write the type without the reference";

pub(super) fn belongs_on_family(attribute: &str) -> String {
    format!(
        "`{attribute}` is for a column family: put it on one, as in #[family(\"d\", {attribute} = \
         ..)]"
    )
}

pub(super) const FAMILY_INSIDE_TABLE_ATTRIBUTE: &str =
    "a family is an attribute of its own, next to this one: #[family(\"d\")]";

pub(super) const COUNTER_IN_OPTION: &str =
    "a counter whose cell is absent is 0: write `Counter`, without `Option`";

pub(super) const ENCODED_WITHOUT_COLUMN_ENCODING: &str =
    "columns have their names with `column_encoded_bytes = 0`: use #[cell(\"0:NAME\")]";
pub(super) const ENCODED_CELL_NAMES_ONLY_FAMILY: &str =
    "a cell with `encoded` names only its family, as in #[cell(\"0\", encoded = 11)]";
pub(super) const COMPAT_ON_A_VARIANT: &str =
    "the rows of a Phoenix table are of one type: remove `compat`, or give this type its own table";
pub(super) const IS_EMPTY_COLUMN: &str =
    "this is the empty column of Phoenix, which every put writes: remove the field";

pub(super) fn needs_phoenix(attribute: &str) -> String {
    format!("`{attribute}` is for tables of Phoenix: add `compat = \"phoenix\"` to #[table(..)]")
}

pub(super) fn column_number_out_of_range(last: u64) -> String {
    format!(
        "the columns of a Phoenix table have the numbers from 11 to {last} here; 11 is the first \
         column after the primary key"
    )
}

pub(super) fn not_together(attribute: &str, other: &str) -> String {
    format!("`{attribute}` cannot be combined with `{other}`: keep one")
}

pub(super) fn not_on_an_enum(attribute: &str) -> String {
    format!("`{attribute}` is for structs, not for an enum of rows")
}

pub(super) fn overlapping_cells(field: &str) -> String {
    format!("these cells overlap those of field `{field}`; use another prefix")
}

pub(super) fn same_family(family: &str) -> String {
    format!("family `{family}` is given twice; remove one")
}

pub(super) fn unknown_family(family: &str, advice: &str) -> String {
    format!("the table has no family `{family}`{advice}")
}

/// Returns the second half of the text of [`unknown_family`], if no known family is similar.
pub(super) fn unknown_family_advice(family: &str, known_families: &str) -> String {
    format!("; add #[family(\"{family}\")] or use one of {known_families}")
}

pub(super) fn constant_hides_trait_constant(row: &Ident, constant: &Ident) -> String {
    format!(
        "the constant of this field would hide `{row}::{constant}` of its trait; rename the field, \
         the column keeps its name"
    )
}

pub(super) fn same_constant(field: &Ident, constant: &Ident) -> String {
    format!("`{constant}` is already the constant of field `{field}`; rename one of them")
}

pub(super) fn same_column(field: &str) -> String {
    format!("field `{field}` is already stored in this column; use another")
}
