//! Logins that servers refuse, on the mock: what the error says, and how many connections each
//! costs the servers, however many operations there are. None is tried again.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::future::join_all;
use tallrow::authentication::{
    Authentication, BoxError, DelegationToken, GssStep, Gssapi, Negotiation, StartFuture,
};
use tallrow::{Client, Config, Connector, Error, ErrorKind};
use tallrow_kerberos::Login;
use tallrow_mock::MockCluster;
use tallrow_tests::scratch_dir;

/// A mechanism whose proof is a word, and the services of which it was said that they refused it.
#[derive(Clone, Debug, Default)]
struct Words(Arc<Mutex<Vec<String>>>);

impl Gssapi for Words {
    fn start(&self, _: String) -> StartFuture<'_> {
        Box::pin(async { Ok((Box::new(Words::default()) as Box<dyn Negotiation>, b"me".to_vec())) })
    }

    fn on_refused(&self, service: &str) {
        self.0.lock().unwrap().push(service.to_owned());
    }
}

impl Negotiation for Words {
    fn step(self: Box<Self>, _: &[u8]) -> Result<GssStep, BoxError> {
        Err("the mock proves nothing".into())
    }
}

const SERVICE: &str = "hbase/mock@TEST";

/// A mock whose servers refuse every login, or ask for none.
async fn mock(refuses: bool) -> MockCluster {
    let builder = MockCluster::builder().in_memory();
    let builder = if refuses { builder.server_principal(SERVICE) } else { builder };
    builder.start().await.unwrap()
}

/// A connector to a mock cluster, and how often it was used.
fn counting(mock: &MockCluster) -> (Connector, Arc<AtomicUsize>) {
    let (mock, dials) = (mock.clone(), Arc::new(AtomicUsize::new(0)));
    let counted = dials.clone();
    let connector = Connector::new(move |host, port| {
        counted.fetch_add(1, Ordering::Relaxed);
        std::future::ready(mock.dial(&host, port))
    });
    (connector, dials)
}

/// The error of a client with this configuration, and how often it has dialed.
async fn refused(mock: &MockCluster, config: Config) -> (Error, usize) {
    let (connector, dials) = counting(mock);
    let error = match Client::connect_with(&mock.url(), config.connector(connector)).await {
        Ok(client) => client.admin().list_tables().await.unwrap_err(),
        Err(error) => error,
    };
    (error, dials.load(Ordering::Relaxed))
}

#[tokio::test(start_paused = true)]
async fn on_mock_a_refused_login_is_one_connection() {
    let (secured, open) = (mock(true).await, mock(false).await);
    let by = |by: Authentication| Config::new().authentication(by);
    let words = Words::default();
    let cache = scratch_dir().join("krb5cc");
    let krb5 = tallrow_kerberos::Config::parse("[libdefaults]\n default_realm = TEST").unwrap();
    let no_ticket = Login::with_cache(krb5, Some(cache.clone())).unwrap();
    let token = DelegationToken::new([0, 0, 0, 3, 0x12, 1, b'a'], b"password", "cluster");
    for (name, mock, config, parts) in [
        (
            "a server that is not secured",
            &open,
            by(Authentication::gssapi(Words::default(), SERVICE)),
            &["asks for no authentication", "Authentication::allow_simple"][..],
        ),
        (
            "a client that is not secured",
            &secured,
            Config::new(),
            &["Authentication is required", "Config::authentication"],
        ),
        (
            "a proof that is refused",
            &secured,
            by(Authentication::gssapi(words.clone(), SERVICE)),
            &["GSS initiate failed", SERVICE, "keytab", "clocks"],
        ),
        (
            "a token that is refused",
            &secured,
            by(Authentication::token(token)),
            &["refuses the token of a", "Has the token ended"],
        ),
        (
            "no ticket",
            &secured,
            by(Authentication::kerberos(no_ticket, SERVICE)),
            &["there is no ticket cache", &cache.display().to_string(), "kinit"],
        ),
    ] {
        let (error, dials) = refused(mock, config).await;
        assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{name}: {error}");
        for part in parts {
            assert!(error.to_string().contains(part), "{name}: no {part:?} in {error}");
        }
        assert!(error.attempts() <= 1, "{name}: {error:?}");
        assert_eq!(dials, 1, "{name}");
    }
    assert_eq!(*words.0.lock().unwrap(), [SERVICE]);
}

/// Servers that begin to refuse the client: their keys are new, or its token was revoked.
#[tokio::test(start_paused = true)]
async fn on_mock_a_login_that_is_refused_later_is_one_connection_for_all_operations() {
    let (open, secured) = (mock(false).await, mock(true).await);
    let (refuses, dials) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let (refusing, counted) = (refuses.clone(), dials.clone());
    let servers = [open.clone(), secured];
    let connector = Connector::new(move |host, port| {
        counted.fetch_add(1, Ordering::Relaxed);
        let mock = &servers[usize::from(refusing.load(Ordering::Relaxed))];
        std::future::ready(mock.dial(&host, port))
    });
    let by = Authentication::gssapi(Words::default(), SERVICE).allow_simple(true);
    let config = Config::new().connector(connector).authentication(by);
    // No more than the registry is asked until the first operation.
    let client = Client::connect_with(&open.url(), config).await.unwrap();
    refuses.store(true, Ordering::Relaxed);
    let before = dials.load(Ordering::Relaxed);
    let table = client.raw_table("t").unwrap();
    for _ in 0..10 {
        for got in join_all((0..100_u32).map(|row| table.get(row.to_be_bytes()))).await {
            let error = got.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
            assert!(error.to_string().contains("GSS initiate failed"), "{error}");
            assert!(error.attempts() <= 1, "{error:?}");
        }
    }
    // Time does not pass between the rounds, and the server is dialed by time.
    assert_eq!(dials.load(Ordering::Relaxed) - before, 1);
}
