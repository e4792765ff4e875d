//! The layouts of row keys, and keys as text, as JSON and as columns of a file.

pub(crate) mod equal_keys;
pub(crate) mod json;
pub(crate) mod key_columns;
pub(crate) mod key_format;
pub(crate) mod layouts;
pub(crate) mod rust_type;
pub(crate) mod split_file;
pub(crate) mod table_keys;
