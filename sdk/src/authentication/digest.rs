//! SASL's DIGEST-MD5 (RFC 2831), by which a client proves that it has a token without sending it.

use md5::{Digest, Md5};
use rc4::{KeyInit, Rc4, StreamCipher};

use super::numbered_context::{Direction, NumberedContext};
use super::protection::{Protection, choose_protection};
use crate::key::show::hex;

/// The URI of the service that HBase's servers use.
const URI: &str = "null/default";
/// The realm, if the server names none.
const REALM: &str = "default";
/// The cipher that is used. Java's other ciphers are DES, or RC4 with a shorter key.
const CIPHER: &str = "rc4";
/// The length of the longest message that a side accepts, if the side names no length.
const USUAL: usize = 1 << 16;
/// The lengths that a side may name for the longest message that it accepts.
const MAX_MESSAGE: std::ops::RangeInclusive<usize> = 17..=0xFF_FFFF;
/// A challenge, and the proof of a server, are shorter than this.
const MAX_TEXT: usize = 2_048;
/// The type of a message, which is sent before its number.
const TYPE: [u8; 2] = [0, 1];
/// The text that replaces the hash of a body if messages are protected.
const NO_BODY: &str = ":00000000000000000000000000000000";

/// The state of a client that has answered a challenge, and waits for the server to prove its
/// identity.
#[derive(Debug)]
pub(super) struct AwaitingServerProof {
    /// The answer that is sent to the server.
    pub(super) answer: Vec<u8>,
    pub(super) protection: Protection,
    /// The longest message that the server accepts.
    pub(super) max_message_len: usize,
    /// The proof that only a server that knows the password can send.
    pub(super) expected: String,
    session: [u8; 16],
}

/// Answers a challenge. `cnonce` is a text that nobody can predict.
pub(super) fn answer(
    challenge: &[u8],
    user: &str,
    password: &str,
    accepted: &[Protection],
    cnonce: &str,
) -> Result<AwaitingServerProof, String> {
    let Challenge { realm, nonce, protections, ciphers, most } = Challenge::parse(challenge)?;
    let offered: Vec<&str> = protections.iter().map(String::as_str).collect();
    let protection = choose_protection("it", accepted, &offered, Protection::sasl_name)?;
    let seals = protection == Protection::Privacy;
    if seals && !ciphers.iter().any(|cipher| cipher == CIPHER) {
        return Err(format!("it encrypts by {}, and this client by {CIPHER}", ciphers.join(", ")));
    }
    let session = md5(&[
        &md5(&[format!("{user}:{realm}:{password}").as_bytes()]),
        format!(":{nonce}:{cnonce}").as_bytes(),
    ]);
    let qop = protection.sasl_name();
    let response = |what: &str| {
        let body = if protection == Protection::Authentication { "" } else { NO_BODY };
        let of_uri = md5(&[format!("{what}:{URI}{body}").as_bytes()]);
        let all = format!("{}:{nonce}:00000001:{cnonce}:{qop}:{}", hex(&session), hex(&of_uri));
        hex(&md5(&[all.as_bytes()])).to_string()
    };
    let cipher = if seals { format!(",cipher=\"{CIPHER}\"") } else { String::new() };
    let answer = format!(
        "charset=utf-8,username={},realm={},nonce={},nc=00000001,cnonce={},digest-uri=\"{URI}\",maxbuf={USUAL},response={},qop={qop}{cipher}",
        quoted(user),
        quoted(&realm),
        quoted(&nonce),
        quoted(cnonce),
        response("AUTHENTICATE")
    );
    let expected = response("");
    Ok(AwaitingServerProof {
        answer: answer.into_bytes(),
        protection,
        max_message_len: most,
        expected,
        session,
    })
}

impl AwaitingServerProof {
    /// Checks the server's last message, by which the server proves that it knows the password.
    pub(super) fn finish(self, message: &[u8]) -> Result<NumberedContext, String> {
        let said = directives(message)?;
        if !said.iter().any(|(name, value)| name == "rspauth" && *value == self.expected) {
            return Err("it does not prove that it knows the token".into());
        }
        let direction = |name: &str| -> Result<Direction, String> {
            let key = |of: &str, what: &str| {
                let constant = format!("Digest {of} to {name} {what} key magic constant");
                md5(&[&self.session, constant.as_bytes()])
            };
            let cipher: Option<Box<dyn StreamCipher + Send>> = match self.protection {
                Protection::Privacy => {
                    let rc4 = <Rc4 as KeyInit>::new_from_slice(&key("H(A1)", "sealing"));
                    Some(Box::new(rc4.map_err(|why| why.to_string())?))
                }
                Protection::Authentication | Protection::Integrity => None,
            };
            Ok(Direction::new(&key("session key", "signing"), cipher))
        };
        let (sent, received) = (direction("client-to-server")?, direction("server-to-client")?);
        Ok(NumberedContext::new(sent, received, &TYPE))
    }
}

/// The challenge of a server, with what the server offers.
struct Challenge {
    realm: String,
    nonce: String,
    protections: Vec<String>,
    ciphers: Vec<String>,
    most: usize,
}

