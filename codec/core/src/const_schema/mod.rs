//! The schema of a key as text, composed and compared with a lock file while the key is compiled.

mod compose;
mod lock;
mod text;
mod type_name;

pub use compose::{Line, schema_fingerprint, schema_len, schema_str, schema_text};
pub(crate) use lock::same;
pub use lock::{Change, joined, joined_len, layout_changed, lock_change};
pub use type_name::TypeName;
