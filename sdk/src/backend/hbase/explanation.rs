//! What a server's exception means for the caller, and what to do about it.

use crate::ErrorKind;
use crate::wire::exception::{self as class, RemoteException};

/// How many characters of a server's own text an error shows; the error's source contains the whole
/// text.
const SHOWN: usize = 300;

/// Returns the message of an error of this kind: the cause and what to do about it, with the
/// server's own text where that adds something.
pub(super) fn of(kind: ErrorKind, exception: &RemoteException) -> String {
    let (text, name) = (shown(&exception.message), exception.simple_name());
    match (kind, exception.class.as_str()) {
        (ErrorKind::NotACounter, _) => format!(
            "the cell is not a counter, which is 8 bytes wide ({text}); read it, or delete it first"
        ),
        (ErrorKind::TableExists, _) => format!(
            "there is a table of this name already ({name}); open it, or create it with `create_if_missing`"
        ),
        (ErrorKind::TableNotFound, _) => {
            format!("the table does not exist ({name}); check its name and its namespace")
        }
        (ErrorKind::NamespaceNotFound, _) => {
            format!(
                "there is no namespace {text} ({name}); create it with `HBaseAdmin::create_namespace`"
            )
        }
        (ErrorKind::WrongTableState, class::TABLE_NOT_DISABLED) => format!(
            "the table is not disabled ({name}); a table is disabled before it is deleted, and enabled only when it is \
             disabled"
        ),
        (ErrorKind::WrongTableState, class::TABLE_NOT_ENABLED) => {
            format!(
                "the table is not enabled ({name}); enable it first, unless it is to be disabled"
            )
        }
        (ErrorKind::NoSuchFamily, _) => match families(&exception.message) {
            Some((missing, known)) => format!(
                "the table has no family {missing:?}, but {known} ({name}); name one of these, or add the family with \
                 `Admin::alter`"
            ),
            None => format!(
                "{text} ({name}); name a family of the table, or add it with `Admin::alter`"
            ),
        },
        (ErrorKind::PermissionDenied, _) if text.contains("Insufficient permissions") => format!(
            "{text} ({name}); who may grant it calls `HBaseAdmin::grant`, or `grant` in HBase's shell"
        ),
        (ErrorKind::PermissionDenied, _) => format!(
            "{text} ({name}); the user is `Config::user`, which the server has to trust, unless \
             `Config::authentication` proves another"
        ),
        (_, class::UNKNOWN_PROTOCOL) => format!(
            "{text} ({name}); check the names of the service and the method, and that the coprocessor is loaded, by the \
             table's attribute `coprocessor$1` or in the servers' configuration"
        ),
        _ if text.is_empty() => format!("the server threw {name}"),
        _ => format!("{text} ({name})"),
    }
}

/// Returns the first line of a text, cut after [`SHOWN`] characters.
fn shown(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}..", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

/// Returns the missing family and the families of the table, from `Column family x does not exist
/// in region .. in table 't', .., {NAME => 'a', ..}, {NAME => 'b', ..}`.
fn families(text: &str) -> Option<(&str, String)> {
    let missing = text.split_once("olumn family ")?.1.split_once(" does not exist")?.0;
    let known: Vec<&str> = text
        .split("{NAME => '")
        .skip(1)
        .filter_map(|rest| rest.split_once('\'').map(|(name, _)| name))
        .collect();
    (!known.is_empty()).then(|| (missing, known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(kind: ErrorKind, class: &str, message: &str) -> String {
        of(kind, &RemoteException::new(class, message))
    }

    #[test]
    fn a_missing_family_is_named_with_those_of_the_table_and_no_more() {
        let message = "Column family zz does not exist in region t,,1.4937. in table 't', {TABLE_ATTRIBUTES => \
                       {METADATA => {'A' => 'x\ny'}}}, {NAME => 'd', VERSIONS => '1'}, {NAME => 'e', TTL => '5'}";
        assert_eq!(
            text(ErrorKind::NoSuchFamily, class::NO_SUCH_COLUMN_FAMILY, message),
            "the table has no family \"zz\", but d, e (NoSuchColumnFamilyException); name one of these, or add the family \
             with `Admin::alter`"
        );
        let other = text(ErrorKind::NoSuchFamily, class::NO_SUCH_COLUMN_FAMILY, "zz");
        assert!(other.starts_with("zz (NoSuchColumnFamilyException); name a family"), "{other}");
    }

    #[test]
    fn a_long_text_is_cut_at_its_first_line() {
        let found = text(ErrorKind::DoNotRetry, class::DO_NOT_RETRY, "why\n\tat a.B.c(B.java:1)");
        assert_eq!(found, "why (DoNotRetryIOException)");
        let found = text(ErrorKind::ServerError, "a.B", &"ü".repeat(1_000));
        assert_eq!(found, format!("{}.. (B)", "ü".repeat(SHOWN)));
        assert_eq!(text(ErrorKind::ServerError, "a.B", ""), "the server threw B");
    }
}
