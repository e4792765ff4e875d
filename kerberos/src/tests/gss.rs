use super::toy_kdc::{Behaviour, ToyKdc, open};
use super::{config, login, principal};
use crate::crypto::usage;
use crate::gss::{Context, Initiator, decode_token, encode_token};
use crate::message::{
    self, ApReply, ApRequest, Authenticator, EncApReplyPart, Encrypted, KeyBytes, KrbError, Name,
    kind,
};
use crate::{Enctype, ErrorKind, Key};

/// What a service does with the first token.
struct Acceptor {
    ticket: Key,
    subkey: Key,
    authenticator: Authenticator,
}

impl Acceptor {
    fn accept(token: &[u8]) -> Self {
        let (form, inner) = decode_token(token).unwrap();
        assert_eq!(form, [1, 0]);
        let request: ApRequest = message::decode(&[kind::AP_REQ], "a request", inner).unwrap();
        let (_, ticket, _) = open(&request.ticket);
        let authenticator =
            request.authenticator.decrypt(&ticket, usage::AP_REQ_AUTHENTICATOR).unwrap();
        let authenticator: Authenticator =
            message::decode(&[kind::AUTHENTICATOR], "an authenticator", &authenticator).unwrap();
        assert_eq!(authenticator.checksum.as_ref().unwrap().kind, 0x8003);
        let subkey = authenticator.subkey.clone().unwrap().try_into_key().unwrap();
        Self { ticket, subkey, authenticator }
    }

    /// The answer, with a key of its own or none, and where it counts from.
    fn answer(&self, own: Option<&Key>, sequence: Option<i64>) -> Vec<u8> {
        let part = EncApReplyPart {
            time: self.authenticator.time,
            micros: self.authenticator.micros,
            subkey: own.map(|key| KeyBytes::of(key).unwrap()),
            sequence,
        };
        self.encoded(&part)
    }

    fn encoded(&self, part: &EncApReplyPart) -> Vec<u8> {
        let part = message::encode(kind::ENC_AP_REP_PART, part).unwrap();
        let encrypted = Encrypted::encrypt(&self.ticket, usage::AP_REP, &part).unwrap();
        let reply = ApReply { version: 5, kind: kind::AP_REP, encrypted };
        encode_token([2, 0], &message::encode(kind::AP_REP, &reply).unwrap())
    }
}

async fn started(enctype: Enctype) -> (Initiator, Acceptor) {
    let kdc = ToyKdc::new("TEST", Behaviour { enctype, ..Behaviour::default() }).await;
    let ticket = login(config(&[&kdc], "")).ticket(&principal("host/server")).await.unwrap();
    let (initiator, token) = Initiator::start(&ticket).unwrap();
    (initiator, Acceptor::accept(&token))
}

