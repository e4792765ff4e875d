//! `ErrorHandling.proto`: the exception of a failed procedure.

#[derive(Clone, PartialEq, prost::Message)]
pub struct StackTraceElementMessage {
    #[prost(string, optional, tag = "1")]
    pub declaring_class: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub method_name: Option<String>,
    #[prost(string, optional, tag = "3")]
    pub file_name: Option<String>,
    #[prost(int32, optional, tag = "4")]
    pub line_number: Option<i32>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct GenericExceptionMessage {
    #[prost(string, optional, tag = "1")]
    pub class_name: Option<String>,
    #[prost(string, optional, tag = "2")]
    pub message: Option<String>,
    #[prost(bytes = "bytes", optional, tag = "3")]
    pub error_info: Option<bytes::Bytes>,
    #[prost(message, repeated, tag = "4")]
    pub trace: Vec<StackTraceElementMessage>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub struct ForeignExceptionMessage {
    #[prost(string, optional, tag = "1")]
    pub source: Option<String>,
    #[prost(message, optional, tag = "2")]
    pub generic_exception: Option<GenericExceptionMessage>,
}
