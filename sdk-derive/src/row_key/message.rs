//! The texts of all errors: what is wrong, then the way out.

pub(super) const NOT_A_STRUCT: &str =
    "a row key is a struct, or an enum with a variant for each record type";
pub(super) const NO_RECORDS: &str = "a row key needs at least one variant";
pub(super) const SHARED_ON_STRUCT: &str =
    "`shared` is for enums: it names the fields that all variants start with";
pub(super) const TAG_ON_STRUCT: &str =
    "`tag_type` is for enums: it is the type of the tags of their variants";
pub(super) const LAYOUTS_ALONE: &str =
    "each layout has its own attributes; next to `layouts`, only `crate` is allowed";
pub(super) const LAYOUTS_GENERIC: &str =
    "an enum of layouts cannot have parameters; use concrete types";
pub(super) const LAYOUTS_ON_STRUCT: &str = "`layouts` is for an enum that holds a key for each layout: `enum Event { V1(EventV1), V2(EventV2) }`";
pub(super) const NO_LAYOUTS: &str = "an enum of layouts needs at least one variant";
pub(super) const LAYOUT_OF_ONE: &str = "a variant for a layout holds one key, as in `V1(EventV1)`";
pub(super) const LAYOUT_ATTRIBUTE: &str =
    "layouts are distinguished by their bytes and have no tags: remove `key(..)`";
pub(super) const RECORD_NAMED: &str =
    "a variant needs named fields, as in `Order { customer: u32, order: u32 }`";
pub(super) const TAG_MISSING: &str = "a variant needs a tag, which is stored in its rows: `#[key(tag = 1)]`; its position in the enum would change when variants are reordered";
pub(super) const TAG_AND_DISCRIMINANT: &str =
    "the discriminant differs from the tag, which is what rows store: use the same number";
pub(super) const SALT_OF_RECORDS: &str =
    "a salt of an enum is computed from the shared fields: name them with `fields`";

pub(super) const NO_FIELDS: &str =
    "a row key needs at least one field: HBase has no row with an empty key";
pub(super) const SECOND_LIFETIME: &str =
    "a row key borrows from the bytes it is decoded from: use one lifetime";

pub(super) const GENERIC_BORROW: &str =
    "the type of a field may use a parameter or borrow, but not both: use a concrete borrowed type";
pub(super) const GENERIC_HASH: &str =
    "a hash prefix needs a field of a concrete type: replace the parameter, or use a salt";
pub(super) const GENERIC_LOCK: &str =
    "a key with parameters has several layouts, so one file cannot lock it";

pub(super) const NO_ENCODING: &str = "this type cannot be a field of a row key; supported are integers, bool, char, f32, f64, [u8; N], text, bytes, Option of these, and structs with #[derive(RowKey)]";

pub(super) const TWO_ENDS: &str =
    "a field ends in one way: keep one of `escaped`, `nul_terminated`, `width` and `sep`";
pub(super) const END_ON_NUMBER: &str = "`escaped`, `nul_terminated`, `width`, `sep`, `pad` and `chars` are for text and bytes; a number has a fixed width";
pub(super) const PAD_WITHOUT_WIDTH: &str = "`pad` is for a field with `width`; add one";
pub(super) const WIDTH_ZERO: &str = "the minimum width is 1";
pub(super) const WIDTH_HUGE: &str = "a row key in HBase has at most 32767 bytes";
pub(super) const SEP_ON_BYTES: &str =
    "a separator is for text; bytes may contain any value, so use `escaped` or `width`";
pub(super) const CHARS_ON_BYTES: &str = "`chars` is for text";
pub(super) const CHARS_EMPTY: &str = "`chars` is empty";
pub(super) const CHARS_NOT_ASCII: &str = "`chars` takes ASCII characters";
pub(super) const MD5_MIXED: &str =
    "an `md5` field holds a digest, which has its own encoding: remove this attribute or the `md5`";
pub(super) const MD5_ON_OTHERS: &str =
    "`md5` is for text, bytes and integers, whose plain bytes are the same in every client";
pub(super) const DIGEST_MIXED: &str =
    "a digest is truncated to `bytes` or to `hex` digits, not both";
pub(super) const DIGEST_BYTES: &str = "an MD5 has 16 bytes: use 1 to 16";
pub(super) const DIGEST_HEX: &str = "an MD5 has 32 hex digits: use 1 to 32";
pub(super) const DESC_AND_REV_TS: &str =
    "`rev_ts` already sorts newest first; with `desc` it would sort oldest first again: keep one";
pub(super) const REV_TS_TYPE: &str = "a reverse timestamp is an i64 or u64 of milliseconds, because it is i64::MAX minus the time; use `desc` for other types";
pub(super) const REV_TS_INVERTED_TYPE: &str =
    "`rev_ts = \"inverted\"` inverts a u64; use `rev_ts` for an i64 and `desc` for other types";
pub(super) const REV_TS_MIXED: &str =
    "a reverse timestamp has its own encoding: remove this attribute";