impl Challenge {
    fn parse(text: &[u8]) -> Result<Self, String> {
        let said = directives(text)?;
        let get = |name: &str| {
            said.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
        };
        let list = |text: &str| text.split(',').map(|one| one.trim().to_owned()).collect();
        match get("algorithm") {
            Some("md5-sess") => {}
            other => return Err(format!("its algorithm is {other:?}, not md5-sess")),
        }
        let most = get("maxbuf").map_or(Ok(USUAL), |most| {
            let named = most.parse().ok().filter(|named| MAX_MESSAGE.contains(named));
            named.ok_or_else(|| {
                let (least, most_of_all) = (MAX_MESSAGE.start(), MAX_MESSAGE.end());
                format!("its maxbuf is {most:?}, not a number from {least} to {most_of_all}")
            })
        })?;
        Ok(Self {
            realm: get("realm").unwrap_or(REALM).to_owned(),
            nonce: get("nonce").ok_or("its challenge has no nonce")?.to_owned(),
            protections: get("qop").map_or_else(|| vec!["auth".into()], list),
            ciphers: get("cipher").map(list).unwrap_or_default(),
            most,
        })
    }
}

/// Parses `name=value, name="value"` and so on.
fn directives(text: &[u8]) -> Result<Vec<(String, String)>, String> {
    if text.len() >= MAX_TEXT {
        return Err(format!("a challenge of {} bytes; less than {MAX_TEXT} are read", text.len()));
    }
    let text = std::str::from_utf8(text).map_err(|_| "a challenge that is not text")?;
    let mut rest = text.trim_matches(|c: char| c == ',' || c.is_ascii_whitespace());
    let mut found = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=').ok_or("a challenge without `=` after a name")?;
        let value;
        (value, rest) = match after.trim_start().strip_prefix('"') {
            Some(inside) => until_quote(inside)?,
            None => {
                let (value, rest) = after.split_once(',').unwrap_or((after, ""));
                (value.trim().to_owned(), rest)
            }
        };
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_ascii_whitespace());
        found.push((name.trim().to_ascii_lowercase(), value));
    }
    Ok(found)
}

/// Splits a text at its closing quote: returns the value before the quote, without escapes, and the
/// rest.
fn until_quote(text: &str) -> Result<(String, &str), String> {
    let mut value = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '"' => return Ok((value, chars.as_str())),
            '\\' => value.extend(chars.next()),
            c => value.push(c),
        }
    }
    Err("a challenge with a quote that does not end".into())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn md5(parts: &[&[u8]]) -> [u8; 16] {
    let mut hash = Md5::new();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The first example of RFC 2831, section 4, which is for an IMAP server.
    #[test]
    fn a_response_is_that_of_the_rfc() {
        // `answer` always uses `URI`, and the example uses imap/elwood.innosoft.com. Therefore the
        // response is computed here from its parts.
        let session =
            md5(&[&md5(&[b"chris:elwood.innosoft.com:secret"]), b":OA6MG9tEQGm2hh:OA6MHXh6VqTrRk"]);
        let of_uri = md5(&[b"AUTHENTICATE:imap/elwood.innosoft.com"]);
        let all = format!(
            "{}:OA6MG9tEQGm2hh:00000001:OA6MHXh6VqTrRk:auth:{}",
            hex(&session),
            hex(&of_uri)
        );
        assert_eq!(hex(&md5(&[all.as_bytes()])).to_string(), "d388dad90d4bbd760a152321f2143af7");
    }

    const CHALLENGE: &str = r#"realm="default",nonce="a\"b",qop="auth,auth-int,auth-conf",charset=utf-8,cipher="3des,rc4,des",algorithm=md5-sess"#;

    /// The contexts of the client and of the server.
    pub(in super::super) fn both(protection: Protection) -> (NumberedContext, NumberedContext) {
        let answered =
            || answer(CHALLENGE.as_bytes(), "user", "password", &[protection], "mine").unwrap();
        let shown = String::from_utf8(answered().answer).unwrap();
        assert!(shown.contains(r#"nonce="a\"b""#), "{shown}");
        assert!(shown.contains(&format!("qop={}", protection.sasl_name())), "{shown}");
        let proof = format!("rspauth={}", answered().expected);
        let context = || answered().finish(proof.as_bytes()).unwrap();
        (context(), context().turned())
    }

    #[test]
    fn what_is_no_challenge_is_an_error() {
        let long = format!("algorithm=md5-sess,nonce={}", "a".repeat(2_023));
        for (challenge, expected) in [
            ("", "its algorithm is None"),
            ("algorithm=md5-sess", "has no nonce"),
            ("algorithm=md5-sess,nonce=\"a", "a quote that does not end"),
            ("algorithm=md5-sess,nonce=a,maxbuf=x", "its maxbuf is \"x\", not a number from 17"),
            ("algorithm=md5-sess,nonce=a,maxbuf=16", "its maxbuf is \"16\", not a number from 17"),
            ("algorithm=md5-sess,nonce=a,maxbuf=16777216", "not a number from 17 to 16777215"),
            (&long, "a challenge of 2048 bytes; less than 2048 are read"),
            ("algorithm", "without `=`"),
            ("algorithm=md5-sess,nonce=a,qop=auth", "it protects messages by auth "),
            (
                "algorithm=md5-sess,nonce=a,qop=\"auth-conf\",cipher=\"des\"",
                "it encrypts by des, and this client by rc4",
            ),
        ] {
            let answer = answer(challenge.as_bytes(), "u", "p", &[Protection::Privacy], "c");
            let why = answer.unwrap_err();
            assert!(why.contains(expected), "{why}");
        }
        let answered = answer(CHALLENGE.as_bytes(), "u", "p", &Protection::ALL, "c").unwrap();
        assert_eq!(answered.protection, Protection::Privacy);
        let why = answered.finish(b"rspauth=00").err().unwrap();
        assert!(why.contains("does not prove"), "{why}");
    }
}
