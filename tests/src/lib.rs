//! Shared by the suites: clients and tables on a mock cluster or a real one, a real cluster that a
//! test controls, and tests in processes of their own.

#[cfg(doctest)]
mod book;
mod closed_port;
mod credentials;
mod hbase;
mod in_memory;
pub mod indexed;
mod losing;
pub mod lossy;
mod own_loopback;
mod patience;
mod place;
mod process;
mod random;
pub mod read;
mod recorded;
mod scratch_dir;
mod store;
mod thorough;

pub use closed_port::closed_port;
pub use credentials::{
    KERBEROS, SERVERS, TLS, encrypted, kerberos_folder, keytab_login, krb5, with_credentials,
};
pub use hbase::Hbase;
pub use in_memory::in_memory;
pub use losing::Losing;
pub use own_loopback::{free_ports, own_loopbacks};
pub use patience::{patience, until, until_some};
pub use place::{MUST, Place, drop_table, patient, real, say_skipped};
pub use process::{Process, task, tell};
pub use random::Random;
pub use recorded::{Header, Recorded};
pub use scratch_dir::scratch_dir;
pub use store::Store;
pub use thorough::{Sample, thorough};
