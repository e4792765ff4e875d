//! Tickets for services, which are requested with a first ticket.

use super::authenticator::{AuthenticatorParts, encode_ap_request};
use super::request::{AnswerKeys, Request};
use crate::config::Config;
use crate::crypto::usage;
use crate::message::{self, Checksum, KdcRequest, PaData, VERSION, kind, padata};
use crate::ticket::{Ticket, now_in_seconds};
use crate::{Error, ErrorKind, Key, Principal, Result, kdc};

/// The maximum number of realms on the way to the realm of the service.
const MAX_REALMS: usize = 10;

/// Requests a ticket for a service with a first ticket, through other realms if the service is in
/// another realm.
pub(crate) async fn request_service_ticket(
    config: &Config,
    first: &Ticket,
    server: &Principal,
) -> Result<Ticket> {
    let of = server.realm().unwrap_or_default().to_owned();
    let mut granting = first.clone();
    let mut realms: Vec<String> = Vec::new();
    loop {
        let at = granting.server.granted_realm().unwrap_or_default().to_owned();
        if realms.contains(&at) || realms.len() > MAX_REALMS {
            let text = format!(
                "a ticket for {server}: the realms {} lead to {at}, and not to {of}; [capaths] of krb5.conf names the way",
                realms.join(", ")
            );
            return Err(Error::new(ErrorKind::Refused, text));
        }
        realms.push(at.clone());
        // Another realm is reached by a ticket for its KDC, or for the KDC of a realm that is
        // nearer to it.
        let between = config.realms_between(&at, &of);
        let wanted = match at == of {
            true => server.clone(),
            false => Principal::ticket_granting(between.first().copied().unwrap_or(&of), &at),
        };
        let asked = by_ticket(config, &granting, &wanted, &at, server).await;
        let ticket = asked.map_err(|error| {
            error.with_context(format_args!("a ticket for {server} from the KDC of {at}"))
        })?;
        if ticket.server == *server {
            return Ok(ticket);
        }
        granting = ticket;
    }
}

/// Requests a ticket from the KDC of one realm. The ticket may be for the KDC of another realm
/// instead.
async fn by_ticket(
    config: &Config,
    granting: &Ticket,
    wanted: &Principal,
    realm: &str,
    goal: &Principal,
) -> Result<Ticket> {
    let request = Request::new(config, wanted, false, now_in_seconds())?;
    let enctypes = config.enctypes(false)?;
    let body = request.body(None, &enctypes)?;
    let checksum =
        granting.key.for_usage(usage::TGS_REQ_CHECKSUM).checksum(&[&message::encode_der(&body)?]);
    let subkey = Key::random(granting.key.enctype())?;
    let checksum = Checksum {
        kind: granting.key.enctype().checksum_number(),
        bytes: message::octets(&checksum)?,
    };
    let shown = AuthenticatorParts { checksum, subkey: Some(&subkey), sequence: None };
    let (shown, _) = encode_ap_request(granting, shown, usage::TGS_REQ_AUTHENTICATOR, 0)?;
    let shown = PaData { kind: padata::TGS_REQ, value: message::octets(&shown)? };
    let asks =
        KdcRequest { version: VERSION, kind: kind::TGS_REQ, padata: Some(vec![shown]), body };
    let answer = kdc::ask(config, realm, message::encode(kind::TGS_REQ, &asks)?).await?;
    let keys = AnswerKeys { subkey: &subkey, session: &granting.key };
    request.read(config, &answer, keys, (&granting.client, goal), &enctypes)
}
