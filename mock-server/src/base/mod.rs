//! What all other modules use: the exceptions that servers throw, the limits of the servers, locks
//! that survive a panic, and the version of HBase.

mod exception;
#[cfg(feature = "control")]
mod json;
pub(crate) mod limits;

use std::any::Any;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(crate) use exception::{RemoteResult, remote_exception, to_string_binary};
#[cfg(feature = "control")]
pub(crate) use json::{Fields, JsonError, JsonResult, insert_ms};

/// The version of HBase that the mock imitates.
pub(crate) const HBASE_VERSION: &str = "2.6.4";

/// Locks a mutex, even if another holder has panicked. The state is still valid then, because a
/// change is checked before it is made.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the text of a panic.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("?")
}
