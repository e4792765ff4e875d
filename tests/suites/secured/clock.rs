//! A client whose clock is wrong, in a process of its own.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Instant, SystemTime};

use tallrow::authentication::Authentication;
use tallrow::{Client, Error, ErrorKind};
use tallrow_kerberos::Login;
use tallrow_tests::{MUST, Process, SERVERS, say_skipped, scratch_dir, task, tell};

use super::cluster::Secured;

/// A library that changes what the clock shows, by what is in a file.
fn faketime() -> Option<PathBuf> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/servers/kerberos/kdc");
    let found = Command::new(script).arg("faketime").stderr(Stdio::inherit()).output().unwrap();
    if !found.status.success() {
        assert!(std::env::var_os(MUST).is_none(), "`kdc faketime`: {}", found.status);
        say_skipped("there is no library that changes the clock; `kdc faketime` says why");
        return None;
    }
    Some(String::from_utf8(found.stdout).unwrap().trim().into())
}

#[tokio::test]
async fn on_real_a_clock_that_is_wrong_is_named() {
    let Some(_secured) = Secured::real().await else { return };
    let Some(library) = faketime() else { return };
    // It goes wrong while the client runs, or is wrong from the start: proofs do not go back in
    // time.
    for (by, from, refusals) in [("+600", "+0", 3), ("-600", "-600", 2)] {
        let clock = scratch_dir().join("clock");
        std::fs::write(&clock, from).unwrap();
        let task = format!("{by} {}", clock.display());
        let client = "secured::clock::a_client_whose_clock_goes_wrong";
        let client = Process::start_by(client, &task, |command| {
            command.env("LD_PRELOAD", &library).env("FAKETIME_TIMESTAMP_FILE", &clock);
            // The clock that measures how long something takes goes on as before.
            command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1")
        });
        let told = client.finish();
        assert_eq!(told.len(), refusals, "{told:?}");
        told.iter().for_each(|line| println!("{by} s: {line}"));
    }
}

/// The client, which sets its own clock forward.
#[tokio::test]
async fn a_client_whose_clock_goes_wrong() {
    let Some(task) = task() else { return };
    let (by, file) = task.split_once(' ').unwrap();
    let secured = Secured::real().await.unwrap();
    if by.starts_with('+') {
        let kept = secured.login("tester");
        connect(&secured, kept.clone()).await.unwrap();
        let before = SystemTime::now();
        std::fs::write(file, by).unwrap();
        let apart = SystemTime::now().duration_since(before).unwrap();
        assert!(apart.as_secs() > 500, "the clock moved by {apart:?}");
        // It has a ticket, so the server is the one that sees the time.
        let parts = ["GSS initiate failed", "are the clocks within 5 min"];
        refused(connect(&secured, kept), &parts).await;
    }

    let way = if by.starts_with('+') { "ahead of" } else { "behind" };
    let by_keytab = ["the clock of this machine is", "min", way, "the KDC; set it"];
    refused(connect(&secured, secured.login("tester")), &by_keytab).await;

    // The first ticket of the cache was made when the clock was right.
    let cache = secured.folder.join("user.ccache");
    let cache = Login::with_cache(secured.krb5(), Some(cache)).unwrap();
    refused(connect(&secured, cache), &["clock"]).await;
}

async fn connect(secured: &Secured, login: Login) -> Result<Client, Error> {
    secured.connect(Authentication::kerberos(login, SERVERS)).await
}

async fn refused(connecting: impl Future<Output = Result<Client, Error>>, parts: &[&str]) {
    let began = Instant::now();
    let error = connecting.await.unwrap_err();
    let text = error.to_string();
    tell(format_args!("{:?}: {text}", began.elapsed()));
    assert_eq!(error.kind(), ErrorKind::PermissionDenied, "{text}");
    assert!(error.attempts() <= 1, "{error:?}");
    for part in parts {
        assert!(text.contains(part), "no {part:?} in {text}");
    }
}
