use std::time::Duration;

use super::files::cache_of;
use super::toy_kdc::{Answers, Behaviour, ToyKdc};
use super::transport::by_tcp;
use super::{config, login, principal};
use crate::message::EncKdcReplyPart;
use crate::{Config, Enctype, ErrorKind, Login, Principal, Ticket};

/// Waits until a login has another ticket than this one, which is valid all the time.
async fn renewed(login: &Login, server: &Principal, old: &Ticket) -> Ticket {
    loop {
        let ticket = login.ticket(server).await.unwrap();
        if ticket.key != old.key {
            return ticket;
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn one_request_is_for_all_who_wait() {
    let kdc = ToyKdc::new("TEST", Behaviour::default()).await;
    let login = login(config(&[&kdc], ""));
    let asked = (0..100).map(|_| {
        let login = login.clone();
        tokio::spawn(async move { login.ticket(&principal("host/server")).await.unwrap() })
    });
    for ticket in asked.collect::<Vec<_>>() {
        assert_eq!(*ticket.await.unwrap().server(), principal("host/server"));
    }
    // The first one without a proof, and with it.
    assert_eq!(kdc.requests(), (2, 1));
}

#[tokio::test]
async fn every_kind_of_key_is_asked_for_and_used() {
    for enctype in Enctype::ALL {
        for (asks_for_proof, salt) in [(true, None), (true, Some("salt")), (false, Some("other"))] {
            let behaviour = Behaviour { enctype, asks_for_proof, salt, ..Behaviour::default() };
            let kdc = ToyKdc::new("TEST", behaviour).await;
            let ticket =
                login(config(&[&kdc], "")).ticket(&principal("host/server")).await.unwrap();
            assert_eq!(ticket.key.enctype(), enctype, "{asks_for_proof} {salt:?}");
        }
    }
}

#[tokio::test]
async fn a_ticket_is_asked_for_again_before_it_ends_and_used_while_it_holds() {
    let kdc = ToyKdc::new("TEST", Behaviour { holds: 1_000, ..Behaviour::default() }).await;
    let login = login(config(&[&kdc], ""));
    let server = principal("host/server");
    let first = login.ticket(&server).await.unwrap();
    assert_eq!(login.ticket(&server).await.unwrap().key, first.key);
    assert_eq!(kdc.requests(), (2, 1));
    // In the last fifth of its time.
    login.age(900);
    let second = renewed(&login, &server, &first).await;
    assert_eq!(kdc.requests(), (4, 2));
    // The KDC is gone, and the ticket still holds.
    kdc.behave(Behaviour { error: Some(60), ..Behaviour::default() });
    login.age(900);
    assert_eq!(login.ticket(&server).await.unwrap().key, second.key);
    login.age(200);
    let error = login.ticket(&server).await.unwrap_err();
    assert_eq!((error.kind(), error.code()), (ErrorKind::Refused, Some(60)));
}

#[tokio::test]
async fn an_answer_shows_how_far_the_clocks_are_apart() {
    let begins: fn(&mut EncKdcReplyPart) = |part| part.starts = Some(part.made);
    for before in [0, 100, -100] {
        let behaviour = Behaviour { before, part: begins, ..Behaviour::default() };
        let kdc = ToyKdc::new("TEST", behaviour).await;
        let login = login(config(&[&kdc], ""));
        let server = principal("host/server");
        let first = login.ticket_granting_ticket().await.unwrap();
        for ticket in [first, login.ticket(&server).await.unwrap()] {
            let apart = ticket.observed_clock_difference().unwrap().as_secs();
            assert!(
                (before.unsigned_abs()..before.unsigned_abs() + 60).contains(&apart),
                "{apart}"
            );
        }
        // Of a ticket that was kept, the age is no difference of clocks.
        let found = login.ticket(&server).await.unwrap().observed_clock_difference();
        login.age(60);
        assert_eq!(login.ticket(&server).await.unwrap().observed_clock_difference(), found);
    }
    // Without a beginning, an answer has the time of the first ticket.
    let kdc = ToyKdc::new("TEST", Behaviour::default()).await;
    let login = login(config(&[&kdc], ""));
    assert_eq!(
        login.ticket(&principal("host/server")).await.unwrap().observed_clock_difference(),
        None
    );
}

#[tokio::test]
async fn nobody_waits_for_the_ticket_of_another_service() {
    let kdc = ToyKdc::new("TEST", Behaviour::default()).await;
    let login = login(config(&[&kdc], ""));
    let slow = tokio::spawn({
        let login = login.clone();
        async move { login.ticket(&principal("host/slow")).await }
    });
    while kdc.requests().1 == 0 {
        tokio::task::yield_now().await;
    }
    login.ticket(&principal("host/server")).await.unwrap();
    login.ticket_granting_ticket().await.unwrap();
    login.forget(&principal("host/server"));
    assert!(!slow.is_finished());
    slow.abort();
}

#[tokio::test]
async fn nobody_waits_for_a_silent_kdc_while_the_ticket_is_valid() {
    let kdc = ToyKdc::new("TEST", Behaviour { holds: 1_000, ..Behaviour::default() }).await;
    // Each request is one connection, which waits for a minute.
    let login = login(by_tcp(kdc.port()));
    let server = principal("host/server");
    let first = login.ticket(&server).await.unwrap();
    let granting = login.ticket_granting_ticket().await.unwrap();
    let silent = Answers::Silent;
    kdc.behave(Behaviour { datagrams: silent, connections: silent, ..Behaviour::default() });
    login.age(900);
    let (_, before) = kdc.transports();
    // The first caller has the tickets renewed, and nobody waits for that.
    while kdc.transports().1 == before {
        assert_eq!(login.ticket(&server).await.unwrap().key, first.key);
        tokio::task::yield_now().await;
    }
    for _ in 0..100 {
        assert_eq!(login.ticket(&server).await.unwrap().key, first.key);
        assert_eq!(login.ticket_granting_ticket().await.unwrap().key, granting.key);
        tokio::task::yield_now().await;
    }
    assert_eq!(kdc.transports().1, before + 1, "there is one request at a time");
}

#[tokio::test]
async fn a_failing_kdc_is_not_asked_by_each_caller() {
    let kdc = ToyKdc::new("TEST", Behaviour { holds: 1_000, ..Behaviour::default() }).await;
    let login = login(config(&[&kdc], "")).pausing(Duration::from_secs(3_600));
    let server = principal("host/server");
    let first = login.ticket(&server).await.unwrap();
    kdc.behave(Behaviour { error: Some(60), ..Behaviour::default() });
    login.age(900);
    // For the first ticket, and with the old one for the service.
    while kdc.requests() != (3, 2) {
        assert_eq!(login.ticket(&server).await.unwrap().key, first.key);
        tokio::task::yield_now().await;
    }
    for _ in 0..100 {
        assert_eq!(login.ticket(&server).await.unwrap().key, first.key);
        tokio::task::yield_now().await;
    }
    assert_eq!(kdc.requests(), (3, 2));
}

#[tokio::test]
async fn a_ticket_that_was_refused_is_asked_for_again() {
    let kdc = ToyKdc::new("TEST", Behaviour::default()).await;
    let login = login(config(&[&kdc], ""));
    // With and without its realm, which is the default one.
    for (at, server) in
        [principal("host/server"), "host/server".parse().unwrap()].iter().enumerate()
    {
        let first = login.ticket(server).await.unwrap();
        login.age(11);
        login.forget(server);
        assert_ne!(login.ticket(server).await.unwrap().key, first.key);
        assert_eq!(kdc.requests(), (2, 2 + at));
    }
}

#[tokio::test]
async fn a_ticket_that_was_refused_is_not_taken_from_the_cache_again() {
    let kdc = ToyKdc::new("TEST", Behaviour { holds: 1_000, ..Behaviour::default() }).await;
    let config = config(&[&kdc], "");
    let server = principal("host/server");
    let aged = |ticket: Ticket, by: i64| Ticket {
        starts: ticket.starts - by,
        ends: ticket.ends - by,
        ..ticket
    };
    let of_password = login(config.clone());
    let refused = aged(of_password.ticket(&server).await.unwrap(), 60);
    // In its last fifth, so that the cache is read again and again.
    let granting = aged(of_password.ticket_granting_ticket().await.unwrap(), 900);
    let path = std::env::temp_dir().join(format!("tallrow-refused-{}", std::process::id()));
    std::fs::write(&path, cache_of(&[granting, refused.clone()])).unwrap();

    let login = Login::with_cache(config, Some(path.clone())).unwrap();
    assert_eq!(login.ticket(&server).await.unwrap().key, refused.key);
    login.forget(&server);
    let new = login.ticket(&server).await.unwrap();
    assert_ne!(new.key, refused.key);
    // The cache is read for another service too.
    login.ticket(&principal("host/unknown")).await.unwrap_err();
    assert_eq!(login.ticket(&server).await.unwrap().key, new.key);
    std::fs::remove_file(path).unwrap();
}

#[tokio::test]
async fn after_a_failure_there_is_a_pause() {
    let kdc = ToyKdc::new("TEST", Behaviour { error: Some(6), ..Behaviour::default() }).await;
    let hour = Duration::from_secs(3_600);
    let login = login(config(&[&kdc], "")).pausing(hour);
    let server = principal("host/server");
    let asked = (0..100).map(|_| {
        let (login, server) = (login.clone(), server.clone());
        tokio::spawn(async move { login.ticket(&server).await.unwrap_err() })
    });
    for error in asked.collect::<Vec<_>>() {
        assert_eq!(error.await.unwrap().kind(), ErrorKind::UnknownPrincipal);
    }
    assert_eq!(kdc.requests(), (1, 0));
    login.age_failures(hour);
    login.ticket(&server).await.unwrap_err();
    assert_eq!(kdc.requests(), (2, 0));
}

#[tokio::test]
async fn other_realms_are_reached_by_way_of_those_between() {
    let here = ToyKdc::new("TEST", Behaviour::default()).await;
    let other = ToyKdc::new("OTHER", Behaviour::default()).await;
    let text = |capaths: &str| {
        format!(
            "[libdefaults]\n default_realm = TEST\n[realms]\n TEST = {{\n kdc = 127.0.0.1:{}\n }}
             OTHER = {{\n kdc = 127.0.0.1:{}\n }}\n MIDDLE = {{\n kdc = 127.0.0.1:{}\n }}\n{capaths}",
            here.port(),
            other.port(),
            other.port(),
        )
    };
    let server = "host/server@OTHER".parse().unwrap();
    let ticket = login(Config::parse(&text("")).unwrap()).ticket(&server).await.unwrap();
    assert_eq!(*ticket.server(), server);
    assert_eq!((here.requests(), other.requests()), ((2, 1), (0, 1)));

    // By what the file says, and by what the KDC says.
    let capaths = "[capaths]\n TEST = {\n OTHER = MIDDLE\n }";
    login(Config::parse(&text(capaths)).unwrap()).ticket(&server).await.unwrap();
    here.behave(Behaviour { refers_to: Some("MIDDLE"), ..Behaviour::default() });
    login(Config::parse(&text("")).unwrap()).ticket(&server).await.unwrap();

    // They lead to each other, and nowhere else.
    here.behave(Behaviour { refers_to: Some("TEST"), ..Behaviour::default() });
    let error = login(Config::parse(&text("")).unwrap()).ticket(&server).await.unwrap_err();
    assert!(error.to_string().contains("and not to OTHER"), "{error}");
}

#[tokio::test]
async fn two_principals_are_in_one_process() {
    let kdc = ToyKdc::new("TEST", Behaviour::default()).await;
    let config = config(&[&kdc], "");
    let bob = Login::with_password(config.clone(), principal("bob"), "secret").unwrap();
    let server = principal("host/server");
    let (of_alice, of_bob) =
        tokio::join!(async { login(config.clone()).ticket(&server).await }, async {
            bob.ticket(&server).await
        });
    assert_eq!(*of_alice.unwrap().client(), principal("alice"));
    assert_eq!(of_bob.unwrap_err().kind(), ErrorKind::UnknownPrincipal);
}

#[test]
fn no_secret_is_shown() {
    let login = login(Config::parse("").unwrap());
    assert_eq!(format!("{login:?}"), "Login(alice@TEST by a password)");
}
