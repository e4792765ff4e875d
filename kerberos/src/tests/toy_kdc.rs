//! A KDC that knows alice, whose password is "secret", and the service `host/server`. It never
//! answers a request for the service `host/slow`.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use der::asn1::Any;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, UdpSocket};
use tokio::task::JoinHandle;

use crate::crypto::usage;
use crate::message::{
    self, ApRequest, Authenticator, EncKdcReplyPart, EncTimestamp, Encrypted, EnctypeInfo,
    KdcReply, KdcRequest, KeyBytes, KrbError, Name, PaData, Text, kind, padata,
};
use crate::ticket::now_in_seconds;
use crate::{Enctype, Key, Principal};

/// How often a password is hashed: once, as tests do it often.
const ROUNDS: [u8; 4] = [0, 0, 0, 1];

/// What a KDC does otherwise than it should.
#[derive(Clone)]
pub(super) struct Behaviour {
    pub(super) asks_for_proof: bool,
    /// The kinds of proof that it names.
    pub(super) ways: &'static [i32],
    pub(super) enctype: Enctype,
    pub(super) salt: Option<&'static str>,
    /// The error that it answers each request with.
    pub(super) error: Option<i32>,
    /// Seconds that a ticket holds, from now on.
    pub(super) holds: i64,
    /// How far its clock is before that of the client.
    pub(super) before: i64,
    /// The realm that it knows the way to, for services of others.
    pub(super) refers_to: Option<&'static str>,
    /// Changes what it answers, before it is encrypted and afterwards.
    pub(super) part: fn(&mut EncKdcReplyPart),
    pub(super) reply: fn(&mut KdcReply),
    pub(super) bytes: fn(Vec<u8>) -> Option<Vec<u8>>,
    /// Whether datagrams and connections are answered; both, unless one is too short for all.
    pub(super) datagrams: Answers,
    pub(super) connections: Answers,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Answers {
    Yes,
    TooBig,
    Silent,
}

impl Default for Behaviour {
    fn default() -> Self {
        Self {
            asks_for_proof: true,
            ways: &[padata::ENC_TIMESTAMP],
            enctype: Enctype::Aes256Sha1,
            salt: None,
            error: None,
            holds: 3_600,
            before: 0,
            refers_to: None,
            part: |_| {},
            reply: |_| {},
            bytes: Some,
            datagrams: Answers::Yes,
            connections: Answers::Yes,
        }
    }
}

pub(super) struct ToyKdc {
    address: SocketAddr,
    inner: Arc<Inner>,
    tasks: Vec<JoinHandle<()>>,
}

pub(super) struct Inner {
    realm: &'static str,
    behaviour: Mutex<Behaviour>,
    first: AtomicUsize,
    others: AtomicUsize,
    datagrams: AtomicUsize,
    connections: AtomicUsize,
}

impl Drop for ToyKdc {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
    }
}

impl ToyKdc {
    pub(super) async fn new(realm: &'static str, behaviour: Behaviour) -> Self {
        let (listener, socket) = loop {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            // The same port is usually free for datagrams.
            if let Ok(socket) = UdpSocket::bind(listener.local_addr().unwrap()).await {
                break (listener, socket);
            }
        };
        let address = listener.local_addr().unwrap();
        let zero = AtomicUsize::default;
        let inner = Arc::new(Inner {
            realm,
            behaviour: Mutex::new(behaviour),
            first: zero(),
            others: zero(),
            datagrams: zero(),
            connections: zero(),
        });
        let tasks = vec![
            tokio::spawn(by_datagram(inner.clone(), socket)),
            tokio::spawn(by_connection(inner.clone(), listener)),
        ];
        Self { address, inner, tasks }
    }

    pub(super) fn port(&self) -> u16 {
        self.address.port()
    }

    pub(super) fn behave(&self, behaviour: Behaviour) {
        *self.inner.behaviour.lock().unwrap() = behaviour;
    }

    /// How many requests for a first ticket it got, and how many for others.
    pub(super) fn requests(&self) -> (usize, usize) {
        let count = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (count(&self.inner.first), count(&self.inner.others))
    }

    /// How many datagrams it got, and how many connections.
    pub(super) fn transports(&self) -> (usize, usize) {
        let count = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        (count(&self.inner.datagrams), count(&self.inner.connections))
    }
}

async fn by_datagram(kdc: Arc<Inner>, socket: UdpSocket) {
    let mut request = vec![0; 1 << 16];
    while let Ok((len, from)) = socket.recv_from(&mut request).await {
        kdc.datagrams.fetch_add(1, Ordering::Relaxed);
        let behaviour = kdc.behaviour.lock().unwrap().clone();
        let answer = match behaviour.datagrams {
            Answers::Yes => kdc.answer(&request[..len], &behaviour),
            Answers::TooBig => Some(kdc.error(52, None)),
            Answers::Silent => None,
        };
        if let Some(answer) = answer {
            let _ = socket.send_to(&answer, from).await;
        }
    }
}

