//! The texts of all errors, so that they speak with one voice: what is wrong, then the way out.

pub(super) const NOT_A_STRUCT: &str = "a row key is a struct, or an enum for several kinds of rows";
pub(super) const NO_RECORDS: &str = "a row key needs at least one kind of rows";
pub(super) const SHARED_ON_STRUCT: &str = "`shared` names the fields that all variants of an enum start with; a struct has but one kind of rows";
pub(super) const TAG_ON_STRUCT: &str =
    "`tag_type` is the type of the tags of an enum; a struct has but one kind of rows";
pub(super) const VERSIONS_ALONE: &str =
    "each version says this for itself: beside `layouts` there is only `crate`";
pub(super) const VERSIONS_GENERIC: &str = "an enum of versions has no parameters; name the types";
pub(super) const VERSIONS_ON_STRUCT: &str = "`layouts` is for an enum that holds a key for each layout: `enum Event { V1(EventV1), V2(EventV2) }`";
pub(super) const NO_VERSIONS: &str = "an enum of versions needs at least one";
pub(super) const VERSION_OF_ONE: &str = "a version holds one key, as in `V1(EventV1)`";
pub(super) const VERSION_ATTRIBUTE: &str =
    "versions are told apart by their rows: a version has no `key(..)`";
pub(super) const RECORD_NAMED: &str =
    "name the fields of this kind of rows, as in `Order { customer: u32, order: u32 }`";
pub(super) const TAG_MISSING: &str = "this kind of rows needs a number that is stored with them: `#[key(tag = 1)]`; its place in the enum \
     would change when another is put before it";
pub(super) const TAG_AND_DISCRIMINANT: &str =
    "the number of the variant differs from its tag, which is what rows hold: give both the same";
pub(super) const LEAD_OF_RECORDS: &str =
    "only fields that all kinds of rows share can stand for them in front: name them with `fields`";

pub(super) const NO_FIELDS: &str =
    "a row key needs at least one field: HBase has no row with an empty key";
pub(super) const SECOND_LIFETIME: &str =
    "a row key borrows from one place, the bytes it is read from: use one lifetime";

pub(super) const GENERIC_BORROW: &str =
    "the type of a field names a parameter or borrows, not both: name the borrowed type";
pub(super) const GENERIC_HASH: &str = "a hash prefix is taken of plain bytes, which a parameter does not tell; name the type, or use a salt";
pub(super) const GENERIC_LOCK: &str = "a key with parameters has a layout for each type they stand for, so that one file cannot lock it";

pub(super) const NO_FORM: &str = "this type has no form in a row key; fields are integers, bool, char, f32, f64, [u8; N], text, bytes, \
     Option of these, and structs with #[derive(RowKey)]";

pub(super) const TWO_ENDS: &str =
    "a field ends in one way: keep one of `escaped`, `nul_terminated`, `width` and `sep`";
pub(super) const END_ON_NUMBER: &str = "`escaped`, `nul_terminated`, `width`, `sep`, `pad` and `chars` are for text and bytes; a number has its own width";
pub(super) const PAD_WITHOUT_WIDTH: &str = "`pad` fills up a `width`; add one";
pub(super) const WIDTH_ZERO: &str = "a field of width 0 holds nothing; the least is 1";
pub(super) const WIDTH_HUGE: &str = "a row key of HBase has at most 32767 bytes";
pub(super) const SEP_ON_BYTES: &str =
    "a separator is for text; bytes may hold any value, so use `escaped` or `width`";
pub(super) const CHARS_ON_BYTES: &str = "`chars` is for text";
pub(super) const CHARS_EMPTY: &str = "`chars` names no character";
pub(super) const CHARS_NOT_ASCII: &str = "`chars` takes ASCII characters";
pub(super) const MD5_MIXED: &str =
    "an `md5` field holds a digest, so no other form fits it: remove the rest, or the `md5`";
pub(super) const MD5_ON_OTHERS: &str = "`md5` is taken of text, bytes and integers, whose plain bytes every other reader of the table agrees on";
pub(super) const DIGEST_MIXED: &str = "a digest is cut in `bytes` or in `hex` digits, not both";
pub(super) const DIGEST_BYTES: &str = "an MD5 has 16 bytes: 1 to 16 of them can be kept";
pub(super) const DIGEST_HEX: &str = "an MD5 has 32 hex digits: 1 to 32 of them can be kept";
pub(super) const DESC_AND_REV_TS: &str =
    "`rev_ts` already sorts newest first; with `desc` it would sort oldest first again: keep one";
pub(super) const REV_TS_TYPE: &str = "a reverse timestamp is an i64 or u64 of milliseconds, because it is taken from i64::MAX; use `desc` \
     for other types";
