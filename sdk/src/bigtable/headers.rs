//! What goes with each call besides its message.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use http::{HeaderMap, HeaderValue};
use prost::Message;
use tonic::metadata::{AsciiMetadataKey, AsciiMetadataValue, MetadataMap};

use crate::observe::TraceContext;
use crate::wire::bigtable::FeatureFlags;

const COOKIE: &str = "x-goog-cbt-cookie-";

/// What each call says of the client.
pub(super) fn of_client() -> HeaderMap {
    let flags = FeatureFlags {
        reverse_scans: true,
        last_scanned_row_responses: true,
        routing_cookie: true,
        retry_info: true,
        ..Default::default()
    };
    let version = env!("CARGO_PKG_VERSION");
    let mut headers = HeaderMap::new();
    let mut add = |name: &'static str, text: String| {
        if let Ok(value) = HeaderValue::try_from(text) {
            headers.insert(name, value);
        }
    };
    add("bigtable-features", URL_SAFE.encode(flags.encode_to_vec()));
    add("x-goog-api-client", format!("gl-rust/1 gccl/{version} tallrow/{version}"));
    add("user-agent", format!("tallrow/{version}"));
    headers
}

/// The header by which the service routes a call: names and values, percent-encoded.
pub(super) fn routing(parameters: &[(&str, &str)]) -> Option<AsciiMetadataValue> {
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
    text.try_into().ok()
}

/// What the service wants to see again in the next attempt of an operation, and whether it refused the token of the last one.
#[derive(Clone, Debug, Default)]
pub(super) struct Cookies {
    pairs: Vec<(AsciiMetadataKey, AsciiMetadataValue)>,
    refused: bool,
}

impl Cookies {
    /// Keeps those of an answer, in the place of earlier ones of the same names.
    pub(super) fn keep(&mut self, answer: &MetadataMap) {
        for pair in answer.iter() {
            let tonic::metadata::KeyAndValueRef::Ascii(name, value) = pair else { continue };
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

    fn put(&mut self, name: &AsciiMetadataKey, value: &AsciiMetadataValue) {
        match self.pairs.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value.clone(),
            None => self.pairs.push((name.clone(), value.clone())),
        }
    }
}

/// The headers of one attempt.
pub(super) struct CallHeaders<'a> {
    pub(super) routing: Option<&'a AsciiMetadataValue>,
    pub(super) cookies: &'a Cookies,
    pub(super) trace: Option<TraceContext>,
    pub(super) token: Option<HeaderValue>,
    pub(super) timeout: Option<Duration>,
}

impl CallHeaders<'_> {
    pub(super) fn request<M>(&self, message: M) -> tonic::Request<M> {
        let mut request = tonic::Request::new(message);
        if let Some(timeout) = self.timeout {
            request.set_timeout(timeout);
        }
        let headers = request.metadata_mut();
        if let Some(routing) = self.routing {
            headers.insert("x-goog-request-params", routing.clone());
        }
        for (name, value) in &self.cookies.pairs {
            headers.insert(name.clone(), value.clone());
        }
        if let Some(trace) = &self.trace {
            let mut add = |name: &'static str, text: &str| {
                if let Ok(value) = text.parse() {
                    headers.insert(name, value);
                }
            };
            add("traceparent", trace.traceparent());
            if !trace.tracestate().is_empty() {
                add("tracestate", trace.tracestate());
            }
        }
        if let Some(token) = &self.token
            && let Ok(token) = AsciiMetadataValue::try_from(token.as_bytes())
        {
            headers.insert("authorization", token);
        }
        request
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_percent_encoded() {
        let routing = routing(&[
            ("table_name", "projects/p:q/instances/i/tables/t"),
            ("app_profile_id", "a b"),
        ]);
        let text = "table_name=projects%2Fp%3Aq%2Finstances%2Fi%2Ftables%2Ft&app_profile_id=a%20b";
        assert_eq!(routing.unwrap(), text);
    }

    #[test]
    fn the_flags_are_those_of_what_is_done() {
        let headers = of_client();
        let flags = URL_SAFE.decode(headers["bigtable-features"].as_bytes()).unwrap();
        let flags = FeatureFlags::decode(&flags[..]).unwrap();
        assert!(flags.reverse_scans && flags.last_scanned_row_responses);
        assert!(flags.routing_cookie && flags.retry_info);
        assert!(!flags.mutate_rows_rate_limit && !flags.client_side_metrics_enabled);
    }

    #[test]
    fn only_cookies_are_kept_and_the_last_ones() {
        let mut cookies = Cookies::default();
        let mut answer = MetadataMap::new();
        answer.insert("x-goog-cbt-cookie-a", "1".parse().unwrap());
        answer.insert("x-other", "2".parse().unwrap());
        cookies.keep(&answer);
        answer.insert("x-goog-cbt-cookie-a", "3".parse().unwrap());
        cookies.keep(&answer);
        let call = CallHeaders {
            routing: None,
            cookies: &cookies,
            trace: None,
            token: None,
            timeout: None,
        };
        let request = call.request(());
        assert_eq!(request.metadata().get("x-goog-cbt-cookie-a").unwrap(), "3");
        assert_eq!(request.metadata().len(), 1);
    }
}