/// A message that the acceptor has wrapped, rotated by this many bytes.
fn wrapped(key: &Key, flags: u8, sequence: u64, text: &[u8], rotated: u16) -> Vec<u8> {
    let seals = flags & 2 != 0;
    let mut header = [5, 4, flags, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    header[8..].copy_from_slice(&sequence.to_be_bytes());
    let usage = key.for_usage(usage::ACCEPTOR_SEAL);
    let mut body = match seals {
        true => usage.encrypt(&[text, &header]).unwrap(),
        false => {
            let checksum = usage.checksum(&[text, &header]);
            header[5] = checksum.len() as u8;
            [text, &checksum].concat()
        }
    };
    let len = body.len();
    body.rotate_right(usize::from(rotated) % len);
    header[6..8].copy_from_slice(&rotated.to_be_bytes());
    [&header[..], &body].concat()
}

#[tokio::test]
async fn both_sides_read_what_the_other_wraps() {
    for enctype in Enctype::ALL {
        for own in [false, true] {
            let (initiator, acceptor) = started(enctype).await;
            let key = if own { Key::random(enctype).unwrap() } else { acceptor.subkey.clone() };
            let answer = acceptor.answer(own.then_some(&key), Some(i64::from(u32::MAX)));
            let mut context: Context = initiator.finish(&answer).unwrap();
            let acceptors = if own { 4 } else { 0 };
            let mut sequence = u64::from(u32::MAX);
            for (len, rotated) in [(0, 0), (1, 1), (15, 28), (16, 3), (1_000, 65_535)] {
                for seal in [true, false] {
                    let text = vec![7; len];
                    let flags = 1 | acceptors | if seal { 2 } else { 0 };
                    let token = wrapped(&key, flags, sequence, &text, rotated);
                    let (read, sealed) = context.unwrap(token).unwrap();
                    assert_eq!((&read[..], sealed), (&text[..], seal), "{enctype} {len}");
                    sequence += 1;

                    let token = context.wrap(&text, seal).unwrap();
                    assert_eq!(token[2], acceptors | if seal { 2 } else { 0 });
                    let of_initiator = key.for_usage(usage::INITIATOR_SEAL);
                    if seal {
                        let read = of_initiator.decrypt(token[16..].to_vec()).unwrap();
                        assert_eq!(read[..len], text);
                        assert_eq!(read[len..], token[..16]);
                    } else {
                        let (read, checksum) = token[16..].split_at(len);
                        let mut header = token[..16].to_vec();
                        header[4..8].fill(0);
                        assert!(of_initiator.verify(&[read, &header], checksum));
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn messages_that_were_changed_repeated_or_left_out_are_errors() {
    for seal in [2, 0] {
        let (initiator, acceptor) = started(Enctype::Aes256Sha1).await;
        let key = acceptor.subkey.clone();
        let mut context = initiator.finish(&acceptor.answer(None, Some(5))).unwrap();
        let token = |sequence| wrapped(&key, 1 | seal, sequence, b"some text", 0);
        context.unwrap(token(6)).unwrap_err();
        for at in 0..token(5).len() {
            let mut changed = token(5);
            changed[at] ^= 0x10;
            assert!(context.unwrap(changed).is_err(), "{at}");
            assert!(context.unwrap(token(5)[..at].to_vec()).is_err(), "{at}");
        }
        context.unwrap(wrapped(&key, seal, 5, b"some text", 0)).unwrap_err();
        context.unwrap(wrapped(&key, 5 | seal, 5, b"some text", 0)).unwrap_err();
        context.unwrap(token(5)).unwrap();
        context.unwrap(token(5)).unwrap_err();
    }
}

#[tokio::test]
async fn an_answer_that_proves_nothing_is_an_error() {
    let text = |answer: fn(&Acceptor) -> Vec<u8>| async move {
        let (initiator, acceptor) = started(Enctype::Aes128Sha2).await;
        initiator.finish(&answer(&acceptor)).unwrap_err()
    };
    let error = text(|_| Vec::new()).await;
    assert!(error.to_string().starts_with("the answer of host/server@TEST: it is no token"));
    let error = text(|acceptor| {
        let part = EncApReplyPart {
            time: acceptor.authenticator.time,
            micros: acceptor.authenticator.micros + 1,
            subkey: None,
            sequence: None,
        };
        acceptor.encoded(&part)
    });
    assert!(error.await.to_string().contains("it is the answer to another token"));
    let error = text(|acceptor| {
        let other = Key::random(Enctype::Aes128Sha2).unwrap();
        let acceptor = Acceptor {
            ticket: other,
            subkey: acceptor.subkey.clone(),
            authenticator: acceptor.authenticator.clone(),
        };
        acceptor.answer(None, None)
    });
    assert_eq!(error.await.kind(), ErrorKind::Malformed);
    let error = text(|acceptor| {
        let answer = acceptor.answer(None, None);
        let (_, inner) = decode_token(&answer).unwrap();
        encode_token([9, 9], inner)
    });
    assert!(error.await.to_string().contains("a token of another kind"));
    // A service that has seen the token before (RFC 4120, section 7.5.9).
    let error = text(|_| {
        let error = KrbError {
            version: 5,
            kind: kind::KRB_ERROR,
            client_time: None,
            client_micros: None,
            server_time: message::to_generalized_time(1_000).unwrap(),
            server_micros: 0,
            code: 34,
            client_realm: None,
            client: None,
            realm: "TEST".into(),
            server: Name::of(&principal("host/server")),
            text: Some("Request is a \x1b[31mreplay".into()),
            data: None,
        };
        encode_token([3, 0], &message::encode(kind::KRB_ERROR, &error).unwrap())
    });
    let error = error.await;
    assert_eq!((error.kind(), error.code()), (ErrorKind::Refused, Some(34)), "{error}");
    // What a terminal would act on is left out.
    let expected =
        "host/server@TEST refuses the ticket: error 34 of Kerberos Request is a [31mreplay";
    assert_eq!(error.to_string(), expected);
    // Every byte of it is looked at. Its length is not always the same: the microseconds in it have
    // up to three bytes.
    for at in 0.. {
        let (initiator, acceptor) = started(Enctype::Aes128Sha1).await;
        let mut answer = acceptor.answer(None, None);
        let Some(byte) = answer.get_mut(at) else { break };
        *byte ^= 1;
        assert!(initiator.finish(&answer).is_err(), "{at}");
    }
}
