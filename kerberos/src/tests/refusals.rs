use super::toy_kdc::{Behaviour, ToyKdc};
use super::transport::by_tcp;
use super::{config, login, principal};
use crate::message::{self, EncKdcReplyPart, KdcReply};
use crate::{ErrorKind, Login};

async fn refused(behaviour: Behaviour) -> crate::Error {
    let kdc = ToyKdc::new("TEST", behaviour).await;
    login(config(&[&kdc], "")).ticket(&principal("host/server")).await.unwrap_err()
}

#[tokio::test]
async fn errors_of_the_kdc_say_what_can_be_done() {
    for (code, kind, text) in [
        (6, ErrorKind::UnknownPrincipal, "does not know alice@TEST; check its name and realm"),
        (14, ErrorKind::Refused, "see permitted_enctypes in krb5.conf"),
        (18, ErrorKind::Refused, "alice@TEST is locked or has expired"),
        (23, ErrorKind::Refused, "kpasswd changes it"),
        (24, ErrorKind::WrongKey, "the password is not the one that the KDC has for alice@TEST"),
        (37, ErrorKind::ClockSkew, "set it"),
        (60, ErrorKind::Refused, "the KDC refuses: error 60 (TOY)"),
    ] {
        let error = refused(Behaviour { error: Some(code), ..Behaviour::default() }).await;
        assert_eq!((error.kind(), error.code()), (kind, Some(code)), "{error}");
        assert!(error.to_string().contains(text), "{error}");
        assert!(error.to_string().starts_with("a ticket for alice@TEST from the KDC of TEST: "));
    }
}

#[tokio::test]
async fn a_wrong_password_is_one_with_and_without_pre_authentication() {
    for asks_for_proof in [true, false] {
        let kdc = ToyKdc::new("TEST", Behaviour { asks_for_proof, ..Behaviour::default() }).await;
        let config = config(&[&kdc], "");
        let login = Login::with_password(config, principal("alice"), "wrong").unwrap();
        let error = login.ticket_granting_ticket().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WrongKey, "{error}");
        assert!(!error.to_string().contains("wrong"), "{error}");
    }
}

#[tokio::test]
async fn a_kdc_that_names_no_way_of_proof_takes_an_encrypted_time() {
    for ways in [&[][..], &[136, 133]] {
        let kdc = ToyKdc::new("TEST", Behaviour { ways, ..Behaviour::default() }).await;
        login(config(&[&kdc], "")).ticket_granting_ticket().await.unwrap();
    }
    let error = refused(Behaviour { ways: &[16, 136], ..Behaviour::default() }).await;
    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    assert!(error.to_string().contains("it takes [16, 136, 19]"), "{error}");
}

#[tokio::test]
async fn clocks_that_are_apart_are_named() {
    for (asks_for_proof, before) in [(true, 600), (true, -600), (false, 600), (false, -600)] {
        let behaviour = Behaviour { asks_for_proof, before, ..Behaviour::default() };
        let error = refused(behaviour).await;
        assert_eq!(error.kind(), ErrorKind::ClockSkew, "{error}");
        assert!(
            error.to_string().contains("10 min") || error.to_string().contains("9 min"),
            "{error}"
        );
    }
    // Kerby says that the proof is wrong.
    let error = refused(Behaviour { error: Some(24), before: 600, ..Behaviour::default() }).await;
    assert_eq!((error.kind(), error.code()), (ErrorKind::ClockSkew, Some(24)), "{error}");
    assert!(error.to_string().contains("behind that of the KDC; set it: error 24"), "{error}");
    let near = Behaviour { before: -250, ..Behaviour::default() };
    let kdc = ToyKdc::new("TEST", near).await;
    login(config(&[&kdc], "")).ticket_granting_ticket().await.unwrap();
}

#[tokio::test]
async fn an_answer_to_another_request_is_refused() {
    type Change<T> = fn(&mut T);
    let parts: [(Change<EncKdcReplyPart>, &str); 4] = [
        (|part| part.nonce += 1, "its nonce is"),
        (|part| part.realm = "OTHER".into(), "its server is krbtgt/TEST@OTHER"),
        (
            |part| part.ends = message::to_generalized_time(1_000).unwrap(),
            "not valid now: it ended",
        ),
        (
            |part| {
                part.starts = Some(
                    message::to_generalized_time(crate::ticket::now_in_seconds() + 9_000).unwrap(),
                )
            },
            "not valid now: it begins in",
        ),
    ];
    for (part, text) in parts {
        let error = refused(Behaviour { part, ..Behaviour::default() }).await;
        assert!(error.to_string().contains(text), "{error}");
    }
    let replies: [(Change<KdcReply>, &str); 5] = [
        (|reply| reply.realm = "OTHER".into(), "its client is alice@OTHER"),
        (|reply| reply.version = 4, "its number is"),
        (|reply| reply.encrypted.enctype = 23, "encryption type 23, which was not asked for"),
        (|reply| reply.encrypted.enctype = 17, "the password is not the one"),
        (
            |reply| reply.encrypted.cipher = message::octets(&[0; 40]).unwrap(),
            "the password is not the one",
        ),
    ];
    for (reply, text) in replies {
        let error = refused(Behaviour { reply, ..Behaviour::default() }).await;
        assert!(error.to_string().contains(text), "{error}");
    }
}

/// Whatever an answer is changed to, it is an error, and soon.
#[tokio::test]
async fn changed_answers_are_errors() {
    let behaviour = || Behaviour { asks_for_proof: false, ..Behaviour::default() };
    let kdc = ToyKdc::new("TEST", behaviour()).await;
    let config = by_tcp(kdc.port());
    for at in 0..200 {
        // A plain function has no captures: the place is in the bytes themselves.
        let bytes: fn(Vec<u8>) -> Option<Vec<u8>> = |mut bytes| {
            let at = CHANGED.with(|changed| changed.get()) * bytes.len() / 200;
            let place = bytes.get_mut(at)?;
            *place = place.wrapping_add(0x41);
            Some(bytes)
        };
        CHANGED.with(|changed| changed.set(at));
        kdc.behave(Behaviour { bytes, ..behaviour() });
        match login(config.clone()).ticket_granting_ticket().await {
            // What nobody has signed: the ticket itself, and the salt's form.
            Ok(ticket) => assert_eq!(*ticket.client(), principal("alice")),
            Err(error) => assert!(
                matches!(
                    error.kind(),
                    ErrorKind::Malformed | ErrorKind::WrongKey | ErrorKind::Unreachable
                ),
                "{at}: {error}"
            ),
        }
    }
}

thread_local! {
    static CHANGED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}
