//! What is refused: what the error says, how often the KDC and the servers were asked, and how
//! soon. None of it is tried again.

use std::time::{Duration, Instant};

use tallrow::admin::NamespaceDescriptor;
use tallrow::authentication::{Authentication, DelegationToken};
use tallrow::{Client, Config, Error, ErrorKind, Scan};
use tallrow_kerberos::Login;
use tallrow_tests::{SERVERS, encrypted, patient, scratch_dir, until};

use super::cluster::Secured;
use super::connections::Connections;
use super::counted_kdc::{Answer, CountedKdc};
use super::replay::Replay;

/// How soon a refusal is there, beside the time that a client takes that is not refused.
const SOON: Duration = Duration::from_secs(2);

/// A cluster whose refusals are counted.
struct Refusing<'s> {
    secured: &'s Secured,
    kdc: CountedKdc,
    limit: Duration,
}

impl<'s> Refusing<'s> {
    async fn new(secured: &'s Secured) -> Self {
        Self::answered(secured, Answer::OfKdc, Answer::OfKdc).await
    }

    async fn answered(secured: &'s Secured, by_stream: Answer, by_datagram: Answer) -> Self {
        let kdc = CountedKdc::start(secured, by_stream, by_datagram).await;
        let began = Instant::now();
        secured.client("tester").await;
        Self { secured, kdc, limit: SOON + began.elapsed() }
    }

    fn krb5(&self) -> tallrow_kerberos::Config {
        self.kdc.krb5("udp_preference_limit = 1")
    }

    /// Asserts that a client is refused with this text, and how many requests the KDC got: for a
    /// first ticket, and for tickets of services.
    async fn refuses(&self, by: Authentication, parts: &[&str], asked: (usize, usize)) -> Error {
        let (before, connections, began) =
            (self.kdc.requests(), Connections::new(), Instant::now());
        let config = patient().authentication(by).connector(connections.connector());
        let error = self.secured.connect_with(config).await.expect_err("a refusal");
        let (elapsed, now) = (began.elapsed(), self.kdc.requests());
        is_refusal(&error, parts);
        let asked_for = (now.first - before.first, now.service - before.service);
        let opened = connections.opened();
        println!("{elapsed:?}, {asked_for:?} requests, connections to {opened:?}: {error}");
        assert_eq!(asked_for, asked, "{error}");
        called_once(self.secured, &opened, &error);
        assert!(elapsed < self.limit, "not within {:?} but {elapsed:?}: {error}", self.limit);
        error
    }
}

/// Asserts that one server was called, once; ZooKeeper is asked where it is.
fn called_once(secured: &Secured, opened: &[u16], error: &Error) {
    let zookeeper = |port: &&u16| secured.url.contains(&format!(":{port}"));
    let servers: Vec<_> = opened.iter().filter(|port| !zookeeper(port)).collect();
    assert_eq!(servers.len(), 1, "{opened:?}: {error}");
}

