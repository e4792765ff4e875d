//! Tickets, keytabs, passwords and tokens, each with each protection that the servers have.

use tallrow::authentication::{Authentication, DelegationToken, Protection};
use tallrow::settings::EntryStatus;
use tallrow::{Client, ErrorKind, FamilyDescriptor, Get, Put, TableDescriptor};
use tallrow_kerberos::Login;
use tallrow_tests::{SERVERS, drop_table, patient, real, scratch_dir};

use super::cluster::Secured;

/// Writes and reads more than a message holds, and many small ones.
async fn works(client: &Client, name: &str) {
    let admin = client.admin();
    drop_table(&admin, name).await;
    let described = TableDescriptor::new(name).unwrap().family(FamilyDescriptor::new("f"));
    admin.create_table(&described).await.unwrap();
    let table = client.raw_table(name).unwrap();
    let large: Vec<u8> = (0..3_000_000_u32).map(|at| ((at * 7) >> 3) as u8).collect();
    table.put(Put::new("large").cell("f", "q", large.clone())).await.unwrap();
    let row = table.get(Get::new("large")).await.unwrap().unwrap();
    assert!(row.value("f", "q") == Some(&large[..]));
    let puts = (0..500).map(|at| Put::new(format!("r{at:03}")).cell("f", "q", "v"));
    table.put_all(puts).await.into_result().unwrap();
    drop_table(&admin, name).await;
}

#[tokio::test]
async fn on_real_each_login_works_with_each_protection() {
    let Some(secured) = Secured::real().await else { return };
    let cache = secured.folder.join("user.ccache");
    let token = secured.client("tester").await.admin().hbase().unwrap();
    let token = token.delegation_token().await.unwrap();
    assert_eq!(token.owner().as_deref(), Some("tester@TALLROW.TEST"));
    assert!(token.expires_at().unwrap() > tallrow::Timestamp::now());
    let mut opened = 0;
    for (protection, aes) in [
        (Protection::Authentication, false),
        (Protection::Integrity, false),
        (Protection::Privacy, false),
        (Protection::Privacy, true),
    ] {
        for (name, by) in [
            ("keytab", Authentication::kerberos(secured.login("tester"), SERVERS)),
            (
                "cache",
                Authentication::kerberos(
                    Login::with_cache(secured.krb5(), Some(cache.clone())).unwrap(),
                    SERVERS,
                ),
            ),
            ("token", Authentication::token(token.clone())),
        ] {
            match secured.connect(by.protection([protection]).encrypt_by_aes(aes)).await {
                Ok(client) => {
                    opened += 1;
                    works(&client, &format!("t_secured_{name}_{protection}_{aes}")).await;
                    let method = if name == "token" { "TOKEN" } else { "KERBEROS" };
                    let who = client.admin().hbase().unwrap().who_am_i().await.unwrap();
                    assert_eq!((&*who.user, &*who.method), ("tester", method));
                }
                // The servers may have only one.
                Err(error) => {
                    let text = error.to_string();
                    assert!(text.contains("protects messages by"), "{text}");
                    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
                }
            }
        }
    }
    assert!(opened >= 3, "{opened}");
}

#[tokio::test]
async fn on_real_a_password_is_a_login() {
    let Some(secured) = Secured::real().await else { return };
    let carol = |password| {
        let login = Login::with_password(secured.krb5(), "carol".parse().unwrap(), password);
        Authentication::kerberos(login.unwrap(), SERVERS)
    };
    let client = secured.connect(carol("secret")).await.unwrap();
    let said = client.admin().hbase().unwrap().who_am_i().await.unwrap();
    assert_eq!(said.user, "carol");
    let error = secured.connect(carol("guess")).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied);
    assert!(error.to_string().contains("password is not the one"), "{error}");
}

#[tokio::test]
async fn on_real_the_files_of_the_cluster_are_enough() {
    let Some(_) = Secured::real().await else { return };
    let Some(conf) = real("TALLROW_REAL_CONF") else { return };
    let client = Client::connect_with(&format!("hbase-site:{conf}"), patient()).await;
    let client = client.unwrap_or_else(|why| panic!("{why}"));
    client.admin().list_tables().await.unwrap();
    let report = client.config_report();
    let used = |name| {
        report.entries().iter().any(|e| e.name() == name && *e.status() == EntryStatus::Used)
    };
    for name in [
        "hbase.security.authentication",
        "hbase.regionserver.kerberos.principal",
        "hbase.rpc.protection",
    ] {
        assert!(used(name), "{name} is not used: {report}");
    }
}

/// A file as a job of Hadoop has it, here in its protobuf format.
#[tokio::test]
async fn on_real_a_token_comes_from_a_file() {
    use prost::Message;

    #[derive(Clone, PartialEq, prost::Message)]
    struct Token {
        #[prost(bytes = "vec", tag = "1")]
        identifier: Vec<u8>,
        #[prost(bytes = "vec", tag = "2")]
        password: Vec<u8>,
        #[prost(string, tag = "3")]
        kind: String,
        #[prost(string, tag = "4")]
        service: String,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    struct Named {
        #[prost(string, tag = "1")]
        alias: String,
        #[prost(message, tag = "2")]
        token: Option<Token>,
    }
    #[derive(Clone, PartialEq, prost::Message)]
    struct Credentials {
        #[prost(message, repeated, tag = "1")]
        tokens: Vec<Named>,
    }

    let Some(secured) = Secured::real().await else { return };
    let hbase = secured.client("alice").await.admin().hbase().unwrap();
    let token = hbase.delegation_token().await.unwrap();
    let named = |kind: &str| Named {
        alias: kind.into(),
        token: Some(Token {
            identifier: token.identifier().into(),
            password: token.password().into(),
            kind: kind.into(),
            service: token.service().into(),
        }),
    };
    let all =
        Credentials { tokens: vec![named("HDFS_DELEGATION_TOKEN"), named("HBASE_AUTH_TOKEN")] };
    let file = scratch_dir().join("container_tokens");
    let bytes = [&b"HDTS\x01"[..], &all.encode_length_delimited_to_vec()].concat();
    std::fs::write(&file, bytes).unwrap();
    assert_eq!(DelegationToken::read_file(&file).unwrap(), std::slice::from_ref(&token));
    let client = secured.connect(Authentication::token(token)).await.unwrap();
    let said = client.admin().hbase().unwrap().who_am_i().await.unwrap();
    assert_eq!((&*said.user, &*said.method), ("alice", "TOKEN"));
    // A token is not for making others.
    let error = client.admin().hbase().unwrap().delegation_token().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{error}");
}
