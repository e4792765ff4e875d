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

/// The start of the path of one fault; its number follows.
const FAULT: &str = "/faults/";

/// The paths, with what each does for each method.
const ROUTES: [(&str, &[(Method, Handler)]); 8] = [
    ("/", &[(GET, |cluster, _| Ok(html(page::page(cluster))))]),
    ("/status", &[(GET, get_status)]),
    ("/faults", &[(GET, get_faults), (POST, post_faults), (DELETE, delete_faults)]),
    ("/faults/ID", &[(DELETE, delete_fault)]),
    ("/changes", &[(GET, get_changes), (POST, post_changes)]),
    ("/scenario", &[(POST, post_scenario)]),
    ("/clock", &[(GET, |cluster, _| Ok(clock(cluster))), (POST, post_clock)]),
    ("/transcript", &[(GET, |cluster, _| Ok(text(cluster.transcript())))]),
];

/// Answers a request.
pub(super) fn answer(cluster: &MockCluster, call: &Call<'_>) -> Response<Full<Bytes>> {
    let route = if call.path.starts_with(FAULT) { "/faults/ID" } else { call.path };
    let Some((_, methods)) = ROUTES.iter().find(|(path, _)| *path == route) else {
        let paths: Vec<_> = ROUTES.iter().map(|(path, _)| *path).collect();
        let text = format!("no such path {}, expected one of {}", call.path, paths.join(", "));
        return failure(StatusCode::NOT_FOUND, &text);
    };
    let Some((_, handler)) = methods.iter().find(|(method, _)| method == call.method) else {
        let allowed: Vec<_> = methods.iter().map(|(method, _)| method.as_str()).collect();
        let allowed = allowed.join(", ");
        let text = format!("{} is not for {}, expected {allowed}", call.path, call.method);
        let mut response = failure(StatusCode::METHOD_NOT_ALLOWED, &text);
        if let Ok(allowed) = HeaderValue::from_str(&allowed) {
            response.headers_mut().insert(header::ALLOW, allowed);
        }
        return response;
    };
    match handler(cluster, call) {
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
    let id = call.path.strip_prefix(FAULT).unwrap_or_default();
    let removed = id.parse().is_ok_and(|id| cluster.remove_fault(id));
    match removed {
        true => Ok(json_answer(&json!({"removed": 1}))),
        false => Err(Refusal::Absent(format!(
            "there is no fault or planned change {id}; GET /faults and GET /changes name the ids"
        ))),
    }
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
