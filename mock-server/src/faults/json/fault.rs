//! Faults as JSON: which calls or connections they are for, and the field `effect` with the fields
//! that it needs.

use bytes::Bytes;
use serde_json::{Map, Value, json};

use super::change::fields_of_change;
use super::selection::{Selection, fields_of_calls, fields_of_connections};
use crate::base::{Fields, JsonError, JsonResult, insert_ms, remote_exception, to_string_binary};
#[cfg(feature = "bigtable")]
use crate::bigtable::{StatusCode, retry_delay};
use crate::faults::call::CallFaultBuilder;
#[cfg(feature = "bigtable")]
use crate::faults::call::is_of_bigtable;
use crate::faults::connection::ConnectionFaultBuilder;
use crate::faults::effect::{ConnectionEffect, Effect, HUGE_FRAME};
#[cfg(feature = "bigtable")]
use crate::faults::effect::{Failure, GrpcEffect};
use crate::faults::fault::{Fault, FaultKind};

/// The effects on calls.
const ON_CALLS: &str = "throw, not_serving, delay_in_queue, pause_handler, limit_call_queue, \
                        drop_request, drop_reply, close_before, close_after, truncate_reply, \
                        trickle, garbage, huge_frame, wrong_call_id";

/// The effects on calls of Bigtable's services alone.
#[cfg(feature = "bigtable")]
const ON_BIGTABLE: &str = "fail, fail_with_retry_info, fail_with_cookie, fail_after, \
                           fail_midway, reset_stream, torn_row, rows_out_of_order, missing_entry";

/// The effects on connections.
const ON_CONNECTIONS: &str = "never_reply, close, trickle, garbage, huge_frame, unsolicited_reply";

/// The maximum number of calls in a queue.
const QUEUED_CALLS: u64 = 1_000_000;

impl Fault {
    /// Reads a fault that is in this place of a document.
    pub(crate) fn from_json(value: Value, place: &str) -> JsonResult<Self> {
        let mut fields = Fields::of(value, place, "a fault: an object with on and effect")?;
        let fault = match Selection::read(&mut fields)? {
            Selection::Calls(filter) => of_calls(CallFaultBuilder(filter), &mut fields)?,
            Selection::Connections(schedule) => {
                of_connections(ConnectionFaultBuilder(schedule), &mut fields)?
            }
        };
        fields.finish()?;
        Ok(fault)
    }

    /// Whether this is a change at a call.
    pub(crate) fn is_change(&self) -> bool {
        matches!(self.0, FaultKind::Change(..))
    }

    /// Shows a fault as [`Fault::from_json`] reads it. A change at a call is shown as
    /// [`Change::from_json`](crate::Change::from_json) reads it.
    pub(crate) fn to_json(&self) -> Value {
        let shown = match &self.0 {
            FaultKind::Change(filter, change) => {
                let mut shown = fields_of_change(change);
                shown.insert("at".to_owned(), Value::Object(fields_of_calls(filter)));
                return Value::Object(shown);
            }
            FaultKind::Call(filter, effect) => {
                let mut shown = fields_of_calls(filter);
                shown.insert("effect".to_owned(), json!(effect.name()));
                show_arguments(effect, &mut shown);
                shown
            }
            FaultKind::Connection(schedule, effect) => {
                let mut shown = fields_of_connections(schedule);
                shown.insert("effect".to_owned(), json!(effect.name()));
                match effect {
                    ConnectionEffect::Trickle(pause) => insert_ms(&mut shown, "ms", *pause),
                    ConnectionEffect::Write(bytes) if effect.name() == "garbage" => {
                        shown.insert("bytes".to_owned(), json!(to_string_binary(bytes)));
                    }
                    ConnectionEffect::Write(_) | ConnectionEffect::Close => {}
                }
                shown
            }
        };
        Value::Object(shown)
    }
}

