//! Converts the HBase options that limit what a family keeps to Bigtable's garbage collection
//! rules, and back.

use std::time::Duration;

use crate::backend::bigtable::filter::FamilyLimit;
use crate::model::descriptor::FamilyDescriptor;
use crate::wire::bigtable::{self as wire, GarbageRule, GcRule, Intersection, Union};
use crate::{Error, ErrorKind, Result};

const VERSIONS: &str = "VERSIONS";
const MIN_VERSIONS: &str = "MIN_VERSIONS";
const TTL: &str = "TTL";

/// HBase's largest number, which stands for no limit on versions, and for a `TTL` without end.
const NO_LIMIT: u32 = i32::MAX as u32;

/// Options that affect what reads return, each with the only value that Bigtable supports.
const ONLY: [(&str, &str); 2] =
    [("KEEP_DELETED_CELLS", "FALSE"), ("NEW_VERSION_BEHAVIOR", "FALSE")];

/// Returns the garbage collection rule of a family; an empty one if the family keeps everything.
///
/// There is always a rule: a family of a new table whose message has neither a rule nor a type is
/// encoded without a value, and the service creates the table without this family
/// (getsentry/objectstore#73).
///
/// The rule removes the cells that HBase removes: a cell that is not among the newest `VERSIONS`,
/// and a cell that is older than `TTL` and not among the newest `MIN_VERSIONS`.
pub(crate) fn gc_rule_of(family: &FamilyDescriptor) -> Result<GcRule> {
    for (key, only) in ONLY {
        if let Some(value) = family.get(key).filter(|value| !value.eq_ignore_ascii_case(only)) {
            let text = format!("family {}: Bigtable has no {key} {value}", family.name());
            return Err(Error::new(ErrorKind::Unsupported, text));
        }
    }
    let versions = number(family, VERSIONS, 1)?;
    let least = number(family, MIN_VERSIONS, 0)?;
    let ttl = match family.get(TTL) {
        Some(text) if text.eq_ignore_ascii_case("FOREVER") => NO_LIMIT,
        _ => number(family, TTL, NO_LIMIT)?,
    };
    let newest = |versions: u32| {
        of(GarbageRule::MaxNumVersions(i32::try_from(versions).unwrap_or(i32::MAX)))
    };
    let too_many = (versions < NO_LIMIT).then(|| newest(versions));
    let too_old = (ttl < NO_LIMIT).then(|| {
        let age = wire::Duration { seconds: ttl.into(), nanos: 0 };
        let age = of(GarbageRule::MaxAge(age));
        match least {
            0 => age,
            least => {
                of(GarbageRule::Intersection(Intersection { rules: vec![age, newest(least)] }))
            }
        }
    });
    Ok(match (too_many, too_old) {
        (Some(many), Some(old)) => of(GarbageRule::Union(Union { rules: vec![many, old] })),
        (many, old) => many.or(old).unwrap_or_default(),
    })
}

/// Returns the descriptor of a family that has this garbage collection rule.
///
/// # Errors
/// Fails for a rule that HBase's options cannot express.
pub(crate) fn family_descriptor(name: &str, rule: Option<&GcRule>) -> Result<FamilyDescriptor> {
    let kept = KeptOptions::of(rule).ok_or_else(|| {
        let text = format!(
            "family {name}: its rule for garbage is none that a definition can say: a number of versions, an age, or \
             either of them"
        );
        Error::new(ErrorKind::Unsupported, text)
    })?;
    let family = FamilyDescriptor::new(name).versions(kept.versions.unwrap_or(NO_LIMIT));
    let family = match kept.ttl {
        Some(ttl) => family.ttl(Duration::from_secs(ttl)),
        None => family,
    };
    Ok(if kept.least > 0 { family.min_versions(kept.least) } else { family })
}

