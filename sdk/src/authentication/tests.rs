//! The opening of connections, with a mechanism whose proofs are words.

use std::future::Future;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

use super::gssapi::{BoxError, GssContext, GssStep, Gssapi, Negotiation, StartFuture};
use super::{Authentication, AuthenticationError, OpenedConnection, Protection, authenticate};

/// Proves itself by the name of the service, and wraps a text by a letter before it.
#[derive(Debug)]
struct Words;

impl Gssapi for Words {
    fn start(&self, service: String) -> StartFuture<'_> {
        Box::pin(async move {
            match service.contains("unknown") {
                true => Err("no ticket".into()),
                false => Ok((Box::new(Words) as Box<dyn Negotiation>, service.into_bytes())),
            }
        })
    }
}

/// `Words`, with the services of which it was said that they refused the proof.
#[derive(Clone, Debug, Default)]
struct RecordedWords(Arc<Mutex<Vec<String>>>);

impl Gssapi for RecordedWords {
    fn start(&self, service: String) -> StartFuture<'_> {
        Box::pin(async move { Words.start(service).await })
    }

    fn on_refused(&self, service: &str) {
        self.0.lock().unwrap().push(service.to_owned());
    }
}

impl Negotiation for Words {
    fn step(self: Box<Self>, token: &[u8]) -> Result<GssStep, BoxError> {
        match token {
            b"more" => Ok(GssStep::Continue(self, b"more of it".to_vec())),
            b"proof" => Ok(GssStep::Done(self)),
            other => Err(format!("{} is no proof", other.escape_ascii()).into()),
        }
    }
}

