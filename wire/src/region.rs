//! Region names, which are also the row keys of `hbase:meta`, and their order.
//!
//! The name of a region is `table,start key,id.hash.`: the id is the creation time of the region in
//! ms, as text, and the hash is the MD5 of everything before it, in hex. The hash alone is the
//! region's encoded name. After the id of a secondary replica follow `_` and its number in hex.
//!
//! `hbase:meta` has a single region, whose id is 1. The names of its replicas end with the id, and
//! their encoded names are another hash of the whole name.

use std::cmp::Ordering;

use md5::{Digest, Md5};

use crate::WireError;
use crate::jenkins;
use crate::proto::{RegionInfo, TableName};

/// The name of the primary replica of the only region of `hbase:meta`, which has no hash.
pub const META_REGION_NAME: &[u8] = b"hbase:meta,,1";

/// The encoded name of the primary replica of the only region of `hbase:meta`.
pub const META_ENCODED_NAME: &str = "1588230740";

/// Formats a table name as it is in region names and `hbase:meta`: `qualifier` in namespace
/// `default`, otherwise `namespace:qualifier`.
///
/// ```
/// use tallrow_wire::proto::TableName;
/// use tallrow_wire::region::format_table_name;
///
/// assert_eq!(
///     format_table_name(&TableName { namespace: "default".into(), qualifier: "t".into() }),
///     b"t"
/// );
/// assert_eq!(
///     format_table_name(&TableName { namespace: "ns".into(), qualifier: "t".into() }),
///     b"ns:t"
/// );
/// ```
pub fn format_table_name(name: &TableName) -> Vec<u8> {
    match &name.namespace[..] {
        b"default" | b"" => name.qualifier.to_vec(),
        namespace => [namespace, b":", &name.qualifier].concat(),
    }
}

/// Parses a table name: the inverse of [`format_table_name`].
///
/// ```
/// use tallrow_wire::region::parse_table_name;
///
/// assert_eq!(&parse_table_name(b"t").namespace[..], b"default");
/// assert_eq!(&parse_table_name(b"ns:t").qualifier[..], b"t");
/// ```
pub fn parse_table_name(text: &[u8]) -> TableName {
    let (namespace, qualifier) = match text.iter().position(|b| *b == b':') {
        Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default()),
        None => (&b"default"[..], text),
    };
    TableName { namespace: namespace.to_vec().into(), qualifier: qualifier.to_vec().into() }
}

/// Returns the full name of a region.
///
/// ```
/// use tallrow_wire::proto::RegionInfo;
/// use tallrow_wire::region;
///
/// let info = RegionInfo {
///     region_id: 1_700_000_000_000,
///     table_name: region::parse_table_name(b"t"),
///     start_key: Some("k".into()),
///     ..Default::default()
/// };
/// let name = region::name(&info);
/// assert!(name.starts_with(b"t,k,1700000000000."));
/// assert_eq!(region::encoded_name(&name).unwrap(), region::encoded_name_of(&info));
/// ```
pub fn name(info: &RegionInfo) -> Vec<u8> {
    let (name, hash) = name_and_hash(info);
    match hash {
        Some(hash) => [&name[..], b".", hash.as_bytes(), b"."].concat(),
        None => name,
    }
}

/// Returns the full name of a replica of a region, given the full name of the region. Replica 0 is
/// the primary replica, which is the region itself.
///
/// ```
/// use tallrow_wire::proto::RegionInfo;
/// use tallrow_wire::region;
///
/// let info = |replica_id| RegionInfo {
///     region_id: 1_700_000_000_000,
///     table_name: region::parse_table_name(b"t"),
///     replica_id: Some(replica_id),
///     ..Default::default()
/// };
/// let primary = region::name(&info(0));
/// let second = region::name_of_replica(&primary, 1).unwrap();
/// assert!(second.starts_with(b"t,,1700000000000_0001."));
/// assert_eq!(second, region::name(&info(1)));
/// assert_eq!(region::name_of_replica(&primary, 0).unwrap(), primary);
///
/// let of_meta = region::name_of_replica(region::META_REGION_NAME, 1).unwrap();
/// assert_eq!(of_meta, b"hbase:meta,,1_0001");
/// ```
///
/// # Errors
/// Bytes that do not end like the name of a primary replica.
pub fn name_of_replica(name: &[u8], replica: u16) -> Result<Vec<u8>, WireError> {
    let hash = encoded_name(name)?;
    if replica == 0 {
        return Ok(name.to_vec());
    }
    if name == META_REGION_NAME {
        return Ok([name, replica_suffix(replica).as_bytes()].concat());
    }
    let without_hash = name.len().saturating_sub(hash.len() + 2);
    let mut name = name.get(..without_hash).unwrap_or_default().to_vec();
    name.extend_from_slice(replica_suffix(replica).as_bytes());
    let hash = hash_of(&name);
    Ok([&name[..], b".", hash.as_bytes(), b"."].concat())
}

