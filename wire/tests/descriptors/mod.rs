//! Every message, field, type, label, default and enum value of this crate, compared with the
//! descriptors in HBase's jars.
//!
//! `make` writes `hbase.txt` from the jars of four versions, and `bigtable.txt` from Google's;
//! `make --check` compares both with them. A struct is compared with the message of its name and
//! with those of its `#[doc(alias = "..")]`, in each version that has them. It may leave out
//! optional fields; an enum must have all values.

mod compare;
mod model;
mod published;
mod source;

use std::path::{Path, PathBuf};

use compare::{Comparison, compare};
use model::Parts;
use published::Published;

const VERSIONS: [&str; 4] = ["2.4", "2.5", "2.6", "3.0"];

/// What this crate has and some versions do not: fields that they ignore, and messages that are not
/// sent to them. The beta of 3.0 is older than 2.6.4.
const ABSENT: &[&str] = &[
    "2.4: BalanceResponse.moves_calculated",
    "2.4: BalanceResponse.moves_executed",
    "2.4: ConnectionHeader.attribute",
    "2.4: ExceptionResponse.server_overloaded",
    "2.4: FlushMasterStoreRequest",
    "2.4: FlushMasterStoreResponse",
    "2.4: FlushTableRequest",
    "2.4: FlushTableResponse",
    "2.4: GetBootstrapNodesRequest",
    "2.4: GetBootstrapNodesResponse",
    "2.4: GetCachedFilesListRequest",
    "2.4: GetCachedFilesListResponse",
    "2.4: GetConnectionRegistryRequest",
    "2.4: GetConnectionRegistryResponse",
    "2.4: GetReplicationPeerModificationProceduresRequest",
    "2.4: GetReplicationPeerModificationProceduresResponse",
    "2.4: GetReplicationPeerStateRequest",
    "2.4: GetReplicationPeerStateResponse",
    "2.4: IsReplicationPeerModificationEnabledRequest",
    "2.4: IsReplicationPeerModificationEnabledResponse",
    "2.4: ListTableDescriptorsByStateRequest",
    "2.4: ListTableDescriptorsByStateResponse",
    "2.4: ListTableNamesByStateRequest",
    "2.4: ListTableNamesByStateResponse",
    "2.4: ModifyColumnStoreFileTrackerRequest",
    "2.4: ModifyTableRequest.reopen_regions",
    "2.4: ModifyTableStoreFileTrackerRequest",
    "2.4: Option.Tasks",
    "2.4: RPCTInfo.headers",
    "2.4: ReplicationPeerModificationSwitchRequest",
    "2.4: ReplicationPeerModificationSwitchResponse",
    "2.4: RestoreSnapshotRequest.custom_sft",
    "2.4: SnapshotRequest.nonce",
    "2.4: SnapshotRequest.nonce_group",
    "2.4: SnapshotResponse.proc_id",
    "2.4: Throttle.atomic_read_size",
    "2.4: Throttle.atomic_req_num",
    "2.4: Throttle.atomic_write_size",
    "2.4: Throttle.req_handler_usage_ms",
    "2.4: ThrottleType.AtomicReadSize",
    "2.4: ThrottleType.AtomicRequestNumber",
    "2.4: ThrottleType.AtomicWriteSize",
    "2.4: ThrottleType.RequestHandlerUsageMs",
    "2.4: TruncateRegionRequest",
    "2.4: TruncateRegionResponse",
    "2.5: ConnectionHeader.attribute",
    "2.5: FlushTableRequest",
    "2.5: FlushTableResponse",
    "2.5: GetCachedFilesListRequest",
    "2.5: GetCachedFilesListResponse",
    "2.5: GetConnectionRegistryRequest",
    "2.5: GetConnectionRegistryResponse",
    "2.5: GetReplicationPeerModificationProceduresRequest",
    "2.5: GetReplicationPeerModificationProceduresResponse",
    "2.5: GetReplicationPeerStateRequest",
    "2.5: GetReplicationPeerStateResponse",
    "2.5: IsReplicationPeerModificationEnabledRequest",
    "2.5: IsReplicationPeerModificationEnabledResponse",
    "2.5: ListTableDescriptorsByStateRequest",
    "2.5: ListTableDescriptorsByStateResponse",
    "2.5: ListTableNamesByStateRequest",
    "2.5: ListTableNamesByStateResponse",
    "2.5: ReplicationPeerModificationSwitchRequest",
    "2.5: ReplicationPeerModificationSwitchResponse",
    "2.5: SnapshotRequest.nonce",
    "2.5: SnapshotRequest.nonce_group",
    "2.5: SnapshotResponse.proc_id",
    "2.5: Throttle.atomic_read_size",
    "2.5: Throttle.atomic_req_num",
    "2.5: Throttle.atomic_write_size",
    "2.5: Throttle.req_handler_usage_ms",
    "2.5: ThrottleType.AtomicReadSize",
    "2.5: ThrottleType.AtomicRequestNumber",
    "2.5: ThrottleType.AtomicWriteSize",
    "2.5: ThrottleType.RequestHandlerUsageMs",
    "2.5: TruncateRegionRequest",
    "2.5: TruncateRegionResponse",
    "3.0: FuzzyRowFilter.is_mask_v2",
    "3.0: GetConnectionRegistryRequest",
    "3.0: GetConnectionRegistryResponse",
    "3.0: Throttle.atomic_read_size",
    "3.0: Throttle.atomic_req_num",
    "3.0: Throttle.atomic_write_size",
    "3.0: Throttle.req_handler_usage_ms",
    "3.0: ThrottleType.AtomicReadSize",
    "3.0: ThrottleType.AtomicRequestNumber",
    "3.0: ThrottleType.AtomicWriteSize",
    "3.0: ThrottleType.RequestHandlerUsageMs",
];