pub(super) const REV_TS_NOT_TYPE: &str =
    "`rev_ts = \"inverted\"` inverts a u64; for an i64 use `rev_ts`, for other types `desc`";
pub(super) const REV_TS_MIXED: &str = "a reverse timestamp has its own form: remove the others";
pub(super) const REVERSE_ON_NUMBER: &str = "`reverse` turns text back to front; a number needs `digits = N` with it, or use `desc` (largest first)";
pub(super) const DESC_ON_RAW: &str = "`desc` needs a form in which no text begins another, or `a` would sort before `ab` in descending \
     order: add `escaped` or `width`";

pub(super) const MARKED_ON_OTHERS: &str =
    "`terminated` gives a list its end; this field is no `Vec<T>`";
pub(super) const OPTIONAL_LIST: &str = "an empty list says as much as none: use the list alone";
pub(super) const LIST_OF_LISTS: &str = "a list of lists has no form in a row key; put the inner one into a key of its own, with `terminated`, and derive RowKey for it";
pub(super) const OPEN_ITEMS: &str = "the items of a list stand one after the other, so each needs an end: `escaped`, `width = N` or `nul_terminated`";
pub(super) const FLOOR_ON_LIST: &str = "`floor` is for one number; list the starts of the periods";
pub(super) const DESC_ON_LIST: &str = "`desc` needs a form in which no list begins another, or `[1]` would sort before `[1, 2]` in descending order: add `terminated`";
pub(super) const RAW_BE_ON_UNSIGNED: &str =
    "`raw_be` is for signed numbers; an unsigned one is plain big-endian already";
pub(super) const DIGITS_ON_OTHERS: &str =
    "`digits` writes an unsigned number as decimal text: use u8 to u128";
pub(super) const DIGITS_COUNT: &str = "a number has 1 to 39 digits";
pub(super) const DIGITS_MIXED: &str = "a number has one form: keep `digits` or `raw_be`";
pub(super) const FLOOR_ON_OTHERS: &str =
    "`floor` is for times and other numbers: use u8 to u64, i32 or i64";
pub(super) const TIME_ON_OTHERS: &str = "`display_time` says what a number counts since 1970, for people who read the rows; this field is none";
pub(super) const FLOOR_STEP: &str =
    "the step of `floor` is 1 to 4294967295; 3600 makes hours of seconds";
pub(super) const MODULO_OF: &str =
    "`hash = modulo` takes one unsigned number: name it alone, as in `fields = (id)`";

pub(super) const SALT_AND_HASH: &str =
    "`salt` and `hash_prefix` both stand in front of the fields: keep one";
pub(super) const SALT_WITHOUT_BUCKETS: &str =
    "a salt needs its number of buckets: `salt(buckets = 16)`";
pub(super) const SALT_NO_BUCKETS: &str = "a salt needs at least 2 buckets; leave it out for none";
pub(super) const SALT_WIDTH: &str = "a salt is 1 to 8 bytes wide";
pub(super) const SALT_TOO_MANY: &str =
    "more than 65536 buckets: every scan would read as many ranges";
pub(super) const SALT_RISING_ONLY: &str = "all salted fields rise with time, so the buckets fill one after the other in no useful way and \
     rows of one thing are torn apart; salt over what identifies it";
pub(super) const RANDOM_OF: &str = "a random salt is computed from no field: keep `random`, which spreads the rows of one value, or `fields`, which \
     lets them be found in one bucket";
pub(super) const RANDOM_HASH: &str =
    "a random salt is computed from no field: remove `hash`, or `random`";
pub(super) const HASH_WITHOUT_FUNCTION: &str =
    "name the hash: `hash_prefix(md5, hex = 8, fields = (user))`";
pub(super) const HASH_WITHOUT_FIELDS: &str =
    "name the fields that are hashed: `hash_prefix(md5, hex = 8, fields = (user))`";
pub(super) const HASH_OF_HASHED: &str =
    "this field holds a digest, which spreads rows already: no hash prefix over it is needed";
pub(super) const HASH_OF_FLOORED: &str = "the hash is of the value, of which the row keeps only its period: rows of one period would have different \
     hashes, and none could be read back; hash other fields";
pub(super) const HOT_LEAD: &str = "the first field grows with time, so all new rows go to one region: put another field first, add \
     `salt(buckets = ..)`, or say `allow(hotspot)`";

pub(super) const HOT_NAME: &str = "by its name the first field is a time, so all new rows go to one region: put another field first, add \
     `salt(buckets = ..)`, or say `allow(hotspot)`";
