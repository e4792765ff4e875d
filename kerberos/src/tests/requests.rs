//! How many requests a KDC gets for a login that is refused, however many callers there are.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::files::{cache_of, entry};
use super::toy_kdc::{Answers, Behaviour, ToyKdc};
use super::{config, login, principal};
use crate::gss::Initiator;
use crate::{Config, Error, ErrorKind, Login, Principal};

const HOUR: Duration = Duration::from_secs(3_600);

/// What 50 callers get that ask for a ticket at the same time, and 50 more after them.
async fn refused(login: &Login, server: &Principal) -> Error {
    let mut last = None;
    for _ in 0..2 {
        let asked: Vec<_> = (0..50)
            .map(|_| {
                let (login, server) = (login.clone(), server.clone());
                tokio::spawn(async move { login.ticket(&server).await.unwrap_err() })
            })
            .collect();
        for error in asked {
            last = Some(error.await.unwrap());
        }
    }
    last.unwrap()
}

/// The kind of an error, and parts of its text.
type Expected<'e> = (ErrorKind, &'e [&'e str]);

/// Checks what the error of a refusal says, and how many requests for a first ticket and for others
/// the KDC got.
async fn check(
    kdc: &ToyKdc,
    login: Login,
    server: &str,
    expected: Expected<'_>,
    requests: (usize, usize),
) {
    let login = login.pausing(HOUR);
    let (kind, parts) = expected;
    let error = refused(&login, &principal(server)).await;
    assert_eq!(error.kind(), kind, "{error}");
    for part in parts {
        assert!(error.to_string().contains(part), "no {part:?} in {error}");
    }
    assert_eq!(kdc.requests(), requests, "{error}");
}

/// A file in a folder of this process.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tallrow-requests-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(name), bytes).unwrap();
    folder.join(name)
}

#[tokio::test]
async fn without_a_valid_ticket_nothing_is_sent() {
    let kdc = ToyKdc::new("TEST", Behaviour { holds: 1_000, ..Behaviour::default() }).await;
    let config = config(&[&kdc], "");
    let by_cache = |path: &Path| Login::with_cache(config.clone(), Some(path.into())).unwrap();
    let granting = login(config.clone()).ticket_granting_ticket().await.unwrap();
    let before = kdc.requests();
    let (server, none) = ("host/server", ErrorKind::NoCredentials);

    let absent = Path::new("/nowhere/krb5cc_7");
    let parts = ["there is no ticket cache /nowhere/krb5cc_7", "kinit"];
    check(&kdc, by_cache(absent), server, (none, &parts), before).await;

    let mut ended = granting.clone();
    (ended.starts, ended.ends) = (ended.starts - 9_000, ended.ends - 9_000);
    let path = file("ended", &cache_of(&[ended]));
    let parts = ["alice@TEST", &path.display().to_string(), "ended 2 h ago", "kinit"];
    check(&kdc, by_cache(&path), server, (ErrorKind::Expired, &parts), before).await;

    let path = file("alice", &cache_of(&[granting]));
    let of_bob = by_cache(&path).require_principal(principal("bob")).unwrap();
    let parts = ["has tickets of alice@TEST, not of bob@TEST", "kinit bob@TEST"];
    check(&kdc, of_bob, server, (none, &parts), before).await;

    let path = file("garbage", b"garbage");
    let parts = [&path.display().to_string()[..], "this is no ticket cache"];
    check(&kdc, by_cache(&path), server, (ErrorKind::Malformed, &parts), before).await;

    // The KDC of another realm is not known, so the one of this realm is not asked for it.
    let elsewhere = "alice@ELSEWHERE".parse().unwrap();
    let elsewhere = Login::with_password(config.clone(), elsewhere, "secret").unwrap();
    let parts = ["no KDC of the realm ELSEWHERE is known", "names TEST"];
    check(&kdc, elsewhere, server, (ErrorKind::Config, &parts), before).await;
}

