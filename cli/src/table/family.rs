//! Families of columns as they are written in a terminal.

use tallrow::FamilyDescriptor;

use crate::failure::{Failure, Result};

/// Reads `d,VERSIONS=3`.
pub(super) fn family(text: &str) -> Result<FamilyDescriptor> {
    let mut parts = text.split(',');
    let mut family = FamilyDescriptor::new(parts.next().unwrap_or_default());
    for option in parts {
        let (name, value) = option.split_once('=').ok_or_else(|| {
            Failure::usage(format!("--family {text}: {option:?} is not OPTION=VALUE"))
                .advise("write it as --family d,VERSIONS=3,TTL=86400")
        })?;
        family = family.attribute(&name.trim().to_uppercase(), value.trim());
    }
    Ok(family)
}
