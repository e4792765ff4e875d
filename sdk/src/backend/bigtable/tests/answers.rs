//! Answers that are not as gRPC's are, and those that are in any pieces.

use std::sync::atomic::Ordering;

use bytes::Bytes;

use super::scripted::{End, Scripted, answering_as, cell, rows};
use crate::request::op::{Increment, Put};
use crate::wire::bigtable::{MutateRowResponse, ReadModifyWriteRowResponse};
use crate::{Error, ErrorKind, Scan};

/// Why an outcome is unknown.
fn cause_of(error: &Error) -> String {
    std::error::Error::source(error).unwrap().to_string()
}

#[tokio::test(start_paused = true)]
async fn a_row_is_read_from_any_pieces() {
    let whole = Scripted::of(&[rows(vec![cell("r", true)])]);
    for piece in 1..=whole.body.len() {
        let (table, calls) = answering_as(Scripted { piece, ..whole.clone() }).await;
        let row = table.get("r").await.unwrap().unwrap();
        assert_eq!(row.value("f", "q"), Some(&b"v"[..]));
        let mut scan = table.scan(Scan::all()).unwrap();
        assert_eq!(scan.next_row().await.unwrap().unwrap().key(), b"r");
        assert!(scan.next_row().await.unwrap().is_none());
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_without_a_status_leaves_the_outcome_of_a_write_unknown() {
    let put = Scripted::of(&[MutateRowResponse {}]).ending(End::Nothing);
    let (table, calls) = answering_as(put).await;
    let error = table.put(Put::new("r").cell("f", "q", "v")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
    let cause = cause_of(&error);
    assert!(cause.contains("the answer ended without a status"), "{cause}");
    assert_eq!(calls.load(Ordering::Relaxed), 1, "it is not made twice");
    let changed = ReadModifyWriteRowResponse::default();
    for end in [End::Nothing, End::Code("none")] {
        let answer = Scripted::of(std::slice::from_ref(&changed)).ending(end);
        let (table, calls) = answering_as(answer).await;
        let error = table.increment(Increment::new("r").add("f", "q", 1)).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_cannot_be_read_leaves_the_outcome_of_a_write_unknown() {
    let one = || Scripted::of(&[MutateRowResponse {}]);
    let body = |body: &'static [u8]| Scripted { body: Bytes::from_static(body), ..one() };
    let cases = [
        (Scripted::of(&[MutateRowResponse {}; 2]), "more than one message"),
        (Scripted::of::<MutateRowResponse>(&[]), "the answer has no message"),
        (body(b"\0\0\0\0\x05abc"), "ended within a message"),
        (body(b"\x01\0\0\0\0"), "compression flag 1"),
        (body(b"\0\xff\0\0\0"), "4278190080 bytes"),
        (body(b"\0\0\0\0\x01\xff"), "not a message of its call"),
    ];
    for (answer, expected) in cases {
        let (table, calls) = answering_as(answer.clone()).await;
        let error = table.put(Put::new("r").cell("f", "q", "v")).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
        let cause = cause_of(&error);
        assert!(cause.contains(expected), "no {expected:?} in: {cause}");
        assert_eq!(calls.load(Ordering::Relaxed), 1, "{error}");
    }
    let (table, _calls) = answering_as(Scripted { http: 404, ..one() }).await;
    let error = table.put(Put::new("r").cell("f", "q", "v")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.to_string().contains("HTTP status 404"), "{error}");
}
