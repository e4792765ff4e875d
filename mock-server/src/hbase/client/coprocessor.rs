//! Coprocessor endpoints: some of the services that HBase ships, for tables that name the
//! coprocessor.

use bytes::Bytes;
use prost::Message;
use tallrow_wire::cell_block::CellBlock;
use tallrow_wire::exception::{self, RemoteException};
use tallrow_wire::proto::{
    CompareType, Condition, CoprocessorServiceCall, CoprocessorServiceRequest,
    CoprocessorServiceResponse, MutateRowsRequest, MutateRowsResponse, NameBytesPair,
    RegionSpecifier, RegionSpecifierType, WhoAmIResponse,
};

use super::aggregate;
use super::mutate::apply_mutations;
use crate::base::{RemoteResult, remote_exception};
use crate::filters::Comparator;
use crate::hbase::access::check_exec;
use crate::hbase::call::Call;
use crate::regions::{self, ConditionResult, Mutation, Region, RegionState};
use crate::state::{Nonce, SYSTEM_NAMESPACE};

/// The services, each with its coprocessor class and the function that runs its methods.
const COPROCESSORS: [Coprocessor; 3] = [
    Coprocessor {
        name: "AggregateService",
        class: "org.apache.hadoop.hbase.coprocessor.AggregateImplementation",
        answer: "shaded.protobuf.generated.AggregateProtos$AggregateResponse",
        run: aggregate::run,
    },
    Coprocessor {
        name: "MultiRowMutationService",
        class: "org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint",
        answer: "shaded.protobuf.generated.MultiRowMutationProtos$MutateRowsResponse",
        run: mutate_rows,
    },
    Coprocessor {
        name: "AuthenticationService",
        class: TOKEN_PROVIDER,
        answer: "protobuf.generated.AuthenticationProtos$WhoAmIResponse",
        run: authentication,
    },
];

/// The coprocessor that every region of a cluster with permissions has.
const TOKEN_PROVIDER: &str = "org.apache.hadoop.hbase.security.token.TokenProvider";

struct Coprocessor {
    name: &'static str,
    class: &'static str,
    /// The class of the service's responses, in HBase's package.
    answer: &'static str,
    /// Runs a method and returns the encoded response; `None` if there is no such method.
    run: CoprocessorMethod,
}