fn is_refusal(error: &Error, parts: &[&str]) {
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    let text = error.to_string();
    for part in parts {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
    assert!(error.attempts() <= 1, "{error:?}");
}

fn of(login: Login) -> Authentication {
    Authentication::kerberos(login, SERVERS)
}

#[tokio::test]
async fn on_real_tickets_that_are_no_good_are_refused() {
    let Some(secured) = Secured::real().await else { return };
    let refusing = Refusing::new(&secured).await;
    let dir = scratch_dir();
    let cache = |name: &str| Login::with_cache(refusing.krb5(), Some(dir.join(name))).unwrap();
    refusing.refuses(of(cache("none")), &["none", "kinit"], (0, 0)).await;

    secured.cache("alice", &dir.join("short"), 1);
    let short = cache("short");
    until("the ticket ends", async || short.ticket_granting_ticket().await.is_err()).await;
    let parts = ["alice@TALLROW.TEST", "ended", "kinit"];
    refusing.refuses(of(cache("short")), &parts, (0, 0)).await;

    // The second request has the proof that the KDC asked for.
    let wrong = secured.folder.join("wrong.keytab");
    let wrong = Login::with_keytab(refusing.krb5(), "tester".parse().unwrap(), wrong).unwrap();
    refusing.refuses(of(wrong), &["tester@TALLROW.TEST", "key"], (2, 0)).await;

    let by_password = |principal: &str| {
        Login::with_password(refusing.krb5(), principal.parse().unwrap(), "x").unwrap()
    };
    let parts = ["does not know nobody@TALLROW.TEST"];
    refusing.refuses(of(by_password("nobody")), &parts, (1, 0)).await;
    let parts = ["no KDC of the realm ELSEWHERE.TEST is known", "[realms]"];
    refusing.refuses(of(by_password("alice@ELSEWHERE.TEST")), &parts, (0, 0)).await;
}

#[tokio::test]
async fn on_real_servers_of_other_principals_are_refused() {
    let Some(secured) = Secured::real().await else { return };
    let refusing = Refusing::new(&secured).await;
    let server = |principal: &str| {
        let keytab = secured.folder.join("user.keytab");
        let alice = Login::with_keytab(refusing.krb5(), "alice".parse().unwrap(), keytab);
        Authentication::kerberos(alice.unwrap(), principal)
    };
    let http = "http/_HOST@TALLROW.TEST";
    refusing.refuses(server(http), &["http/localhost@TALLROW.TEST"], (2, 1)).await;
    let elsewhere = "hbase/_HOST@ELSEWHERE.TEST";
    refusing.refuses(server(elsewhere), &["ELSEWHERE.TEST"], (2, 1)).await;
    // A user's key is not the servers'.
    refusing.refuses(server("bob@TALLROW.TEST"), &["bob@TALLROW.TEST"], (2, 1)).await;
}

#[tokio::test]
async fn on_real_a_kdc_that_does_not_answer_is_named() {
    let Some(secured) = Secured::real().await else { return };
    let keytab = secured.folder.join("user.keytab");
    let login = |refusing: &Refusing<'_>| {
        // Datagrams first, as without a setting.
        let login = Login::with_keytab(refusing.kdc.krb5(""), "tester".parse().unwrap(), &keytab);
        of(login.unwrap())
    };
    for (answer, part) in [
        (Answer::Silence, "it does not answer"),
        (Answer::Garbage, "what it answers is no message of Kerberos (40 bytes)"),
    ] {
        let refusing = Refusing::answered(&secured, answer, answer).await;
        let began = Instant::now();
        let error = secured.connect(login(&refusing)).await.unwrap_err();
        let elapsed = began.elapsed();
        println!("{elapsed:?}, {:?}: {error}", refusing.kdc.requests());
        is_refusal(&error, &["no KDC of the realm TALLROW.TEST answers", part, "krb5.conf"]);
        assert!(elapsed < refusing.limit, "{elapsed:?}: {error}");
        // One by TCP, and a datagram that is sent again after longer and longer pauses.
        let requests = refusing.kdc.requests();
        assert!((2..=5).contains(&requests.first) && requests.service == 0, "{requests:?}");
        assert_eq!(requests.first - requests.datagrams, 1, "{requests:?}");
    }

    // By TCP only.
    let refusing = Refusing::answered(&secured, Answer::OfKdc, Answer::Silence).await;
    let client = secured.connect(login(&refusing)).await.unwrap();
    let said = client.admin().hbase().unwrap().who_am_i().await.unwrap();
    assert_eq!((&*said.user, &*said.method), ("tester", "KERBEROS"));
    let requests = refusing.kdc.requests();
    assert!(requests.datagrams > 0, "{requests:?}");
    assert_eq!((requests.first - requests.datagrams.min(2), requests.service > 0), (2, true));
}

/// The hosts of an address with `hbase+rpc://` may be masters or region servers: which, only the
/// principal that they prove shows.
#[tokio::test]
async fn on_real_a_registry_may_be_of_a_master_or_of_a_region_server() {
    let Some(secured) = Secured::real().await else { return };
    let Some(url) = tallrow_tests::real("TALLROW_REAL_RPC") else { return };
    let by = Authentication::kerberos(secured.login("tester"), SERVERS);
    let config = encrypted(patient().authentication(by.master_principal("bob@TALLROW.TEST")));
    let client = Client::connect_with(&url, config).await.unwrap();
    let meta = client.raw_table("hbase:meta").unwrap();
    assert!(meta.scan(Scan::all().limit(1)).unwrap().next_row().await.unwrap().is_some());
    // What only a master answers needs the master's own principal.
    let error = client.admin().list_tables().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");

    let neither = Authentication::kerberos(secured.login("tester"), "http/_HOST@TALLROW.TEST");
    let neither = neither.master_principal("bob@TALLROW.TEST");
    let config = encrypted(patient().authentication(neither));
    let error = Client::connect_with(&url, config).await.unwrap_err().to_string();
    for part in ["bob@TALLROW.TEST", "and as a region server", "http/localhost@TALLROW.TEST"] {
        assert!(error.contains(part), "{part}: {error}");
    }
}

/// The fields of a token's identifier that this test changes.
#[derive(Clone, PartialEq, prost::Message)]
struct Identifier {
    #[prost(int32, optional, tag = "1")]
    kind: Option<i32>,
    #[prost(bytes = "vec", tag = "2")]
    username: Vec<u8>,
    #[prost(int32, optional, tag = "3")]
    key_id: Option<i32>,
    #[prost(int64, optional, tag = "4")]
    issue_date: Option<i64>,
    #[prost(int64, optional, tag = "5")]
    expiration_date: Option<i64>,
    #[prost(int64, optional, tag = "6")]
    sequence_number: Option<i64>,
}