/// Returns the limits on what a read of the family sees. A rule that HBase's options cannot express
/// sets no limits.
pub(crate) fn family_limit(name: &str, rule: Option<&GcRule>) -> FamilyLimit {
    let kept = KeptOptions::of(rule).unwrap_or_default();
    FamilyLimit {
        name: name.to_owned(),
        versions: kept.versions,
        // With a minimum number of versions, a family also keeps some cells that are too old, and
        // the age of a cell alone does not decide whether the cell is kept.
        max_age: kept.ttl.filter(|_| kept.least == 0).map(Duration::from_secs),
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct KeptOptions {
    versions: Option<u32>,
    ttl: Option<u64>,
    least: u32,
}

impl KeptOptions {
    /// Converts a rule to HBase's options; `None` if they cannot express the rule.
    fn of(rule: Option<&GcRule>) -> Option<Self> {
        let Some(rule) = rule.and_then(|rule| rule.rule.as_ref()) else {
            return Some(Self::default());
        };
        Some(match rule {
            GarbageRule::MaxNumVersions(versions) => {
                Self { versions: Some(u32::try_from(*versions).ok()?), ..Self::default() }
            }
            // HBase's times to live are whole seconds; a part of a second is rounded up.
            GarbageRule::MaxAge(age) => {
                let seconds = u64::try_from(age.seconds).ok()? + u64::from(age.nanos > 0);
                Self { ttl: Some(seconds), ..Self::default() }
            }
            GarbageRule::Intersection(both) => {
                let parts = both.rules.iter().map(|rule| Self::of(Some(rule)));
                match parts.collect::<Option<Vec<_>>>()?[..] {
                    [only] => only,
                    [
                        Self { ttl: Some(ttl), versions: None, least: 0 },
                        Self { versions: Some(least), ttl: None, .. },
                    ]
                    | [
                        Self { versions: Some(least), ttl: None, .. },
                        Self { ttl: Some(ttl), versions: None, least: 0 },
                    ] => Self { versions: None, ttl: Some(ttl), least },
                    _ => return None,
                }
            }
            GarbageRule::Union(either) => {
                let parts = either.rules.iter().map(|rule| Self::of(Some(rule)));
                match parts.collect::<Option<Vec<_>>>()?[..] {
                    [only] => only,
                    [
                        Self { versions: Some(versions), ttl: None, .. },
                        old @ Self { versions: None, .. },
                    ]
                    | [
                        old @ Self { versions: None, .. },
                        Self { versions: Some(versions), ttl: None, .. },
                    ] => Self { versions: Some(versions), ..old },
                    _ => return None,
                }
            }
        })
    }
}

fn of(rule: GarbageRule) -> GcRule {
    GcRule { rule: Some(rule) }
}

fn number(family: &FamilyDescriptor, key: &str, default: u32) -> Result<u32> {
    let Some(text) = family.get(key) else { return Ok(default) };
    text.parse().map_err(|_| {
        let name = family.name();
        Error::invalid(format!(
            "family {name}: {key} {text:?} is not a number between 0 and {NO_LIMIT}"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(days: u64) -> Duration {
        Duration::from_secs(86_400 * days)
    }

    fn versions(n: i32) -> GcRule {
        of(GarbageRule::MaxNumVersions(n))
    }

    fn age(seconds: i64) -> GcRule {
        of(GarbageRule::MaxAge(wire::Duration { seconds, nanos: 0 }))
    }

    fn union(rules: [GcRule; 2]) -> GcRule {
        of(GarbageRule::Union(Union { rules: rules.into() }))
    }

    fn both(rules: [GcRule; 2]) -> GcRule {
        of(GarbageRule::Intersection(Intersection { rules: rules.into() }))
    }

    #[test]
    fn options_are_rules_and_rules_are_options() {
        let d = || FamilyDescriptor::new("d");
        for (family_, expected, time) in [
            (d().versions(1), Some(versions(1)), None),
            (d().versions(3), Some(versions(3)), None),
            (d().versions(u32::MAX), None, None),
            (d().versions(u32::MAX).ttl(day(1)), Some(age(86_400)), Some(day(1))),
            (d().versions(2).ttl(day(1)), Some(union([versions(2), age(86_400)])), Some(day(1))),
            (
                d().versions(9).ttl(day(1)).min_versions(2),
                Some(union([versions(9), both([age(86_400), versions(2)])])),
                None,
            ),
        ] {
            let found = gc_rule_of(&family_).unwrap();
            assert_eq!(found, expected.unwrap_or_default(), "{family_:?}");
            assert_eq!(family_descriptor("d", Some(&found)).unwrap(), family_);
            let kept = family_limit("d", Some(&found));
            assert_eq!(kept.max_age, time, "{family_:?}");
            let limit =
                family_.get(VERSIONS).and_then(|v| v.parse().ok()).filter(|v| *v < NO_LIMIT);
            assert_eq!(kept.versions, limit, "{family_:?}");
        }
        assert_eq!(gc_rule_of(&d()).unwrap(), versions(1), "HBase's default");
        assert_eq!(gc_rule_of(&d().attribute(TTL, "FOREVER")).unwrap(), versions(1));
    }

    #[test]
    fn the_order_of_rules_does_not_matter() {
        let turned = union([both([versions(2), age(60)]), versions(9)]);
        let family = family_descriptor("d", Some(&turned)).unwrap();
        assert_eq!((family.get(TTL), family.get(MIN_VERSIONS)), (Some("60"), Some("2")));
    }

    #[test]
    fn what_the_other_does_not_have_is_unsupported() {
        let deleted = FamilyDescriptor::new("d").attribute("KEEP_DELETED_CELLS", "TRUE");
        let error = gc_rule_of(&deleted).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(
            error.to_string().contains("family d: Bigtable has no KEEP_DELETED_CELLS TRUE"),
            "{error}"
        );
        assert!(gc_rule_of(&FamilyDescriptor::new("d").attribute(TTL, "soon")).is_err());
        let odd = both([age(1), age(2)]);
        assert_eq!(family_descriptor("d", Some(&odd)).unwrap_err().kind(), ErrorKind::Unsupported);
        assert_eq!(
            family_limit("d", Some(&odd)),
            FamilyLimit { name: "d".into(), versions: None, max_age: None }
        );
    }
}