/// The messages in a folder of this crate.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(name)
}

#[test]
fn every_message_is_declared_as_hbase_declares_it() {
    let declared = source::read(&folder("proto"));
    let found = compare(&declared, &Published::parse(include_str!("hbase.txt"), &VERSIONS));
    assert!(found.problems.is_empty(), "{:#?}", found.problems);
    assert_eq!(found.absent.iter().collect::<Vec<_>>(), ABSENT.iter().collect::<Vec<_>>());
    assert!(declared.len() >= 220, "only {} messages and enums were found", declared.len());
    assert!(found.compared >= 1_850, "only {} fields and values were compared", found.compared);
}

#[test]
fn every_message_of_bigtable_is_declared_as_google_declares_it() {
    let mut declared = source::read(&folder("bigtable"));
    for parts in declared.iter_mut().map(|d| &mut d.parts) {
        // In proto3, all fields are optional.
        if let Parts::Message(fields) = parts {
            let unlabelled = fields.iter_mut().filter(|field| field.label.is_empty());
            unlabelled.for_each(|field| field.label.push_str("optional"));
        }
    }
    let found = compare(&declared, &Published::parse(include_str!("bigtable.txt"), &["2.83"]));
    assert!(found.problems.is_empty(), "{:#?}", found.problems);
    assert!(declared.len() >= 80, "only {} messages and enums were found", declared.len());
    assert!(found.compared >= 215, "only {} fields and values were compared", found.compared);
}

#[test]
fn every_number_is_compared() {
    let mut declared = source::read(&folder("proto"));
    let mut numbers = 0;
    for parts in declared.iter_mut().map(|d| &mut d.parts) {
        match parts {
            Parts::Message(fields) => fields.iter_mut().for_each(|f| f.number += 1_000),
            Parts::Enum(values) => values.iter_mut().for_each(|v| v.number += 1_000),
        }
        numbers += match parts {
            Parts::Message(fields) => fields.len(),
            Parts::Enum(values) => values.len(),
        };
    }
    let found = compare(&declared, &Published::parse(include_str!("hbase.txt"), &VERSIONS));
    let missing = found.problems.iter().filter(|p| p.contains("no version has ")).count();
    assert!(missing >= numbers, "{missing} of {numbers}");
    assert_eq!(found.compared, 0);
}

const OTHER: &str = "#[derive(prost::Message)] pub struct Other {}";

/// Compares a source with an HBase that has an enum `E`, a message `New` in 2.6 only, and a message
/// `M` with these lines.
fn found(source: &str, lines: &[&str]) -> Comparison {
    let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    let hbase =
        format!("message New // 2.6\nmessage Other\nenum E\n  READ_TYPE = 1\nmessage M\n{lines}");
    compare(&source::parse(source), &Published::parse(&hbase, &["2.5", "2.6"]))
}

fn assert_problem(found: &Comparison, problem: &str) {
    let Comparison { problems, .. } = found;
    assert!(problems.iter().any(|p| p.contains(problem)), "no \"{problem}\" in {problems:#?}");
}

#[test]
fn a_declaration_that_is_right_has_no_problem() {
    let source = format!(
        "{} {} {}",
        r#"#[derive(Clone, prost::Message)] pub struct M {
            #[prost(bytes = "bytes", required, tag = "1")] pub row: Bytes,
            #[prost(enumeration = "Kind", optional, tag = "2", default = "ReadType")] kind: Option<i32>,
            #[prost(message, repeated, tag = "3")] others: Vec<Other>,
            #[prost(int64, repeated, tag = "4")] pub times: Vec<i64>,
            #[prost(uint32, repeated, packed = "false", tag = "5")] pub counts: Vec<u32>,
        }"#,
        r#"#[doc(alias = "E")] #[derive(prost::Enumeration)] pub enum Kind { ReadType = 1 }"#,
        OTHER,
    );
    let lines = [
        "required bytes row = 1",
        "optional enum E kind = 2 [default = READ_TYPE]",
        "repeated message Other others = 3",
        "repeated int64 times = 4 [packed = true]",
        "repeated uint32 counts = 5",
        "optional string left_out = 6 // 2.6",
    ];
    let found = found(&source, &lines);
    assert_eq!(found.problems, [].into());
    assert_eq!(found.absent, [].into());
    assert_eq!(found.compared, 2 * 6);
}

