//! What was asked for, and no more, however the answers break.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use prost::Message;

use super::scripted::{End, Scripted, answering_as, answering_by, cell_of, rows};
use super::thorough;
use crate::key::{RowBuf, RowRange};
use crate::request::op::{Append, Get, Increment, Put};
use crate::wire::bigtable::{
    EndKey, MutateRowsOutcome, MutateRowsResponse, ReadModifyWriteRowResponse, ReadRowsRequest,
    Row, RowSet, StartKey,
};
use crate::{Error, ErrorKind, Filter, RawTable, Scan};

/// An answer with these rows, in their order.
fn answer(keys: &[&str], end: End) -> Scripted {
    let chunks = keys.iter().map(|key| cell_of(key.as_bytes(), true)).collect();
    Scripted::of(&[rows(chunks)]).ending(end)
}

async fn keys(table: &RawTable, scan: Scan) -> Result<Vec<Vec<u8>>, Error> {
    let (mut rows, mut keys) = (table.scan(scan)?, Vec::new());
    while let Some(row) = rows.next_row().await? {
        keys.push(row.key().to_vec());
    }
    Ok(keys)
}

/// Scans that are read with these rows: nothing else can come.
fn scans_of(from: &str, to: &str) -> Vec<(Scan, usize)> {
    let among = Filter::row_ranges([RowRange::row(from.as_bytes()), RowRange::row(to.as_bytes())]);
    let scan = || Scan::range(from..=to);
    vec![
        (scan(), 2),
        (scan().limit(2), 2),
        (scan().limit(2).server_metrics(), 2),
        (Scan::all().limit(2), 2),
        (Scan::all().filter(among.clone()), 2),
        (scan().filter(among).bytes_per_call(1), 2),
        (Scan::range(to..=to), 1),
        (Scan::range(to..).limit(1), 1),
    ]
}

/// How an answer can end besides well.
const BROKEN: [End; 5] =
    [End::Code("14"), End::Code("10"), End::Code("4"), End::Nothing, End::Reset];

