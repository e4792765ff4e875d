//! The headers that are sent with each call.

use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE, TE, USER_AGENT};
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::observe::TraceContext;

const COOKIE: &str = "x-goog-cbt-cookie-";
const ROUTING: HeaderName = HeaderName::from_static("x-goog-request-params");
const TIMEOUT: HeaderName = HeaderName::from_static("grpc-timeout");
const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");
const TRACE_STATE: HeaderName = HeaderName::from_static("tracestate");
/// The largest number in a timeout of gRPC, which has at most 8 digits.
const MOST: u64 = 99_999_999;
/// The maximum length of a timeout of gRPC: 8 digits and the unit.
const MAX_TIME: usize = 9;

/// The headers that all calls have.
const OF_ALL: [(HeaderName, HeaderValue); 5] = [
    (TE, HeaderValue::from_static("trailers")),
    (CONTENT_TYPE, HeaderValue::from_static("application/grpc")),
    (USER_AGENT, HeaderValue::from_static(concat!("tallrow/", env!("CARGO_PKG_VERSION")))),
    (
        HeaderName::from_static("x-goog-api-client"),
        HeaderValue::from_static(concat!(
            "gl-rust/1 gccl/",
            env!("CARGO_PKG_VERSION"),
            " tallrow/",
            env!("CARGO_PKG_VERSION")
        )),
    ),
    // `FeatureFlags` in base64: reversed scans, last scanned rows, routing cookies, information on
    // retries.
    (HeaderName::from_static("bigtable-features"), HeaderValue::from_static("CAEgATABOAE=")),
];

/// The headers that all calls with the same routing parameters have, and the timeout that most of
/// these calls have.
pub(super) struct SharedHeaders {
    pub(super) map: HeaderMap,
    usual_timeout: Duration,
}

impl SharedHeaders {
    /// Returns the headers of calls with these routing parameters, most of which have the timeout
    /// `usual_timeout`.
    pub(super) fn new(routing: &[(&str, &str)], usual_timeout: Duration) -> Self {
        let mut map = HeaderMap::from_iter(OF_ALL);
        if let Ok(routing) = HeaderValue::try_from(routed(routing)) {
            map.insert(ROUTING, routing);
        }
        map.insert(TIMEOUT, timeout_value(usual_timeout));
        Self { map, usual_timeout }
    }
}

/// Returns the parameters by which the service routes a call, as `name=value` joined by `&`. The
/// values are percent-encoded.
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

/// The routing cookies that the service expects in the next attempt of an operation, and whether it
/// refused the token of the last attempt.
#[derive(Clone, Debug, Default)]
pub(super) struct RoutingState {
    pairs: Vec<(HeaderName, HeaderValue)>,
    refused: bool,
}

impl RoutingState {
    /// Keeps the cookies of an answer, in place of earlier cookies of the same names.
    pub(super) fn keep(&mut self, answer: &HeaderMap) {
        for (name, value) in answer {
            if name.as_str().starts_with(COOKIE) {
                self.put(name, value);
            }
        }
    }

    /// Keeps the cookies of another call, in place of earlier cookies of the same names.
    pub(super) fn add(&mut self, others: &Self) {
        others.pairs.iter().for_each(|(name, value)| self.put(name, value));
        self.refused |= others.refused;
    }

    /// Notes that the service has refused a token. Returns whether this is the first refusal since
    /// a token was accepted.
    pub(super) fn note_token_refused(&mut self) -> bool {
        !std::mem::replace(&mut self.refused, true)
    }

    /// Notes that the service has accepted the token.
    pub(super) fn note_token_accepted(&mut self) {
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
    /// The headers that all calls with the same routing parameters have.
    pub(super) shared_headers: &'a SharedHeaders,
    pub(super) cookies: &'a RoutingState,
    pub(super) trace: Option<TraceContext>,
    pub(super) token: Option<&'a HeaderValue>,
    pub(super) timeout: Option<Duration>,
}

impl CallHeaders<'_> {
    pub(super) fn to_header_map(&self) -> HeaderMap {
        let mut headers = self.shared_headers.map.clone();
        match self.timeout {
            Some(timeout) if timeout == self.shared_headers.usual_timeout => {}
            Some(timeout) => drop(headers.insert(TIMEOUT, timeout_value(timeout))),
            None => drop(headers.remove(TIMEOUT)),
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
            // Over HTTP/2, a value that is marked as sensitive is sent in full each time, and a
            // token is about a kilobyte long. So the mark is removed.
            let mut token = token.clone();
            token.set_sensitive(false);
            headers.insert(AUTHORIZATION, token);
        }
        headers
    }
}