#[tokio::test]
async fn a_refused_login_is_one_login_for_all_who_ask() {
    let by_password = |config: Config| login(config);
    let by_keytab = |config: Config| {
        let keytab = [&[5, 2][..], &entry(&["alice"], 18, 1, None, &[1; 32])].concat();
        Login::with_keytab(config, principal("alice"), file("keytab", &keytab)).unwrap()
    };
    let bob = |config| Login::with_password(config, principal("bob"), "secret").unwrap();
    let guess = |config| Login::with_password(config, principal("alice"), "guess").unwrap();
    let normal = Behaviour::default;
    type By<'b> = &'b dyn Fn(Config) -> Login;
    type Refusal<'r> = (Behaviour, By<'r>, &'r str, Expected<'r>, (usize, usize));
    let refusals: [Refusal<'_>; 13] = [
        // An unknown user, and one that is locked.
        (
            normal(),
            &bob,
            "host/server",
            (ErrorKind::UnknownPrincipal, &["does not know bob@TEST"]),
            (1, 0),
        ),
        (
            Behaviour { error: Some(18), ..normal() },
            &by_password,
            "host/server",
            (ErrorKind::Refused, &["alice@TEST is locked or has expired"]),
            (1, 0),
        ),
        // Another realm: of the user, and of the service.
        (
            Behaviour { error: Some(68), ..normal() },
            &by_password,
            "host/server",
            (ErrorKind::UnknownPrincipal, &["alice@TEST is of another realm"]),
            (1, 0),
        ),
        (
            normal(),
            &by_password,
            "host/server@ELSEWHERE",
            (ErrorKind::Config, &["no KDC of the realm ELSEWHERE is known"]),
            (2, 1),
        ),
        // Another principal than any service has.
        (
            normal(),
            &by_password,
            "host/nobody",
            (ErrorKind::UnknownService, &["does not know the service host/nobody@TEST"]),
            (2, 1),
        ),
        // A wrong key, found by the KDC and by the client.
        (
            normal(),
            &guess,
            "host/server",
            (ErrorKind::WrongKey, &["the password is not the one", "alice@TEST"]),
            (2, 0),
        ),
        (
            normal(),
            &by_keytab,
            "host/server",
            (ErrorKind::WrongKey, &["the keytab's key is not the one", "alice@TEST"]),
            (2, 0),
        ),
        (
            Behaviour { asks_for_proof: false, ..normal() },
            &guess,
            "host/server",
            (ErrorKind::WrongKey, &["the password is not the one"]),
            (1, 0),
        ),
        // Clocks that are 600 s apart, found by the KDC and by the client.
        (
            Behaviour { before: 601, ..normal() },
            &by_password,
            "host/server",
            (ErrorKind::ClockSkew, &["the clock of this machine is 10 min behind", "set it"]),
            (2, 0),
        ),
        (
            Behaviour { before: -601, ..normal() },
            &by_password,
            "host/server",
            (ErrorKind::ClockSkew, &["the clock of this machine is 10 min ahead of", "set it"]),
            (2, 0),
        ),
        (
            Behaviour { before: 601, asks_for_proof: false, ..normal() },
            &by_password,
            "host/server",
            (ErrorKind::ClockSkew, &["of the KDC are 10 min apart"]),
            (1, 0),
        ),
        // A KDC that wants a proof which this client does not have, and one that is never content.
        (
            Behaviour { ways: &[16], ..normal() },
            &by_password,
            "host/server",
            (ErrorKind::Unsupported, &["it takes [16, 19]"]),
            (1, 0),
        ),
        (
            Behaviour { error: Some(60), ..normal() },
            &by_password,
            "host/server",
            (ErrorKind::Refused, &["the KDC refuses: error 60 (TOY)"]),
            (1, 0),
        ),
    ];
    for (behaviour, by, server, expected, requests) in refusals {
        let kdc = ToyKdc::new("TEST", behaviour).await;
        check(&kdc, by(config(&[&kdc], "")), server, expected, requests).await;
    }
}

/// Waits until a KDC has received what was sent to it.
async fn transports(kdc: &ToyKdc, expected: (usize, usize)) {
    for _ in 0..10_000 {
        if kdc.transports() == expected {
            break;
        }
        tokio::task::yield_now().await;
    }
    assert_eq!(kdc.transports(), expected);
}

// In these two tests, time passes as soon as everybody waits.
#[tokio::test(start_paused = true)]
async fn a_silent_kdc_gets_a_datagram_again_and_one_connection() {
    let silent = Answers::Silent;
    let behaviour = Behaviour { datagrams: silent, connections: silent, ..Behaviour::default() };
    let kdc = ToyKdc::new("TEST", behaviour).await;
    let config = config(&[&kdc], "kdc_timeout = 2");
    let parts = ["no KDC of the realm TEST answers (127.0.0.1:", "kdc_timeout"];
    let expected = (ErrorKind::Unreachable, &parts[..]);
    check(&kdc, login(config), "host/server", expected, (0, 0)).await;
    // Now, after 500 ms, and 1 s later.
    transports(&kdc, (3, 1)).await;
}

#[tokio::test(start_paused = true)]
async fn garbage_is_not_asked_for_again() {
    let garbage = Behaviour { bytes: |_| Some(b"garbage".to_vec()), ..Behaviour::default() };
    let kdc = ToyKdc::new("TEST", garbage).await;
    let config = config(&[&kdc], "kdc_timeout = 2");
    let parts = ["by TCP", "is no message of Kerberos (7 bytes)"];
    let expected = (ErrorKind::Unreachable, &parts[..]);
    // A datagram that is no answer may be anybody's: the KDC's own may still come.
    check(&kdc, login(config), "host/server", expected, (4, 0)).await;
    transports(&kdc, (3, 1)).await;
}

#[tokio::test]
async fn a_kdc_on_tcp_only_gets_each_request_once() {
    let behaviour = Behaviour { datagrams: Answers::Silent, ..Behaviour::default() };
    let kdc = ToyKdc::new("TEST", behaviour).await;
    login(config(&[&kdc], "")).ticket(&principal("host/server")).await.unwrap();
    // A datagram is not counted as a request, because it is not read.
    assert_eq!(kdc.requests(), (2, 1));
    assert_eq!(kdc.transports().1, 3);
}

#[tokio::test]
async fn a_service_that_refuses_every_ticket_costs_no_requests() {
    let kdc = ToyKdc::new("TEST", Behaviour::default()).await;
    let login = login(config(&[&kdc], ""));
    let server = principal("host/server");
    for _ in 0..100 {
        let ticket = login.ticket(&server).await.unwrap();
        Initiator::start(&ticket).unwrap();
        // The service has another key, or takes each token for a repeated one.
        login.forget(&server);
    }
    assert_eq!(kdc.requests(), (2, 1));
}

/// A login that is refused for a minute, while somebody asks for a ticket all the time.
#[tokio::test(start_paused = true)]
async fn the_pauses_after_refusals_grow() {
    let kdc = ToyKdc::new("TEST", Behaviour { error: Some(6), ..Behaviour::default() }).await;
    let login = login(config(&[&kdc], "udp_preference_limit = 1"));
    let server = principal("host/server");
    let began = tokio::time::Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        login.ticket(&server).await.unwrap_err();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // After 250 ms, 500 ms, 1, 2, 4 and 8 s, and then each 10 s.
    let (first, others) = kdc.requests();
    assert!((8..=12).contains(&first) && others == 0, "{first} {others}");
}