async fn by_connection(kdc: Arc<Inner>, listener: TcpListener) {
    while let Ok((mut stream, _)) = listener.accept().await {
        kdc.connections.fetch_add(1, Ordering::Relaxed);
        let kdc = kdc.clone();
        tokio::spawn(async move {
            let behaviour = kdc.behaviour.lock().unwrap().clone();
            // Whoever asks may have its answer from elsewhere by now.
            let Ok(len) = stream.read_u32().await else { return };
            let mut request = vec![0; len as usize];
            if stream.read_exact(&mut request).await.is_err() {
                return;
            }
            let answer = match behaviour.connections {
                Answers::Silent => None,
                _ => kdc.answer(&request, &behaviour),
            };
            match answer {
                Some(answer) => {
                    let len = (answer.len() as u32).to_be_bytes();
                    let _ = stream.write_all(&[&len[..], &answer].concat()).await;
                }
                // It stays open, and says nothing.
                None => std::future::pending().await,
            }
        });
    }
}

impl Inner {
    fn error(&self, code: i32, data: Option<Vec<u8>>) -> Vec<u8> {
        let before = self.behaviour.lock().unwrap().before;
        let error = KrbError {
            version: 5,
            kind: kind::KRB_ERROR,
            client_time: None,
            client_micros: None,
            server_time: message::to_generalized_time(now_in_seconds() + before).unwrap(),
            server_micros: 0,
            code,
            client_realm: None,
            client: None,
            realm: self.realm.into(),
            server: Name::of(&Principal::ticket_granting(self.realm, self.realm)),
            text: Some("TOY".into()),
            data: data.map(|data| message::octets(&data).unwrap()),
        };
        message::encode(kind::KRB_ERROR, &error).unwrap()
    }

    fn answer(&self, request: &[u8], behaviour: &Behaviour) -> Option<Vec<u8>> {
        let asked: KdcRequest =
            message::decode(&[kind::AS_REQ, kind::TGS_REQ], "a request", request).unwrap();
        let is_first = asked.kind == kind::AS_REQ;
        let count = if is_first { &self.first } else { &self.others };
        count.fetch_add(1, Ordering::Relaxed);
        let server =
            asked.body.server.as_ref().map(|name| name.principal(&asked.body.realm).unwrap());
        if server.is_some_and(|server| server.components() == ["host", "slow"]) {
            return None;
        }
        let answer = match behaviour.error {
            Some(code) => self.error(code, None),
            None if is_first => self.first(&asked, behaviour),
            None => self.other(&asked, behaviour),
        };
        (behaviour.bytes)(answer)
    }

    fn first(&self, asked: &KdcRequest, behaviour: &Behaviour) -> Vec<u8> {
        let client = asked.body.client.as_ref().unwrap().principal(&asked.body.realm).unwrap();
        if client.components() != ["alice"] {
            return self.error(6, None);
        }
        let salt = behaviour.salt.map_or_else(|| client.salt(), str::to_owned);
        let info = vec![EnctypeInfo {
            enctype: behaviour.enctype.number(),
            salt: behaviour.salt.map(Text::from),
            parameters: Some(message::octets(&ROUNDS).unwrap()),
        }];
        let info = message::encode_der(&info).unwrap();
        let info = PaData { kind: padata::ETYPE_INFO2, value: message::octets(&info).unwrap() };
        let key = Key::from_password(behaviour.enctype, b"secret", salt.as_bytes(), Some(&ROUNDS));
        let key = key.unwrap();
        if behaviour.asks_for_proof {
            let proofs = asked.padata.iter().flatten();
            let Some(proof) = proofs.into_iter().find(|data| data.kind == padata::ENC_TIMESTAMP)
            else {
                let way = |kind| PaData { kind, value: message::octets(&[]).unwrap() };
                let ways = behaviour.ways.iter().copied().map(way).chain([info]);
                return self
                    .error(25, Some(message::encode_der(&ways.collect::<Vec<_>>()).unwrap()));
            };
            let proof: Encrypted = message::decode_der("a proof", proof.value.as_bytes()).unwrap();
            let Ok(proof) = proof.decrypt(&key, usage::PA_ENC_TIMESTAMP) else {
                return self.error(24, None);
            };
            let time: EncTimestamp = message::decode_der("a time", &proof).unwrap();
            let apart = message::seconds(&time.time).abs_diff(now_in_seconds() + behaviour.before);
            if apart > 300 {
                return self.error(37, None);
            }
        }
        let granting = Principal::ticket_granting(self.realm, self.realm);
        let named = (!behaviour.asks_for_proof).then(|| vec![info]);
        self.reply(asked, behaviour, &client, &granting, (&key, usage::AS_REP), named)
    }

