//! What goes with each call besides its message.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};
use prost::Message;

use crate::observe::TraceContext;
use crate::wire::bigtable::FeatureFlags;

const COOKIE: &str = "x-goog-cbt-cookie-";
const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACE_STATE: HeaderName = HeaderName::from_static("tracestate");
/// gRPC's times have at most 8 digits.
const MOST: u128 = 99_999_999;

/// The headers that all calls with these routing parameters have.
pub(super) fn of_calls(routing: &[(&str, &str)]) -> HeaderMap {
    let flags = FeatureFlags {
        reverse_scans: true,
        last_scanned_row_responses: true,
        routing_cookie: true,
        retry_info: true,
        ..Default::default()
    };
    let version = env!("CARGO_PKG_VERSION");
    let mut headers = HeaderMap::with_capacity(16);
    let mut add = |name: &'static str, text: String| {
        if let Ok(value) = HeaderValue::try_from(text) {
            headers.insert(name, value);
        }
    };
    add("te", "trailers".to_owned());
    add("content-type", "application/grpc".to_owned());
    add("bigtable-features", URL_SAFE.encode(flags.encode_to_vec()));
    add("x-goog-api-client", format!("gl-rust/1 gccl/{version} tallrow/{version}"));
    add("user-agent", format!("tallrow/{version}"));
    add("x-goog-request-params", routed(routing));
    headers
}

/// The parameters by which the service routes a call: names and values, percent-encoded.
fn routed(parameters: &[(&str, &str)]) -> String {
    let mut text = String::new();
    for (name, value) in parameters {
        if !text.is_empty() {
            text.push('&');
        }
        text.push_str(name);
        text.push('=');
        for byte in value.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    text.push(char::from(byte));
                }
                other => text.push_str(&format!("%{other:02X}")),
            }
        }
    }
    text
}

/// What the service wants to see again in the next attempt of an operation, and whether it refused the token of the last one.
#[derive(Clone, Debug, Default)]
pub(super) struct Cookies {
    pairs: Vec<(HeaderName, HeaderValue)>,
    refused: bool,
}

impl Cookies {
    /// Keeps those of an answer, in the place of earlier ones of the same names.
    pub(super) fn keep(&mut self, answer: &HeaderMap) {
        for (name, value) in answer {
            if name.as_str().starts_with(COOKIE) {
                self.put(name, value);
            }
        }
    }

    /// Keeps those of another call, in the place of earlier ones of the same names.
    pub(super) fn add(&mut self, others: &Self) {
        others.pairs.iter().for_each(|(name, value)| self.put(name, value));
        self.refused |= others.refused;
    }

    /// The service has refused a token; returns whether it is the first one.
    pub(super) fn refuse(&mut self) -> bool {
        !std::mem::replace(&mut self.refused, true)
    }

    /// The service has taken the token.
    pub(super) fn accept(&mut self) {
        self.refused = false;
    }

    fn put(&mut self, name: &HeaderName, value: &HeaderValue) {
        match self.pairs.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value.clone(),
            None => self.pairs.push((name.clone(), value.clone())),
        }
    }
}

/// The headers of one attempt.
pub(super) struct CallHeaders<'a> {
    /// Those that all calls of its kind have.
    pub(super) of_all: &'a HeaderMap,
    pub(super) cookies: &'a Cookies,
    pub(super) trace: Option<TraceContext>,
    pub(super) token: Option<&'a HeaderValue>,
    pub(super) timeout: Option<Duration>,
}

impl CallHeaders<'_> {
    pub(super) fn map(&self) -> HeaderMap {
        let mut headers = self.of_all.clone();
        if let Some(timeout) = self.timeout {
            headers.insert(TIMEOUT, timeout_value(timeout));
        }
        for (name, value) in &self.cookies.pairs {
            headers.insert(name, value.clone());
        }
        if let Some(trace) = &self.trace {
            let mut add = |name: HeaderName, text: &str| {
                if let Ok(value) = text.parse() {
                    headers.insert(name, value);
                }
            };
            add(TRACE_PARENT, trace.traceparent());
            if !trace.tracestate().is_empty() {
                add(TRACE_STATE, trace.tracestate());
            }
        }
        if let Some(token) = self.token {
            // Over HTTP/2, a value that is marked as sensitive is sent whole each time, and this one is a kilobyte.
            let mut token = token.clone();
            token.set_sensitive(false);
            headers.insert(AUTHORIZATION, token);
        }
        headers
    }
}

/// A time as gRPC writes it, in whole milliseconds: those of most calls are the same, and so are sent as one byte.
fn timeout_value(timeout: Duration) -> HeaderValue {
    let millis = timeout.as_nanos().div_ceil(1_000_000);
    let text = match millis {
        0..=MOST => format!("{millis}m"),
        _ => format!("{}S", (millis / 1_000).min(MOST)),
    };
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("0m"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_percent_encoded() {
        let headers = of_calls(&[
            ("table_name", "projects/p:q/instances/i/tables/t"),
            ("app_profile_id", "a b"),
        ]);
        let text = "table_name=projects%2Fp%3Aq%2Finstances%2Fi%2Ftables%2Ft&app_profile_id=a%20b";
        assert_eq!(headers["x-goog-request-params"], text);
    }

    #[test]
    fn the_flags_are_those_of_what_is_done() {
        let headers = of_calls(&[]);
        let flags = URL_SAFE.decode(headers["bigtable-features"].as_bytes()).unwrap();
        let flags = FeatureFlags::decode(&flags[..]).unwrap();
        assert!(flags.reverse_scans && flags.last_scanned_row_responses);
        assert!(flags.routing_cookie && flags.retry_info);
        assert!(!flags.mutate_rows_rate_limit && !flags.client_side_metrics_enabled);
    }

    #[test]
    fn only_cookies_are_kept_and_the_last_ones() {
        let mut cookies = Cookies::default();
        let mut answer = HeaderMap::new();
        answer.insert("x-goog-cbt-cookie-a", HeaderValue::from_static("1"));
        answer.insert("x-other", HeaderValue::from_static("2"));
        cookies.keep(&answer);
        answer.insert("x-goog-cbt-cookie-a", HeaderValue::from_static("3"));
        cookies.keep(&answer);
        let of_all = HeaderMap::new();
        let call = CallHeaders {
            of_all: &of_all,
            cookies: &cookies,
            trace: None,
            token: None,
            timeout: None,
        };
        let headers = call.map();
        assert_eq!(headers["x-goog-cbt-cookie-a"], "3");
        assert_eq!(headers.len(), 1);
    }

    #[test]
    fn times_have_at_most_eight_digits() {
        let written = |millis| timeout_value(Duration::from_micros(millis));
        assert_eq!(written(0), "0m");
        assert_eq!(written(1), "1m");
        assert_eq!(written(19_999_999), "20000m");
        assert_eq!(written(99_999_999_000), "99999999m");
        assert_eq!(written(100_000_000_000), "100000S");
        assert_eq!(timeout_value(Duration::MAX), "99999999S");
    }
}