#[test]
fn a_wrong_field_is_a_problem() {
    let cases = [
        ("bool on = 2 optional", "optional bool on = 1", "no version has M.on"),
        ("bool on = 1 optional", "optional bool off = 1", "it is called off"),
        ("int32 n = 1 optional", "optional uint32 n = 1", "it is uint32, not int32"),
        ("int64 n = 1 optional", "optional sint64 n = 1", "it is sint64, not int64"),
        ("uint64 n = 1 optional", "optional fixed64 n = 1", "it is fixed64, not uint64"),
        ("string n = 1 optional", "optional bytes n = 1", "it is bytes, not string"),
        (
            "string n = 1 optional",
            "optional message Other n = 1",
            "it is message Other, not string",
        ),
        ("int32 n = 1 optional", "optional enum E n = 1", "it is enum E, not int32"),
        ("message n = 1 optional", "optional message New n = 1", "message New, not message Other"),
        ("message n = 1 optional", "optional enum E n = 1", "it is enum E, not message Other"),
        ("bool on = 1 optional", "required bool on = 1", "it is required, not optional"),
        ("bool on = 1 required", "optional bool on = 1", "it is optional, not required"),
        ("int32 n = 1 repeated", "repeated int32 n = 1", "packed is false"),
        (
            "bool n = 1 optional",
            "optional bool n = 1 [default = true]",
            r#"Some("true"), not None"#,
        ),
    ];
    for (ours, theirs, problem) in cases {
        let [kind, name, "=", number, label] = ours.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{ours}")
        };
        let source = format!(
            "#[derive(prost::Message)] struct M {{ #[prost({kind}, {label}, tag = \"{number}\")] {name}: Other }}"
        );
        assert_problem(&found(&format!("{source} {OTHER}"), &[theirs]), problem);
    }
}

#[test]
fn a_field_of_another_version_is_compared_with_that_version() {
    let source =
        r#"#[derive(prost::Message)] struct M { #[prost(bool, optional, tag = "1")] on: B }"#;
    let lines = ["optional bool on = 1 // 2.6", "optional int32 on = 1 // 2.5"];
    assert_problem(&found(source, &lines), "M as M of 2.5, on = 1: it is int32");
    assert_problem(&found(source, &[lines[0], "required bool all = 2"]), "all = 2 is required");
}

#[test]
fn a_message_is_not_bytes() {
    let source = r#"#[derive(prost::Message)] struct M { #[prost(bytes = "bytes", optional, tag = "1")] n: B }"#;
    assert_problem(
        &found(source, &["optional message Other n = 1"]),
        "it is message Other, not bytes",
    );
}

#[test]
fn a_struct_for_several_messages_is_compared_with_each() {
    let source = r#"#[doc(alias("M", "Other"))] #[derive(prost::Message)] struct Shared {
        #[prost(bool, required, tag = "1")] on: bool }"#;
    assert_problem(&found(source, &["repeated bool before = 1"]), "it is repeated, not required");
    assert_problem(&found(source, &["optional bool before = 1"]), "no version has Other.on");
}

#[test]
fn a_wrong_name_or_number_is_a_problem() {
    let kind = r#"#[doc(alias = "E")] #[derive(prost::Enumeration)] enum Kind"#;
    assert_problem(&found(&format!("{kind} {{ ReadType = 2 }}"), &[]), "no version has E.ReadType");
    assert_problem(&found(&format!("{kind} {{ Read = 1 }}"), &[]), "1 is READ_TYPE, not Read");
    assert_problem(&found(&format!("{kind} {{ }}"), &[]), "READ_TYPE = 1 is left out");
    let message = |name: &str| format!("#[derive(prost::Message)] struct {name} {{ }}");
    assert_problem(&found(&message("E"), &[]), "it is published as no message");
    assert_problem(&found(&message("Unknown"), &[]), "there is no message Unknown");
    assert_problem(
        &found(&format!(r#"#[doc(alias = "N")] {}"#, message("M")), &[]),
        "no message N",
    );
}

#[test]
fn what_only_a_newer_version_has_is_listed() {
    let source = r#"#[derive(prost::Message)] struct M { #[prost(bool, optional, tag = "1")] on: B }
        #[derive(prost::Message)] struct New {}"#;
    let found = found(source, &["optional bool on = 1 // 2.6"]);
    assert_eq!(found.problems, [].into());
    assert_eq!(found.absent, ["2.5: M.on".to_owned(), "2.5: New".to_owned()].into());
}
