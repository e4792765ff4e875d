//! Suites that share one program, because to link each alone takes longer than to run it. What
//! needs a process of its own is a program of its own: see `tests/Cargo.toml`.

mod changes;
mod complaints;
mod history;
mod index;
mod key_schemas;
mod kills;
mod lookup;
mod observe;
mod of_bigtable;
mod opentsdb;
mod options;
mod paging;
mod patterns;
mod readme;
mod regions;
mod rekey;
mod secured;
mod spawned;
mod sql_texts;
mod stall;
mod tls;