    fn other(&self, asked: &KdcRequest, behaviour: &Behaviour) -> Vec<u8> {
        let shown =
            asked.padata.iter().flatten().find(|data| data.kind == padata::TGS_REQ).unwrap();
        let shown: ApRequest =
            message::decode(&[kind::AP_REQ], "a request", shown.value.as_bytes()).unwrap();
        let (client, session, _) = open(&shown.ticket);
        let authenticator =
            shown.authenticator.decrypt(&session, usage::TGS_REQ_AUTHENTICATOR).unwrap();
        let authenticator: Authenticator =
            message::decode(&[kind::AUTHENTICATOR], "an authenticator", &authenticator).unwrap();
        let body = message::encode_der(&asked.body).unwrap();
        let checksum = authenticator.checksum.unwrap();
        let of_body = session.for_usage(usage::TGS_REQ_CHECKSUM);
        assert!(of_body.verify(&[&body], checksum.bytes.as_bytes()));
        let server = asked.body.server.as_ref().unwrap().principal(&asked.body.realm).unwrap();
        let known = ["host/server@TEST", "host/server@OTHER"].contains(&&*server.to_string());
        let server = match behaviour.refers_to {
            Some(realm) if server.granted_realm().is_some() => {
                Principal::ticket_granting(realm, self.realm)
            }
            _ if known || server.granted_realm().is_some() => server,
            _ => return self.error(7, None),
        };
        let key = authenticator.subkey.unwrap().try_into_key().unwrap();
        self.reply(asked, behaviour, &client, &server, (&key, usage::TGS_REP_SUBKEY), None)
    }

    fn reply(
        &self,
        asked: &KdcRequest,
        behaviour: &Behaviour,
        client: &Principal,
        server: &Principal,
        (key, usage): (&Key, u32),
        named: Option<Vec<PaData>>,
    ) -> Vec<u8> {
        let session = Key::random(behaviour.enctype).unwrap();
        let now = now_in_seconds() + behaviour.before;
        let mut part = EncKdcReplyPart {
            key: KeyBytes::of(&session).unwrap(),
            last_requests: Any::new(der::Tag::Sequence, Vec::new()).unwrap(),
            nonce: asked.body.nonce.into(),
            key_expires: None,
            flags: message::flags(0).unwrap(),
            made: message::to_generalized_time(now).unwrap(),
            starts: None,
            ends: message::to_generalized_time(now + behaviour.holds).unwrap(),
            renewable_until: None,
            realm: server.realm().unwrap().into(),
            server: Name::of(server),
            addresses: None,
            padata: None,
        };
        (behaviour.part)(&mut part);
        let number = if asked.kind == kind::AS_REQ { kind::AS_REP } else { kind::TGS_REP };
        let part_number =
            number + (kind::ENC_AS_REP_PART - kind::AS_REP) - (number - kind::AS_REP) / 2;
        let part = message::encode(part_number, &part).unwrap();
        let mut reply = KdcReply {
            version: 5,
            kind: number,
            padata: named,
            realm: client.realm().unwrap().into(),
            client: Name::of(client),
            ticket: ticket(client, server, &session),
            encrypted: Encrypted::encrypt(key, usage, &part).unwrap(),
        };
        (behaviour.reply)(&mut reply);
        message::encode(number, &reply).unwrap()
    }
}

/// A ticket as these KDCs write it: who shows it, for whom it is, and the key.
fn ticket(client: &Principal, server: &Principal, session: &Key) -> Any {
    let text = format!("{client}\n{server}\n{}\n", session.enctype().number());
    Any::new(der::Tag::OctetString, [text.as_bytes(), session.bytes()].concat()).unwrap()
}

/// What a ticket says: the client, the key, the server.
pub(super) fn open(ticket: &Any) -> (Principal, Key, Principal) {
    let mut parts = ticket.value().splitn(4, |byte| *byte == b'\n');
    let mut text = || String::from_utf8(parts.next().unwrap().to_vec()).unwrap();
    let (client, server, enctype) = (text(), text(), text());
    let enctype = Enctype::from_number(enctype.parse().unwrap()).unwrap();
    let key = Key::new(enctype, parts.next().unwrap()).unwrap();
    (client.parse().unwrap(), key, server.parse().unwrap())
}
