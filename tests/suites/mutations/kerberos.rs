//! What KDCs, services and files of Kerberos say, for the logins of `tallrow_kerberos::fuzz`.

use tallrow_kerberos::fuzz::{KEY, NUMBER};
use tallrow_kerberos::{Enctype, Key};

use crate::der::{integer, list, message, name, octets, sequence, text, time, value};

/// The uses of keys (RFC 4120, section 7.5.1).
const AS_REP: u32 = 3;
const TGS_REP: u32 = 9;
const AP_REP: u32 = 12;
const ACCEPTOR_SEAL: u32 = 22;

/// The time of [`NUMBER`] seconds after 1970.
const SENT: &str = "19700101001640Z";

pub(crate) const KRB5_CONF: &str = r#"# of all programs
[libdefaults]
  default_realm = TEST
  kdc_timeout = 1m 30s
  clockskew = 5m
  ticket_lifetime = 10:30:00
  renew_lifetime = 7d
  forwardable = true
  udp_preference_limit = 1
  rdns = no
  permitted_enctypes = aes256-cts DEFAULT -aes128-sha2
  default_ccache_name = FILE:/tmp/krb5cc_%{uid}
[realms]
  TEST = {
    kdc = kdc1.example.org:88
    kdc = tcp/[::1]:750
    auth_to_local = "RULE:[1:$1@$0](.*)s/@.*//"
  }
[domain_realm]*
  .example.org = TEST
[capaths]
  TEST = {
    OTHER = MIDDLE
  }
"#;

/// What may stand in a `krb5.conf`.
pub(crate) const WORDS: &[&str] = &[
    "\n",
    " = ",
    "= {\n",
    "}\n",
    "[",
    "]",
    "*",
    "\"",
    "\\",
    "%{uid}",
    "#",
    ";",
    ":",
    "-",
    "\u{e9}",
    "4294967295d",
    "18446744073709551616",
    "999999999",
    "0",
    "kdc = ",
    "[realms]\n",
    "tcp/",
];

fn key() -> Key {
    Key::new(Enctype::Aes256Sha1, &KEY).unwrap()
}

fn encrypted(usage: u32, plain: &[u8]) -> Vec<u8> {
    let cipher = key().encrypt(usage, plain).unwrap();
    sequence(&[(0, integer(18)), (2, octets(&cipher))])
}

fn key_bytes() -> Vec<u8> {
    sequence(&[(0, integer(18)), (1, octets(&KEY))])
}

/// The part of a KDC's reply that is encrypted, for a ticket for this service.
pub(crate) fn reply_part(number: u8, server: &[&str]) -> Vec<u8> {
    let last_requests = list(&[sequence(&[(0, integer(0)), (1, time(SENT))])]);
    message(
        number,
        &[
            (0, key_bytes()),
            (1, last_requests),
            (2, integer(NUMBER)),
            (4, value(0x03, &[0, 0x40, 0x81, 0, 0])),
            (5, time("20260101000000Z")),
            (6, time("20260101000000Z")),
            (7, time("20991231235959Z")),
            (8, time("20991231235959Z")),
            (9, text("TEST")),
            (10, name(server)),
        ],
    )
}

/// What a KDC says about the keys of passwords.
fn salts() -> Vec<u8> {
    let salt = [(0, integer(18)), (1, text("TESTalice")), (2, octets(&[0, 0, 0x10, 0]))];
    list(&[sequence(&salt)])
}

fn reply(number: u8, usage: u32, part: &[u8]) -> Vec<u8> {
    let salt = sequence(&[(1, integer(19)), (2, octets(&salts()))]);
    let ticket = [
        (0, integer(5)),
        (1, text("TEST")),
        (2, name(&["host", "server"])),
        (3, sequence(&[(0, integer(18)), (1, integer(2)), (2, octets(&[9; 40]))])),
    ];
    let fields = [
        (0, integer(5)),
        (1, integer(number.into())),
        (2, list(&[salt])),
        (3, text("TEST")),
        (4, name(&["alice"])),
        (5, message(1, &ticket)),
        (6, encrypted(usage, part)),
    ];
    message(number, &fields)
}

fn error(code: u32, data: Option<Vec<u8>>) -> Vec<u8> {
    let mut fields = vec![
        (0, integer(5)),
        (1, integer(30)),
        (4, time("20260101000000Z")),
        (5, integer(7)),
        (6, integer(code)),
        (7, text("OTHER")),
        (9, text("TEST")),
        (10, name(&["krbtgt", "TEST"])),
        (11, text("why")),
    ];
    fields.extend(data.map(|data| (12, octets(&data))));
    message(30, &fields)
}

/// The message after its length, as on a connection.
fn framed(message: &[u8]) -> Vec<u8> {
    [&(message.len() as u32).to_be_bytes()[..], message].concat()
}

/// Answers of a KDC with which a login goes on.
pub(crate) fn answers() -> Vec<Vec<u8>> {
    let methods = [(2, octets(b"")), (19, octets(&salts())), (136, octets(b""))]
        .map(|(kind, data)| sequence(&[(1, integer(kind)), (2, data)]));
    let first = reply(11, AS_REP, &reply_part(25, &["krbtgt", "TEST"]));
    let service = reply(13, TGS_REP, &reply_part(26, &["host", "server"]));
    let referral = reply(13, TGS_REP, &reply_part(26, &["krbtgt", "OTHER"]));
    let proof = error(25, Some(list(&methods)));
    let on_connection = [framed(&first), framed(&service)];
    [vec![first, service, referral, proof], on_connection.to_vec()].concat()
}

