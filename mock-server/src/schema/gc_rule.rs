//! Bigtable's garbage collection rules as attributes of a family.
//!
//! A rule that HBase can express becomes `VERSIONS`, `MIN_VERSIONS` and `TTL`. For any other rule,
//! these attributes keep everything, and the rule is applied when rows are read through Bigtable.
//! Every rule is also stored in an attribute of its own.

use std::collections::BTreeSet;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use prost::Message;
use tallrow_wire::bigtable::{self, GarbageRule, GcRule, Intersection, Union};
use tallrow_wire::proto::{BytesBytesPair, ColumnFamilySchema};

use super::attributes::attribute;
use super::text::FOREVER_SECONDS;

/// The attribute with the rule, in base64.
const RULE: &str = "BIGTABLE_GC_RULE";

/// `VERSIONS` of a family that keeps all versions.
const ALL_VERSIONS: i32 = i32::MAX;

/// The attributes that decide which cells of a family HBase keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Retention {
    versions: i32,
    min_versions: i32,
    ttl_seconds: u64,
}

const EVERYTHING: Retention =
    Retention { versions: ALL_VERSIONS, min_versions: 0, ttl_seconds: FOREVER_SECONDS };

/// Makes the schema of a family with this rule.
pub(crate) fn family_of_rule(name: &str, rule: Option<&GcRule>) -> ColumnFamilySchema {
    let kept = exact(rule).unwrap_or(EVERYTHING);
    let pair = |key: &'static str, value: String| BytesBytesPair {
        first: key.into(),
        second: value.into(),
    };
    let mut attributes = vec![
        pair("VERSIONS", kept.versions.to_string()),
        pair("MIN_VERSIONS", kept.min_versions.to_string()),
        pair("TTL", kept.ttl_seconds.to_string()),
    ];
    if let Some(rule) = rule {
        attributes.push(pair(RULE, STANDARD.encode(rule.encode_to_vec())));
    }
    ColumnFamilySchema {
        name: Bytes::copy_from_slice(name.as_bytes()),
        attributes,
        configuration: Vec::new(),
    }
}

/// Returns the rule of a family: the rule that was set through Bigtable, unless the family was
/// altered through HBase afterwards.
pub(crate) fn rule_of_family(family: &ColumnFamilySchema) -> Option<GcRule> {
    let kept = retention(family);
    match stored(family) {
        Some(rule) if exact(Some(&rule)).unwrap_or(EVERYTHING) == kept => Some(rule),
        _ => rule_of(kept),
    }
}

/// Returns the rule of a family if the family's other attributes cannot express it.
pub(super) fn rule_if_inexpressible(family: &ColumnFamilySchema) -> Option<GcRule> {
    rule_of_family(family).filter(|rule| exact(Some(rule)).is_none())
}

/// Whether a version is garbage, by its age and by the number of newer versions of its column.
pub(crate) fn is_garbage(rule: &GcRule, newer_versions: usize, age: Duration) -> bool {
    match &rule.rule {
        None => false,
        Some(GarbageRule::MaxNumVersions(versions)) => {
            usize::try_from(*versions).is_ok_and(|versions| newer_versions >= versions)
        }
        Some(GarbageRule::MaxAge(max)) => age > span(max),
        Some(GarbageRule::Intersection(Intersection { rules })) => {
            !rules.is_empty() && rules.iter().all(|rule| is_garbage(rule, newer_versions, age))
        }
        Some(GarbageRule::Union(Union { rules })) => {
            rules.iter().any(|rule| is_garbage(rule, newer_versions, age))
        }
    }
}

fn span(duration: &bigtable::Duration) -> Duration {
    let seconds = u64::try_from(duration.seconds).unwrap_or(0);
    Duration::new(seconds, u32::try_from(duration.nanos).unwrap_or(0).min(999_999_999))
}

fn stored(family: &ColumnFamilySchema) -> Option<GcRule> {
    let rule = STANDARD.decode(attribute(&family.attributes, RULE)?).ok()?;
    GcRule::decode(&rule[..]).ok()
}

fn retention(family: &ColumnFamilySchema) -> Retention {
    let text = |key| attribute(&family.attributes, key).and_then(|v| std::str::from_utf8(v).ok());
    let number = |key| text(key).and_then(|v| v.parse().ok());
    Retention {
        versions: number("VERSIONS").unwrap_or(1),
        min_versions: number("MIN_VERSIONS").unwrap_or(0),
        ttl_seconds: text("TTL").and_then(|v| v.parse().ok()).unwrap_or(FOREVER_SECONDS),
    }
}

