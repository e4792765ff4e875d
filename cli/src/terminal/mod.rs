//! The terminal: results, questions, progress and Ctrl-C.

pub(crate) mod confirm;
pub(crate) mod output;
pub(crate) mod progress;
pub(crate) mod text_table;