#[tokio::test]
async fn on_real_tokens_that_are_no_good_are_refused() {
    use prost::Message;

    let Some(secured) = Secured::real().await else { return };
    let refusing = Refusing::new(&secured).await;
    let hbase = secured.client("alice").await.admin().hbase().unwrap();
    let token = hbase.delegation_token().await.unwrap();
    let with = |identifier: &[u8], password: &[u8]| {
        Authentication::token(DelegationToken::new(identifier, password, token.service()))
    };
    let refused = "refuses the token of alice";
    refusing.refuses(with(token.identifier(), b"guess"), &[refused], (0, 0)).await;
    let changed = |change: fn(&mut Identifier)| {
        let mut identifier = Identifier::decode(&token.identifier()[4..]).unwrap();
        change(&mut identifier);
        let identifier = identifier.encode_to_vec();
        let len = u32::try_from(identifier.len()).unwrap();
        with(&[&len.to_be_bytes()[..], &identifier].concat(), token.password())
    };
    // Without a change it is the token.
    secured.connect(changed(|_| {})).await.unwrap();
    // A token that was never given.
    let never = changed(|token| *token.sequence_number.as_mut().unwrap() += 1);
    refusing.refuses(never, &[refused], (0, 0)).await;
    // HBase revokes tokens by forgetting the key that they were made with.
    let revoked = changed(|token| *token.key_id.as_mut().unwrap() += 1_000);
    refusing.refuses(revoked, &[refused, "Has the token ended"], (0, 0)).await;
    let ended = changed(|token| *token.expiration_date.as_mut().unwrap() = 1_000);
    refusing.refuses(ended, &["the token of alice", "it ended", "a new one"], (0, 0)).await;
    // It would make a server take 1.8 GB.
    let none = with(b"nobody's", token.password());
    refusing.refuses(none, &["is not that of a token of HBase"], (0, 0)).await;
}

#[tokio::test]
async fn on_real_a_proof_that_was_used_is_refused() {
    let Some(secured) = Secured::real().await else { return };
    // One server only, which remembers the proofs that it has seen.
    let Some(url) = tallrow_tests::real("TALLROW_REAL_RPC") else { return };
    let url = url.rsplit(',').next().unwrap();
    let url = format!("hbase+rpc://{}", url.trim_start_matches("hbase+rpc://"));
    let replay = Replay::new(secured.login("tester"));
    let connect = async || {
        let by = Authentication::gssapi(replay.clone(), SERVERS);
        Client::connect_with(&url, encrypted(patient().authentication(by))).await
    };
    connect().await.unwrap();
    replay.begin();
    let began = Instant::now();
    let error = connect().await.unwrap_err();
    println!("{:?}: {error}", began.elapsed());
    is_refusal(&error, &["GSS initiate failed", "hbase/localhost@TALLROW.TEST", "Its log says"]);
    // The servers are called as masters and as region servers.
    assert!(replay.repeated() <= 2, "{} times", replay.repeated());
}

#[tokio::test]
async fn on_real_a_client_without_a_login_is_refused() {
    let Some(secured) = Secured::real().await else { return };
    let connections = Connections::new();
    let began = Instant::now();
    let config = Config::new().connector(connections.connector());
    let error = secured.connect_with(config).await.unwrap_err();
    println!("{:?}, connections to {:?}: {error}", began.elapsed(), connections.opened());
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    for part in ["Authentication is required", "Config::authentication"] {
        assert!(error.to_string().contains(part), "no {part:?} in {error}");
    }
    // The server closes the connection, and its answer may be lost with it.
    assert!(error.attempts() <= 3, "{error:?}");
}

/// A cluster that is not secured, beside the one that is.
#[tokio::test]
async fn on_real_servers_without_authentication_are_refused() {
    let Some(secured) = Secured::real().await else { return };
    let Ok(plain) = std::env::var("TALLROW_REAL_PLAIN") else {
        return tallrow_tests::say_skipped(
            "TALLROW_REAL_PLAIN is not set to the hbase+rpc:// URL of a cluster without Kerberos",
        );
    };
    // Who the servers are, without an address: Kerberos knows names.
    let by = || Authentication::kerberos(secured.login("tester"), "hbase/localhost@TALLROW.TEST");
    let began = Instant::now();
    let config = patient().authentication(by());
    let error = Client::connect_with(&plain, config).await.unwrap_err();
    println!("{:?}: {error}", began.elapsed());
    is_refusal(&error, &["asks for no authentication", "Authentication::allow_simple"]);
    let config = patient().authentication(by().allow_simple(true));
    let client = Client::connect_with(&plain, config).await.unwrap();
    client.admin().list_tables().await.unwrap();
}

#[tokio::test]
async fn on_real_a_user_without_permission_is_refused_at_once() {
    let Some(secured) = Secured::real().await else { return };
    let limit = Refusing::new(&secured).await.limit;
    let bob = secured.client("bob").await;
    let began = Instant::now();
    let namespace = NamespaceDescriptor::new("t_secured_bobs");
    let hbase = bob.admin().hbase().unwrap();
    let error = hbase.create_namespace(&namespace).await.unwrap_err();
    println!("{:?}: {error}", began.elapsed());
    is_refusal(&error, &["bob", "ADMIN"]);
    assert!(began.elapsed() < limit, "{:?}", began.elapsed());
}