pub(super) const REVERSE_ON_NUMBER: &str = "`reverse` reverses the characters of text; a number needs `digits = N` with it, or use `desc` (largest first)";
pub(super) const DESC_ON_RAW: &str = "`desc` needs an encoding in which no text is a prefix of another, or `a` would sort before `ab` in descending order: add `escaped` or `width`";

pub(super) const TERMINATED_ON_OTHERS: &str =
    "`terminated` is for lists; this field is not a `Vec<T>`";
pub(super) const OPTIONAL_LIST: &str =
    "a missing list cannot be distinguished from an empty one: use the list without `Option`";
pub(super) const LIST_OF_LISTS: &str = "a list of lists cannot be a field of a row key; put the inner list into a struct of its own, with `terminated`, and derive RowKey for it";
pub(super) const OPEN_ITEMS: &str = "the items of a list follow one another, so each needs an end: `escaped`, `width = N` or `nul_terminated`";
pub(super) const FLOOR_ON_LIST: &str =
    "`floor` is for a single number; round the items before they are stored";
pub(super) const DESC_ON_LIST: &str = "`desc` needs an encoding in which no list is a prefix of another, or `[1]` would sort before `[1, 2]` in descending order: add `terminated`";
pub(super) const RAW_BE_ON_UNSIGNED: &str =
    "`raw_be` is for signed numbers; an unsigned number is plain big-endian already";
pub(super) const DIGITS_ON_OTHERS: &str = "`digits` is for unsigned numbers: use u8 to u128";
pub(super) const DIGITS_COUNT: &str = "a number has 1 to 39 digits";
pub(super) const DIGITS_MIXED: &str = "a number has one encoding: keep `digits` or `raw_be`";
pub(super) const FLOOR_ON_OTHERS: &str =
    "`floor` is for times and other numbers: use u8 to u64, i32 or i64";
pub(super) const DISPLAY_TIME_ON_OTHERS: &str =
    "`display_time` is for numbers that count time since 1970; this field is not one";
pub(super) const FLOOR_STEP: &str =
    "the step of `floor` is 1 to 4294967295; 3600 rounds seconds to hours";
pub(super) const MODULO_FIELDS: &str =
    "`hash = modulo` takes a single unsigned number, as in `fields = (id)`";

pub(super) const SALT_AND_HASH: &str =
    "a row key starts with a `salt` or a `hash_prefix`, not both: keep one";
pub(super) const SALT_WITHOUT_BUCKETS: &str =
    "a salt needs a number of buckets: `salt(buckets = 16)`";
pub(super) const SALT_NO_BUCKETS: &str = "a salt needs at least 2 buckets; remove it to have none";
pub(super) const SALT_WIDTH: &str = "a salt is 1 to 8 bytes wide";
pub(super) const SALT_TOO_MANY: &str =
    "a salt has at most 65536 buckets, because every scan reads a range for each";
pub(super) const SALT_MONOTONIC_ONLY: &str = "all salted fields grow with time, so the buckets would fill one after the other and the rows of one thing would be scattered; salt the fields that identify it";
pub(super) const RANDOM_FIELDS: &str = "a random salt is not computed from fields: keep `random`, which spreads rows with equal values, or `fields`, which puts them into one bucket";
pub(super) const RANDOM_HASH: &str =
    "a random salt is not computed by a hash: remove `hash` or `random`";
pub(super) const HASH_WITHOUT_FUNCTION: &str =
    "a hash prefix needs a hash function: `hash_prefix(md5, hex = 8, fields = (user))`";
pub(super) const HASH_WITHOUT_FIELDS: &str =
    "a hash prefix needs the fields to hash: `hash_prefix(md5, hex = 8, fields = (user))`";
pub(super) const HASH_OF_HASHED: &str =
    "this field holds a digest, which already spreads the rows: no hash prefix of it is needed";
pub(super) const HASH_OF_FLOORED: &str = "the hash is of the exact value, but the row stores only the rounded value, so it could not be decoded; hash other fields";
pub(super) const HOTSPOT: &str = "the first field grows with time, so all new rows go to one region: put another field first, add `salt(buckets = ..)`, or add `allow(hotspot)`";

pub(super) const HOTSPOT_BY_NAME: &str = "by its name the first field is a time, so all new rows go to one region: put another field first, add `salt(buckets = ..)`, or add `allow(hotspot)`";
pub(super) const SEP_ON_TYPE: &str =
    "a separator for all texts is `text_sep = '|'`; for a single text, `#[key(sep = '|')]`";

pub(super) fn machine_width(name: &str) -> String {
    let fixed = if name == "usize" { "u32 or u64" } else { "i32 or i64" };
    format!(
        "the width of `{name}` depends on the platform, that of stored bytes does not: use {fixed}"
    )
}

pub(super) fn open_in_the_middle(name: &str) -> String {
    format!(
        "only the last field of a row key may be plain text or bytes, because nothing marks its end; \
         give {name} one: `escaped` (any content), `width = N` or `nul_terminated`"
    )
}

