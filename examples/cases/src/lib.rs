//! Code that the programs share: tables of rows without a type.

pub mod tables;