#[tokio::test(start_paused = true)]
async fn a_stream_that_breaks_after_all_rows_has_brought_them() {
    // All but a reset, which overtakes what was sent before it.
    for end in BROKEN.into_iter().filter(|end| !matches!(end, End::Reset)) {
        for (scan, count) in scans_of("a", "b") {
            for reversed in [false, true] {
                let mut sent = ["a", "b"];
                let scan = match reversed {
                    // The last row of the range is not the last that comes.
                    true if count == 1 => continue,
                    true => scan.clone().reversed(),
                    false => scan.clone(),
                };
                if reversed {
                    sent.reverse();
                }
                let (table, calls) = answering_as(answer(&sent[2 - count..], end)).await;
                let found = keys(&table, scan.clone()).await.unwrap();
                assert_eq!(found.len(), count, "{scan:?}");
                assert_eq!(calls.load(Ordering::Relaxed), 1, "{scan:?}");
            }
        }
        let (table, calls) = answering_as(answer(&["a", "b"], end)).await;
        assert_eq!(table.count(Scan::range("a"..="b")).await.unwrap(), 2);
        assert_eq!(table.get_all(["b", "a"]).await.into_result().unwrap().len(), 2);
        assert_eq!(table.scan_page(Scan::range("a"..="b"), 2).await.unwrap().rows.len(), 2);
        assert_eq!(calls.load(Ordering::Relaxed), 3);
        let (table, calls) = answering_as(answer(&["a"], end)).await;
        assert!(table.get("a").await.unwrap().is_some());
        assert!(table.exists("a").await.unwrap());
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn rows_that_nobody_asked_for_are_an_error() {
    let well = End::Code("0");
    let is_refused = |error: Error, text: &str| {
        assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
        assert!(error.to_string().contains(text), "no {text:?} in: {error}");
    };
    for (scan, count) in scans_of("b", "c") {
        for sent in [["a", "b"], ["c", "d"], ["b", "bb"]] {
            let (table, _calls) = answering_as(answer(&sent, well)).await;
            match keys(&table, scan.clone()).await {
                Err(error) => is_refused(error, "row \""),
                // A limit of the whole table, which all of these are in.
                Ok(found) => assert!(found.len() == count && format!("{scan:?}").contains("limit")),
            }
        }
    }
    let (table, _calls) = answering_as(answer(&["a", "b", "c"], well)).await;
    is_refused(keys(&table, Scan::all().limit(2)).await.unwrap_err(), "row \"c\", past the limit");
    let other = "row \"a\", which was not asked for";
    let (table, _calls) = answering_as(answer(&["a"], well)).await;
    is_refused(table.get("b").await.unwrap_err(), other);
    is_refused(table.exists("b").await.unwrap_err(), other);
    for outcome in table.get_all(["b", "c"]).await {
        is_refused(outcome.unwrap_err(), other);
    }

    let row = Row { key: "a".into(), ..Row::default() };
    let changed = [ReadModifyWriteRowResponse { row: Some(row) }];
    let (table, _calls) = answering_as(Scripted::of(&changed)).await;
    for error in [
        table.increment(Increment::new("b").add("f", "q", 1)).await.unwrap_err(),
        table.append(Append::new("b").add("f", "q", "v")).await.unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
        let cause = std::error::Error::source(&error).unwrap().to_string();
        assert!(cause.contains(other), "{cause}");
    }

    // The outcome of an entry that was not sent, and two of one.
    for indexes in [[0, 2], [0, 0]] {
        let entries = indexes.map(|index| MutateRowsOutcome { index, status: None }).to_vec();
        let (table, calls) =
            answering_as(Scripted::of(&[MutateRowsResponse { entries, ..Default::default() }]))
                .await;
        let puts = ["a", "b"].map(|row| Put::new(row).cell("f", "q", "v"));
        let outcomes = table.put_all(puts).await;
        assert!(outcomes[0].is_ok());
        let error = outcomes[1].as_ref().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::OutcomeUnknown, "{error}");
        assert_eq!(calls.load(Ordering::Relaxed), 1);
    }
}

#[tokio::test(start_paused = true)]
async fn a_row_is_absent_only_if_its_answer_has_ended_well() {
    // Rows in another order, as no server sends them.
    let (table, _calls) = answering_as(answer(&["c", "a"], End::Code("0"))).await;
    let found: Vec<_> = table.get_all(["a", "b", "c"]).await.into_iter().collect();
    for outcome in &found[..2] {
        assert_eq!(outcome.as_ref().unwrap_err().kind(), ErrorKind::Protocol);
    }
    assert!(found[2].as_ref().unwrap().is_some());

    // An answer that breaks after it has passed rows: they are asked for again.
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = asked.clone();
    let table = answering_by(move |message| {
        let rows = ReadRowsRequest::decode(message).unwrap().rows.unwrap().row_keys;
        let mut asked = log.lock().unwrap();
        asked.push(rows);
        match asked.len() {
            1 => answer(&["c"], End::Code("14")),
            _ => answer(&["a"], End::Code("0")),
        }
    });
    let found = table.await.get_all(["a", "b", "c", "d"]).await.into_result().unwrap();
    let found: Vec<bool> = found.iter().map(Option::is_some).collect();
    assert_eq!(found, [true, false, true, false]);
    assert_eq!(*asked.lock().unwrap(), [vec!["a", "b", "c", "d"], vec!["a", "b", "d"]]);
}

/// The rows of a set, as the service reads it: all if it has none.
fn rows_of(set: &RowSet, table: &BTreeSet<Bytes>) -> Vec<Bytes> {
    let has = |row: &Bytes| {
        let in_range = set.row_ranges.iter().any(|range| {
            let begun = match &range.start_key {
                None => true,
                Some(StartKey::StartKeyClosed(key)) => row >= key,
                Some(StartKey::StartKeyOpen(key)) => row > key,
            };
            let open = match &range.end_key {
                None => true,
                Some(EndKey::EndKeyClosed(key)) => row <= key,
                Some(EndKey::EndKeyOpen(key)) => row < key,
            };
            begun && open
        });
        in_range || set.row_keys.contains(row)
    };
    let is_all = set.row_ranges.is_empty() && set.row_keys.is_empty();
    table.iter().filter(|row| is_all || has(row)).cloned().collect()
}

/// The rows of these that the filter of a scan would find: others are only looked at.
fn found_in(rows: &[Bytes]) -> impl Iterator<Item = &Bytes> {
    rows.iter().filter(|row| row[2] != b'3')
}

/// The answer to a request, in messages of any size; it may break after any of them, and say how
/// far the server has looked.
fn broken_at_random(
    request: &ReadRowsRequest,
    table: &BTreeSet<Bytes>,
    random: &mut fastrand::Rng,
) -> Scripted {
    let mut found = rows_of(request.rows.as_ref().unwrap(), table);
    if request.reversed {
        found.reverse();
    }
    // As many as the filter finds, with those that are only looked at between them.
    if let Ok(limit @ 1..) = usize::try_from(request.rows_limit) {
        let last = found_in(&found).nth(limit - 1).cloned();
        let end = found.iter().position(|row| Some(row) == last.as_ref());
        found.truncate(end.map_or(found.len(), |end| end + 1));
    }
    let (mut messages, mut end) = (Vec::new(), End::Code("0"));
    let mut left = &found[..];
    while !left.is_empty() {
        if random.u8(..) < 50 {
            end = BROKEN[random.usize(..BROKEN.len())];
            break;
        }
        let (now, later) = left.split_at(random.usize(1..=left.len().min(4)));
        left = later;
        let mut message = rows(found_in(now).map(|row| cell_of(row, true)).collect());
        if random.bool() {
            message.last_scanned_row_key = now[now.len() - 1].clone();
        }
        messages.push(message);
    }
    if left.is_empty() && random.bool() {
        end = BROKEN[random.usize(..BROKEN.len())];
    }
    Scripted { piece: random.usize(1..200), ..Scripted::of(&messages).ending(end) }
}

#[tokio::test(start_paused = true)]
async fn scans_of_streams_that_break_anywhere_return_their_rows() {
    let key = |n: usize| format!("{:03}", n % 1_000);
    let table: BTreeSet<Bytes> = (0..300).map(|n| Bytes::from(key(n * 3))).collect();
    let wholes = Arc::new(AtomicUsize::new(0));
    let server = {
        let (rows, wholes) = (table.clone(), wholes.clone());
        let random = Mutex::new(fastrand::Rng::with_seed(31));
        answering_by(move |message| {
            let request = ReadRowsRequest::decode(message).unwrap();
            let set = request.rows.as_ref().unwrap();
            let is_whole = set.row_keys.is_empty() && set.row_ranges.is_empty();
            wholes.fetch_add(usize::from(is_whole), Ordering::Relaxed);
            broken_at_random(&request, &rows, &mut random.lock().unwrap())
        })
        .await
    };
    let mut random = fastrand::Rng::with_seed(32);
    let rounds = if thorough() { 2_000 } else { 200 };
    for round in 0..rounds {
        let first = random.usize(..900);
        let last = (first + random.usize(..60)).min(899);
        let within = |row: &&Bytes| **row >= key(first) && **row <= key(last);
        let within: Vec<Bytes> = table.iter().filter(within).cloned().collect();
        let mut expected: Vec<Bytes> = found_in(&within).cloned().collect();
        let scan = match random.u8(..4) {
            // Ranges that touch, overlap, and are of one row.
            0 => {
                let middle = key(random.usize(first..=last));
                let row = |key: String| RowBuf::from_slice(key.as_bytes());
                let between = |from, to| RowRange::new(row(from), Some(row(format!("{to}\0"))));
                let parts = [
                    between(key(first), middle.clone()),
                    between(middle.clone(), key(last)),
                    RowRange::row(middle.as_bytes()),
                ];
                Scan::all().filter(Filter::row_ranges(parts))
            }
            _ => Scan::range(key(first)..=key(last)),
        };
        let scan = match random.bool() {
            true => {
                expected.reverse();
                scan.reversed()
            }
            false => scan,
        };
        let limit = random.usize(1..40);
        let scan = match random.bool() {
            true => {
                expected.truncate(limit);
                scan.limit(limit as u64)
            }
            false => scan,
        };
        let found = keys(&server, scan.clone().bytes_per_call(random.usize(1..2_000))).await;
        assert_eq!(found.unwrap(), expected, "{round}: {scan:?}");
        let got = server.get_all(within.iter().map(Get::new)).await.into_result().unwrap();
        let got = got.iter().flatten().map(|row| Bytes::copy_from_slice(row.key()));
        assert!(got.eq(found_in(&within).cloned()), "{round}");
    }
    assert_eq!(
        wholes.load(Ordering::Relaxed),
        0,
        "a request without rows is one for the whole table"
    );
}
