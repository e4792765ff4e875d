//! Groups of properties that are applied only if a setting is switched on: the group of TLS, and
//! the group of Kerberos.

use super::report::{ConfigEntry, EntryStatus, Problem};
use crate::Config;

/// A function from the name of a property in a group to its value; `None` if the value is empty.
pub(super) type Values<'a> = dyn Fn(&str) -> Option<&'a str> + 'a;

/// A group of properties that one setting switches on.
pub(super) struct PropertyGroup {
    /// The name of the setting, which is not itself a property of the group.
    pub(super) setting: &'static str,
    pub(super) names: &'static [&'static str],
    pub(super) is_on: fn(&Config) -> bool,
    /// Why the properties have no effect while the setting is off.
    pub(super) off_reason: &'static str,
    /// Returns the status of a property with this value, if the setting is on and nothing overrides
    /// the property.
    pub(super) status: fn(&str, &str, &Values<'_>) -> EntryStatus,
    /// Applies the properties to a configuration in which the setting is on, and returns further
    /// entries for the report.
    pub(super) apply: fn(&mut Config, &Values<'_>) -> Result<Vec<ConfigEntry>, Problem>,
}
