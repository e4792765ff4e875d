//! The schemas of HBase's own tables: `hbase:meta`, `hbase:namespace` and `hbase:quota`.

use tallrow_wire::meta;
use tallrow_wire::proto::{BytesBytesPair, ColumnFamilySchema, RegionInfo, TableName, TableSchema};
use tallrow_wire::region;

use super::attributes;

/// The name of `hbase:meta`.
pub(crate) fn meta_table_name() -> TableName {
    region::parse_table_name(b"hbase:meta")
}

/// The name of `hbase:namespace`.
pub(crate) fn namespace_table_name() -> TableName {
    region::parse_table_name(b"hbase:namespace")
}

/// The name of `hbase:quota`, a table that a cluster has as soon as it has a quota.
pub(crate) fn quota_table_name() -> TableName {
    region::parse_table_name(b"hbase:quota")
}

/// The schema of `hbase:quota`.
pub(crate) fn quota_schema() -> TableSchema {
    TableSchema {
        table_name: Some(quota_table_name()),
        column_families: vec![family(b"q", &[]), family(b"u", &[])],
        ..Default::default()
    }
}

/// The one region of `hbase:meta`.
pub(crate) fn meta_region() -> RegionInfo {
    RegionInfo {
        region_id: 1,
        table_name: meta_table_name(),
        start_key: Some(Default::default()),
        end_key: Some(Default::default()),
        offline: Some(false),
        split: Some(false),
        replica_id: Some(0),
    }
}

/// The family of `hbase:meta` that tells replication the order in which regions were open.
const BARRIERS: &[u8] = b"rep_barrier";

/// `VERSIONS` of a family that keeps all versions.
const ALL_VERSIONS: &str = "2147483647";

/// The endpoint that lets clients of the master change several rows of `hbase:meta` in one step.
const ROWS_IN_ONE_STEP: &str =
    "|org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint|536870911|";

/// The families that `hbase:meta` cannot be without.
pub(crate) const META_FAMILIES: [&[u8]; 3] = [meta::FAMILY, meta::TABLE_FAMILY, BARRIERS];

/// The schema of `hbase:meta`.
pub(crate) fn meta_schema() -> TableSchema {
    let families = [(meta::FAMILY, "3", "8192"), (BARRIERS, ALL_VERSIONS, "65536")]
        .into_iter()
        .chain([(meta::TABLE_FAMILY, "3", "8192")])
        .map(|(name, versions, block_size)| {
            let (blocks, filter) = ("ROW_INDEX_V1", "ROWCOL");
            let attributes = [
                ("VERSIONS", versions),
                ("DATA_BLOCK_ENCODING", blocks),
                ("BLOOMFILTER", filter),
                ("IN_MEMORY", "true"),
                ("BLOCKSIZE", block_size),
            ];
            family(name, &attributes)
        });
    let mut schema = TableSchema {
        table_name: Some(meta_table_name()),
        attributes: vec![pair("IS_META", "true"), pair("coprocessor$1", ROWS_IN_ONE_STEP)],
        column_families: families.collect(),
        configuration: Vec::new(),
    };
    attributes::add_defaults(&mut schema);
    schema
}

/// The schema of `hbase:namespace`.
pub(crate) fn namespace_schema() -> TableSchema {
    let attributes = [("VERSIONS", "10"), ("IN_MEMORY", "true"), ("BLOCKSIZE", "8192")];
    TableSchema {
        table_name: Some(namespace_table_name()),
        column_families: vec![family(meta::FAMILY, &attributes)],
        ..Default::default()
    }
}

fn family(name: &'static [u8], attributes: &[(&'static str, &'static str)]) -> ColumnFamilySchema {
    ColumnFamilySchema {
        name: name.into(),
        attributes: attributes.iter().map(|(k, v)| pair(k, v)).collect(),
        configuration: Vec::new(),
    }
}

fn pair(key: &'static str, value: &'static str) -> BytesBytesPair {
    BytesBytesPair { first: key.into(), second: value.into() }
}
