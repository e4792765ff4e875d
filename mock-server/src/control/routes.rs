//! What the control port does for each path and method.

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Method, Response, StatusCode, header};
use http_body_util::Full;
use serde_json::{Value, json};

use super::scenario::{Scenario, changes_of, faults_of};
use super::{page, status};
use crate::base::{Fields, JsonError, JsonResult};
use crate::faults::TimedChange;
use crate::mock_cluster::MockCluster;

/// A request, without what does not matter here.
#[derive(Debug)]
pub(super) struct Call<'a> {
    /// The method.
    pub(super) method: &'a Method,
    /// The path.
    pub(super) path: &'a str,
    /// Whether the client prefers a page to JSON.
    pub(super) wants_html: bool,
    /// The body.
    pub(super) body: &'a [u8],
}

/// Why a request is refused.
#[derive(Debug)]
enum Refusal {
    /// The body cannot be read, or is not what is expected.
    Malformed(String),
    /// What the path names does not exist.
    Absent(String),
    /// The change that is asked for is not possible.
    Impossible(String),
}

impl From<JsonError> for Refusal {
    fn from(error: JsonError) -> Self {
        Self::Malformed(error.to_string())
    }
}

type Answer = Result<Response<Full<Bytes>>, Refusal>;

/// What answers the requests with one method and one path.
type Handler = fn(&MockCluster, &Call<'_>) -> Answer;

const GET: Method = Method::GET;
const POST: Method = Method::POST;
const DELETE: Method = Method::DELETE;

/// The largest number of injected faults, planned changes included.
const FAULTS: usize = 10_000;

/// The paths, with what each does for each method.
const ROUTES: [(&str, &[(Method, Handler)]); 10] = [
    ("/", &[(GET, |cluster, _| Ok(html(page::page(cluster))))]),
    ("/status", &[(GET, get_status)]),
    ("/faults", &[(GET, get_faults), (POST, post_faults), (DELETE, delete_faults)]),
    (FAULT, &[(DELETE, delete_fault)]),
    ("/changes", &[(GET, get_changes), (POST, post_changes)]),
    ("/scenario", &[(POST, post_scenario)]),
    ("/clock", &[(GET, |cluster, _| Ok(clock(cluster))), (POST, post_clock)]),
    ("/transcript", &[(GET, |cluster, _| Ok(text(cluster.transcript())))]),
    (TABLES, &[(GET, |cluster, _| Ok(text(cluster.dump_tables()))), (POST, post_tables)]),
    (TABLE, &[(GET, get_table)]),
];

/// The path of one fault; its number is the last part.
const FAULT: &str = "/faults/ID";

/// The path of all tables.
const TABLES: &str = "/tables";

/// The path of one table; its name is the last part.
const TABLE: &str = "/tables/NAME";

/// The largest body of a request that loads tables.
const TABLE_BYTES: usize = 256 << 20;

/// The largest body of any other request.
const BODY_BYTES: usize = 1 << 20;

/// Returns the largest body of a request with this path.
pub(super) fn body_limit(path: &str) -> usize {
    if path == TABLES { TABLE_BYTES } else { BODY_BYTES }
}

/// Whether a path is that of a route.
fn is_path_of(route: &str, path: &str) -> bool {
    route == path || ([FAULT, TABLE].contains(&route) && last_part(route, path).is_some())
}

/// Returns the last part of a path that is otherwise equal to the route, whose last part is a name
/// in capitals that stands for any text.
fn last_part<'a>(route: &str, path: &'a str) -> Option<&'a str> {
    let (before, _) = route.rsplit_once('/')?;
    let part = path.strip_prefix(before)?.strip_prefix('/')?;
    Some(part).filter(|part| !part.is_empty() && !part.contains('/'))
}

/// Answers a request.
pub(super) fn answer(cluster: &MockCluster, call: &Call<'_>) -> Response<Full<Bytes>> {
    let Some((_, methods)) = ROUTES.iter().find(|(path, _)| is_path_of(path, call.path)) else {
        let paths: Vec<_> = ROUTES.iter().map(|(path, _)| *path).collect();
        let text = format!("no such path {}, expected one of {}", call.path, paths.join(", "));
        return failure(StatusCode::NOT_FOUND, &text);
    };
    // What waits for a server often asks by HEAD; the answer is that to GET, without its body.
    let wanted = if *call.method == Method::HEAD { &GET } else { call.method };
    let Some((_, handler)) = methods.iter().find(|(method, _)| method == wanted) else {
        let allowed: Vec<_> = methods.iter().map(|(method, _)| method.as_str()).collect();
        let allowed = allowed.join(", ");
        let text = format!("{} is not for {}, expected {allowed}", call.path, call.method);
        let mut response = failure(StatusCode::METHOD_NOT_ALLOWED, &text);
        if let Ok(allowed) = HeaderValue::from_str(&allowed) {
            response.headers_mut().insert(header::ALLOW, allowed);
        }
        return response;
    };
    let answer = handler(cluster, call);
    if let Some(error) = cluster.cluster().data_failure() {
        let text = format!("the mock cannot keep its data: {error}");
        return failure(StatusCode::SERVICE_UNAVAILABLE, &text);
    }
    match answer {
        Ok(response) => response,
        Err(Refusal::Malformed(text)) => failure(StatusCode::BAD_REQUEST, &text),
        Err(Refusal::Absent(text)) => failure(StatusCode::NOT_FOUND, &text),
        Err(Refusal::Impossible(text)) => failure(StatusCode::CONFLICT, &text),
    }
}

fn get_status(cluster: &MockCluster, call: &Call<'_>) -> Answer {
    Ok(match call.wants_html {
        true => html(page::page(cluster)),
        false => json_answer(&status::status(cluster)),
    })
}