/// Returns the encoded name of a region.
///
/// See [`name`] for an example.
pub fn encoded_name_of(info: &RegionInfo) -> String {
    let (name, hash) = name_and_hash(info);
    hash.unwrap_or_else(|| encoded_name_of_meta(&name))
}

fn name_and_hash(info: &RegionInfo) -> (Vec<u8>, Option<String>) {
    let mut name = format_table_name(&info.table_name);
    name.push(b',');
    name.extend_from_slice(info.start_key.as_deref().unwrap_or_default());
    name.push(b',');
    name.extend_from_slice(info.region_id.to_string().as_bytes());
    let is_meta = name == META_REGION_NAME;
    match info.replica_id.unwrap_or(0) {
        0 => {}
        replica => name.extend_from_slice(replica_suffix(replica).as_bytes()),
    }
    let hash = (!is_meta).then(|| hash_of(&name));
    (name, hash)
}

/// What follows the id of a secondary replica in its name.
fn replica_suffix(replica: impl std::fmt::UpperHex) -> String {
    format!("_{replica:04X}")
}

/// Returns the encoded name of a replica of the region of `hbase:meta`, by its name.
fn encoded_name_of_meta(name: &[u8]) -> String {
    match name == META_REGION_NAME {
        true => META_ENCODED_NAME.to_owned(),
        false => jenkins::hash(name).cast_signed().unsigned_abs().to_string(),
    }
}

/// Whether this is the name of a replica of the region of `hbase:meta`.
fn is_meta_name(name: &[u8]) -> bool {
    name.strip_prefix(META_REGION_NAME).is_some_and(|suffix| match suffix {
        [] => true,
        [b'_', id @ ..] => {
            id.len() == 4 && id.iter().all(|b| matches!(b, b'0'..=b'9' | b'A'..=b'F'))
        }
        _ => false,
    })
}

fn hash_of(name: &[u8]) -> String {
    format!("{:032x}", u128::from_be_bytes(Md5::digest(name).into()))
}

/// Returns the encoded name in a full region name.
///
/// ```
/// use tallrow_wire::region;
///
/// assert_eq!(region::encoded_name(region::META_REGION_NAME).unwrap(), "1588230740");
/// assert_eq!(region::encoded_name(b"hbase:meta,,1_0001").unwrap(), "534574363");
/// assert!(region::encoded_name(b"what").is_err());
/// ```
///
/// # Errors
/// Bytes that do not end like a region name.
pub fn encoded_name(name: &[u8]) -> Result<String, WireError> {
    if is_meta_name(name) {
        return Ok(encoded_name_of_meta(name));
    }
    let hash = name.strip_suffix(b".").and_then(|n| {
        let (head, hash) = n.split_at_checked(n.len().checked_sub(32)?)?;
        head.ends_with(b".").then_some(hash)
    });
    hash.and_then(|h| std::str::from_utf8(h).ok()).map(str::to_owned).ok_or_else(|| {
        WireError::new(
            "region name",
            format!("expected \"table,start,id.hash.\", found \"{}\"", name.escape_ascii()),
        )
    })
}

/// Compares two row keys of `hbase:meta`: by table, then by start key, then by the rest, each as
/// bytes. A key without a comma comes before one with a comma.
///
/// ```
/// use std::cmp::Ordering;
/// use tallrow_wire::region::meta_order;
///
/// // As plain bytes, `-` (0x2D) sorts after `,` (0x2C), but `t!` (0x21) would come before `t,`.
/// assert_eq!(meta_order(b"t,a,1", b"t!,a,1"), Ordering::Less);
/// assert_eq!(meta_order(b"t,a,b,2", b"t,a,c,1"), Ordering::Less);
/// assert_eq!(meta_order(b"t", b"t,,1"), Ordering::Less);
/// ```
pub fn meta_order(a: &[u8], b: &[u8]) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    let common = common_prefix(a, b);
    let (head, _) = a.split_at(common);
    let has_comma_after = |row: &[u8]| row.get(common + 1..).is_some_and(|r| r.contains(&b','));
    // A shortcut for the usual case: two regions of one table, whose start keys differ.
    match head.contains(&b',') && has_comma_after(a) && has_comma_after(b) {
        true => a.get(common).cmp(&b.get(common)),
        false => order_by_parts(a, b),
    }
}

