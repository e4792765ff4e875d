//! `Procedure.proto`: the procedures of the master, and its requests about them.

use super::ForeignExceptionMessage;

#[derive(Clone, PartialEq, prost::Message)]
pub struct Procedure {
    #[prost(string, required, tag = "1")]
    pub class_name: String,
    #[prost(uint64, optional, tag = "2")]
    pub parent_id: Option<u64>,
    #[prost(uint64, required, tag = "3")]
    pub proc_id: u64,
    #[prost(uint64, required, tag = "4")]
    pub submitted_time: u64,
    #[prost(string, optional, tag = "5")]
    pub owner: Option<String>,
    #[prost(enumeration = "ProcedureState", required, tag = "6")]
    pub state: i32,
    #[prost(uint64, required, tag = "8")]
    pub last_update: u64,
    #[prost(message, optional, tag = "10")]
    pub exception: Option<ForeignExceptionMessage>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GetProceduresResponse {
    #[prost(message, repeated, tag = "1")]
    pub procedure: Vec<Procedure>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct AbortProcedureRequest {
    #[prost(uint64, required, tag = "1")]
    pub proc_id: u64,
    #[prost(bool, optional, tag = "2", default = "true")]
    pub may_interrupt_if_running: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum ProcedureState {
    Initializing = 1,
    Runnable = 2,
    Waiting = 3,
    WaitingTimeout = 4,
    Rolledback = 5,
    Success = 6,
    Failed = 7,
}
