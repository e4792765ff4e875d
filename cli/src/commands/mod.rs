//! The commands of the program, each in its own module.

pub(crate) mod copy;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod key;
pub(crate) mod lookup;
pub(crate) mod mock;
pub(crate) mod simulate;
pub(crate) mod splits;
pub(crate) mod table;
