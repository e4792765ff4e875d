//! Versions and delete markers in the memstore, after a flush, and after a major compaction, as on
//! a real server.

use tallrow_wire::proto::*;

use crate::frames::{Fixture, delete, get, mutation, raw_scan, short};

const ONE: DeleteType = DeleteType::DeleteOneVersion;
const COLUMN: DeleteType = DeleteType::DeleteMultipleVersions;
const FAMILY: DeleteType = DeleteType::DeleteFamily;
const FAMILY_VERSION: DeleteType = DeleteType::DeleteFamilyVersion;

/// One row: what is written, and what is read in each of the three stages.
struct Case {
    versions: &'static str,
    keep: &'static [&'static str],
    write: &'static [Step],
    raw: [&'static str; 3],
    normal: [&'static str; 3],
    /// All versions in `[0, 11)` and `[0, 13)`.
    ranges: [[&'static str; 2]; 3],
}

enum Step {
    Put(&'static str, u64),
    Delete(&'static str, u64, DeleteType),
}
use Step::{Delete, Put};

const NO: &[&str] = &["FALSE"];
const YES: &[&str] = &["TRUE", "TTL"];
const PUTS: [Step; 4] = [Put("q", 10), Put("q", 12), Put("q", 14), Put("p", 12)];

macro_rules! after_puts {
    ($marker:expr) => {{
        const STEPS: [Step; 5] = {
            let [a, b, c, d] = PUTS;
            [a, b, c, d, $marker]
        };
        &STEPS
    }};
}

const VERSIONS_2: [Step; 5] =
    [Put("q", 10), Put("q", 12), Put("q", 14), Put("q", 16), Delete("q", 14, ONE)];
const PUT_AFTER: [Step; 4] = [Put("q", 10), Delete("q", 20, COLUMN), Put("q", 15), Put("q", 25)];
const LATEST: [Step; 3] = [Put("q", 10), Put("q", 20), Delete("q", 0, ONE)];

fn cases() -> Vec<Case> {
    vec![
        Case {
            versions: "10",
            keep: NO,
            write: after_puts!(Delete("q", 11, COLUMN)),
            raw: ["p12 q14 q12 DC11 q10", "p12 q14 q12 DC11", "p12 q14 q12"],
            normal: ["p12 q14 q12"; 3],
            ranges: [["", "p12 q12"]; 3],
        },
        Case {
            versions: "10",
            keep: YES,
            write: after_puts!(Delete("q", 11, COLUMN)),
            raw: ["p12 q14 q12 DC11 q10"; 3],
            normal: ["p12 q14 q12"; 3],
            ranges: [["q10", "p12 q12"]; 3],
        },
        Case {
            versions: "10",
            keep: NO,
            write: after_puts!(Delete("q", 12, ONE)),
            raw: ["p12 q14 D12 q12 q10", "p12 q14 D12 q10", "p12 q14 q10"],
            normal: ["p12 q14 q10"; 3],
            ranges: [["q10", "p12 q10"]; 3],
        },
        Case {
            versions: "10",
            keep: YES,
            write: after_puts!(Delete("q", 12, ONE)),
            raw: ["p12 q14 D12 q12 q10"; 3],
            normal: ["p12 q14 q10"; 3],
            ranges: [["q10", "p12 q10"]; 3],
        },
        Case {
            versions: "10",
            keep: NO,
            write: after_puts!(Delete("", 12, FAMILY)),
            raw: ["DF12 p12 q14 q12 q10", "DF12 q14", "q14"],
            normal: ["q14"; 3],
            ranges: [["", ""]; 3],
        },
        Case {
            versions: "10",
            keep: YES,
            write: after_puts!(Delete("", 12, FAMILY)),
            raw: ["DF12 p12 q14 q12 q10"; 3],
            normal: ["q14"; 3],
            ranges: [["q10", ""]; 3],
        },
        Case {
            versions: "10",
            keep: NO,
            write: after_puts!(Delete("", 12, FAMILY_VERSION)),
            raw: ["DFV12 p12 q14 q12 q10", "DFV12 q14 q10", "q14 q10"],
            normal: ["q14 q10"; 3],
            ranges: [["q10", "q10"]; 3],
        },
        Case {
            versions: "10",
            keep: YES,
            write: after_puts!(Delete("", 12, FAMILY_VERSION)),
            raw: ["DFV12 p12 q14 q12 q10"; 3],
            normal: ["q14 q10"; 3],
            ranges: [["q10", "q10"]; 3],
        },
        Case {
            versions: "2",
            keep: NO,
            write: &VERSIONS_2,
            raw: ["q16 D14 q14 q12 q10", "q16 D14 q12", "q16 q12"],
            normal: ["q16 q12"; 3],
            ranges: [["q10", "q12 q10"], ["", "q12"], ["", "q12"]],
        },
        Case {
            versions: "2",
            keep: YES,
            write: &VERSIONS_2,
            raw: ["q16 D14 q14 q12 q10", "q16 D14 q14", "q16 D14 q14"],
            normal: ["q16 q12", "q16", "q16"],
            ranges: [["q10", "q12 q10"], ["", ""], ["", ""]],
        },
        Case {
            versions: "10",
            keep: NO,
            write: &PUT_AFTER,
            raw: ["q25 DC20 q15 q10", "q25 DC20", "q25"],
            normal: ["q25"; 3],
            ranges: [["", ""]; 3],
        },
        Case {
            versions: "10",
            keep: YES,
            write: &PUT_AFTER,
            raw: ["q25 DC20 q15 q10"; 3],
            normal: ["q25"; 3],
            ranges: [["q10", "q10"]; 3],
        },
        Case {
            versions: "10",
            keep: NO,
            write: &LATEST,
            raw: ["D20 q20 q10", "D20 q10", "q10"],
            normal: ["q10"; 3],
            ranges: [["q10", "q10"]; 3],
        },
    ]
}

/// Like HBase: versions, delete markers, time to live, before and after flushes and
/// compactions.
#[tokio::test]
async fn every_stage_returns_what_a_real_server_returns() {
    for (number, case) in cases().into_iter().enumerate() {
        for keep in case.keep {
            let attributes = [("VERSIONS", case.versions), ("KEEP_DELETED_CELLS", *keep)];
            let mut t = Fixture::new(&attributes).await;
            for step in case.write {
                match step {
                    Put(qualifier, at) => t.put("r", qualifier, *at, "v").await,
                    Delete(qualifier, at, kind) => {
                        t.mutate(delete("r", qualifier, *at, *kind)).await.unwrap();
                    }
                }
            }
            for (stage, name) in ["memory", "flushed", "compacted"].into_iter().enumerate() {
                match stage {
                    1 => flush(&mut t).await,
                    2 => compact(&mut t).await,
                    _ => {}
                }
                let case_name = format!("case {number}, keep deleted cells {keep}, {name}");
                assert_eq!(raw(&mut t).await, case.raw[stage], "{case_name}, raw");
                let all = versions(&mut t, None).await;
                assert_eq!(all, case.normal[stage], "{case_name}, all versions");
                let [narrow, wide] = case.ranges[stage];
                assert_eq!(versions(&mut t, Some(11)).await, narrow, "{case_name}, [0, 11)");
                assert_eq!(versions(&mut t, Some(13)).await, wide, "{case_name}, [0, 13)");
            }
        }
    }
}

/// Flushes the first region, which has something to flush.
pub(crate) async fn flush(t: &mut Fixture) {
    let request = FlushRegionRequest { region: t.region(b""), ..Default::default() };
    let (answer, _) = t.admin.call::<FlushRegionResponse>("FlushRegion", &request).await.unwrap();
    assert_eq!(answer.flushed, Some(true));
}

async fn compact(t: &mut Fixture) {
    let request =
        CompactRegionRequest { region: t.region(b""), major: Some(true), ..Default::default() };
    t.admin.call::<CompactRegionResponse>("CompactRegion", &request).await.unwrap();
}

async fn raw(t: &mut Fixture) -> String {
    short(&t.scan(raw_scan(), 100).await.unwrap().1)
}

async fn versions(t: &mut Fixture, to: Option<u64>) -> String {
    let time_range = to.map(|to| TimeRange { from: Some(0), to: Some(to) });
    let scan = Scan { max_versions: Some(100), time_range, ..Default::default() };
    short(&t.scan(scan, 100).await.unwrap().1)
}

#[tokio::test]
async fn only_the_newest_of_several_writes_at_one_timestamp_is_returned() {
    let mut t = Fixture::new(&[("VERSIONS", "5")]).await;
    for value in ["a", "b", "c"] {
        t.put("r", "q", 7, value).await;
    }
    assert_eq!(t.values("r").await, ["q=c"]);
    assert_eq!(raw(&mut t).await, "q7");
}

#[tokio::test]
async fn a_second_flush_leaves_what_the_first_one_wrote() {
    let mut t = Fixture::new(&[("VERSIONS", "1")]).await;
    t.put("r", "q", 10, "v").await;
    flush(&mut t).await;
    t.put("r", "q", 20, "v").await;
    flush(&mut t).await;
    assert_eq!(raw(&mut t).await, "q20 q10");
    compact(&mut t).await;
    assert_eq!(raw(&mut t).await, "q20");
}

#[tokio::test]
async fn a_row_delete_marks_every_family_even_of_a_row_that_does_not_exist() {
    let mut t = Fixture::new(&[]).await;
    let mut row = mutation(MutationType::Delete, "r", &[]);
    row.column_value.clear();
    row.timestamp = Some(5);
    t.mutate(row).await.unwrap();
    assert_eq!(raw(&mut t).await, "DF5");
}

#[tokio::test(start_paused = true)]
async fn cells_expire_by_the_time_to_live_of_their_family_and_their_own() {
    let mut t = Fixture::new(&[("TTL", "10"), ("VERSIONS", "3")]).await;
    t.mutate(mutation(MutationType::Put, "r", &[("long", 0, "v")])).await.unwrap();
    let mut short_lived = mutation(MutationType::Put, "r", &[("short", 0, "v")]);
    let ttl = bytes::Bytes::copy_from_slice(&3000u64.to_be_bytes());
    short_lived.attribute = vec![NameBytesPair { name: "_ttl".into(), value: Some(ttl) }];
    t.mutate(short_lived).await.unwrap();
    assert_eq!(t.values("r").await, ["long=v", "short=v"]);
    tokio::time::advance(std::time::Duration::from_millis(3001)).await;
    assert_eq!(t.values("r").await, ["long=v"]);
    tokio::time::advance(std::time::Duration::from_secs(10)).await;
    assert_eq!(t.values("r").await, [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn min_versions_keep_expired_cells() {
    let mut t = Fixture::new(&[("TTL", "10"), ("VERSIONS", "3"), ("MIN_VERSIONS", "1")]).await;
    for at in [1, 2, 3] {
        t.put("r", "q", at, "v").await;
    }
    let all = Get { max_versions: Some(3), ..get("r") };
    assert_eq!(short(&t.get(all).await.unwrap().1), "q3");
}

#[tokio::test]
async fn store_limit_and_offset_count_cells_of_a_family() {
    let mut t = Fixture::new(&[]).await;
    for qualifier in ["a", "b", "c", "d", "e", "f"] {
        t.put("r", qualifier, 1, "v").await;
    }
    let read =
        |limit, offset| Get { store_limit: Some(limit), store_offset: Some(offset), ..get("r") };
    assert_eq!(short(&t.get(read(2, 3)).await.unwrap().1), "d1 e1");
    assert_eq!(short(&t.get(read(0, 0)).await.unwrap().1), "a1");
}

/// Java's `Put.add(Cell)` takes markers too.
#[tokio::test]
async fn a_put_may_carry_markers() {
    let mut t = Fixture::new(&[("VERSIONS", "3")]).await;
    let put = mutation(MutationType::Put, "r", &[("q", 5, "a"), ("q", 6, "b"), ("p", 5, "c")]);
    t.mutate(put).await.unwrap();
    let mut put = mutation(MutationType::Put, "r", &[("q", 6, "ignored"), ("n", 1, "d")]);
    put.column_value[0].qualifier_value[0].delete_type = Some(ONE as i32);
    t.mutate(put).await.unwrap();
    let all = Get { max_versions: Some(3), ..get("r") };
    assert_eq!(short(&t.get(all).await.unwrap().1), "n1 p5 q5");
}

/// Like HBase: `NEW_VERSION_BEHAVIOR`.
#[tokio::test]
async fn with_new_version_behavior_a_marker_deletes_only_what_was_before_it() {
    let mut t = Fixture::new(&[("VERSIONS", "3"), ("NEW_VERSION_BEHAVIOR", "true")]).await;
    t.put("r", "q", 5, "a").await;
    t.mutate(delete("r", "q", 9, COLUMN)).await.unwrap();
    t.put("r", "q", 4, "b").await;
    t.mutate(delete("r", "", 2, FAMILY)).await.unwrap();
    t.put("r", "q", 1, "c").await;
    let all = Get { max_versions: Some(3), ..get("r") };
    assert_eq!(short(&t.get(all).await.unwrap().1), "q4 q1");
}

/// A read that names its columns stays in a column of which it has all versions that it wants, and
/// so comes to the last version that is kept although it has expired.
#[tokio::test]
async fn with_new_version_behavior_a_named_column_has_the_last_expired_version_too() {
    let attributes =
        [("TTL", "10"), ("VERSIONS", "3"), ("MIN_VERSIONS", "2"), ("NEW_VERSION_BEHAVIOR", "true")];
    let mut t = Fixture::new(&attributes).await;
    for at in [1, 2, 3] {
        t.put("r", "q", at, "v").await;
    }
    let named = Get { column: vec![column("q")], ..get("r") };
    assert_eq!(short(&t.get(named).await.unwrap().1), "q3 q2");
    assert_eq!(short(&t.get(get("r")).await.unwrap().1), "q3");
}

/// A column of the family `f`.
fn column(qualifier: &'static str) -> Column {
    Column { family: "f".into(), qualifier: vec![qualifier.into()] }
}

/// Merges the first region with the one that starts at a row.
async fn merge(t: &mut Fixture, next: &[u8]) {
    let region = vec![t.region(b""), t.region(next)];
    let request = MergeTableRegionsRequest { region, ..Default::default() };
    t.master.call::<MergeTableRegionsResponse>("MergeTableRegions", &request).await.unwrap();
    t.reconnect(b"").await;
}

/// The scan for a flush leaves a column with an empty qualifier version by version, because markers
/// of the family may follow, and so comes to every marker of the column.
#[tokio::test]
async fn a_flush_keeps_every_marker_of_a_column_with_an_empty_qualifier() {
    for (keep, qualifier, flushed) in [
        ("FALSE", "", "5 D3 DC1"),
        ("TRUE", "", "5 D3 DC1"),
        ("FALSE", "q", "q5"),
        ("TRUE", "q", "q5"),
    ] {
        let mut t = Fixture::new(&[("VERSIONS", "1"), ("KEEP_DELETED_CELLS", keep)]).await;
        for at in [5, 4, 2] {
            t.put("r", qualifier, at, "v").await;
        }
        t.mutate(delete("r", qualifier, 3, ONE)).await.unwrap();
        t.mutate(delete("r", qualifier, 1, COLUMN)).await.unwrap();
        flush(&mut t).await;
        assert_eq!(raw(&mut t).await, flushed, "{keep}, {qualifier:?}");
        compact(&mut t).await;
        assert_eq!(raw(&mut t).await, format!("{qualifier}5"), "{keep}, {qualifier:?}");
    }
}

/// The first compaction of the daughters of a split knows the oldest put of the files of their
/// parent, and a later one that of their own files.
#[tokio::test]
async fn the_daughters_of_a_split_keep_markers_for_the_puts_of_their_parent() {
    let mut t = Fixture::new(&[("KEEP_DELETED_CELLS", "TRUE")]).await;
    t.put("z", "q", 1, "v").await;
    t.mutate(delete("a", "q", 3, COLUMN)).await.unwrap();
    t.cluster.split_region("t", b"m").unwrap();
    assert_eq!(raw(&mut t).await, "DC3");
    compact(&mut t).await;
    assert_eq!(raw(&mut t).await, "");
}

/// The numbers of writes are those of each region: the put, which is not flushed before the merge,
/// has a smaller one than the file of the other region.
#[tokio::test]
async fn a_merged_region_keeps_markers_for_the_puts_of_all_its_regions() {
    let mut t = Fixture::new(&[("VERSIONS", "1"), ("KEEP_DELETED_CELLS", "TRUE")]).await;
    t.cluster.split_region("t", b"m").unwrap();
    t.reconnect(b"m").await;
    t.put("z", "q", 1, "v").await;
    t.reconnect(b"").await;
    for at in [7, 8, 9] {
        t.put("b", "q", at, "v").await;
    }
    t.mutate(delete("a", "q", 3, COLUMN)).await.unwrap();
    flush(&mut t).await;
    merge(&mut t, b"m").await;
    assert_eq!(raw(&mut t).await, "DC3 q9 q1");
}

/// The daughters of a split and a merged region refer to files of other regions, and therefore
/// compact them when they open (`HRegionServer.postOpenDeployTasks`), after the flush with which
/// the regions before them closed.
/// Like HBase: what splits and merges drop.
#[tokio::test]
async fn a_split_and_a_merge_drop_what_a_major_compaction_drops() {
    let mut t = Fixture::new(&[("VERSIONS", "1")]).await;
    t.put("r", "q", 10, "v").await;
    flush(&mut t).await;
    t.put("r", "q", 20, "v").await;
    t.mutate(delete("r", "p", 5, COLUMN)).await.unwrap();
    assert_eq!(raw(&mut t).await, "DC5 q20 q10");
    t.cluster.split_region("t", b"s").unwrap();
    assert_eq!(raw(&mut t).await, "q20");

    t.put("r", "q", 30, "v").await;
    t.mutate(delete("r", "p", 5, COLUMN)).await.unwrap();
    merge(&mut t, b"s").await;
    assert_eq!(raw(&mut t).await, "q30");
}

/// `ProtobufUtil.toDelete` adds the marker of a family with `Delete.addFamily`, which removes the
/// markers of the family that were added before it, even newer ones.
/// Like HBase: a marker of a family replaces the markers before it in a Delete.
#[tokio::test]
async fn a_marker_of_a_family_replaces_the_markers_before_it_in_a_delete() {
    let mut t = Fixture::new(&[]).await;
    let markers = [("q", 9, ""), ("", 3, ""), ("q", 2, "")];
    let mut delete = mutation(MutationType::Delete, "r", &markers);
    let values = delete.column_value.iter_mut().flat_map(|column| &mut column.qualifier_value);
    for (value, kind) in values.zip([COLUMN, FAMILY, ONE]) {
        value.delete_type = Some(kind as i32);
    }
    t.mutate(delete).await.unwrap();
    assert_eq!(raw(&mut t).await, "DF3 D2");
}
