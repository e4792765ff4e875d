//! Tickets from a KDC: a first ticket (ticket-granting ticket) for a user, and the tickets for
//! services that are requested with it.

mod authenticator;
mod first_ticket;
mod request;
mod service_ticket;

pub(crate) use authenticator::{AuthenticatorParts, encode_ap_request};
pub(crate) use first_ticket::{FirstRequest, Secret, blocking, request_tgt};
pub(crate) use request::{AnswerKeys, Request};
pub(crate) use service_ticket::request_service_ticket;
