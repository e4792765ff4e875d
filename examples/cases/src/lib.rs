//! Shared by the programs: tables of rows without a type.

pub mod tables;