fn of_calls(calls: CallFaultBuilder, fields: &mut Fields) -> JsonResult<Fault> {
    let effect = fields.required_text("effect", &expected_on_calls())?;
    Ok(match &effect[..] {
        "throw" => {
            let class = fields.required_text("class", "the name of a Java class")?;
            let message = fields.text("message")?.unwrap_or_default();
            match fields.flag("do_not_retry")? {
                None => calls.throw(&class, &message),
                Some(do_not_retry) => calls.throw_with_do_not_retry(&class, &message, do_not_retry),
            }
        }
        "not_serving" => calls.not_serving(),
        "delay_in_queue" => calls.delay_in_queue(fields.required_duration("ms")?),
        "pause_handler" => calls.pause_handler(fields.required_duration("ms")?),
        "limit_call_queue" => {
            let limit = fields.required_number("calls", 0..=QUEUED_CALLS)?;
            let each = fields.required_duration("each_ms")?;
            calls.limit_call_queue(usize::try_from(limit).unwrap_or(usize::MAX), each)
        }
        "drop_request" => calls.drop_request(),
        "drop_reply" => calls.drop_reply(),
        "close_before" => calls.close_before(),
        "close_after" => calls.close_after(),
        "truncate_reply" => calls.truncate_reply(),
        "trickle" => calls.trickle(fields.required_duration("ms")?),
        "garbage" => calls.garbage(fields.required_bytes("bytes")?),
        "huge_frame" => calls.huge_frame(),
        "wrong_call_id" => calls.wrong_call_id(),
        #[cfg(feature = "bigtable")]
        other if ON_BIGTABLE.split(", ").any(|name| name == other) => {
            // HBase's protocol has nothing like these: the fault would count as fired, and do
            // nothing.
            if !is_of_bigtable(&calls.0.method) {
                let expected =
                    format!("one of {ON_CALLS}, because {} is a method of HBase", calls.0.method);
                return Err(fields.unexpected("effect", &Value::String(effect), expected));
            }
            of_bigtable(calls, other, fields)?
        }
        _ => {
            let found = Value::String(effect);
            return Err(fields.unexpected("effect", &found, expected_on_calls()));
        }
    })
}

/// Says which effects calls can have.
fn expected_on_calls() -> String {
    #[cfg(feature = "bigtable")]
    return format!("one of {ON_CALLS}, and of Bigtable's calls {ON_BIGTABLE}");
    #[cfg(not(feature = "bigtable"))]
    return format!("one of {ON_CALLS}");
}

/// Reads an effect that only calls of Bigtable's services can have.
#[cfg(feature = "bigtable")]
fn of_bigtable(calls: CallFaultBuilder, effect: &str, fields: &mut Fields) -> JsonResult<Fault> {
    match effect {
        "reset_stream" => return Ok(calls.reset_stream()),
        "torn_row" => return Ok(calls.torn_row()),
        "rows_out_of_order" => return Ok(calls.rows_out_of_order()),
        "missing_entry" => return Ok(calls.missing_entry()),
        _ => {}
    }
    let code = status_code(fields)?;
    let message = fields.text("message")?.unwrap_or_default();
    Ok(match effect {
        "fail_with_retry_info" => {
            calls.fail_with_retry_info(code, &message, fields.required_duration("ms")?)
        }
        "fail_with_cookie" => {
            let name = fields.required_text("name", "the name of a header")?;
            if http::HeaderName::from_bytes(name.as_bytes()).is_err() {
                return Err(fields.unexpected(
                    "name",
                    &Value::String(name),
                    "the name of a header",
                ));
            }
            let value = fields.required_text("value", "the value of a header")?;
            if http::HeaderValue::from_str(&value).is_err() {
                let expected = "the value of a header";
                return Err(fields.unexpected("value", &Value::String(value), expected));
            }
            calls.fail_with_cookie(code, &message, &name, &value)
        }
        "fail_after" => calls.fail_after(code, &message),
        "fail_midway" => calls.fail_midway(code, &message),
        _ => calls.fail(code, &message),
    })
}

/// Reads a code of gRPC by its name.
#[cfg(feature = "bigtable")]
fn status_code(fields: &mut Fields) -> JsonResult<StatusCode> {
    let names: Vec<_> = StatusCode::NAMES.iter().map(|(name, _)| *name).collect();
    let expected = format!("one of {}", names.join(", "));
    let found = fields.required_text("code", &expected)?;
    match StatusCode::NAMES.iter().find(|(name, _)| *name == found) {
        Some((_, code)) => Ok(*code),
        None => Err(fields.unexpected("code", &Value::String(found), expected)),
    }
}