fn get_faults(cluster: &MockCluster, _: &Call<'_>) -> Answer {
    Ok(json_answer(&status::faults(cluster)))
}

fn post_faults(cluster: &MockCluster, call: &Call<'_>) -> Answer {
    let faults = faults_of(json_of(call)?, "")?;
    check_room(cluster, faults.len())?;
    let ids: Vec<u64> = faults.into_iter().map(|fault| cluster.inject_numbered(fault)).collect();
    Ok(json_answer(&json!({"injected": ids.len(), "ids": ids})))
}

fn delete_faults(cluster: &MockCluster, _: &Call<'_>) -> Answer {
    let count = cluster.injected_faults().len();
    cluster.clear_faults();
    Ok(json_answer(&json!({"removed": count})))
}

/// Removes the fault or planned change that the path names.
fn delete_fault(cluster: &MockCluster, call: &Call<'_>) -> Answer {
    let id = last_part(FAULT, call.path).unwrap_or_default();
    let removed = id.parse().is_ok_and(|id| cluster.remove_fault(id));
    match removed {
        true => Ok(json_answer(&json!({"removed": 1}))),
        false => Err(Refusal::Absent(format!(
            "there is no fault or planned change {id}; GET /faults and GET /changes name the ids"
        ))),
    }
}

fn post_tables(cluster: &MockCluster, call: &Call<'_>) -> Answer {
    let text = std::str::from_utf8(call.body)
        .map_err(|error| Refusal::Malformed(format!("the body is not UTF-8: {error}")))?;
    let loaded =
        cluster.load_tables(text).map_err(|error| Refusal::Malformed(error.to_string()))?;
    Ok(json_answer(&json!({"loaded": loaded})))
}

fn get_table(cluster: &MockCluster, call: &Call<'_>) -> Answer {
    let name = percent_decoded(last_part(TABLE, call.path).unwrap_or_default());
    let dump = cluster.dump_table(&name);
    Ok(text(dump.map_err(|error| Refusal::Absent(error.to_string()))?))
}

/// Decodes `%3A` and the like; a percent sign without two digits stands for itself.
fn percent_decoded(text: &str) -> String {
    let mut parts = text.split('%');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let digits = part.get(..2).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                bytes.extend_from_slice(part.get(2..).unwrap_or_default().as_bytes());
            }
            None => {
                bytes.push(b'%');
                bytes.extend_from_slice(part.as_bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn get_changes(cluster: &MockCluster, _: &Call<'_>) -> Answer {
    Ok(json_answer(&status::changes(cluster)))
}

fn post_changes(cluster: &MockCluster, call: &Call<'_>) -> Answer {
    let changes = changes_of(json_of(call)?, "")?;
    check_room(cluster, changes.len())?;
    let (mut applied, mut planned) = (0, Vec::new());
    for change in changes {
        match change {
            TimedChange::AtCall(fault) => {
                planned.push(cluster.inject_numbered(fault));
            }
            TimedChange::Now(change) => {
                cluster.apply(&change).map_err(|error| {
                    let count = planned.len();
                    let done = format!("; before it, {applied} were made, and {count} planned");
                    Refusal::Impossible(format!("{error}{done}"))
                })?;
                applied += 1;
            }
        }
    }
    let count = planned.len();
    Ok(json_answer(&json!({"applied": applied, "planned": count, "ids": planned})))
}

fn post_scenario(cluster: &MockCluster, call: &Call<'_>) -> Answer {
    let scenario = Scenario::from_value(json_of(call)?)?;
    check_room(cluster, scenario.fault_count())?;
    cluster.play(&scenario).map_err(|error| Refusal::Impossible(error.to_string()))?;
    let (injected, applied) = (scenario.fault_count(), scenario.change_count());
    Ok(json_answer(&json!({"injected": injected, "applied": applied})))
}

fn post_clock(cluster: &MockCluster, call: &Call<'_>) -> Answer {
    let mut fields = Fields::of(json_of(call)?, "", "an object with advance_ms")?;
    let by = fields.required_number("advance_ms", 0..=u64::MAX)?;
    fields.finish()?;
    cluster
        .advance_clock(Duration::from_millis(by))
        .map_err(|error| Refusal::Impossible(error.to_string()))?;
    Ok(clock(cluster))
}

fn clock(cluster: &MockCluster) -> Response<Full<Bytes>> {
    json_answer(&json!({"ms": cluster.clock_ms()}))
}

/// Refuses more faults than a cluster should have.
fn check_room(cluster: &MockCluster, more: usize) -> Result<(), Refusal> {
    let present = cluster.injected_faults().len();
    match present + more <= FAULTS {
        true => Ok(()),
        false => Err(Refusal::Impossible(format!(
            "there are {present} faults and planned changes, and with these {more} there would be \
             more than {FAULTS}; DELETE /faults removes them"
        ))),
    }
}

/// Reads the body as JSON.
fn json_of(call: &Call<'_>) -> JsonResult<Value> {
    serde_json::from_slice(call.body)
        .map_err(|error| JsonError::new("", format_args!("the body is not JSON: {error}")))
}

fn json_answer(value: &Value) -> Response<Full<Bytes>> {
    respond(StatusCode::OK, "application/json", format!("{value:#}\n"))
}

fn html(page: String) -> Response<Full<Bytes>> {
    respond(StatusCode::OK, "text/html; charset=utf-8", page)
}

fn text(text: String) -> Response<Full<Bytes>> {
    respond(StatusCode::OK, "text/plain; charset=utf-8", text)
}

/// Makes the answer to a request that is refused.
pub(super) fn failure(status: StatusCode, text: &str) -> Response<Full<Bytes>> {
    respond(status, "application/json", format!("{:#}\n", json!({"error": text})))
}

fn respond(status: StatusCode, kind: &'static str, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