/// Errors of a KDC.
pub(crate) fn errors() -> Vec<Vec<u8>> {
    [6, 7, 14, 18, 23, 24, 32, 33, 37, 60, 68].map(|code| error(code, None)).to_vec()
}

pub(crate) fn service_answer_part(has_own_key: bool) -> Vec<u8> {
    let mut fields = vec![(0, time(SENT)), (1, integer(NUMBER))];
    if has_own_key {
        fields.extend([(2, key_bytes()), (3, integer(NUMBER))]);
    }
    message(27, &fields)
}

/// A token of the GSS-API with Kerberos.
fn token(kind: u8, inner: &[u8]) -> Vec<u8> {
    let mechanism = [6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x12, 1, 2, 2];
    value(0x60, &[&mechanism[..], &[kind, 0], inner].concat())
}

pub(crate) fn service_answers() -> Vec<Vec<u8>> {
    let answer = |has_own_key| {
        let part = encrypted(AP_REP, &service_answer_part(has_own_key));
        token(2, &message(15, &[(0, integer(5)), (1, integer(15)), (2, part)]))
    };
    [true, false].map(answer).to_vec()
}

/// The token of a service that has seen the ticket's authenticator before.
pub(crate) fn service_error() -> Vec<u8> {
    token(3, &error(34, None))
}

/// Messages that a service has wrapped: signed, encrypted, with a rotation, and to be encrypted.
pub(crate) fn wrapped_messages() -> Vec<Vec<u8>> {
    let (of_acceptor, encrypts) = (1 | 4, 2);
    let header = |flags: u8| {
        let mut header = vec![5, 4, flags, 0xFF, 0, 0, 0, 0];
        header.extend(u64::from(NUMBER).to_be_bytes());
        header
    };
    let (signed, sealed) = (header(of_acceptor), header(of_acceptor | encrypts));
    let key = key().for_usage(ACCEPTOR_SEAL);
    let text = b"some text";
    let checksum = key.checksum(&[text, &signed]);
    let mut first = signed;
    first[5] = checksum.len() as u8;
    let body = key.encrypt(&[text, &sealed]).unwrap();
    let mut rotated = body.clone();
    rotated.rotate_right(28);
    let mut turned = sealed.clone();
    turned[7] = 28;
    vec![
        [&[0][..], &first, text, &checksum].concat(),
        [&[0][..], &sealed, &body].concat(),
        [&[0][..], &turned, &rotated].concat(),
        [&[1][..], &sealed, text, &sealed].concat(),
    ]
}

fn counted(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u32).to_be_bytes()[..], bytes].concat()
}

fn short(bytes: &[u8]) -> Vec<u8> {
    [&(bytes.len() as u16).to_be_bytes()[..], bytes].concat()
}

/// A keytab of two principals, with a hole and a version of four bytes.
pub(crate) fn keytab() -> Vec<u8> {
    let entry = |name: &[&str], enctype: u8, key: &[u8], long_version: &[u8]| {
        let mut entry = vec![0, name.len() as u8];
        entry.extend(short(b"TEST"));
        name.iter().for_each(|component| entry.extend(short(component.as_bytes())));
        entry.extend([0, 0, 0, 1, 0x5f, 0, 0, 0, 2, 0, enctype]);
        entry.extend(short(key));
        counted(&[&entry[..], long_version].concat())
    };
    let hole = [&(-5_i32).to_be_bytes()[..], &[9; 5]].concat();
    [
        &[5, 2][..],
        &entry(&["alice"], 18, &[1; 32], &[]),
        &hole,
        &entry(&["alice"], 17, &[2; 16], &[0, 0, 1, 44]),
        &entry(&["host", "server"], 23, &[3; 16], &[]),
    ]
    .concat()
}

/// Ticket caches in both of their formats.
pub(crate) fn caches() -> Vec<Vec<u8>> {
    let name = |components: &[&str], realm: &str| {
        let mut name = vec![0, 0, 0, 1, 0, 0, 0, components.len() as u8];
        name.extend(counted(realm.as_bytes()));
        components.iter().for_each(|component| name.extend(counted(component.as_bytes())));
        name
    };
    let ticket = |version: u8, server: &[&str], realm: &str, enctype: u8, key: &[u8]| {
        let mut ticket = [name(&["alice"], "TEST"), name(server, realm)].concat();
        ticket.extend([0, enctype].repeat(if version == 3 { 2 } else { 1 }));
        ticket.extend(counted(key));
        ticket.extend([1, 2, u32::MAX, u32::MAX].iter().flat_map(|time: &u32| time.to_be_bytes()));
        ticket.extend([0, 0x40, 0x81, 0, 0]);
        // An address, and what is said of the user.
        ticket.extend([0, 0, 0, 1, 0, 2, 0, 0, 0, 4, 127, 0, 0, 1]);
        ticket.extend([0, 0, 0, 1, 0, 1, 0, 0, 0, 2, 9, 9]);
        ticket.extend(counted(&octets(b"a ticket")));
        ticket.extend(counted(b""));
        ticket
    };
    let cache = |version: u8| {
        let mut cache = vec![5, version];
        if version == 4 {
            cache.extend(short(&[0, 1, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0]));
        }
        cache.extend(name(&["alice"], "TEST"));
        let settings = ["krb5_ccache_conf_data", "fast_avail"];
        cache.extend(ticket(version, &settings, "X-CACHECONF:", 0, b""));
        cache.extend(ticket(version, &["krbtgt", "TEST"], "TEST", 18, &[1; 32]));
        cache.extend(ticket(version, &["host", "server"], "TEST", 19, &[2; 16]));
        cache
    };
    [3, 4].map(cache).to_vec()
}