/// Returns what HBase keeps under a rule, if HBase can express the rule.
fn exact(rule: Option<&GcRule>) -> Option<Retention> {
    let Some(rule) = rule.and_then(|rule| rule.rule.as_ref()) else { return Some(EVERYTHING) };
    match rule {
        GarbageRule::MaxNumVersions(versions) => {
            Some(Retention { versions: *versions, ..EVERYTHING })
        }
        GarbageRule::MaxAge(age) => {
            let ttl_seconds = u64::try_from(age.seconds).ok()?;
            let whole = age.nanos == 0 && (1..FOREVER_SECONDS).contains(&ttl_seconds);
            whole.then_some(Retention { ttl_seconds, ..EVERYTHING })
        }
        GarbageRule::Union(Union { rules }) => {
            let mut kept = EVERYTHING;
            for part in rules {
                let part = exact(Some(part)).filter(|part| part.min_versions == 0)?;
                kept.versions = kept.versions.min(part.versions);
                kept.ttl_seconds = kept.ttl_seconds.min(part.ttl_seconds);
            }
            Some(kept)
        }
        GarbageRule::Intersection(Intersection { rules }) => {
            let parts: Option<Vec<Retention>> =
                rules.iter().map(|rule| exact(Some(rule))).collect();
            let parts = parts?;
            // A rule of both versions and age, or of neither, cannot be a part of an intersection
            // that HBase can express.
            let one_kind = |part: &Retention| {
                part.min_versions == 0
                    && (part.versions == ALL_VERSIONS) != (part.ttl_seconds == FOREVER_SECONDS)
            };
            if parts.is_empty() || !parts.iter().all(one_kind) {
                return None;
            }
            let versions: BTreeSet<i32> =
                parts.iter().map(|p| p.versions).filter(|v| *v != ALL_VERSIONS).collect();
            let ages: BTreeSet<u64> =
                parts.iter().map(|p| p.ttl_seconds).filter(|t| *t != FOREVER_SECONDS).collect();
            Some(match (versions.last(), ages.last()) {
                (Some(min_versions), Some(ttl_seconds)) => Retention {
                    min_versions: *min_versions,
                    ttl_seconds: *ttl_seconds,
                    ..EVERYTHING
                },
                (Some(versions), None) => Retention { versions: *versions, ..EVERYTHING },
                (None, age) => {
                    let ttl_seconds = age.copied().unwrap_or(FOREVER_SECONDS);
                    Retention { ttl_seconds, ..EVERYTHING }
                }
            })
        }
    }
}

/// Returns the rule that keeps the same cells as HBase.
fn rule_of(kept: Retention) -> Option<GcRule> {
    let rule = |rule| GcRule { rule: Some(rule) };
    let versions =
        (kept.versions != ALL_VERSIONS).then(|| rule(GarbageRule::MaxNumVersions(kept.versions)));
    let age = (kept.ttl_seconds != FOREVER_SECONDS).then(|| {
        let seconds = i64::try_from(kept.ttl_seconds).unwrap_or(i64::MAX);
        rule(GarbageRule::MaxAge(bigtable::Duration { seconds, nanos: 0 }))
    });
    let age = match (age, kept.min_versions) {
        (Some(age), min) if min > 0 => {
            let rules = vec![age, rule(GarbageRule::MaxNumVersions(min))];
            Some(rule(GarbageRule::Intersection(Intersection { rules })))
        }
        (age, _) => age,
    };
    match (versions, age) {
        (Some(versions), Some(age)) => {
            Some(rule(GarbageRule::Union(Union { rules: vec![versions, age] })))
        }
        (versions, age) => versions.or(age),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn versions(n: i32) -> GcRule {
        GcRule { rule: Some(GarbageRule::MaxNumVersions(n)) }
    }

    fn age(seconds: i64, nanos: i32) -> GcRule {
        GcRule { rule: Some(GarbageRule::MaxAge(bigtable::Duration { seconds, nanos })) }
    }

    fn all(rules: Vec<GcRule>) -> GcRule {
        GcRule { rule: Some(GarbageRule::Intersection(Intersection { rules })) }
    }

    fn any(rules: Vec<GcRule>) -> GcRule {
        GcRule { rule: Some(GarbageRule::Union(Union { rules })) }
    }

    fn kept(rule: &GcRule) -> Option<(i32, i32, u64)> {
        exact(Some(rule)).map(|k| (k.versions, k.min_versions, k.ttl_seconds))
    }

    #[test]
    fn what_hbase_can_express_becomes_its_attributes() {
        let (forever, many) = (FOREVER_SECONDS, i32::MAX);
        assert_eq!(kept(&versions(3)), Some((3, 0, forever)));
        assert_eq!(kept(&any(vec![versions(3), age(60, 0), versions(2)])), Some((2, 0, 60)));
        assert_eq!(kept(&all(vec![versions(3), age(60, 0), age(90, 0)])), Some((many, 3, 90)));
        assert_eq!(kept(&age(0, 5_000_000)), None);
        assert_eq!(kept(&any(vec![versions(9), all(vec![versions(3), age(60, 0)])])), None);
    }

    #[test]
    fn a_rule_is_kept_as_it_was_given_until_hbase_alters_the_family() {
        let rule = any(vec![versions(9), all(vec![versions(3), age(60, 0)])]);
        let mut family = family_of_rule("f", Some(&rule));
        assert_eq!(rule_of_family(&family), Some(rule.clone()));
        assert_eq!(rule_if_inexpressible(&family), Some(rule));
        assert_eq!(rule_if_inexpressible(&family_of_rule("f", Some(&versions(2)))), None);
        family.attributes[0].second = "5".into();
        assert_eq!(rule_of_family(&family), Some(versions(5)));
        assert_eq!(rule_of_family(&family_of_rule("f", None)), None);
    }

    #[test]
    fn garbage_is_by_version_and_age() {
        let rule = any(vec![versions(9), all(vec![versions(3), age(60, 0)])]);
        let garbage = |nth, seconds| is_garbage(&rule, nth, Duration::from_secs(seconds));
        assert!(garbage(9, 0) && garbage(3, 61));
        assert!(!garbage(8, 60) && !garbage(2, 1000));
        assert!(!is_garbage(&all(Vec::new()), 9, Duration::MAX));
    }
}
