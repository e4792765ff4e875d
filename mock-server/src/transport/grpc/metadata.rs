//! The headers of a call, and the headers and trailers of the reply.

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, USER_AGENT};
use http::{Response, StatusCode as HttpStatus};
use prost::Message;
use tallrow_wire::bigtable::{FeatureFlags, Status};
use tallrow_wire::proto::RPCTInfo;

const GRPC: HeaderValue = HeaderValue::from_static("application/grpc");

const GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");

const OK: HeaderValue = HeaderValue::from_static("0");

/// The start of the name of a routing cookie.
const COOKIE: &str = "x-goog-cbt-cookie-";

/// Base64 as in gRPC: written without padding, read with or without padding.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Base64 with `-` and `_` in place of `+` and `/`, as some clients write it; read with or without
/// padding.
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Makes the headers of a reply that has messages.
pub(super) fn reply_head() -> Response<()> {
    let mut response = Response::new(());
    response.headers_mut().insert(CONTENT_TYPE, GRPC);
    response
}

/// Makes the headers of a reply that has only a status.
pub(super) fn status_only_head(status: &Status, cookie: Option<&(String, String)>) -> Response<()> {
    let mut head = reply_head();
    head.headers_mut().extend(trailers_with(status, cookie));
    head
}

/// Makes the response to a request that is not a gRPC call.
pub(super) fn unsupported_media_type() -> Response<()> {
    let mut response = Response::new(());
    *response.status_mut() = HttpStatus::UNSUPPORTED_MEDIA_TYPE;
    response
}

/// Whether a request is a gRPC call.
pub(super) fn is_grpc(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(GRPC.as_bytes()))
}

/// Returns the features that the client says it supports.
pub(super) fn features(headers: &HeaderMap) -> FeatureFlags {
    let flags = headers.get("bigtable-features").map(HeaderValue::as_bytes).unwrap_or_default();
    let flags = URL_SAFE.decode(flags).or_else(|_| BASE64.decode(flags)).unwrap_or_default();
    FeatureFlags::decode(&flags[..]).unwrap_or_default()
}

/// Returns whether the client is a program in Go. Google's Go client does not put a row together
/// that is sent in several messages.
pub(super) fn needs_whole_rows(headers: &HeaderMap) -> bool {
    const GO: &[u8] = b"grpc-go/";
    let agent = headers.get(USER_AGENT).map(HeaderValue::as_bytes).unwrap_or_default();
    agent.windows(GO.len()).any(|part| part == GO)
}

/// Makes the trailers for a status.
pub(super) fn trailers(status: &Status) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    trailers.insert(GRPC_STATUS, if status.code == 0 { OK } else { status.code.into() });
    let message = percent_encoded(&status.message);
    if let Some(message) = HeaderValue::from_str(&message).ok().filter(|m| !m.is_empty()) {
        trailers.insert("grpc-message", message);
    }
    if !status.details.is_empty() {
        let details = BASE64.encode(status.encode_to_vec());
        if let Ok(details) = HeaderValue::from_str(&details) {
            trailers.insert("grpc-status-details-bin", details);
        }
    }
    trailers
}

/// Makes the trailers for a status, with a further header.
pub(super) fn trailers_with(status: &Status, cookie: Option<&(String, String)>) -> HeaderMap {
    let mut trailers = trailers(status);
    if let Some((name, value)) = cookie
        && let Ok(name) = HeaderName::try_from(name)
        && let Ok(value) = HeaderValue::try_from(value)
    {
        trailers.insert(name, value);
    }
    trailers
}

/// Returns the headers of a call if it belongs to a trace or has routing cookies.
pub(super) fn trace_headers(headers: &HeaderMap) -> Option<RPCTInfo> {
    let traced = headers.contains_key("traceparent")
        || headers.keys().any(|name| name.as_str().starts_with(COOKIE));
    if !traced {
        return None;
    }
    let text = |(name, value): (&HeaderName, &HeaderValue)| {
        Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
    };
    Some(RPCTInfo { headers: headers.iter().filter_map(text).collect() })
}

/// Encodes a text as gRPC writes it into a header.
fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b' '..=b'~' if byte != b'%' => out.push(char::from(byte)),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::bigtable::{StatusCode, retry_info};

    #[test]
    fn a_status_is_written_into_trailers() {
        let ok = trailers(&Status::default());
        assert_eq!((ok.len(), &ok["grpc-status"]), (1, &HeaderValue::from_static("0")));
        let mut status = StatusCode::Unavailable.status("50 % of \u{fc}\n");
        status.details.push(retry_info(Duration::from_millis(1500)));
        let trailers = trailers(&status);
        assert_eq!(trailers["grpc-status"], "14");
        assert_eq!(trailers["grpc-message"], "50 %25 of %C3%BC%0A");
        let details = BASE64.decode(&trailers["grpc-status-details-bin"]).unwrap();
        assert_eq!(Status::decode(&details[..]).unwrap(), status);
    }

    #[test]
    fn clients_in_go_need_whole_rows() {
        let needs = |agent: &'static str| {
            let agent = HeaderValue::from_static(agent);
            needs_whole_rows(&HeaderMap::from_iter([(USER_AGENT, agent)]))
        };
        assert!(needs("grpc-go/1.83.2") && needs("cbt/1.0 grpc-go/1.83.2"));
        assert!(!needs("grpc-python/1.76.0 grpc-c/51.0.0") && !needs("") && !needs("grpc-go"));
        assert!(!needs_whole_rows(&HeaderMap::new()));
    }

    #[test]
    fn features_are_read_in_either_base64() {
        for text in ["CAE=", "CAE"] {
            let headers = HeaderMap::from_iter([(
                HeaderName::from_static("bigtable-features"),
                HeaderValue::from_static(text),
            )]);
            assert!(features(&headers).reverse_scans);
        }
        assert_eq!(features(&HeaderMap::new()), FeatureFlags::default());
    }
}
