//! Every filter, and what of it is refused.

use tallrow_wire::bigtable::Filter as F;
use tallrow_wire::bigtable::*;
use tonic::{Code, Status};

use crate::client::{Client, bytes};

pub fn filter(filter: F) -> RowFilter {
    RowFilter { filter: Some(filter) }
}

pub fn chain(filters: Vec<F>) -> F {
    F::Chain(Chain { filters: filters.into_iter().map(filter).collect() })
}

pub fn interleave(filters: Vec<F>) -> F {
    F::Interleave(Interleave { filters: filters.into_iter().map(filter).collect() })
}

pub fn condition(predicate: F, yes: Option<F>, no: Option<F>) -> F {
    let boxed = |f: F| Box::new(filter(f));
    F::Condition(Box::new(Condition {
        predicate_filter: Some(boxed(predicate)),
        true_filter: yes.map(boxed),
        false_filter: no.map(boxed),
    }))
}

fn label(label: &str) -> F {
    F::ApplyLabelTransformer(label.into())
}

fn bitmask(mask: &'static [u8]) -> F {
    F::ValueBitmaskFilter(ValueBitmask { mask: mask.into() })
}

/// Two rows in two families, with two versions of some columns.
async fn client() -> (Client, String) {
    let client = Client::start().await;
    let table = client.table("t", &["f", "g"], &["b"]).await;
    let cells = [
        ("f", "p", 1000, "1"),
        ("f", "q", 2000, "2"),
        ("f", "q", 1000, "3"),
        ("g", "p", 1000, "4"),
    ];
    client.put(&table, "a", &cells).await;
    client.put(&table, "b\n", &[("f", "p", 1000, "5"), ("g", "r", 3000, "six\n")]).await;
    (client, table)
}

async fn try_read(client: &Client, table: &str, f: RowFilter) -> Result<Vec<String>, Status> {
    let request =
        ReadRowsRequest { table_name: table.into(), filter: Some(f), ..Default::default() };
    let (answers, end) = client.stream(method::READ_ROWS, request).await;
    end.map(|()| crate::rows::cells(&answers))
}

/// Like Bigtable: what each filter returns.
#[tokio::test]
async fn each_filter_takes_its_cells() {
    let (client, table) = client().await;
    const A_FP: &str = "a/f:p@1000=1";
    const A_FQ2: &str = "a/f:q@2000=2";
    const A_FQ1: &str = "a/f:q@1000=3";
    const A_GP: &str = "a/g:p@1000=4";
    const B_FP: &str = "b\\n/f:p@1000=5";
    const B_GR: &str = "b\\n/g:r@3000=six\\n";
    let all: &[&str] = &[A_FP, A_FQ2, A_FQ1, A_GP, B_FP, B_GR];
    let columns = |start, end| {
        F::ColumnRangeFilter(ColumnRange {
            family_name: "f".into(),
            start_qualifier: start,
            end_qualifier: end,
        })
    };
    let times = |start_timestamp_micros, end_timestamp_micros| {
        F::TimestampRangeFilter(TimestampRange { start_timestamp_micros, end_timestamp_micros })
    };
    let values =
        |start_value, end_value| F::ValueRangeFilter(ValueRange { start_value, end_value });
    let cases: Vec<(F, &[&str])> = vec![
        (F::PassAllFilter(true), all),
        (F::BlockAllFilter(true), &[]),
        (F::RowKeyRegexFilter("a".into()), &all[..4]),
        (F::RowKeyRegexFilter("b.".into()), &[]),
        (F::RowKeyRegexFilter("b\\C".into()), &all[4..]),
        (F::FamilyNameRegexFilter("g|x".into()), &[A_GP, B_GR]),
        (F::ColumnQualifierRegexFilter("[q-z]".into()), &[A_FQ2, A_FQ1, B_GR]),
        (F::ValueRegexFilter("[1-3]".into()), &[A_FP, A_FQ2, A_FQ1]),
        (F::ValueRegexFilter("six".into()), &[]),
        // All bits of 0x31 are in "1", "3" and "5" (0x31, 0x33, 0x35), and in no value of 2 bytes.
        (bitmask(b"\x31"), &[A_FP, A_FQ1, B_FP]),
        (bitmask(b"\x04"), &[A_GP, B_FP]),
        (bitmask(b"\0\0\0\x08"), &[B_GR]),
        (bitmask(b"\0\0"), &[]),
        (columns(Some(StartQualifier::StartQualifierOpen("p".into())), None), &[A_FQ2, A_FQ1]),
        (columns(None, Some(EndQualifier::EndQualifierClosed("p".into()))), &[A_FP, B_FP]),
        (
            columns(
                Some(StartQualifier::StartQualifierClosed("p".into())),
                Some(EndQualifier::EndQualifierOpen("q".into())),
            ),
            &[A_FP, B_FP],
        ),
        (times(2000, 0), &[A_FQ2, B_GR]),
        (times(1000, 2000), &[A_FP, A_FQ1, A_GP, B_FP]),
        (
            values(
                Some(StartValue::StartValueClosed("2".into())),
                Some(EndValue::EndValueOpen("4".into())),
            ),
            &[A_FQ2, A_FQ1],
        ),
        (
            values(
                Some(StartValue::StartValueOpen("2".into())),
                Some(EndValue::EndValueClosed("4".into())),
            ),
            &[A_FQ1, A_GP],
        ),
        (F::CellsPerRowOffsetFilter(1), &[A_FQ2, A_FQ1, A_GP, B_GR]),
        (F::CellsPerRowOffsetFilter(9), &[]),
        (F::CellsPerRowLimitFilter(1), &[A_FP, B_FP]),
        (F::CellsPerColumnLimitFilter(1), &[A_FP, A_FQ2, A_GP, B_FP, B_GR]),
        (
            chain(vec![F::StripValueTransformer(true), F::FamilyNameRegexFilter("g".into())]),
            &["a/g:p@1000=", "b\\n/g:r@3000="],
        ),
        (chain(vec![F::CellsPerRowLimitFilter(1), F::FamilyNameRegexFilter("g".into())]), &[]),
        (
            interleave(vec![
                chain(vec![F::RowKeyRegexFilter("a".into()), F::CellsPerRowLimitFilter(1)]),
                chain(vec![F::ColumnQualifierRegexFilter("p".into()), label("p-1")]),
            ]),
            &[A_FP, "a/f:p@1000=1 #p-1", "a/g:p@1000=4 #p-1", "b\\n/f:p@1000=5 #p-1"],
        ),
        (
            condition(
                F::ColumnQualifierRegexFilter("q".into()),
                Some(F::CellsPerRowLimitFilter(1)),
                Some(label("no")),
            ),
            &[A_FP, "b\\n/f:p@1000=5 #no", "b\\n/g:r@3000=six\\n #no"],
        ),
        (
            condition(F::ColumnQualifierRegexFilter("q".into()), None, Some(label("no"))),
            &["b\\n/f:p@1000=5 #no", "b\\n/g:r@3000=six\\n #no"],
        ),
        (
            chain(vec![
                F::FamilyNameRegexFilter("f".into()),
                interleave(vec![F::Sink(true), F::CellsPerRowLimitFilter(2)]),
                F::ColumnQualifierRegexFilter("q".into()),
            ]),
            &[A_FP, A_FQ2, A_FQ2, A_FQ1, B_FP],
        ),
    ];
    for (f, expected) in cases {
        let read = try_read(&client, &table, filter(f.clone())).await.unwrap();
        assert_eq!(read, expected, "{f:?}");
    }
}

