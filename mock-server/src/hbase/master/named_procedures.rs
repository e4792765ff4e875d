//! Procedures that clients run by their names: `flush-table-proc`, by which clients before 2.6 flush
//! tables, and `online-snapshot`.

use tallrow_wire::exception;
use tallrow_wire::proto::*;
use tallrow_wire::region;

use super::snapshots;
use super::tables::flush_table;
use crate::base::{RemoteResult, remote_exception};
use crate::hbase::call::{Call, Method, answer_with_message};
use crate::procedures;

/// The methods about procedures with names.
pub(super) const METHODS: &[Method] = &[
    ("ExecProcedure", |c, r| answer_with_message(c, r, &[1], exec)),
    // None of these procedures returns data, and as on a real master, none of them runs then.
    ("ExecProcedureWithRet", |c, r| {
        answer_with_message(c, r, &[1], |_, r: ExecProcedureRequest| {
            Named::of(&r.procedure, SERVICE)?;
            Ok(ExecProcedureResponse { expected_timeout: None, return_data: None })
        })
    }),
    ("IsProcedureDone", |c, r| answer_with_message(c, r, &[], is_done)),
];

/// The timeout in ms in the response of [`exec`].
const EXPECTED_TIMEOUT: i64 = 300_000;

/// The class of the exception of a method that gives none of its own.
const SERVICE: &str = "org.apache.hbase.thirdparty.com.google.protobuf.ServiceException";

/// A procedure with a name.
enum Named {
    FlushTable,
    Snapshot,
}

impl Named {
    /// Returns the procedure that a request names; otherwise, an exception of this class.
    fn of(procedure: &ProcedureDescription, class: &str) -> RemoteResult<Self> {
        match procedure.signature.as_str() {
            "flush-table-proc" => Ok(Self::FlushTable),
            "online-snapshot" => Ok(Self::Snapshot),
            other => {
                let text = format!("The procedure is not registered: {other}");
                Err(remote_exception(class, text))
            }
        }
    }
}

fn exec(call: &Call<'_>, r: ExecProcedureRequest) -> RemoteResult<ExecProcedureResponse> {
    match Named::of(&r.procedure, exception::DO_NOT_RETRY)? {
        Named::FlushTable => {
            let instance = r.procedure.instance.unwrap_or_default();
            flush_table(
                &call.cluster.lock_admin(),
                &region::parse_table_name(instance.as_bytes()),
                &[],
            )?;
        }
        Named::Snapshot => {
            let snapshot = snapshot_of(r.procedure)?;
            procedures::take_snapshot(&call.cluster.lock_admin(), snapshot)?;
        }
    }
    Ok(ExecProcedureResponse { expected_timeout: Some(EXPECTED_TIMEOUT), return_data: None })
}

fn is_done(call: &Call<'_>, r: IsProcedureDoneRequest) -> RemoteResult<IsProcedureDoneResponse> {
    let procedure = r.procedure.unwrap_or_default();
    if let Named::Snapshot = Named::of(&procedure, SERVICE)? {
        let snapshot = Some(snapshot_of(procedure)?);
        snapshots::is_done(call, IsSnapshotDoneRequest { snapshot })?;
    }
    Ok(IsProcedureDoneResponse { done: Some(true), snapshot: None })
}

/// The snapshot that a procedure takes: its instance is the name of the snapshot.
fn snapshot_of(procedure: ProcedureDescription) -> RemoteResult<SnapshotDescription> {
    let undefined = |what: &str| {
        let text = format!("Snapshot {what} is not defined: {}", procedure.signature);
        remote_exception(exception::IO, text)
    };
    let name = procedure.instance.ok_or_else(|| undefined("name"))?;
    let mut settings = procedure.configuration.into_iter();
    let table = settings.find(|pair| pair.name.eq_ignore_ascii_case("table"));
    let table = Some(table.ok_or_else(|| undefined("table"))?.value);
    let r#type = Some(SnapshotType::Flush as i32);
    Ok(SnapshotDescription { name, table, r#type, ..Default::default() })
}