/// Returns the length of the common prefix. Region names share dozens of bytes, so whole pieces are
/// compared first: in builds without optimization, a comparison byte by byte took most of the time
/// of a cluster with many regions.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    const PIECE: usize = 16;
    let pieces = a.chunks_exact(PIECE).zip(b.chunks_exact(PIECE));
    let same = PIECE * pieces.take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(same..).unwrap_or_default(), b.get(same..).unwrap_or_default());
    same + a.iter().zip(b).take_while(|(a, b)| a == b).count()
}

fn order_by_parts(a: &[u8], b: &[u8]) -> Ordering {
    let (a, b) = (MetaKey::new(a), MetaKey::new(b));
    (a.table.cmp(b.table))
        .then_with(|| a.has_comma.cmp(&b.has_comma))
        .then_with(|| a.rest.cmp(&b.rest))
}

struct MetaKey<'a> {
    table: &'a [u8],
    has_comma: bool,
    /// Start key and id.
    rest: (&'a [u8], &'a [u8]),
}

impl<'a> MetaKey<'a> {
    fn new(row: &'a [u8]) -> Self {
        let cut = |bytes: &'a [u8], at: Option<usize>| -> Option<(&'a [u8], &'a [u8])> {
            let (head, tail) = bytes.split_at_checked(at?)?;
            Some((head, tail.get(1..).unwrap_or_default()))
        };
        let comma = |b: &u8| *b == b',';
        match cut(row, row.iter().position(comma)) {
            None => Self { table: row, has_comma: false, rest: (&[], &[]) },
            // If there is only one comma, HBase compares the whole key in the last step.
            Some((table, rest)) => Self {
                table,
                has_comma: true,
                rest: cut(rest, rest.iter().rposition(comma)).unwrap_or((&[], row)),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that HBase 2.6.4 gives the replicas of `hbase:meta`.
    #[test]
    fn the_replicas_of_hbase_meta_are_hashed_by_their_whole_names() {
        for (replica, name, encoded) in [
            (0, "hbase:meta,,1", "1588230740"),
            (1, "hbase:meta,,1_0001", "534574363"),
            (2, "hbase:meta,,1_0002", "1657623790"),
            (10, "hbase:meta,,1_000A", "1868663280"),
            (0xFF, "hbase:meta,,1_00FF", "1381032054"),
            (0xFFFF, "hbase:meta,,1_FFFF", "1384410262"),
        ] {
            let info = RegionInfo {
                region_id: 1,
                table_name: parse_table_name(b"hbase:meta"),
                replica_id: Some(i32::from(replica)),
                ..Default::default()
            };
            assert_eq!(super::name(&info), name.as_bytes());
            assert_eq!(encoded_name_of(&info), encoded);
            assert_eq!(encoded_name(name.as_bytes()).unwrap(), encoded);
            assert_eq!(name_of_replica(META_REGION_NAME, replica).unwrap(), name.as_bytes());
        }
        for other in
            ["hbase:meta,,1_", "hbase:meta,,1_00a1", "hbase:meta,,12", "hbase:meta,,1_00011"]
        {
            assert!(encoded_name(other.as_bytes()).is_err(), "{other}");
        }
    }

    #[test]
    fn rows_of_hbase_meta_are_compared_as_their_parts_are() {
        let mut rows = vec![Vec::new()];
        for at in 0.. {
            let Some(row) = rows.get(at).filter(|row: &&Vec<u8>| row.len() < 5).cloned() else {
                break;
            };
            rows.extend(b",!a".map(|byte| [&row[..], &[byte]].concat()));
        }
        for a in &rows {
            for b in &rows {
                assert_eq!(meta_order(a, b), order_by_parts(a, b), "{a:?} {b:?}");
                // As long as the pieces that are compared at a time, and longer.
                for start in [&b"table,0123456789"[..], b"table,0123456789abc"] {
                    let (a, b) = ([start, a].concat(), [start, b].concat());
                    assert_eq!(meta_order(&a, &b), order_by_parts(&a, &b), "{a:?} {b:?}");
                }
            }
        }
    }
}
