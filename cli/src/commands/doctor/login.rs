//! Checks the parts of a login to a secured cluster that need no server of the cluster: realm,
//! ticket, clock, and the ticket for a server.

use std::time::{Duration, SystemTime};

use tallrow::authentication::Authentication;
use tallrow_kerberos::{Error, ErrorKind, Login, Principal, Ticket};

use super::report::Report;
use crate::failure::in_cli_words;

/// The advice for a missing login.
pub(super) const LOG_IN_ADVICE: &str = "log in: kinit gets a ticket, and --config names the files of the cluster, which say how it is secured";

/// The advice for a setting that is wrong.
pub(super) const CORRECT_SETTING_ADVICE: &str =
    "correct the setting, in the file or URL that the error names";

/// Checks the login, if the settings describe one. Also checks the ticket for the server at `host`;
/// `host` is none if no server is known before the cluster is asked. Returns whether the client can
/// connect with the login.
pub(super) async fn check(
    authentication: tallrow::Result<Option<Authentication>>,
    host: Option<&str>,
    report: &mut Report,
) -> bool {
    let authentication = match authentication {
        Ok(Some(authentication)) => authentication,
        Ok(None) => return true,
        Err(error) => {
            report.add_failed(
                "login",
                "settings",
                in_cli_words(&error.message()),
                CORRECT_SETTING_ADVICE.into(),
            );
            return false;
        }
    };
    // A token is checked by the server.
    let Some(login) = authentication.login() else { return true };
    let ticket = match login.ticket_granting_ticket().await {
        Ok(ticket) => ticket,
        Err(error) => {
            wrong("login", "kerberos", &error, report);
            return false;
        }
    };
    report.add_passed(
        "login",
        &ticket.client().to_string(),
        format!("a ticket, {}", ends(&ticket)),
    );
    if let Some(realm) = ticket.client().realm() {
        match login.config().kdc_addresses(realm) {
            Ok(kdcs) => report.add_passed("realm", realm, format!("its KDC: {}", kdcs.join(", "))),
            Err(error) => wrong("realm", realm, &error, report),
        }
    }
    match host {
        Some(host) => service(&authentication, login, host, report).await,
        None => true,
    }
}

/// Checks that the KDC gives a ticket for the server at `host`, which may be a master or a region
/// server. Returns true if it does, or if the server has no principal.
async fn service(
    authentication: &Authentication,
    login: &Login,
    host: &str,
    report: &mut Report,
) -> bool {
    let mut principals = Vec::new();
    for is_master in [true, false] {
        match authentication.server_principal(host, is_master) {
            Ok(principal) => principals.extend(principal),
            Err(error) => {
                let next =
                    "write the name of the server in the address, or its principal in the files";
                report.add_failed("service", host, in_cli_words(&error.message()), next.into());
                return false;
            }
        }
    }
    principals.dedup();
    let mut failed = Vec::new();
    for principal in principals {
        let ticket = match principal.parse::<Principal>() {
            Ok(parsed) => login.ticket(&parsed).await,
            Err(error) => Err(error),
        };
        match ticket {
            Ok(ticket) => {
                report.add_passed("service", &principal, format!("a ticket, {}", ends(&ticket)));
                clock(ticket.observed_clock_difference(), report);
                return true;
            }
            Err(error) => failed.push((principal, error)),
        }
    }
    let is_known = failed.is_empty();
    for (principal, error) in failed {
        wrong("service", &principal, &error, report);
    }
    is_known
}

/// Reports the difference between the clocks of this machine and the KDC. Only a new answer of the
/// KDC shows this difference, because a ticket from the ticket cache may have been made at any
/// time.
fn clock(difference: Option<Duration>, report: &mut Report) {
    let found = match difference {
        Some(difference) => format!("within {} s of the KDC's", difference.as_secs() + 1),
        None => "not compared with the KDC's: the ticket for the server does not show it, as none \
                 from the ticket cache does; after kinit, the KDC is asked for one"
            .into(),
    };
    report.add_passed("clock", "this machine", found);
}

fn wrong(step: &'static str, of: &str, error: &Error, report: &mut Report) {
    report.add_failed(step, of, error.to_string(), next(error.kind()).into());
}

/// Returns what to do about an error of this kind.
fn next(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Config => "correct /etc/krb5.conf, or set KRB5_CONFIG to the file of this realm",
        ErrorKind::NoCredentials => LOG_IN_ADVICE,
        ErrorKind::Expired => "log in again: kinit gets a new ticket, kinit -R renews one",
        ErrorKind::Unreachable => {
            "is the KDC running, is it the right one in [realms] of krb5.conf, and does a firewall \
             pass UDP and TCP to its port 88?"
        }
        ErrorKind::UnknownPrincipal => {
            "correct the name, or ask the administrator of the realm to add the principal"
        }
        ErrorKind::UnknownService => {
            "is it the principal of the servers? hbase.regionserver.kerberos.principal and \
             hbase.master.kerberos.principal say it, and _HOST in them is the name in the address"
        }
        ErrorKind::WrongKey => {
            "the password or the key was changed: get the current keytab, or kinit again"
        }
        ErrorKind::ClockSkew => "set the clock of this machine; Kerberos allows 5 minutes",
        _ => "look at the log of the KDC",
    }
}

/// How long a ticket is valid from now on, as text.
fn ends(ticket: &Ticket) -> String {
    let left = ticket.end_time().duration_since(SystemTime::now()).unwrap_or_default();
    let minutes = left.as_secs() / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) => format!("which ends in {} s", left.as_secs()),
        (0, minutes) => format!("which ends in {minutes} min"),
        (hours, minutes) => format!("which ends in {hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_from_the_cache_does_not_show_the_clocks() {
        let report = |difference| {
            let mut report = Report::default();
            clock(difference, &mut report);
            assert_eq!(report.failed_count(), 0);
            report.to_string()
        };
        let asked = report(Some(Duration::from_secs(2)));
        assert_eq!(asked, "ok      clock     this machine  within 3 s of the KDC's");
        let cached = report(None);
        assert!(cached.contains("not compared with the KDC's"), "{cached}");
    }
}
