//! Families of columns as they are written in a terminal.

use tallrow::FamilyDescriptor;

use crate::failure::{Failure, Result};

/// Reads `d,VERSIONS=3`.
pub(super) fn family(text: &str) -> Result<FamilyDescriptor> {
    let mut parts = text.split(',');
    let mut family = FamilyDescriptor::new(parts.next().unwrap_or_default());
    for option in parts {
        let (name, value) = option.split_once('=').ok_or_else(|| {
            Failure::usage(format!("--family {text}: {option:?} is not OPTION=VALUE")).advise(
                "write options as --family d,VERSIONS=3,TTL=86400, and give --family once for each family",
            )
        })?;
        let (name, value) = (name.trim(), value.trim());
        // Properties of hbase-site.xml have dots in their names.
        if name.contains('.') {
            family = family.configuration(name, value);
            continue;
        }
        let option = name.to_uppercase();
        if !FamilyDescriptor::attribute_names().any(|known| known == option) {
            let known: Vec<_> = FamilyDescriptor::attribute_names().collect();
            return Err(Failure::usage(format!("--family {text}: HBase has no option {option}"))
                .advise(format!("it has {}", known.join(", "))));
        }
        family = family.attribute(&option, value);
    }
    Ok(family)
}
