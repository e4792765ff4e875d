//! The texts of errors in the syntax of a key; each says what is wrong, then how to fix it. The
//! texts of errors in the layout of a key are in the layout crate.

pub(super) const NOT_A_STRUCT: &str =
    "a row key is a struct, or an enum with a variant for each record type";
pub(super) const NO_RECORDS: &str = "a row key needs at least one variant";
pub(super) const SHARED_ON_STRUCT: &str =
    "`shared` is for enums: it names the fields that all variants start with";
pub(super) const TAG_ON_STRUCT: &str =
    "`tag_type` is for enums: it is the type of the tags of their variants";
pub(super) const ATTRIBUTE_NEXT_TO_LAYOUTS: &str =
    "each layout has its own attributes; next to `layouts`, only `crate` is allowed";
pub(super) const LAYOUTS_GENERIC: &str =
    "an enum of layouts cannot have parameters; use concrete types";
pub(super) const LAYOUTS_ON_STRUCT: &str = "`layouts` is for an enum that holds a key for each layout: `enum Event { V1(EventV1), \
     V2(EventV2) }`";
pub(super) const NO_LAYOUTS: &str = "an enum of layouts needs at least one variant";
pub(super) const LAYOUT_HOLDS_ONE_KEY: &str =
    "a variant for a layout holds one key, as in `V1(EventV1)`";
pub(super) const KEY_ON_LAYOUT: &str =
    "layouts are distinguished by their bytes and have no tags: remove `key(..)`";
pub(super) const RECORD_WITHOUT_NAMED_FIELDS: &str = "a variant needs named fields and a tag, as in `#[key(tag = 1)] Order { customer: u32, order: \
     u32 }`";
pub(super) const TAG_MISSING: &str = "a variant needs a tag, which is stored in its rows: `#[key(tag = 1)]`; its position in the \
     enum would change when variants are reordered";
pub(super) const TAG_AND_DISCRIMINANT: &str =
    "the discriminant differs from the tag, which is what rows store: use the same number";
pub(super) const DISCRIMINANT_NOT_A_NUMBER: &str = "values are ordered by their discriminants, and rows by the tags: whether that is the same can only be \
     seen from a number; write one that is not negative, or leave it out";
pub(super) const SALT_OF_ENUM_WITHOUT_FIELDS: &str =
    "a salt of an enum is computed from the shared fields: name them with `fields`";

pub(super) const TRANSPARENT_NOT_ON_STRUCT: &str =
    "`transparent` is for a struct around one value, as in `struct Name(String);`";
pub(super) const TRANSPARENT_HOLDS_ONE_VALUE: &str = "a transparent type holds one value, and may hold `PhantomData` next to it; without \
     `transparent` it is a key whose fields are written one after the other";
pub(super) const ATTRIBUTE_NEXT_TO_TRANSPARENT: &str = "a transparent type is a field, written as the value inside: only `crate` is allowed next to \
     `transparent`; the key it is in has the other attributes";
pub(super) const KEY_IN_TRANSPARENT: &str = "how a transparent type is written is chosen where it is a field: move `key(..)` to the field \
     of the key, or remove `transparent` to always write it in this way";
pub(super) const ATTRIBUTE_ON_UNIT_ENUM: &str = "an enum without fields is a field, written as the tag of its variant: only `tag_type` and \
     `crate` are allowed on it; the key it is in has the other attributes";
pub(super) const TAG_TYPE_OF_BYTES: &str =
    "`tag_type` is for tags that are numbers: remove it, a text is stored as its bytes";
pub(super) const EXPECTED_TAG: &str =
    "a number, a byte as in `= b'o'`, which takes 1 byte, or a text as in `= \"OP\"`";

pub(super) const SECOND_LIFETIME: &str =
    "a row key borrows from the bytes it is decoded from: use one lifetime";

pub(super) const GENERIC_BORROW: &str =
    "the type of a field may use a parameter or borrow, but not both: use a concrete borrowed type";
pub(super) const GENERIC_HASH: &str =
    "a hash prefix needs a field of a concrete type: replace the parameter, or use a salt";
pub(super) const GENERIC_LOCK: &str =
    "a key with parameters has several layouts, so one file cannot lock it";

pub(super) const UNIT_AND_VIA: &str =
    "a point in time with a `unit` is written as an i64: remove `unit` or `via`";
pub(super) const UNIT_AND_DISPLAY: &str =
    "a field with a `unit` is shown as a time already: remove `display_time`";
pub(super) const TRUNCATE_WITHOUT_UNIT: &str = "`truncate` leaves out what is less than the unit of a point in time: add the unit, as in \
     `unit = \"ms\", truncate`; of numbers, `floor` leaves it out";
