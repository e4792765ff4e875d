//! `TooSlowLog.proto`, and the requests for the log of slow and large calls.

#[derive(Clone, PartialEq, prost::Message)]
pub struct LogRequest {
    #[prost(string, required, tag = "1")]
    pub log_class_name: String,
    #[prost(bytes = "bytes", required, tag = "2")]
    pub log_message: bytes::Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct LogEntry {
    #[prost(string, required, tag = "1")]
    pub log_class_name: String,
    #[prost(bytes = "bytes", required, tag = "2")]
    pub log_message: bytes::Bytes,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SlowLogResponseRequest {
    #[prost(string, optional, tag = "1")]
    pub region_name: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub table_name: Option<String>,
    #[prost(string, optional, tag = "3")]
    pub client_address: Option<String>,
    #[prost(string, optional, tag = "4")]
    pub user_name: Option<String>,
    #[prost(uint32, optional, tag = "5", default = "10")]
    pub limit: Option<u32>,
    #[prost(enumeration = "SlowLogFilterOperator", optional, tag = "6", default = "Or")]
    pub filter_by_operator: Option<i32>,
    #[prost(enumeration = "SlowLogType", optional, tag = "7")]
    pub log_type: Option<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SlowLogResponses {
    #[prost(message, repeated, tag = "1")]
    pub slow_log_payloads: Vec<SlowLogPayload>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ClearSlowLogResponses {
    #[prost(bool, required, tag = "1")]
    pub is_cleaned: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct SlowLogPayload {
    #[prost(int64, required, tag = "1")]
    pub start_time: i64,
    #[prost(int32, required, tag = "2")]
    pub processing_time: i32,
    #[prost(int32, required, tag = "3")]
    pub queue_time: i32,
    #[prost(int64, required, tag = "4")]
    pub response_size: i64,
    #[prost(string, required, tag = "5")]
    pub client_address: String,
    #[prost(string, required, tag = "6")]
    pub server_class: String,
    #[prost(string, required, tag = "7")]
    pub method_name: String,
    #[prost(string, required, tag = "8")]
    pub call_details: String,
    #[prost(string, optional, tag = "9")]
    pub param: Option<String>,
    #[prost(string, required, tag = "10")]
    pub user_name: String,
    #[prost(string, optional, tag = "11")]
    pub region_name: Option<String>,
    #[prost(int32, optional, tag = "12", default = "0")]
    pub multi_gets: Option<i32>,
    #[prost(int32, optional, tag = "13", default = "0")]
    pub multi_mutations: Option<i32>,
    #[prost(enumeration = "SlowLogPayloadType", required, tag = "15")]
    pub r#type: i32,
}

#[doc(alias = "SlowLogResponseRequest.FilterByOperator")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum SlowLogFilterOperator {
    And = 0,
    Or = 1,
}

#[doc(alias = "SlowLogResponseRequest.LogType")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum SlowLogType {
    SlowLog = 0,
    LargeLog = 1,
}

#[doc(alias = "SlowLogPayload.Type")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, prost::Enumeration)]
#[repr(i32)]
pub enum SlowLogPayloadType {
    SlowLog = 0,
    LargeLog = 1,
    All = 2,
}
