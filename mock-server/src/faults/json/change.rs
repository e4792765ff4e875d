//! Changes as JSON: the field `change`, the fields that it needs, and `at` if it happens at a call.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::selection::read_calls;
use crate::base::{Fields, JsonResult, insert_ms, to_string_binary};
use crate::faults::change::Change;
use crate::faults::fault::{Fault, FaultKind};

/// The names of the changes.
const NAMES: &str = "move_region, stale_meta, open_slowly, split_region, merge_regions, \
                     kill_server, start_server, kill_master, start_master, \
                     set_region_replica_replication, end_scan_calls_after, split_large_regions, \
                     advance_clock";

#[cfg(feature = "bigtable")]
const NAMES_OF_BIGTABLE: &str = ", require_token";
#[cfg(not(feature = "bigtable"))]
const NAMES_OF_BIGTABLE: &str = "";

/// A change with the time when it happens.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum TimedChange {
    /// It happens now.
    Now(Change),
    /// It happens at a call.
    AtCall(Fault),
}

impl Change {
    /// Reads a change that is in this place of a document.
    pub(crate) fn from_json(value: Value, place: &str) -> JsonResult<TimedChange> {
        let mut fields = Fields::of(value, place, "a change: an object with change")?;
        let at = match fields.value("at") {
            None => None,
            Some(at) => {
                let place = fields.place_of("at");
                let mut at = Fields::of(at, &place, "a selection of calls: an object with on")?;
                let filter = read_calls(&mut at)?;
                at.finish()?;
                Some(filter)
            }
        };
        let change = read_change(&mut fields)?;
        fields.finish()?;
        Ok(match at {
            None => TimedChange::Now(change),
            Some(filter) => TimedChange::AtCall(Fault(FaultKind::Change(filter, change))),
        })
    }
}

impl Change {
    /// Shows a change as [`Change::from_json`] reads it.
    pub(crate) fn to_json(&self) -> Value {
        Value::Object(fields_of_change(self))
    }
}

fn read_change(fields: &mut Fields) -> JsonResult<Change> {
    let expected = || format!("one of {NAMES}{NAMES_OF_BIGTABLE}");
    let name = fields.required_text("change", &expected())?;
    Ok(match &name[..] {
        "move_region" => Change::MoveRegion {
            table: table(fields)?,
            row: fields.required_bytes("row")?,
            replica: fields
                .number("replica", 0..=u16::MAX.into())?
                .and_then(|replica| u16::try_from(replica).ok())
                .unwrap_or(0),
            server: server(fields)?,
        },
        "stale_meta" => Change::StaleMeta {
            table: table(fields)?,
            row: fields.required_bytes("row")?,
            server: server(fields)?,
            time: fields.duration("ms")?,
        },
        "open_slowly" => Change::OpenSlowly {
            table: table(fields)?,
            row: fields.required_bytes("row")?,
            time: fields.required_duration("ms")?,
        },
        "split_region" => {
            Change::SplitRegion { table: table(fields)?, at: fields.required_bytes("row")? }
        }
        "merge_regions" => {
            Change::MergeRegions { table: table(fields)?, row: fields.required_bytes("row")? }
        }
        "kill_server" => Change::KillServer { server: server(fields)? },
        "start_server" => Change::StartServer,
        "kill_master" => Change::KillMaster,
        "start_master" => Change::StartMaster,
        "set_region_replica_replication" => {
            Change::SetRegionReplicaReplication { enabled: fields.required_flag("enabled")? }
        }
        "end_scan_calls_after" => {
            Change::EndScanCallsAfter { rows: fields.required_number("rows", 0..=u64::MAX)? }
        }
        "split_large_regions" => {
            Change::SplitLargeRegions { max_filesize: fields.number("max_filesize", 1..=u64::MAX)? }
        }
        "advance_clock" => {
            // The clock itself refuses what is too much.
            let ms = fields.required_number("ms", 0..=u64::MAX)?;
            Change::AdvanceClock { time: Duration::from_millis(ms) }
        }
        #[cfg(feature = "bigtable")]
        "require_token" => Change::RequireToken { token: fields.text("token")? },
        _ => return Err(fields.unexpected("change", &Value::String(name), expected())),
    })
}

fn table(fields: &mut Fields) -> JsonResult<String> {
    fields.required_text("table", "the name of a table")
}

fn server(fields: &mut Fields) -> JsonResult<usize> {
    let number = fields.required_number("server", 0..=u32::MAX.into())?;
    Ok(usize::try_from(number).unwrap_or(usize::MAX))
}