type CoprocessorMethod =
    fn(&Call<'_>, &Region, &mut RegionState, &str, Bytes) -> RemoteResult<Option<Vec<u8>>>;

/// Calls a coprocessor of a region.
pub(crate) fn exec_service(
    call: &Call<'_>,
    request: CoprocessorServiceRequest,
) -> RemoteResult<CoprocessorServiceResponse> {
    let region = call.region(&request.region)?;
    let value = run(call, &region, &mut *call.lock_for_write(&region)?, request.call)?;
    let name = RegionSpecifierType::RegionName as i32;
    let region = RegionSpecifier { r#type: name, value: region.name.clone() };
    Ok(CoprocessorServiceResponse { region, value })
}

/// Calls a coprocessor of the whole server, of which the mock has none.
pub(crate) fn exec_server_service(
    _: &Call<'_>,
    request: CoprocessorServiceRequest,
) -> RemoteResult<CoprocessorServiceResponse> {
    let service = &request.call.service_name;
    let text = format!("No registered coprocessor executorService found for {service}");
    Err(remote_exception(exception::UNKNOWN_PROTOCOL, text))
}

/// Calls a coprocessor of a region that is open on this server.
pub(super) fn run(
    call: &Call<'_>,
    region: &Region,
    state: &mut RegionState,
    service: CoprocessorServiceCall,
) -> RemoteResult<NameBytesPair> {
    let found = COPROCESSORS.iter().find(|s| s.name == service.service_name);
    let is_loaded = |s: &&Coprocessor| {
        let settings = &call.cluster.settings;
        let of_servers = match region.info.table_name.namespace == SYSTEM_NAMESPACE {
            true => &[][..],
            false => &settings.user_coprocessors[..],
        };
        let all = [&state.schema.coprocessors[..], &settings.coprocessors[..], of_servers];
        all.into_iter().flatten().any(|class| class == s.class)
            || s.class == TOKEN_PROVIDER && call.cluster.permissions.is_some()
    };
    let Some(found) = found.filter(is_loaded) else {
        return Err(no_service(&service.service_name, region));
    };
    check_exec(call, region)?;
    match (found.run)(call, region, state, &service.method_name, service.request)? {
        Some(answer) => {
            let name = format!("org.apache.hadoop.hbase.{}", found.answer);
            Ok(NameBytesPair { name, value: Some(answer.into()) })
        }
        None => Err(remote_exception(
            exception::UNKNOWN_PROTOCOL,
            format!(
                "Unknown method {} called on service {} in region {}",
                service.method_name, service.service_name, region.display_name
            ),
        )),
    }
}

fn no_service(service: &str, region: &Region) -> RemoteException {
    let region = &region.display_name;
    let text = format!("No registered coprocessor service found for {service} in region {region}");
    remote_exception(exception::UNKNOWN_PROTOCOL, text)
}

/// Runs a method of `MultiRowMutationService`; returns `None` if there is no such method.
fn mutate_rows(
    call: &Call<'_>,
    region: &Region,
    state: &mut RegionState,
    method: &str,
    request: Bytes,
) -> RemoteResult<Option<Vec<u8>>> {
    if method != "MutateRows" {
        return Ok(None);
    }
    let request = MutateRowsRequest::decode(request)
        .map_err(|e| remote_exception(exception::INVALID_PROTOBUF, format!("{method}: {e}")))?;
    let mut no_cells = CellBlock::new(Bytes::new());
    let mutations = request.mutation_request.into_iter();
    let mutations: Vec<Mutation> =
        mutations.map(|m| Mutation::decode(m, &mut no_cells)).collect::<RemoteResult<_>>()?;
    for (at, mutation) in mutations.iter().enumerate() {
        if !region.contains(&mutation.row) {
            // If the first row is out of range, its region may have moved. If another row is out of
            // range, the rows are in several regions.
            let class = if at == 0 { exception::WRONG_REGION } else { exception::DO_NOT_RETRY };
            let row = mutation.row.escape_ascii();
            return Err(remote_exception(class, format!("Requested row out of range '{row}'")));
        }
    }
    let mut processed = true;
    for condition in &request.condition {
        processed = processed && is_met(condition, region, state, call.now())?;
    }
    if processed {
        state.write_requests += mutations.len() as u64;
        let all: Vec<&Mutation> = mutations.iter().collect();
        let nonce = Nonce::of(request.nonce_group, request.nonce);
        apply_mutations(call, region, state, &all, nonce, call.now(), true)?;
    }
    Ok(Some(MutateRowsResponse { processed: Some(processed) }.encode_to_vec()))
}

/// Checks one of the conditions under which several rows are changed. Unlike the condition of a
/// single row, a comparison with nothing, or with an empty value, is met by an absent or empty
/// cell whatever its operator is.
fn is_met(
    condition: &Condition,
    region: &Region,
    state: &RegionState,
    now: u64,
) -> RemoteResult<bool> {
    if !region.contains(&condition.row) {
        let text = region.out_of_range_text("row lock", &condition.row);
        return Err(remote_exception(exception::WRONG_REGION, text));
    }
    let mut condition = condition.clone();
    if let Some(comparator) = &condition.comparator
        && Comparator::decode(comparator)?.equals_absent()
    {
        condition.compare_type = Some(CompareType::Equal as i32);
    }
    let result = regions::check_condition(&condition, region, state, now)?;
    Ok(matches!(result, ConditionResult::Met { .. }))
}

/// Runs a method of `AuthenticationService`; returns `None` if there is no such method. A server
/// that does not authenticate its users has no tokens for them.
fn authentication(
    call: &Call<'_>,
    _: &Region,
    _: &mut RegionState,
    method: &str,
    _: Bytes,
) -> RemoteResult<Option<Vec<u8>>> {
    match method {
        "WhoAmI" => {
            let username = Some(call.peer.user.clone()).filter(|user| !user.is_empty());
            let auth_method = username.is_some().then(|| "SIMPLE".to_owned());
            Ok(Some(WhoAmIResponse { username, auth_method }.encode_to_vec()))
        }
        "GetAuthenticationToken" => {
            let text = "No secret manager configured for token authentication";
            Err(remote_exception(exception::IO, text))
        }
        _ => Ok(None),
    }
}
