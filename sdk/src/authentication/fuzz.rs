//! Functions that read a server's bytes, for tests and fuzz targets that change such bytes at
//! random. Each function reads bytes as a login does, and returns whether they were accepted.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tokio::io::{AsyncReadExt, Join, Sink, join, sink};

use super::gssapi::{BoxError, GssContext, GssStep, Gssapi, Negotiation, StartFuture};
use super::numbered_context::NumberedContext;
use super::wrapped_stream::WrappedStream;
use super::{
    Authentication, DelegationToken, OpenedConnection, Protection, aes, authenticate,
    credentials_file, digest,
};

/// A mechanism that proves an identity by a letter, and wraps a text by putting a letter before it.
#[derive(Debug)]
struct Letters;

impl Gssapi for Letters {
    fn start(&self, _: String) -> StartFuture<'_> {
        Box::pin(async { Ok((Box::new(Letters) as Box<dyn Negotiation>, Vec::new())) })
    }
}

impl Negotiation for Letters {
    fn step(self: Box<Self>, token: &[u8]) -> Result<GssStep, BoxError> {
        match token.first() {
            Some(b'm') => Ok(GssStep::Continue(self, token.to_vec())),
            Some(b'p') => Ok(GssStep::Done(self)),
            _ => Err("it is no proof".into()),
        }
    }
}

impl GssContext for Letters {
    fn wrap(&mut self, text: &[u8], _: bool) -> Result<Vec<u8>, BoxError> {
        Ok(text.to_vec())
    }

    fn unwrap(&mut self, mut token: Vec<u8>) -> Result<(Vec<u8>, bool), BoxError> {
        match token.first() {
            Some(kind @ (b's' | b'p')) => {
                let sealed = *kind == b's';
                Ok((token.split_off(1), sealed))
            }
            _ => Err("it was changed".into()),
        }
    }
}

/// A server that says these bytes, whatever it is told.
fn server(bytes: &[u8]) -> Join<&[u8], Sink> {
    join(bytes, sink())
}

/// Polls a future whose bytes are all there, so that it has nothing to wait for; `None` if it waits
/// nevertheless.
pub(crate) fn now_or_never<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// Opens a connection on which the server sends these bytes, and reads the protected messages that
/// follow. The login is by SASL's GSSAPI or, if the first byte is 1, by a token.
pub fn sasl_answers(bytes: &[u8]) -> bool {
    let Some((by, bytes)) = bytes.split_first() else { return false };
    let by = match by {
        1 => Authentication::token(token()),
        _ => Authentication::gssapi(Letters, "hbase/_HOST@R"),
    };
    let opened = now_or_never(authenticate(&by, server(bytes), b"HBas\x00\x51", "rs1", false));
    match opened {
        Some(Ok(OpenedConnection::Protected(stream, _))) => is_read(stream),
        Some(Ok(OpenedConnection::Plain(_))) => true,
        Some(Ok(OpenedConnection::Simple(_))) => {
            // The server has proved nothing.
            assert!(by.allows_simple, "a server without authentication was accepted");
            false
        }
        Some(Err(_)) | None => false,
    }
}

/// Reads a stream to its end.
fn is_read(mut stream: WrappedStream<Join<&[u8], Sink>>) -> bool {
    let mut text = Vec::new();
    matches!(now_or_never(stream.read_to_end(&mut text)), Some(Ok(_)))
}

fn token() -> DelegationToken {
    // The identifier is a message of three bytes, in which the user is "a".
    DelegationToken::new([0, 0, 0, 3, 0x12, 1, b'a'], b"password", "cluster")
}

/// The name and the password of [`token`], and what the client chooses at random.
const CREDENTIALS: (&str, &str, &str) = ("AAAAAxIBYQ==", "cGFzc3dvcmQ=", "mine");

/// Reads a challenge of DIGEST-MD5 and, after a zero byte, the proof of the server. A `?` in the
/// proof stands for the text that only a server with the token can send.
pub fn digest_challenge(bytes: &[u8]) -> bool {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let (challenge, proof) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let (user, password, cnonce) = CREDENTIALS;
    let answered = digest::answer(challenge, user, password, &Protection::ALL, cnonce);
    let Ok(answered) = answered else { return false };
    assert!(!answered.answer.windows(password.len()).any(|part| part == password.as_bytes()));
    let proof = String::from_utf8_lossy(proof).replace('?', &answered.expected);
    answered.finish(proof.as_bytes()).is_ok()
}

/// The contexts of a client: signed and sealed by DIGEST-MD5, and encrypted by AES.
fn context(which: u8) -> Option<NumberedContext> {
    let protection = match which {
        0 => Protection::Integrity,
        1 => Protection::Privacy,
        _ => {
            let keys = |key, initialization_vector| aes::Keys { key, initialization_vector };
            let (sent, received) = (keys(&[1; 16], &[2; 16]), keys(&[3; 16], &[4; 16]));
            return aes::context(aes::CIPHER, sent, received).ok();
        }
    };
    let (user, password, cnonce) = CREDENTIALS;
    let challenge = b"nonce=a,qop=\"auth-int,auth-conf\",cipher=rc4,algorithm=md5-sess";
    let answered = digest::answer(challenge, user, password, &[protection], cnonce).ok()?;
    let proof = format!("rspauth={}", answered.expected);
    answered.finish(proof.as_bytes()).ok()
}

/// Reads the protected messages of a connection. The first byte chooses the context: 0 for messages
/// that DIGEST-MD5 signs, 1 for messages that it encrypts, any other byte for AES.
pub fn wrapped_frames(bytes: &[u8]) -> bool {
    let Some((which, bytes)) = bytes.split_first() else { return false };
    let Some(context) = context(*which) else { return false };
    is_read(WrappedStream::new(server(bytes), Box::new(context), *which != 0, 0))
}

/// Returns what [`wrapped_frames`] reads as these texts.
pub fn frames_of(which: u8, texts: &[&[u8]]) -> Vec<u8> {
    let mut frames = vec![which];
    let Some(mut server) = context(which).map(NumberedContext::turned) else { return frames };
    for text in texts {
        let message = server.wrap(text, which != 0).unwrap_or_default();
        frames.extend_from_slice(&(message.len() as u32).to_be_bytes());
        frames.extend_from_slice(&message);
    }
    frames
}

/// Reads a file of Hadoop's tokens, and what each token says.
pub fn token_file(bytes: &[u8]) -> bool {
    let Ok(tokens) = credentials_file::parse_tokens(bytes) else { return false };
    for token in tokens.into_iter().take(10) {
        let token = DelegationToken::new(token.identifier, token.password, token.service);
        let _ = (token.owner(), token.expires_at(), token.problem(), format!("{token:?}"));
    }
    true
}
