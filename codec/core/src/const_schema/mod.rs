//! The schema of a key as text, composed and compared with a lock file while the key is compiled.

mod compose;
mod lock;
mod text;
mod type_name;

pub use compose::{SchemaLine, schema_fingerprint, schema_len, schema_str, schema_text};
pub(crate) use lock::bytes_equal;
pub use lock::{ChangedLine, concat, concat_len, find_lock_change, panic_layout_changed};
pub use type_name::TypeName;