pub(super) const SEP_ON_TYPE: &str =
    "a separator for all texts is written `text_sep = '|'`; for one text, `#[key(sep = '|')]`";

pub(super) fn machine_width(name: &str) -> String {
    let fixed = if name == "usize" { "u32 or u64" } else { "i32 or i64" };
    format!("`{name}` changes with the machine and stored bytes do not: use {fixed}")
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
         give {name} one: `nul_terminated`, `sep` or `width`, or take `compat = \"hbase_ordered\"`"
    )
}

pub(super) fn list_in_the_middle(name: &str) -> String {
    format!(
        "only the last field of a row key may be a list without an end; add `terminated` to {name}, which puts 01 in \
         front of each item and 00 behind the last"
    )
}

pub(super) fn sep_in_chars(sep: char) -> String {
    format!(
        "`chars` allows the separator {sep:?}, so the row key could not be split again; leave it out"
    )
}

pub(super) fn sep_above(sep: char, field: &str) -> String {
    format!(
        "{sep:?} ({:#04x}) sorts above characters of {field}, so rows group but do not sort as text: \
         use a separator below them such as '\\x1f', or say `allow(unsorted_text)`",
        u32::from(sep)
    )
}

pub(super) fn chars_reversed(from: char, to: char) -> String {
    format!("the range {from}-{to} in `chars` runs backwards; write {to}-{from}")
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
    format!("there is no field `{name}`: these fields have numbers, as in `fields = (0, 1)`")
}

pub(super) fn field_twice(name: &str) -> String {
    format!("`{name}` is named twice")
}

pub(super) fn too_many_buckets(buckets: u64, width: u64) -> String {
    let most = 1_u64 << (8 * width);
    format!(
        "{buckets} buckets do not fit a salt of width {width}, which holds {most}; add `width = {}`",
        width + 1
    )
}

pub(super) fn tag_too_large(tag: u64, bytes: usize) -> String {
    match (bytes, tag <= 65_535) {
        (1, true) => {
            format!(
                "tag {tag} does not fit one byte; make tags wider: `#[row_key(tag_type = u16)]`"
            )
        }
        (1 | 2, _) if u32::try_from(tag).is_ok() => {
            format!(
                "tag {tag} does not fit {bytes} bytes; make tags wider: `#[row_key(tag_type = u32)]`"
            )
        }
        _ => format!("tag {tag} is too large: 4294967295 is the most"),
    }
}

pub(super) fn salt_space(first: u64, buckets: u64, width: u64) -> String {
    format!(
        "{buckets} buckets from {first} on do not fit a salt of width {width}; add `width = {}` or begin lower",
        width + 1
    )
}

pub(super) fn name_of_a_constant(name: &str) -> String {
    format!(
        "this variant would hide the constant `{name}`, which row keys have; give it another name"
    )
}

/// The variable of the environment that has lock files written.
pub(super) const LOCK_VARIABLE: &str = "TALLROW_LOCK";
const LOCK_COMMAND: &str = "`TALLROW_LOCK=overwrite cargo test`";

/// What comes before the line of the file, between it and that of the type, and behind both.
pub(super) fn lock_changed(key: &str, path: &str) -> (String, &'static str, String) {
    let head = format!(
        "the layout of {key} is not the one locked in {path}, so rows already stored could not be read:\n\n  locked: "
    );
    let tail = format!(
        "\n\nundo the change; or, if it is meant, raise `layout` and write the file with {LOCK_COMMAND}"
    );
    (head, "\n  now:    ", tail)
}

pub(super) fn lock_missing(key: &str, path: &str) -> String {
    format!(
        "there is no {path} in the package yet; to lock the layout of {key} in it, run {LOCK_COMMAND}"
    )
}

pub(super) fn tag_twice(tag: u64, other: &str) -> String {
    format!("tag {tag} is taken by `{other}`; rows of the two could not be told apart")
}

pub(super) fn shared_missing(name: &str) -> String {
    format!(
        "this kind of rows does not start with the shared fields: `{name}` is missing in its place"
    )
}

pub(super) fn shared_differs(name: &str) -> String {
    format!(
        "the shared field `{name}` has another type or other attributes than in the first variant"
    )
}

pub(super) fn longer_than_max(found: usize, max: u64) -> String {
    format!("the row key has {found} bytes at least, more than the `max_fixed_len` of {max}")
}

pub(super) fn long(found: usize) -> String {
    format!(
        "the row key has {found} bytes at least, which HBase stores again with every cell: shorten it (ids \
         for names, digests for long texts), or say `allow(long_key)` or `max_fixed_len = {found}`"
    )
}

pub(super) fn records_of(world: &str) -> String {
    format!("{world} has one kind of rows in a table: take a struct")
}
