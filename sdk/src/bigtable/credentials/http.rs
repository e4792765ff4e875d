//! One request of HTTP/1.1 on a connection of its own.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::time::Duration;

use http::uri::Scheme;
use http::{Request, Uri, header};
use http_body::Body;
use hyper::client::conn::http1;
use tokio::time::timeout;

use super::stream::Bytes;
use crate::connector::{Connector, Stream, tcp};
use crate::{Config, Error, ErrorKind, Result, Tls};

/// How long a request may take.
const WITHIN: Duration = Duration::from_secs(10);
/// The same of the machine's own server, which is near or is not there.
const WITHIN_MACHINE: Duration = Duration::from_secs(3);
/// How long an answer may be.
const MAX_BODY: usize = 1 << 20;

/// How token endpoints are reached.
#[derive(Clone)]
pub(super) struct Http {
    plain: Connector,
    secure: Connector,
}

/// What came back.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) body: Vec<u8>,
}

impl Http {
    pub(super) fn new(config: &Config) -> Self {
        let plain = config.host_overrides.over(config.connector.clone());
        let tls: Tls = config.tls.clone().unwrap_or_default();
        Self { secure: tls.over(plain.clone()), plain }
    }

    /// Posts a form, which is a secret.
    pub(super) async fn post_form(&self, uri: &str, form: String) -> Result<Answer> {
        let (parsed, host, port) = parse(uri)?;
        let is_secure = parsed.scheme() == Some(&Scheme::HTTPS);
        if !is_secure && !["localhost", "127.0.0.1", "[::1]"].contains(&&*host) {
            let text = format!("{uri} is not https, and credentials are not sent without TLS");
            return Err(Error::new(ErrorKind::PermissionDenied, text));
        }
        let connector = if is_secure { &self.secure } else { &self.plain };
        let opened = connector.open(bare(&host), port);
        let stream = async {
            match opened {
                Some(opening) => opening.await,
                None => tcp((bare(&host), port)).await.map(|stream| Box::new(stream) as Stream),
            }
        };
        let request = Request::post(path(&parsed))
            .header(header::HOST, authority(&parsed))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(form);
        exchange(uri, WITHIN, stream, request).await
    }

    /// Asks the server of the machine, without a proxy.
    pub(super) async fn get_metadata(&self, uri: &str) -> Result<Answer> {
        let (parsed, host, port) = parse(uri)?;
        let stream =
            async { tcp((bare(&host), port)).await.map(|stream| Box::new(stream) as Stream) };
        let request = Request::get(path(&parsed))
            .header(header::HOST, authority(&parsed))
            .header("metadata-flavor", "Google")
            .body(String::new());
        exchange(uri, WITHIN_MACHINE, stream, request).await
    }
}

async fn exchange(
    uri: &str,
    within: Duration,
    stream: impl Future<Output = io::Result<Stream>>,
    request: http::Result<Request<String>>,
) -> Result<Answer> {
    let failed = |why: String| Error::new(ErrorKind::Unreachable, format!("{uri}: {why}"));
    let request = request.map_err(|error| failed(error.to_string()))?;
    let done = async {
        let stream = stream.await.map_err(|error| failed(format!("it is not reached: {error}")))?;
        let broken = |error: hyper::Error| failed(format!("no valid answer: {error}"));
        let (mut sender, connection) = http1::handshake(Bytes(stream)).await.map_err(broken)?;
        // Both at once: nothing is left behind when the caller gives up.
        let answer = async {
            let answer = sender.send_request(request).await.map_err(broken)?;
            let status = answer.status().as_u16();
            let mut incoming = answer.into_body();
            let mut body = Vec::new();
            while let Some(frame) = poll_fn(|cx| Pin::new(&mut incoming).poll_frame(cx)).await {
                if let Ok(data) = frame.map_err(broken)?.into_data() {
                    body.extend_from_slice(&data);
                }
                if body.len() > MAX_BODY {
                    return Err(failed(format!("its answer has more than {MAX_BODY} bytes")));
                }
            }
            Ok(Answer { status, body })
        };
        tokio::pin!(answer, connection);
        tokio::select! {
            biased;
            answer = &mut answer => answer,
            ended = &mut connection => match ended {
                Ok(()) => answer.await,
                Err(error) => Err(broken(error)),
            },
        }
    };
    let late = |_| failed(format!("it did not answer within {} s", within.as_secs()));
    timeout(within, done).await.map_err(late)?
}

fn parse(uri: &str) -> Result<(Uri, String, u16)> {
    let wrong = || {
        let text = format!("{uri:?} is no address of a token endpoint: https://host/path");
        Error::new(ErrorKind::PermissionDenied, text)
    };
    let parsed: Uri = uri.parse().map_err(|_| wrong())?;
    let host = parsed.host().ok_or_else(wrong)?.to_owned();
    let port = match (parsed.port_u16(), parsed.scheme_str()) {
        (Some(port), Some("http" | "https")) => port,
        (None, Some("https")) => 443,
        (None, Some("http")) => 80,
        _ => return Err(wrong()),
    };
    Ok((parsed, host, port))
}

fn path(uri: &Uri) -> &str {
    uri.path_and_query().map_or("/", |path| path.as_str())
}

fn authority(uri: &Uri) -> &str {
    uri.authority().map_or("", |authority| authority.as_str())
}

fn bare(host: &str) -> &str {
    host.trim_start_matches('[').trim_end_matches(']')
}
