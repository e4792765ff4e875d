//! Properties that count only where a setting is on: those of TLS, and those of Kerberos.

use super::report::{ConfigEntry, EntryStatus, Problem};
use crate::Config;

/// The value of each property of a group; none if it is empty.
pub(super) type Values<'a> = dyn Fn(&str) -> Option<&'a str> + 'a;

/// Such properties.
pub(super) struct PropertyGroup {
    /// The name of the setting, which is in none of them.
    pub(super) setting: &'static str,
    pub(super) names: &'static [&'static str],
    pub(super) is_on: fn(&Config) -> bool,
    /// Why they set nothing while it is off.
    pub(super) off: &'static str,
    /// What becomes of a property and its value while it is on, if nothing stronger has it.
    pub(super) status: fn(&str, &str, &Values<'_>) -> EntryStatus,
    /// Applies them to a configuration in which it is on; what else there is to be reported.
    pub(super) apply: fn(&mut Config, &Values<'_>) -> Result<Vec<ConfigEntry>, Problem>,
}