pub(super) const UNIT_OR_VIA_GENERIC: &str =
    "a field with `unit` or `via` has a concrete type: replace the parameter";

pub(super) const LOOKUP_WITHOUT_ID: &str = "a field with `lookup` holds the id of a name, not the name: a `Uid<T, BYTES>`, or an unsigned \
     integer of up to 64 bits";
pub(super) const LOOKUP_ON_TYPE: &str =
    "`lookup` is for a field that holds the id of a name: put #[key(lookup = \"..\")] on it";
pub(super) const LOOKUP_GENERIC: &str =
    "a key with parameters cannot have a `lookup`: use concrete types";

pub(super) fn lookup_of_changed_id(name: &str) -> String {
    format!("rows do not hold the ids of this field as they are: remove `{name}` or `lookup`")
}

pub(super) const NO_ENCODING: &str = "this type cannot be a field of a row key; supported are integers, bool, char, f32, f64, [u8; \
     N], text, bytes, Option of these, and structs with #[derive(RowKey)]; a type that converts to \
     one of these is written as it, as in `#[key(via = u64)]`";

pub(super) const CHARS_NOT_ASCII: &str = "`chars` takes ASCII characters";
pub(super) const DIGEST_IN_BYTES_AND_HEX: &str =
    "a digest is truncated to `bytes` or to `hex` digits, not both";

pub(super) const SALT_AND_HASH: &str =
    "a row key starts with a `salt` or a `hash_prefix`, not both: keep one";
pub(super) const SALT_WITHOUT_BUCKETS: &str =
    "a salt needs a number of buckets: `salt(buckets = 16)`";
pub(super) const RANDOM_SALT_WITH_FIELDS: &str = "a random salt is not computed from fields: keep `random`, which spreads rows with equal \
     values, or `fields`, which puts them into one bucket";
pub(super) const RANDOM_SALT_WITH_HASH: &str =
    "a random salt is not computed by a hash: remove `hash` or `random`";
pub(super) const HASH_WITHOUT_FUNCTION: &str =
    "a hash prefix needs a hash function: `hash_prefix(md5, hex = 8, fields = (user))`";
pub(super) const HASH_WITHOUT_FIELDS: &str =
    "a hash prefix needs the fields to hash: `hash_prefix(md5, hex = 8, fields = (user))`";

pub(super) const SEP_ON_TYPE: &str =
    "a separator for all texts is `text_sep = '|'`; for a single text, `#[key(sep = '|')]`";

/// Returns `message` with `terminated` replaced by `terminated_list`. The messages about a layout
/// contain the attribute's name in stored schemas, and its name in the derive is another one.
pub(super) fn with_derive_names(message: &str) -> String {
    message.replace("`terminated`", "`terminated_list`")
}

pub(super) fn platform_dependent_width(name: &str) -> String {
    let fixed = if name == "usize" { "u32 or u64" } else { "i32 or i64" };
    format!(
        "the width of `{name}` depends on the platform, that of stored bytes does not: use {fixed}"
    )
}

pub(super) fn chars_reversed(from: char, to: char) -> String {
    format!("the range {from}-{to} in `chars` is reversed; write {to}-{from}")
}

pub(super) fn variant_hides_constant(name: &str) -> String {
    format!("this variant would hide the constant `{name}` of row keys; rename it")
}

pub(super) fn belongs_on_field(name: &str) -> String {
    format!("`{name}` says how one field is written: put #[key({name})] on the field")
}

pub(super) fn belongs_on_type(name: &str) -> String {
    format!("`{name}` is for the whole key: put #[row_key({name}..)] on the type")
}

/// The environment variable that makes a build write lock files.
pub(super) const LOCK_VARIABLE: &str = "TALLROW_LOCK";
const LOCK_COMMAND: &str = "`TALLROW_LOCK=overwrite cargo test`";

/// Returns the three parts of the message: the text before the line of the file, the text between
/// this line and the line of the type, and the text after both lines.
pub(super) fn lock_changed(key: &str, path: &str) -> (String, &'static str, String) {
    let head = format!(
        "the layout of {key} differs from the one in {path}, so stored rows could not be \
         read:\n\n  locked: "
    );
    let tail = format!(
        "\n\nrevert the change; or, if it is intended, increase `layout` and update the file with \
         {LOCK_COMMAND}"
    );
    (head, "\n  now:    ", tail)
}

pub(super) fn lock_missing(key: &str, path: &str) -> String {
    format!("the package has no {path} yet; to write the layout of {key} to it, run {LOCK_COMMAND}")
}

pub(super) fn shared_field_missing(name: &str) -> String {
    format!("this variant does not start with the shared fields: `{name}` is missing")
}

pub(super) fn shared_field_differs(name: &str) -> String {
    format!(
        "the shared field `{name}` has another type or other attributes than in the first variant"
    )
}