/// Shows a change.
pub(super) fn fields_of_change(change: &Change) -> Map<String, Value> {
    let mut shown = Map::new();
    let mut insert = |name: &str, value: Value| drop(shown.insert(name.to_owned(), value));
    let row_text = |row: &[u8]| json!(to_string_binary(row));
    let mut ms = None;
    let name = match change {
        Change::MoveRegion { table, row, replica, server } => {
            insert("table", json!(table));
            insert("row", row_text(row));
            if *replica > 0 {
                insert("replica", json!(replica));
            }
            insert("server", json!(server));
            "move_region"
        }
        Change::StaleMeta { table, row, server, time } => {
            insert("table", json!(table));
            insert("row", row_text(row));
            insert("server", json!(server));
            ms = *time;
            "stale_meta"
        }
        Change::OpenSlowly { table, row, time } => {
            insert("table", json!(table));
            insert("row", row_text(row));
            ms = Some(*time);
            "open_slowly"
        }
        Change::SplitRegion { table, at } => {
            insert("table", json!(table));
            insert("row", row_text(at));
            "split_region"
        }
        Change::MergeRegions { table, row } => {
            insert("table", json!(table));
            insert("row", row_text(row));
            "merge_regions"
        }
        Change::KillServer { server } => {
            insert("server", json!(server));
            "kill_server"
        }
        Change::StartServer => "start_server",
        Change::KillMaster => "kill_master",
        Change::StartMaster => "start_master",
        Change::SetRegionReplicaReplication { enabled } => {
            insert("enabled", json!(enabled));
            "set_region_replica_replication"
        }
        Change::EndScanCallsAfter { rows } => {
            insert("rows", json!(rows));
            "end_scan_calls_after"
        }
        Change::SplitLargeRegions { max_filesize } => {
            if let Some(bytes) = max_filesize {
                insert("max_filesize", json!(bytes));
            }
            "split_large_regions"
        }
        Change::AdvanceClock { time } => {
            ms = Some(*time);
            "advance_clock"
        }
        #[cfg(feature = "bigtable")]
        Change::RequireToken { token } => {
            if let Some(token) = token {
                insert("token", json!(token));
            }
            "require_token"
        }
    };
    insert("change", json!(name));
    if let Some(time) = ms {
        insert_ms(&mut shown, "ms", time);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_is_read_and_shown_now_and_at_a_call() {
        let region = |change: &str| json!({"change": change, "table": "t", "row": "a\\x00"});
        let with = |mut value: Value, name: &str, of: Value| {
            value[name] = of;
            value
        };
        let all = [
            with(region("move_region"), "server", json!(1)),
            with(with(region("move_region"), "server", json!(1)), "replica", json!(2)),
            with(region("stale_meta"), "server", json!(0)),
            with(with(region("stale_meta"), "server", json!(0)), "ms", json!(500)),
            with(region("open_slowly"), "ms", json!(500)),
            region("split_region"),
            region("merge_regions"),
            json!({"change": "kill_server", "server": 1}),
            json!({"change": "start_server"}),
            json!({"change": "kill_master"}),
            json!({"change": "start_master"}),
            json!({"change": "set_region_replica_replication", "enabled": true}),
            json!({"change": "end_scan_calls_after", "rows": 10}),
            json!({"change": "split_large_regions", "max_filesize": 1000}),
            json!({"change": "split_large_regions"}),
            json!({"change": "advance_clock", "ms": 60000}),
            #[cfg(feature = "bigtable")]
            json!({"change": "require_token", "token": "x"}),
            #[cfg(feature = "bigtable")]
            json!({"change": "require_token"}),
        ];
        for value in all {
            let TimedChange::Now(change) = Change::from_json(value.clone(), "").unwrap() else {
                panic!("{value}");
            };
            assert_eq!(Value::Object(fields_of_change(&change)), value);
            assert!(
                NAMES.contains(value["change"].as_str().unwrap())
                    || value["change"] == "require_token"
            );
            let at = with(value, "at", json!({"on": "Scan", "table": "t", "nth": 3}));
            let TimedChange::AtCall(fault) = Change::from_json(at.clone(), "").unwrap() else {
                panic!("{at}");
            };
            assert!(fault.is_change());
            assert_eq!(fault.to_json(), at);
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let error = |value: Value| Change::from_json(value, "changes[0]").unwrap_err().to_string();
        assert_eq!(
            error(json!({"change": "kill_server"})),
            "changes[0].server: missing, expected a whole number from 0 to 4294967295"
        );
        assert_eq!(
            error(json!({"change": "start_server", "at": {"on": "connect"}})),
            "changes[0].at.on: found the text \"connect\", expected the name of a method; similar \
             names: "
                .to_owned()
                + &crate::faults::call::check_method("connect").unwrap_err()
        );
        assert_eq!(
            error(json!({"change": "start_server", "at": {"on": "Get", "effect": "throw"}})),
            "changes[0].at.effect: unknown field, expected one of on, table, server, nth, times, \
             chance"
        );
        assert!(
            error(json!({"change": "move"})).contains("expected one of move_region, stale_meta")
        );
    }
}