/// Returns a timeout as gRPC writes it, rounded up to whole milliseconds, or rounded down to whole
/// seconds if the number of milliseconds has more than 8 digits. After rounding, most calls have
/// the same timeout, which the header compression of HTTP/2 sends as one byte.
fn timeout_value(timeout: Duration) -> HeaderValue {
    let millis = timeout.as_nanos().div_ceil(1_000_000);
    let (mut rest, unit) = match u64::try_from(millis) {
        Ok(millis @ 0..=MOST) => (millis, b'm'),
        Ok(millis) => ((millis / 1_000).min(MOST), b'S'),
        Err(_) => (MOST, b'S'),
    };
    let mut text = [unit; MAX_TIME];
    let mut start = MAX_TIME - 1;
    // This does the same as `write!`, in a quarter of the time.
    for place in text.iter_mut().rev().skip(1) {
        *place = b'0' + (rest % 10) as u8;
        rest /= 10;
        start -= 1;
        if rest == 0 {
            break;
        }
    }
    let value = text.get(start..).and_then(|text| HeaderValue::from_bytes(text).ok());
    value.unwrap_or(HeaderValue::from_static("0m"))
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::engine::general_purpose::URL_SAFE;
    use prost::Message;

    use super::*;
    use crate::wire::bigtable::FeatureFlags;

    #[test]
    fn names_are_percent_encoded() {
        let routing =
            [("table_name", "projects/p:q/instances/i/tables/t"), ("app_profile_id", "a b")];
        let headers = SharedHeaders::new(&routing, Duration::ZERO);
        let text = "table_name=projects%2Fp%3Aq%2Finstances%2Fi%2Ftables%2Ft&app_profile_id=a%20b";
        assert_eq!(headers.map["x-goog-request-params"], text);
    }

    #[test]
    fn the_flags_are_those_of_what_is_done() {
        let headers = SharedHeaders::new(&[], Duration::ZERO).map;
        let flags = URL_SAFE.decode(headers["bigtable-features"].as_bytes()).unwrap();
        let flags = FeatureFlags::decode(&flags[..]).unwrap();
        assert!(flags.reverse_scans && flags.last_scanned_row_responses);
        assert!(flags.routing_cookie && flags.retry_info);
        let flags = FeatureFlags {
            reverse_scans: false,
            last_scanned_row_responses: false,
            routing_cookie: false,
            retry_info: false,
            ..flags
        };
        assert_eq!(flags, FeatureFlags::default(), "and no others");
    }

    #[test]
    fn only_cookies_are_kept_and_the_last_ones() {
        let mut cookies = RoutingState::default();
        let mut answer = HeaderMap::new();
        answer.insert("x-goog-cbt-cookie-a", HeaderValue::from_static("1"));
        answer.insert("x-other", HeaderValue::from_static("2"));
        cookies.keep(&answer);
        answer.insert("x-goog-cbt-cookie-a", HeaderValue::from_static("3"));
        cookies.keep(&answer);
        let of_all = SharedHeaders { map: HeaderMap::new(), usual_timeout: Duration::ZERO };
        let call = CallHeaders {
            shared_headers: &of_all,
            cookies: &cookies,
            trace: None,
            token: None,
            timeout: None,
        };
        let headers = call.to_header_map();
        assert_eq!(headers["x-goog-cbt-cookie-a"], "3");
        assert_eq!(headers.len(), 1);
    }

    #[test]
    fn only_a_call_with_a_deadline_tells_it() {
        let of_all = SharedHeaders::new(&[], Duration::from_millis(7));
        let cookies = RoutingState::default();
        let call = |timeout| CallHeaders {
            shared_headers: &of_all,
            cookies: &cookies,
            trace: None,
            token: None,
            timeout,
        };
        for (millis, text) in [(5, "5m"), (7, "7m")] {
            let timeout = Some(Duration::from_millis(millis));
            assert_eq!(call(timeout).to_header_map()["grpc-timeout"], text);
        }
        assert!(!call(None).to_header_map().contains_key("grpc-timeout"));
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
