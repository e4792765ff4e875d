//! The sanity checks of HBase's `TableDescriptorChecker`.

use tallrow_wire::exception;
use tallrow_wire::proto::TableSchema;

use super::attributes::attribute;
use super::names::check_family_name;
use crate::remote_exception::{RemoteResult, remote_exception};

/// Rejects a schema that the master's sanity checks reject.
pub(crate) fn check(schema: &TableSchema) -> RemoteResult<()> {
    const BYPASS: &str = " Set hbase.table.sanity.checks to false at conf or table descriptor if you \
                          want to bypass sanity checks";
    let reject = |text: String| Err(remote_exception(exception::DO_NOT_RETRY, text + BYPASS));
    if schema.column_families.is_empty() {
        return reject("Table should have at least one column family.".into());
    }
    for family in &schema.column_families {
        check_family_name(&family.name)?;
        let name = String::from_utf8_lossy(&family.name);
        let number = |key| {
            attribute(&family.attributes, key)
                .and_then(|v| std::str::from_utf8(v).ok()?.parse::<i64>().ok())
        };
        if number("TTL").is_some_and(|v| v <= 0) {
            return reject(format!("TTL for column family {name} must be positive."));
        }
        if number("BLOCKSIZE").is_some_and(|v| !(1024..=16 << 20).contains(&v)) {
            return reject(format!(
                "Block size for column family {name}  must be between 1K and 16MB."
            ));
        }
        let (min, max) = (number("MIN_VERSIONS").unwrap_or(0), number("VERSIONS").unwrap_or(1));
        if min < 0 {
            return reject(format!("Min versions for column family {name}  must be positive."));
        }
        if max <= 0 {
            let text = "Maximum versions must be positive".to_owned();
            return Err(remote_exception(exception::IO, text));
        }
        if min > max {
            return reject(format!(
                "Min versions for column family {name} must be less than the Max versions."
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::samples::table;

    #[test]
    fn sanity_checks_name_the_family() {
        let message = |s: &TableSchema| check(s).unwrap_err().message;
        assert!(message(&TableSchema::default()).starts_with("Table should have at least one"));
        assert!(
            message(&table(&[("TTL", "0")]))
                .starts_with("TTL for column family f must be positive.")
        );
        assert!(message(&table(&[("MIN_VERSIONS", "2")])).contains("less than the Max versions"));
        assert!(check(&table(&[("VERSIONS", "2"), ("MIN_VERSIONS", "2")])).is_ok());
    }
}
