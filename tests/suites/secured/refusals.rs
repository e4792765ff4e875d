//! What is refused, and what the error says. None of it is tried again.

use tallrow::authentication::{Authentication, DelegationToken};
use tallrow::{Client, Config, ErrorKind, Scan};
use tallrow_kerberos::Login;
use tallrow_tests::{SERVERS, encrypted, patient, scratch_dir, until};

use super::cluster::Secured;

impl Secured {
    async fn refuses(&self, by: Authentication, parts: &[&str]) {
        let error = self.connect(by).await.expect_err("a refusal");
        assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
        let text = error.to_string();
        println!("{text}");
        for part in parts {
            assert!(text.contains(part), "no {part:?} in {text}");
        }
        assert!(error.attempts() <= 1, "{error:?}");
    }
}

#[tokio::test]
async fn on_real_tickets_that_are_no_good_are_refused() {
    let Some(secured) = Secured::real() else { return };
    let by = |login: Login| Authentication::kerberos(login, SERVERS);
    let dir = scratch_dir();
    let cache = |name: &str| Login::with_cache(secured.krb5(), Some(dir.join(name))).unwrap();
    secured.refuses(by(cache("none")), &["none", "kinit"]).await;

    secured.cache("alice", &dir.join("short"), 1);
    let short = cache("short");
    until("the ticket ends", async || short.ticket_granting_ticket().await.is_err()).await;
    secured.refuses(by(cache("short")), &["alice@TALLROW.TEST", "ended", "kinit"]).await;

    let tester = secured.folder.join("wrong.keytab");
    let wrong = Login::with_keytab(secured.krb5(), "tester".parse().unwrap(), tester).unwrap();
    secured.refuses(by(wrong), &["tester@TALLROW.TEST", "key"]).await;

    let nobody = Login::with_password(secured.krb5(), "nobody".parse().unwrap(), "x").unwrap();
    secured.refuses(by(nobody), &["does not know nobody@TALLROW.TEST"]).await;

    let elsewhere = "alice@ELSEWHERE.TEST".parse().unwrap();
    let elsewhere = Login::with_password(secured.krb5(), elsewhere, "x").unwrap();
    secured.refuses(by(elsewhere), &["ELSEWHERE.TEST"]).await;
}

#[tokio::test]
async fn on_real_servers_of_other_principals_are_refused() {
    let Some(secured) = Secured::real() else { return };
    let server = |principal: &str| Authentication::kerberos(secured.login("alice"), principal);
    secured.refuses(server("http/_HOST@TALLROW.TEST"), &["http/localhost@TALLROW.TEST"]).await;
    secured.refuses(server("hbase/_HOST@ELSEWHERE.TEST"), &["ELSEWHERE.TEST"]).await;
    // A user's key is not the servers'.
    secured.refuses(server("bob@TALLROW.TEST"), &["bob@TALLROW.TEST"]).await;
}

/// The hosts of an address with `hbase+rpc://` may be masters or region servers: which, only the
/// principal that they prove shows.
#[tokio::test]
async fn on_real_a_registry_may_be_of_a_master_or_of_a_region_server() {
    let Some(secured) = Secured::real() else { return };
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

#[tokio::test]
async fn on_real_tokens_that_are_no_good_are_refused() {
    let Some(secured) = Secured::real() else { return };
    let hbase = secured.client("alice").await.admin().hbase().unwrap();
    let token = hbase.delegation_token().await.unwrap();
    let other = DelegationToken::new(token.identifier(), b"guess", token.service());
    secured.refuses(Authentication::token(other), &["refuses the token of alice"]).await;
    // Another sequence number, which is last: a token that was never given.
    let mut identifier = token.identifier().to_vec();
    *identifier.last_mut().unwrap() ^= 1;
    let never = DelegationToken::new(identifier, token.password(), token.service());
    secured.refuses(Authentication::token(never), &["refuses the token of alice"]).await;
    // It would make a server take 1.8 GB.
    let none = DelegationToken::new(b"nobody's", token.password(), token.service());
    secured.refuses(Authentication::token(none), &["is not that of a token of HBase"]).await;
}

#[tokio::test]
async fn on_real_a_client_without_a_login_is_refused() {
    let Some(secured) = Secured::real() else { return };
    let error = secured.connect_with(Config::new()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
    let text = error.to_string();
    assert!(text.contains("Authentication is required"), "{text}");
    assert!(text.contains("Config::authentication"), "{text}");
}
