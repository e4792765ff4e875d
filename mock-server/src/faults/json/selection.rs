//! Which calls or connections a fault or change is for, as JSON: the fields `on`, `table`,
//! `server`, `nth`, `times`, `chance`.

use serde_json::{Map, Value, json};

use crate::base::{Fields, JsonResult};
use crate::faults::call::check_method;
use crate::faults::fault::{CallFilter, Schedule};
use crate::state::Role;

/// The value of `on` for connections.
const CONNECT: &str = "connect";

/// What a fault is for.
#[derive(Debug)]
pub(super) enum Selection {
    /// Calls.
    Calls(CallFilter),
    /// Connections.
    Connections(Schedule),
}

impl Selection {
    /// Reads calls or connections.
    pub(super) fn read(fields: &mut Fields) -> JsonResult<Self> {
        let expected = "the name of a method, or \"connect\"";
        let on = fields.required_text("on", expected)?;
        match on == CONNECT {
            true => Ok(Self::Connections(read_schedule(fields, true)?)),
            false => Ok(Self::Calls(read_filter(fields, on, expected)?)),
        }
    }
}

/// Reads calls.
pub(super) fn read_calls(fields: &mut Fields) -> JsonResult<CallFilter> {
    let expected = "the name of a method";
    let on = fields.required_text("on", expected)?;
    read_filter(fields, on, expected)
}

fn read_filter(fields: &mut Fields, method: String, expected: &str) -> JsonResult<CallFilter> {
    if let Err(similar) = check_method(&method) {
        let expected = format!("{expected}; similar names: {similar}");
        return Err(fields.unexpected("on", &Value::String(method), expected));
    }
    let table = fields.text("table")?;
    let table = table.map(|name| name.strip_prefix("default:").unwrap_or(&name).to_owned());
    Ok(CallFilter { method, table, schedule: read_schedule(fields, false)? })
}

fn read_schedule(fields: &mut Fields, of_connections: bool) -> JsonResult<Schedule> {
    let mut schedule = Schedule::always();
    if let Some(server) = fields.value("server") {
        match role(&server, of_connections) {
            Some(role) => schedule.on(role),
            None => {
                let expected = match (of_connections, cfg!(feature = "bigtable")) {
                    (true, true) => {
                        "the number of a region server, \"master\", \"zookeeper\" or \"bigtable\""
                    }
                    (true, false) => "the number of a region server, \"master\" or \"zookeeper\"",
                    (false, true) => "the number of a region server, \"master\" or \"bigtable\"",
                    (false, false) => "the number of a region server, or \"master\"",
                };
                return Err(fields.unexpected("server", &server, expected));
            }
        }
    }
    if let Some(nth) = fields.number("nth", 1..=u64::MAX)? {
        schedule.nth(nth);
    }
    if let Some(times) = fields.number("times", 1..=u64::MAX)? {
        schedule.times(times);
    }
    if let Some(chance) = fields.probability("chance")? {
        schedule.chance(chance);
    }
    Ok(schedule)
}

fn role(server: &Value, of_connections: bool) -> Option<Role> {
    match (server, server.as_str()) {
        (_, Some("master")) => Some(Role::Master),
        (_, Some("zookeeper")) if of_connections => Some(Role::ZooKeeper),
        #[cfg(feature = "bigtable")]
        (_, Some("bigtable")) => Some(Role::Bigtable),
        (number, _) => Some(Role::RegionServer(usize::try_from(number.as_u64()?).ok()?)),
    }
}

/// Shows calls.
pub(super) fn fields_of_calls(filter: &CallFilter) -> Map<String, Value> {
    let mut shown = show_schedule(&filter.schedule);
    shown.insert("on".to_owned(), json!(filter.method));
    if let Some(table) = &filter.table {
        shown.insert("table".to_owned(), json!(table));
    }
    shown
}

/// Shows connections.
pub(super) fn fields_of_connections(schedule: &Schedule) -> Map<String, Value> {
    let mut shown = show_schedule(schedule);
    shown.insert("on".to_owned(), json!(CONNECT));
    shown
}

fn show_schedule(schedule: &Schedule) -> Map<String, Value> {
    let mut shown = Map::new();
    if let Some(on) = schedule.on {
        let server = match on {
            Role::RegionServer(number) => json!(number),
            other => json!(other.to_string()),
        };
        shown.insert("server".to_owned(), server);
    }
    if schedule.nth > 1 || schedule.times == Some(1) {
        shown.insert("nth".to_owned(), json!(schedule.nth));
    }
    if let Some(times) = schedule.times.filter(|times| *times != 1) {
        shown.insert("times".to_owned(), json!(times));
    }
    if let Some(chance) = schedule.chance {
        shown.insert("chance".to_owned(), json!(chance));
    }
    shown
}