impl GssContext for Words {
    fn wrap(&mut self, text: &[u8], seal: bool) -> Result<Vec<u8>, BoxError> {
        Ok([if seal { b"s" } else { b"p" }, text].concat())
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

fn authentication() -> Authentication {
    Authentication::gssapi(Words, "hbase/_HOST@R")
}

async fn expect(stream: &mut DuplexStream, expected: &[u8]) {
    let mut found = vec![0; expected.len()];
    stream.read_exact(&mut found).await.unwrap();
    assert_eq!(found, expected, "{}", found.escape_ascii());
}

fn framed(text: &[u8]) -> Vec<u8> {
    [&(text.len() as u32).to_be_bytes()[..], text].concat()
}

/// An answer with a token.
fn token(text: &[u8]) -> Vec<u8> {
    [&[0; 4][..], &framed(text)].concat()
}

/// What the client does with a server that says these, and what the server got.
async fn opened<F: Future<Output = DuplexStream>>(
    authentication: &Authentication,
    server: impl FnOnce(DuplexStream) -> F,
) -> (Result<OpenedConnection<DuplexStream>, AuthenticationError>, DuplexStream) {
    // Small, so that both sides often wait for each other.
    let (ours, theirs) = duplex(7);
    tokio::join!(
        authenticate(authentication, ours, b"HBas\x00\x51", "Server", false),
        server(theirs)
    )
}

/// A server that proves itself and offers these layers.
async fn offering(mut stream: DuplexStream, layers: u8) -> DuplexStream {
    expect(&mut stream, b"HBas\x00\x51").await;
    expect(&mut stream, &framed(b"hbase/server@R")).await;
    stream.write_all(&token(b"more")).await.unwrap();
    expect(&mut stream, &framed(b"more of it")).await;
    stream.write_all(&token(b"proof")).await.unwrap();
    expect(&mut stream, &[0; 4]).await;
    stream.write_all(&token(&[b'p', layers, 0, 1, 0])).await.unwrap();
    stream
}

async fn refused(authentication: &Authentication, answer: Vec<u8>) -> String {
    let server = |mut stream: DuplexStream| async move {
        expect(&mut stream, b"HBas\x00\x51").await;
        expect(&mut stream, &framed(b"hbase/server@R")).await;
        // The client may have seen enough before all of it was sent.
        let _ = stream.write_all(&answer).await;
        let _ = stream.shutdown().await;
        stream
    };
    match opened(authentication, server).await.0 {
        Err(AuthenticationError::Refused(why)) => why,
        Err(AuthenticationError::Broken(error)) => format!("broken: {error}"),
        Ok(_) => "opened".into(),
    }
}

#[tokio::test(start_paused = true)]
async fn the_strongest_layer_is_taken_that_both_have() {
    use Protection::*;
    for (accepted, layers, chosen) in [
        (&[][..], 7, Privacy),
        (&[], 3, Integrity),
        (&[], 1, Authentication),
        (&[Authentication, Privacy], 7, Authentication),
        (&[Integrity, Privacy], 5, Privacy),
    ] {
        let authentication = authentication().protection(accepted.iter().copied());
        let server = |stream| async move {
            let mut stream = offering(stream, layers).await;
            let buffer = if chosen == Authentication { 0 } else { 1 };
            expect(&mut stream, &framed(&[b'p', chosen.security_layer_bit(), buffer, 0, 0])).await;
            stream
        };
        let (opened, mut server) = opened(&authentication, server).await;
        match (opened.unwrap(), chosen) {
            (OpenedConnection::Plain(mut stream), Authentication) => {
                stream.write_all(b"text").await.unwrap();
                expect(&mut server, b"text").await;
            }
            (OpenedConnection::Protected(mut stream, used), chosen) => {
                assert_eq!(used, chosen);
                let long = vec![b'x'; 200_000];
                let writes = async {
                    stream.write_all(&long).await.unwrap();
                    stream.flush().await.unwrap();
                };
                let reads = async {
                    let mut all = Vec::new();
                    while all.len() < long.len() {
                        let len = server.read_u32().await.unwrap();
                        // No more than the server has said that it takes.
                        assert!(len <= 0x1_0000, "{len}");
                        let mut message = vec![0; len as usize];
                        server.read_exact(&mut message).await.unwrap();
                        assert_eq!(message[0], if chosen == Privacy { b's' } else { b'p' });
                        all.extend_from_slice(&message[1..]);
                    }
                    assert_eq!(all, long);
                };
                tokio::join!(writes, reads);
                let answers = async {
                    let kind = if chosen == Privacy { b's' } else { b'p' };
                    for text in [&b""[..], b"one", b"two"] {
                        let message = [&[kind][..], text].concat();
                        server.write_all(&framed(&message)).await.unwrap();
                    }
                };
                let mut found = [0; 6];
                let (_, read) = tokio::join!(answers, stream.read_exact(&mut found));
                read.unwrap();
                assert_eq!(&found, b"onetwo");
                // What is only signed where it must be encrypted is no answer.
                let signed = framed(b"pno");
                let (sent, read) = tokio::join!(server.write_all(&signed), stream.read(&mut found));
                sent.unwrap();
                assert_eq!(read.is_err(), chosen == Privacy);
            }
            (OpenedConnection::Plain(_) | OpenedConnection::Simple(_), _) => panic!("{chosen}"),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_without_an_accepted_layer_is_refused() {
    let authentication = authentication().protection([Protection::Privacy]);
    let (opened, _) = opened(&authentication, |stream| offering(stream, 3)).await;
    let Err(AuthenticationError::Refused(why)) = opened else { panic!("it is open") };
    assert_eq!(
        why,
        "hbase/server@R protects messages by integrity, authentication (hbase.rpc.protection), and this client accepts privacy: Authentication::protection takes others"
    );
}

#[tokio::test(start_paused = true)]
async fn a_server_without_authentication_is_refused() {
    let simple = [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xA8];
    let why = refused(&authentication(), simple.to_vec()).await;
    assert!(
        why.starts_with("the server Server asks for no authentication, so that anybody"),
        "{why}"
    );
    let allowed = authentication().allow_simple(true);
    let server = |mut stream: DuplexStream| async move {
        expect(&mut stream, b"HBas\x00\x51").await;
        expect(&mut stream, &framed(b"hbase/server@R")).await;
        stream.write_all(&simple).await.unwrap();
        stream
    };
    assert!(matches!(opened(&allowed, server).await.0, Ok(OpenedConnection::Simple(_))));
}

/// The answer of a server that refuses the proof.
fn refusal() -> Vec<u8> {
    refusal_by("javax.security.sasl.SaslException", "GSS initiate failed")
}

fn refusal_by(class: &str, text: &str) -> Vec<u8> {
    [&[0, 0, 0, 1][..], &framed(class.as_bytes()), &framed(text.as_bytes())].concat()
}

/// The answer of a server that listens before it has logged in, as HBase 2.6.4 gives it.
fn of_starting_server() -> Vec<u8> {
    refusal_by(
        "org.apache.hadoop.hbase.security.AccessDeniedException",
        "Kerberos principal does NOT contain an instance (hostname): root",
    )
}

#[tokio::test(start_paused = true)]
async fn a_login_hears_of_a_refused_proof() {
    // A status of SASL, and a token that is no proof, such as an error of Kerberos.
    let of_proof = [refusal(), token(b"another")].map(|answer| (answer, true));
    let others =
        [vec![0x7F, 0, 0, 0], vec![0, 0], of_starting_server()].map(|answer| (answer, false));
    for (answer, is_of_proof) in of_proof.into_iter().chain(others) {
        let words = RecordedWords::default();
        refused(&Authentication::gssapi(words.clone(), "hbase/_HOST@R"), answer.clone()).await;
        let heard = words.0.lock().unwrap().clone();
        let expected: &[&str] = if is_of_proof { &["hbase/server@R"] } else { &[] };
        assert_eq!(heard, expected, "{answer:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_server_says_instead_of_a_proof_is_an_error() {
    let said = refusal();
    let mut exception = vec![0, 0, 0, 20];
    exception.extend_from_slice(b"AccessDeniedExceptio");
    for (answer, expected) in [
        (
            said,
            "the server refuses the proof: GSS initiate failed (SaslException). It is called hbase/server@R",
        ),
        (token(b"another"), "cannot prove itself to hbase/server@R: another is no proof"),
        (exception, "refuses the connection: AccessDeniedExceptio"),
        (vec![0x7F, 0, 0, 0], "does not answer as SASL: its status is 0x7f000000"),
        (vec![0, 0, 0, 0, 0x7F, 0, 0, 0], "announces a token of 2130706432 bytes"),
        (vec![0, 0, 0, 1, 0x7F, 0, 0, 0], "a refusal with a text of 2130706432 bytes"),
        (vec![0, 0], "broken: "),
        // It will be able to tell soon.
        (of_starting_server(), "broken: the server has not logged in itself yet: Kerberos"),
    ] {
        let why = refused(&authentication(), answer).await;
        assert!(why.contains(expected), "{why}");
    }
    let unknown = Authentication::gssapi(Words, "unknown/_HOST@R");
    let (opened, _) = opened(&unknown, |stream| async { stream }).await;
    let Err(AuthenticationError::Refused(why)) = opened else { panic!("it is open") };
    assert_eq!(why, "this client cannot prove itself to unknown/server@R: no ticket");
}
