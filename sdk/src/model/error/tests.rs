//! Tests of the text of errors: its parts, their order, and causes that are shown once.

use super::*;

/// All kinds; it does not compile if one is missing.
macro_rules! kinds {
    ($($kind:ident,)*) => {
        const KINDS: &[ErrorKind] = &[$(ErrorKind::$kind),*];
        const _: fn(ErrorKind) = |kind| match kind { $(ErrorKind::$kind => (),)* };
    };
}

kinds! {
    InvalidArgument,
    TableNotFound,
    NamespaceNotFound,
    InstanceNotFound,
    NamespaceExists,
    TableExists,
    SnapshotNotFound,
    SnapshotExists,
    BackupNotFound,
    BackupExists,
    Unsupported,
    WrongTableState,
    SchemaDrift,
    NoSuchFamily,
    NotACounter,
    PermissionDenied,
    DoNotRetry,
    Busy,
    TooManyInFlight,
    RetryBudgetSpent,
    ServerError,
    Unreachable,
    Timeout,
    OutcomeUnknown,
    Protocol,
    Conflict,
    Decode,
    IdsExhausted,
    Inconsistent,
    NotUnique,
    Closed,
}

/// What an error may have in addition to its message, in the order of its text.
const PIECES: u32 = 5;

/// An error with the pieces of which a bit is set, and its text, put together here once more.
fn with(kind: ErrorKind, pieces: u32) -> (Error, String) {
    let has = |piece: u32| pieces & (1 << piece) != 0;
    let mut error = Error::new(kind, "it is full");
    let mut place = Vec::new();
    if has(0) {
        error = error.with_operation_if_unset("put");
        place.push("put");
    }
    if has(1) {
        error = error.on_table(&"ns:t".parse().unwrap());
    }
    if has(2) {
        error = error.on_row(&Bytes::from_static(b"r\x00"));
    }
    match (has(1), has(2)) {
        (true, true) => place.push("ns:t/\"r\\x00\""),
        (true, false) => place.push("ns:t"),
        (false, true) => place.push("\"r\\x00\""),
        (false, false) => {}
    }
    if has(3) {
        error = error.on_server("h:1");
        place.push("on h:1");
    }
    let mut text = place.join(" ");
    if !text.is_empty() {
        text += ": ";
    }
    text += "it is full";
    if has(4) {
        error = error.with_attempts(3, Duration::from_millis(1500));
        text += " (3 attempts in 1.5 s)";
    }
    (error, text)
}

#[test]
fn every_error_has_the_same_pieces_in_the_same_order_whichever_there_are() {
    for &kind in KINDS {
        for pieces in 0..1 << PIECES {
            let (error, text) = with(kind, pieces);
            assert_eq!(error.to_string(), text);
            assert_eq!(format!("{error:?}"), format!("{kind:?}: {text}"));
            let around = Error::new(ErrorKind::OutcomeUnknown, "it may be there").caused_by(error);
            assert_eq!(around.to_string(), "it may be there");
            assert_eq!(format!("{around:?}"), format!("OutcomeUnknown: it may be there: {text}"));
        }
    }
}

#[test]
fn a_cause_that_the_text_has_already_is_not_shown_again() {
    let why = crate::key::EncodeError::new(
        "OrderKey",
        "shop",
        crate::key::FieldErrorKind::Unterminated.into(),
    );
    let text = format!("get orders: {why}");
    let error =
        Error::from(why).with_operation_if_unset("get").on_table(&"orders".parse().unwrap());
    assert_eq!(error.to_string(), text);
    assert_eq!(format!("{error:?}"), format!("InvalidArgument: {text}"));
    let source = std::error::Error::source(&error).unwrap();
    assert!(source.is::<crate::key::EncodeError>());
}