fn of_connections(connections: ConnectionFaultBuilder, fields: &mut Fields) -> JsonResult<Fault> {
    let expected = || format!("one of {ON_CONNECTIONS}");
    let effect = fields.required_text("effect", &expected())?;
    Ok(match &effect[..] {
        "never_reply" => connections.never_reply(),
        "close" => connections.close(),
        "trickle" => connections.trickle(fields.required_duration("ms")?),
        "garbage" => connections.garbage(fields.required_bytes("bytes")?),
        "huge_frame" => connections.huge_frame(),
        "unsolicited_reply" => connections.unsolicited_reply(),
        _ => {
            let place = fields.place_of("effect");
            return Err(JsonError::unexpected(&place, &Value::String(effect), expected()));
        }
    })
}

/// Shows what an effect on calls needs.
fn show_arguments(effect: &Effect, shown: &mut Map<String, Value>) {
    match effect {
        Effect::Throw(exception) => {
            shown.insert("class".to_owned(), json!(exception.class));
            shown.insert("message".to_owned(), json!(exception.message));
            let implied = remote_exception(&exception.class, "").do_not_retry;
            if exception.do_not_retry != implied {
                shown.insert("do_not_retry".to_owned(), json!(exception.do_not_retry));
            }
        }
        Effect::DelayInQueue(time) | Effect::PauseHandler(time) | Effect::Trickle(time) => {
            insert_ms(shown, "ms", *time);
        }
        Effect::LimitCallQueue { capacity, time_per_call } => {
            shown.insert("calls".to_owned(), json!(capacity));
            insert_ms(shown, "each_ms", *time_per_call);
        }
        Effect::Garbage(bytes) => show_garbage(bytes, shown),
        #[cfg(feature = "bigtable")]
        Effect::Grpc(
            GrpcEffect::Fail(failure)
            | GrpcEffect::FailAfter(failure)
            | GrpcEffect::FailMidway(failure),
        ) => show_failure(failure, shown),
        _ => {}
    }
}

fn show_garbage(bytes: &Bytes, shown: &mut Map<String, Value>) {
    if *bytes != HUGE_FRAME {
        shown.insert("bytes".to_owned(), json!(to_string_binary(bytes)));
    }
}

