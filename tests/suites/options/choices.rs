//! Every option of a table's handle and of a call, and how a server sees it.

use std::time::Duration;

use tallrow::op::{CallOptions, Consistency, Durability, IsolationLevel};
use tallrow::{DeliveryGuarantee, RawTable, Timestamp, TypedTable};

use super::seen::{Does, Seen};
use super::verbs::Item;

/// A time that nothing else has.
pub(crate) const TIME: u64 = 1_234_567;
pub(crate) const TIMEOUT: Duration = Duration::from_millis(2_345);
const TTL: Duration = Duration::from_millis(987_654_321);

/// An option, named after the function that sets it.
pub(crate) struct Choice<T> {
    pub(crate) name: &'static str,
    pub(crate) set: T,
    /// Whether an operation has it, or is none that should.
    pub(crate) arrived: fn(&Seen) -> bool,
    /// The verbs that it is not for, and why.
    pub(crate) except: &'static [(&'static str, &'static str)],
}

fn priority(seen: &Seen) -> bool {
    seen.priority == 7
}

fn timeout(seen: &Seen) -> bool {
    (1..=2_345).contains(&seen.timeout)
}

fn written_or(seen: &Seen, has: bool) -> bool {
    !seen.writes() || has
}

fn read_or(seen: &Seen, has: bool) -> bool {
    seen.writes() || has
}

fn dated(seen: &Seen) -> bool {
    matches!(seen.does, Does::Read | Does::Add) || seen.times.iter().all(Option::is_some)
}

const WITH_ADDITIONS: &str = "a step with additions is sent once, as a repeated one could be torn";
const AS_IT_IS: &str = "a row is moved as it is, with its times";

/// Sets an option of something.
type Set<T> = fn(T) -> T;

/// What `CallOptions` has.
pub(crate) const OF_CALLS: &[Choice<Set<CallOptions>>] = &[
    Choice { name: "timeout", set: |o| o.timeout(TIMEOUT), arrived: timeout, except: &[] },
    Choice {
        name: "attempt_timeout",
        set: |o| o.attempt_timeout(TIMEOUT),
        arrived: timeout,
        except: &[],
    },
    Choice { name: "priority", set: |o| o.priority(7), arrived: priority, except: &[] },
    Choice {
        name: "attribute",
        set: |o| o.attribute("walk", "on"),
        arrived: |seen| seen.has("walk", b"on"),
        except: &[],
    },
    Choice {
        name: "operation_id",
        set: |o| o.operation_id("walk"),
        arrived: |seen| seen.has("_operation.attributes.id", b"walk"),
        except: &[],
    },
    Choice {
        name: "durability",
        set: |o| o.durability(Durability::AsyncWal),
        // `ASYNC_WAL`
        arrived: |seen| written_or(seen, seen.durability == Some(2)),
        except: &[],
    },
    Choice {
        name: "visibility",
        set: |o| o.visibility("a"),
        arrived: |seen| written_or(seen, seen.has("VISIBILITY", b"\x0a\x01a")),
        except: &[],
    },
    Choice {
        name: "authorizations",
        set: |o| o.authorizations(["b"]),
        arrived: |seen| read_or(seen, seen.has("VISIBILITY", b"\x0a\x01b")),
        except: &[],
    },
    Choice {
        name: "isolation",
        set: |o| o.isolation(IsolationLevel::ReadUncommitted),
        arrived: |seen| read_or(seen, seen.has("_isolationlevel_", &[1])),
        except: &[],
    },
    Choice {
        name: "consistency",
        set: |o| o.consistency(Consistency::Timeline),
        // `TIMELINE`
        arrived: |seen| read_or(seen, seen.consistency == Some(1)),
        except: &[],
    },
    Choice {
        name: "replica",
        set: |o| o.replica(1),
        arrived: |seen| read_or(seen, seen.consistency == Some(1)),
        except: &[],
    },
];

/// What a raw table has besides these.
pub(crate) const OF_RAW: &[Choice<Set<RawTable>>] = &[
    Choice {
        name: "with_timeout",
        set: |t| t.with_timeout(TIMEOUT),
        arrived: timeout,
        except: &[],
    },
    Choice {
        name: "with_delivery",
        set: |t| t.with_delivery(DeliveryGuarantee::Idempotent),
        arrived: dated,
        except: &[],
    },
];

/// What a typed table has besides these.
pub(crate) const OF_TYPED: &[Choice<Set<TypedTable<Item>>>] = &[
    Choice {
        name: "with_timeout",
        set: |t| t.with_timeout(TIMEOUT),
        arrived: timeout,
        except: &[],
    },
    Choice {
        name: "with_delivery",
        set: |t| t.with_delivery(DeliveryGuarantee::Idempotent),
        arrived: dated,
        except: &[("update in every way", WITH_ADDITIONS)],
    },
    Choice {
        name: "with_timestamp",
        set: |t| t.with_timestamp(Timestamp::from_millis(TIME)),
        arrived: |seen| match seen.does {
            Does::Read | Does::Add => true,
            Does::Put | Does::Delete => seen.times.iter().all(|time| *time == Some(TIME)),
        },
        except: &[("move_row", AS_IT_IS)],
    },
    Choice {
        name: "with_ttl",
        set: |t| t.with_ttl(TTL),
        arrived: |seen| match seen.does {
            Does::Read | Does::Delete => true,
            Does::Put | Does::Add => seen.has("_ttl", &987_654_321_u64.to_be_bytes()),
        },
        except: &[("move_row", AS_IT_IS)],
    },
    Choice {
        name: "as_of",
        set: |t| t.as_of(Timestamp::from_millis(TIME)),
        arrived: |seen| read_or(seen, seen.until == Some(TIME + 1)),
        except: &[("move_row", AS_IT_IS)],
    },
];
