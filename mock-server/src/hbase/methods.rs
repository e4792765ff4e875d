//! The methods of each service, by their names on the wire.

use tallrow_wire::exception::{self, RemoteException};

use super::call::{Call, Method, Reply};
use super::peer::Service;
use super::{access, admin, client, master, registry};
use crate::base::{RemoteResult, remote_exception};
use crate::state::server_text;

/// The number of similar names that are listed for a method that does not exist.
const SIMILAR_NAMES: usize = 4;

/// Returns the methods of a service, grouped by subject.
fn of(service: Service) -> &'static [&'static [Method]] {
    match service {
        Service::Client => &[client::METHODS],
        Service::Admin => &[admin::METHODS],
        Service::Master => &master::METHODS,
        Service::Registry => &[registry::METHODS],
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    let services = [Service::Client, Service::Admin, Service::Master, Service::Registry];
    services.into_iter().flat_map(of).copied().flatten().map(|(name, _)| *name)
}

/// Runs the method that a call names, if the caller may call it.
pub(crate) fn run_method(call: &Call<'_>, reply: &mut Reply<'_>) -> RemoteResult<()> {
    if call.peer.service == Service::Master && !is_active(call) {
        let text = "Server is not running yet";
        return Err(remote_exception(exception::SERVER_NOT_RUNNING_YET, text));
    }
    let mut methods = of(call.peer.service).iter().copied().flatten();
    match methods.find(|(name, _)| *name == call.method) {
        Some((_, handler)) => {
            access::check(call)?;
            handler(call, reply)
        }
        None => Err(unknown_method(call)),
    }
}

/// Whether the master that was called is active. A backup master offers the service too.
fn is_active(call: &Call<'_>) -> bool {
    call.cluster.active_master().is_some_and(|active| active.name == call.server.name)
}

/// Whether any of these services has a method with this name.
pub(crate) fn method_exists(method: &str) -> bool {
    names().any(|name| name == method)
}

/// Returns the method names, of these services and of `others`, that are most similar to this name,
/// best first. If a name differs only in case, it is the only result.
pub(crate) fn similar_methods(method: &str, others: &[&'static str]) -> Vec<&'static str> {
    let wanted = method.to_lowercase();
    let all = names().chain(others.iter().copied());
    let mut similar: Vec<_> =
        all.map(|n| (strsim::levenshtein(&n.to_lowercase(), &wanted), n)).collect();
    similar.sort_unstable();
    similar.dedup();
    let exact = similar.first().is_some_and(|(distance, _)| *distance == 0);
    similar.truncate(if exact { 1 } else { SIMILAR_NAMES });
    similar.into_iter().map(|(_, name)| name).collect()
}

fn unknown_method(call: &Call<'_>) -> RemoteException {
    let server = server_text(&call.server.name);
    let text = format!(
        "{server} is unable to read call parameter from client {}; \
         java.lang.UnsupportedOperationException: {}",
        call.peer.address, call.method
    );
    remote_exception(exception::DO_NOT_RETRY, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_names_are_listed_best_first() {
        assert_eq!(similar_methods("GETPROCEDURERESULT", &[]), ["getProcedureResult"]);
        assert_eq!(similar_methods("Mutat", &[])[0], "Mutate");
        assert_eq!(similar_methods("GetMetaLocations", &[])[0], "GetMetaRegionLocations");
        assert_eq!(similar_methods("ScanNext", &[])[0], "Scan");
        assert_eq!(similar_methods("ReadRow", &["ReadRows"])[0], "ReadRows");
        assert!(names().all(method_exists) && !method_exists("get"));
    }
}