#[cfg(feature = "bigtable")]
fn show_failure(failure: &Failure, shown: &mut Map<String, Value>) {
    shown.insert("code".to_owned(), json!(StatusCode::name_of(failure.status.code)));
    shown.insert("message".to_owned(), json!(failure.status.message));
    if let Some(delay) = failure.status.details.first().and_then(retry_delay) {
        insert_ms(shown, "ms", delay);
    }
    if let Some((name, value)) = &failure.cookie {
        shown.insert("name".to_owned(), json!(name));
        shown.insert("value".to_owned(), json!(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::call::check_method;

    /// Reads a fault, and shows it again.
    fn round(value: &Value) -> Result<Value, String> {
        let fault = Fault::from_json(value.clone(), "").map_err(|e| e.to_string())?;
        let shown = fault.to_json();
        assert_eq!(Fault::from_json(shown.clone(), "").unwrap(), fault);
        Ok(shown)
    }

    #[test]
    fn every_effect_on_calls_is_read_and_shown() {
        let arguments = |effect: &str| match effect {
            "throw" => {
                json!({"class": "java.io.IOException", "message": "m", "do_not_retry": true})
            }
            "delay_in_queue" | "pause_handler" | "trickle" => json!({"ms": 7}),
            "limit_call_queue" => json!({"calls": 10, "each_ms": 5}),
            "garbage" => json!({"bytes": "\\x00\\x00a\\x5C"}),
            "fail" | "fail_after" | "fail_midway" => json!({"code": "ABORTED", "message": "m"}),
            "fail_with_retry_info" => json!({"code": "UNAVAILABLE", "message": "m", "ms": 2000}),
            "fail_with_cookie" => json!({
                "code": "UNAVAILABLE", "message": "m", "name": "x-goog-cbt-cookie-a", "value": "1",
            }),
            _ => json!({}),
        };
        let all =
            expected_on_calls().replace("one of ", "").replace("and of Bigtable's calls ", "");
        let mut seen = 0;
        for effect in all.split(", ") {
            let on =
                if ON_CALLS.split(", ").any(|name| name == effect) { "Get" } else { "ReadRows" };
            let mut value = json!({"on": on, "table": "ns:t", "nth": 3, "effect": effect});
            let fields = value.as_object_mut().unwrap();
            fields.extend(arguments(effect).as_object().unwrap().clone());
            assert_eq!(round(&value).as_ref(), Ok(&value));
            seen += 1;
        }
        assert_eq!(seen, if cfg!(feature = "bigtable") { 23 } else { 14 });
    }

    #[test]
    fn every_effect_on_connections_is_read_and_shown() {
        for effect in ON_CONNECTIONS.split(", ") {
            let mut value = json!({"on": "connect", "server": "zookeeper", "effect": effect});
            match effect {
                "trickle" => value["ms"] = json!(3),
                "garbage" => value["bytes"] = json!("HTTP/1.1 400\\x0D"),
                _ => {}
            }
            assert_eq!(round(&value).as_ref(), Ok(&value));
        }
    }

    #[test]
    fn every_way_to_select_calls_is_read_and_shown() {
        for selection in [
            json!({}),
            json!({"server": 1}),
            json!({"server": "master"}),
            json!({"nth": 1}),
            json!({"nth": 2, "times": 2}),
            json!({"times": 5}),
            json!({"chance": 0.25}),
        ] {
            let mut value = json!({"on": "Scan", "effect": "drop_reply"});
            value.as_object_mut().unwrap().extend(selection.as_object().unwrap().clone());
            let mut shown = round(&value).unwrap();
            // The first call alone, and one call at most, from the first on, are the same.
            if value.get("nth").is_none() && value.get("times") == Some(&json!(1)) {
                shown.as_object_mut().unwrap().remove("nth");
            }
            assert_eq!(shown, value);
        }
        let one = round(&json!({"on": "Scan", "times": 1, "effect": "drop_reply"})).unwrap();
        assert_eq!(one, json!({"on": "Scan", "nth": 1, "effect": "drop_reply"}));
        let of_default = json!({"on": "Get", "table": "default:t", "effect": "drop_reply"});
        assert_eq!(round(&of_default).unwrap()["table"], "t");
    }

    #[cfg(feature = "bigtable")]
    #[test]
    fn an_effect_of_bigtable_is_not_for_a_method_of_hbase() {
        let fail = |on: &str| round(&json!({"on": on, "effect": "fail", "code": "ABORTED"}));
        let error = format!(
            "effect: found the text \"fail\", expected one of {ON_CALLS}, because Get is a method \
             of HBase"
        );
        assert_eq!(fail("Get"), Err(error));
        // Both have a method of this name.
        assert!(fail("CreateTable").is_ok() && fail("ReadRows").is_ok());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let error = |value: Value| Fault::from_json(value, "faults[1]").unwrap_err().to_string();
        assert_eq!(
            error(json!({"on": "Mutat", "effect": "drop_reply"})),
            "faults[1].on: found the text \"Mutat\", expected the name of a method, or \
             \"connect\"; similar names: "
                .to_owned()
                + &check_method("Mutat").unwrap_err()
        );
        assert_eq!(
            error(json!({"on": "Get", "server": "zookeeper", "effect": "drop_reply"})),
            match cfg!(feature = "bigtable") {
                true => {
                    "faults[1].server: found the text \"zookeeper\", expected the number of a \
                     region server, \"master\" or \"bigtable\""
                }
                false => {
                    "faults[1].server: found the text \"zookeeper\", expected the number of a \
                     region server, or \"master\""
                }
            }
        );
        assert_eq!(
            error(json!({"on": "Get", "effect": "trickle", "ms": u64::MAX})),
            "faults[1].ms: found the number 18446744073709551615, expected a whole number from 0 \
             to 31536000000"
        );
        assert_eq!(
            error(json!({"on": "Get", "effect": "drop_reply", "ms": 1})),
            "faults[1].ms: unknown field, expected one of on, table, server, nth, times, chance, \
             effect"
        );
        let unknown = error(json!({"on": "connect", "effect": "drop_reply"}));
        assert!(
            unknown.ends_with(
                "expected one of never_reply, close, trickle, garbage, \
                                   huge_frame, unsolicited_reply"
            ),
            "{unknown}"
        );
    }
}