#[tokio::test]
async fn a_limit_counts_rows_that_pass_and_a_blocked_scan_tells_how_far_it_is() {
    let client = Client::start().await;
    let table = client.table("t", &["f"], &[]).await;
    let entry = |row: usize| MutateRowsEntry {
        row_key: bytes(&format!("{row:05}")),
        mutations: vec![crate::client::set("f", "q", 0, &(row % 2000).to_string())],
        idempotency: None,
    };
    client.mutate_rows(&table, (0..4000).map(entry).collect()).await.1.unwrap();
    let request = ReadRowsRequest {
        table_name: table.clone(),
        filter: Some(filter(F::ValueRegexFilter("1500".into()))),
        rows_limit: 2,
        ..Default::default()
    };
    let (answers, end) = client.stream(method::READ_ROWS, request).await;
    end.unwrap();
    assert_eq!(crate::rows::cells(&answers), ["01500/f:q@0=1500", "03500/f:q@0=1500"]);
    let told: Vec<_> = answers.iter().filter(|a| a.chunks.is_empty()).collect();
    assert!(!told.is_empty() && told.iter().all(|a| a.last_scanned_row_key.len() == 5));
    assert!(answers.is_sorted_by_key(|a| {
        a.chunks.first().map_or_else(|| a.last_scanned_row_key.clone(), |c| c.row_key.clone())
    }));
    let sample = filter(F::RowSampleFilter(0.25));
    let sampled = try_read(&client, &table, sample.clone()).await.unwrap();
    assert!((800..1200).contains(&sampled.len()), "{}", sampled.len());
    assert_eq!(sampled, try_read(&client, &table, sample).await.unwrap());
}

#[tokio::test]
async fn bad_filters_are_refused() {
    let (client, table) = client().await;
    let deep = (0..22).fold(F::PassAllFilter(true), |f, _| chain(vec![f, F::PassAllFilter(true)]));
    let time = |start_timestamp_micros, end_timestamp_micros| {
        F::TimestampRangeFilter(TimestampRange { start_timestamp_micros, end_timestamp_micros })
    };
    let cases = [
        (chain(vec![F::PassAllFilter(true)]), "Chain must contain at least two RowFilters"),
        (interleave(Vec::new()), "Interleave must contain at least two RowFilters"),
        (F::PassAllFilter(false), "pass_all_filter must be true"),
        (F::Sink(false), "sink must be true"),
        (F::RowKeyRegexFilter("(".into()), "Error in field 'row_key_regex_filter' : Invalid"),
        (F::CellsPerRowLimitFilter(0), "cells_per_row_limit_filter must be at least 1"),
        (F::CellsPerRowOffsetFilter(-1), "cells_per_row_offset_filter must be at least 0"),
        (F::RowSampleFilter(1.0), "row_sample_filter argument must be between 0.0 and 1.0"),
        (F::RowSampleFilter(f64::NAN), "row_sample_filter argument must be between"),
        (time(-1, 0), "Timestamps must be >= 0 in a range, but got -1"),
        (time(2000, 2000), "Invalid timestamp range: start 2000 is not less than end 2000"),
        (bitmask(b""), "value_bitmask_filter must have a mask"),
        (label("Not"), "apply_label_transformer must match"),
        (chain(vec![label("a"), label("b")]), "A chain may have at most one"),
        (condition(F::Sink(true), None, None), "A sink cannot be used within a condition"),
        (
            F::ValueRegexFilter("v".repeat(21_000).into()),
            "Error in field 'filter' : The filter has",
        ),
        (deep, "Filters are nested more than 20 deep"),
    ];
    for (f, expected) in cases {
        let status = try_read(&client, &table, filter(f)).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument);
        assert!(status.message().starts_with(expected), "{status}");
    }
    let unset = try_read(&client, &table, RowFilter { filter: None }).await.unwrap_err();
    assert_eq!(unset.code(), Code::InvalidArgument);
}
