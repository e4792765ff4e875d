use super::toy_kdc::{Answers, Behaviour, ToyKdc};
use super::{config, login, principal};
use crate::{Config, ErrorKind};

#[tokio::test]
async fn datagrams_are_first_unless_the_request_is_long() {
    let kdc = ToyKdc::new("TEST", Behaviour::default()).await;
    login(config(&[&kdc], "")).ticket(&principal("host/server")).await.unwrap();
    assert_eq!(kdc.transports(), (3, 0));
    login(config(&[&kdc], "udp_preference_limit = 1")).ticket_granting_ticket().await.unwrap();
    assert_eq!(kdc.transports(), (3, 2));
}

#[tokio::test]
async fn the_other_transport_is_tried() {
    let kdc =
        ToyKdc::new("TEST", Behaviour { datagrams: Answers::TooBig, ..Behaviour::default() }).await;
    login(config(&[&kdc], "")).ticket_granting_ticket().await.unwrap();
    assert_eq!(kdc.transports(), (2, 2));

    let silent = || Behaviour { datagrams: Answers::Silent, ..Behaviour::default() };
    let kdc = ToyKdc::new("TEST", silent()).await;
    login(config(&[&kdc], "")).ticket_granting_ticket().await.unwrap();

    let kdc =
        ToyKdc::new("TEST", Behaviour { connections: Answers::Silent, ..Behaviour::default() })
            .await;
    login(config(&[&kdc], "udp_preference_limit = 1")).ticket_granting_ticket().await.unwrap();
}

#[tokio::test]
async fn the_next_kdc_is_asked_if_one_cannot_answer() {
    let works = ToyKdc::new("TEST", Behaviour::default()).await;
    let silent = Behaviour {
        datagrams: Answers::Silent,
        connections: Answers::Silent,
        ..Behaviour::default()
    };
    for broken in [
        silent,
        Behaviour { error: Some(29), ..Behaviour::default() },
        Behaviour { bytes: |_| Some(b"garbage".to_vec()), ..Behaviour::default() },
    ] {
        let broken = ToyKdc::new("TEST", broken).await;
        login(config(&[&broken, &works], "")).ticket_granting_ticket().await.unwrap();
    }
    // Nothing listens there.
    let gone = ToyKdc::new("TEST", Behaviour::default()).await;
    let config = config(&[&gone, &works], "");
    drop(gone);
    login(config).ticket_granting_ticket().await.unwrap();
}

// Time passes as soon as everybody waits.
#[tokio::test(start_paused = true)]
async fn silence_ends_and_is_named() {
    let silent = Behaviour {
        datagrams: Answers::Silent,
        connections: Answers::Silent,
        ..Behaviour::default()
    };
    let kdc = ToyKdc::new("TEST", silent).await;
    let error = login(config(&[&kdc], "")).ticket_granting_ticket().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    let address = format!("no KDC of the realm TEST answers (127.0.0.1:{})", kdc.port());
    assert!(error.to_string().contains(&address), "{error}");
    assert!(error.to_string().contains("kdc_timeout"), "{error}");

    let none = Config::parse("[libdefaults]\n default_realm = TEST").unwrap();
    let error = login(none).ticket_granting_ticket().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Config);
}

/// A configuration that asks the KDC at this port by TCP only.
pub(super) fn by_tcp(port: u16) -> Config {
    let text = format!(
        "[libdefaults]\n kdc_timeout = 60\n[realms]\n TEST = {{\n kdc = tcp/127.0.0.1:{port}\n }}"
    );
    Config::parse(&text).unwrap()
}

#[tokio::test]
async fn garbage_is_named() {
    let garbage = Behaviour { bytes: |_| Some(vec![0xFF; 40]), ..Behaviour::default() };
    let kdc = ToyKdc::new("TEST", garbage).await;
    let error = login(by_tcp(kdc.port())).ticket_granting_ticket().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unreachable);
    assert!(error.to_string().contains("is no message of Kerberos (40 bytes)"), "{error}");
}

#[tokio::test]
async fn an_answer_that_announces_too_much_is_refused() {
    use tokio::io::AsyncWriteExt;
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            stream.write_all(&[0x7F, 0xFF, 0xFF, 0xFF, 1, 2]).await.unwrap();
            // It stays open.
            std::future::pending::<()>().await;
        }
    });
    let error = login(by_tcp(port)).ticket_granting_ticket().await.unwrap_err();
    assert!(error.to_string().contains("announces an answer of 2147483647 bytes"), "{error}");
}