pub(super) fn open_in_the_middle_of_hbase(name: &str) -> String {
    format!(
        "only the last field of a row key may be plain text or bytes, because nothing marks its end; \
         give {name} one: `nul_terminated`, `sep` or `width`, or use `compat = \"hbase_ordered\"`"
    )
}

pub(super) fn list_in_the_middle(name: &str) -> String {
    format!(
        "only the last field of a row key may be a list without an end; add `terminated` to {name}, which writes 01 \
         before each item and 00 after the last"
    )
}

pub(super) fn sep_in_chars(sep: char) -> String {
    format!("`chars` allows the separator {sep:?}, so the row key could not be decoded; remove it")
}

pub(super) fn sep_above(sep: char, field: &str) -> String {
    format!(
        "{sep:?} ({:#04x}) sorts above characters of {field}, so the rows do not sort as the texts do: \
         use a separator below them such as '\\x1f', or add `allow(unsorted_text)`",
        u32::from(sep)
    )
}

pub(super) fn chars_reversed(from: char, to: char) -> String {
    format!("the range {from}-{to} in `chars` is reversed; write {to}-{from}")
}

pub(super) fn pad_above(pad: char) -> String {
    format!(
        "the padding {pad:?} sorts above characters in `chars`; use one below them, or none for 00"
    )
}

pub(super) fn no_such_field(name: &str, did_you_mean: &str) -> String {
    format!("there is no field `{name}`{did_you_mean}")
}

pub(super) fn no_such_number(index: &str, count: usize) -> String {
    format!("there is no field {index}: the fields are 0 to {}", count.saturating_sub(1))
}

pub(super) fn number_fields(name: &str) -> String {
    format!("there is no field `{name}`: these fields are numbered, as in `fields = (0, 1)`")
}

pub(super) fn field_twice(name: &str) -> String {
    format!("`{name}` is given twice; remove one")
}

pub(super) fn too_many_buckets(buckets: u64, width: u64) -> String {
    let max = 1_u64 << (8 * width);
    format!(
        "{buckets} buckets do not fit a salt of width {width}, which holds {max}; add `width = {}`",
        width + 1
    )
}

pub(super) fn tag_too_large(tag: u64, bytes: usize) -> String {
    match (bytes, tag <= 65_535) {
        (1, true) => {
            format!("tag {tag} does not fit one byte; use `#[row_key(tag_type = u16)]`")
        }
        (1 | 2, _) if u32::try_from(tag).is_ok() => {
            format!("tag {tag} does not fit {bytes} bytes; use `#[row_key(tag_type = u32)]`")
        }
        _ => format!("tag {tag} is too large: the maximum is 4294967295"),
    }
}

pub(super) fn salt_space(first: u64, buckets: u64, width: u64) -> String {
    format!(
        "{buckets} buckets from {first} on do not fit a salt of width {width}; add `width = {}` or reduce `bucket_offset`",
        width + 1
    )
}

pub(super) fn name_of_a_constant(name: &str) -> String {
    format!("this variant would hide the constant `{name}` of row keys; rename it")
}

/// The environment variable that makes a build write lock files.
pub(super) const LOCK_VARIABLE: &str = "TALLROW_LOCK";
const LOCK_COMMAND: &str = "`TALLROW_LOCK=overwrite cargo test`";

/// Returns what comes before the line of the file, between it and that of the type, and after both.
pub(super) fn lock_changed(key: &str, path: &str) -> (String, &'static str, String) {
    let head = format!(
        "the layout of {key} differs from the one in {path}, so stored rows could not be read:\n\n  locked: "
    );
    let tail = format!(
        "\n\nrevert the change; or, if it is intended, increase `layout` and update the file with {LOCK_COMMAND}"
    );
    (head, "\n  now:    ", tail)
}

pub(super) fn lock_missing(key: &str, path: &str) -> String {
    format!("the package has no {path} yet; to write the layout of {key} to it, run {LOCK_COMMAND}")
}

pub(super) fn tag_twice(tag: u64, other: &str) -> String {
    format!("tag {tag} is already used by `{other}`, so their rows could not be distinguished")
}

pub(super) fn shared_missing(name: &str) -> String {
    format!("this variant does not start with the shared fields: `{name}` is missing")
}

pub(super) fn shared_differs(name: &str) -> String {
    format!(
        "the shared field `{name}` has another type or other attributes than in the first variant"
    )
}

pub(super) fn longer_than_max(found: usize, max: u64) -> String {
    format!("the row key has at least {found} bytes, more than the `max_fixed_len` of {max}")
}

pub(super) fn long(found: usize) -> String {
    format!(
        "the row key has at least {found} bytes, which HBase stores with every cell: shorten it (ids \
         instead of names, digests of long texts), or add `allow(long_key)` or `max_fixed_len = {found}`"
    )
}

pub(super) fn records_of(target: &str) -> String {
    format!("{target} has one record type per table: use a struct")
}
