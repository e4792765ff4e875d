//! The names that tables, families and namespaces may have.

use tallrow_wire::exception;
use tallrow_wire::proto::TableName;
use tallrow_wire::region;

use crate::base::{RemoteResult, remote_exception};

/// The full name of a table, for error texts.
pub(crate) fn table_text(name: &TableName) -> String {
    String::from_utf8_lossy(&region::format_table_name(name)).into_owned()
}

/// Rejects a family name as `ColumnFamilyDescriptorBuilder.isLegalColumnFamilyName` does.
pub(super) fn check_family_name(name: &[u8]) -> RemoteResult<()> {
    let reject = |text: String| Err(remote_exception(exception::IO, text));
    if name.is_empty() {
        return reject("Column Family name can not be empty".into());
    }
    let shown = String::from_utf8_lossy(name);
    if name.first() == Some(&b'.') {
        return reject(format!("Column Family names cannot start with a period: {shown}"));
    }
    if name.iter().any(|b| b.is_ascii_control() || matches!(b, b':' | b'\\' | b'/')) {
        return reject(format!(
            "Illegal character <{}>. Column Family names cannot contain control characters or \
             colons: {shown}",
            name.escape_ascii()
        ));
    }
    if name == b"recovered.edits" {
        return reject("Column Family name cannot be: recovered.edits".into());
    }
    Ok(())
}

/// Rejects a table name as `TableName.isLegalFullyQualifiedTableName` does.
pub(crate) fn check_table_name(namespace: &[u8], qualifier: &[u8]) -> RemoteResult<()> {
    check_namespace(namespace)?;
    let reject = |text: String| Err(remote_exception(exception::IO, text));
    let shown = String::from_utf8_lossy(qualifier);
    if qualifier.is_empty() {
        return reject("Table qualifier must not be empty".into());
    }
    if matches!(qualifier.first(), Some(b'.' | b'-')) {
        let first = shown.chars().next().unwrap_or_default();
        return reject(format!(
            "Illegal first character <{}> at 0. User-space table qualifiers can only start with \
             'alphanumeric characters' from any language: {shown}",
            u32::from(first)
        ));
    }
    if shown == "zookeeper" {
        return reject("Tables may not be named 'zookeeper'".into());
    }
    let legal = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    match shown.char_indices().find(|(_, c)| !legal(*c)) {
        Some((at, c)) => reject(format!(
            "Illegal character code:{}, <{c}> at {at}. User-space table qualifiers may only \
             contain 'alphanumeric characters' and digits: {shown}",
            u32::from(c)
        )),
        None => Ok(()),
    }
}

/// Rejects a namespace name as `TableName.isLegalNamespaceName` does.
pub(crate) fn check_namespace(namespace: &[u8]) -> RemoteResult<()> {
    let shown = String::from_utf8_lossy(namespace);
    let legal = |c: char| c.is_alphanumeric() || c == '_';
    match shown.char_indices().find(|(_, c)| !legal(*c)) {
        Some((at, c)) => Err(remote_exception(
            exception::IO,
            format!(
                "Illegal character <{c}> at {at}. Namespaces may only contain 'alphanumeric \
                 characters' from any language and digits: {shown}"
            ),
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_illegal_characters_are_rejected() {
        let message = |n: &[u8]| check_table_name(b"default", n).unwrap_err().message;
        assert!(message(b"a b").starts_with("Illegal character code:32, < > at 1. "));
        assert!(message(b"-a").starts_with("Illegal first character"));
        assert!(check_table_name(b"ns_1", b"a-b.c_1").is_ok());
        assert!(check_namespace(b"n-s").is_err());
    }
}
