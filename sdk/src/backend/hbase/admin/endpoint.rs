//! Coprocessor endpoints: methods that run inside the region servers.

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{FuturesUnordered, StreamExt};
use prost::Message;

use super::handle::HBaseAdmin;
use super::meta::region_rows_if_enabled;
use crate::backend::hbase::cluster::Cluster;
use crate::backend::hbase::endpoint::{NotReady, ServiceCall, exec_service};
use crate::runtime::deadline::clamp;
use crate::wire::WireError;
use crate::wire::meta::RegionRow;
use crate::{Error, ErrorKind, Result, TableName, TableRef};

/// The number of regions on which an endpoint is called concurrently.
const AT_A_TIME: usize = 16;
/// The number of times that an endpoint is called on a whole range, if regions are merged
/// meanwhile.
const ROUNDS: usize = 5;

/// A method of a coprocessor endpoint, given by the names of the service and of the method in the
/// service's `.proto` file (for HBase's own services, without the package `hbase.pb`).
///
/// ```
/// use std::time::Duration;
/// use tallrow::admin::Endpoint;
///
/// let count = Endpoint::new("AggregateService", "GetRowNum")
///     .repeatable()
///     .timeout(Duration::from_secs(300));
/// assert_eq!((count.service(), count.method()), ("AggregateService", "GetRowNum"));
/// ```
///
/// [`HBaseAdmin::call_endpoint`] calls the method on the region of a row, and
/// [`HBaseAdmin::call_endpoint_on_range`] on all regions of a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Endpoint {
    service: String,
    method: String,
    repeatable: bool,
    timeout: Option<Duration>,
}

impl Endpoint {
    /// Describes a method that is called at most once: if no answer arrives, the error is
    /// [`OutcomeUnknown`](ErrorKind::OutcomeUnknown).
    ///
    /// See [`Endpoint`] for an example.
    pub fn new(service: impl Into<String>, method: impl Into<String>) -> Self {
        Self { service: service.into(), method: method.into(), repeatable: false, timeout: None }
    }

    /// Declares that the method may be executed twice, for example because it only reads. The call
    /// is then repeated if no answer arrives. HBase's Java client repeats the calls of every
    /// method.
    pub fn repeatable(mut self) -> Self {
        self.repeatable = true;
        self
    }

    /// Sets how long a call on one region may take, with all attempts. The default is
    /// [`Config::operation_timeout`](crate::Config::operation_timeout), of which one attempt may
    /// take at most [`attempt_timeout`](crate::Config::attempt_timeout). If a timeout is set here,
    /// one attempt may take all of it.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(clamp(timeout));
        self
    }

    /// The name of the service.
    pub fn service(&self) -> &str {
        &self.service
    }

    /// The name of the method.
    pub fn method(&self) -> &str {
        &self.method
    }
}

/// The answer of one region to the call of an endpoint.
///
/// See [`HBaseAdmin::call_endpoint_on_range`] for an example.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct EndpointAnswer<R> {
    /// The full name of the region.
    pub region: Bytes,
    /// The first row key of the region; empty for the first region.
    pub start_key: Bytes,
    /// The end of the region's row keys, exclusive; empty for the last region.
    pub end_key: Bytes,
    /// The answer of the endpoint.
    pub answer: R,
}

impl HBaseAdmin {
    /// Calls an endpoint on the region that holds a row: `Table.coprocessorService(row)` of the
    /// Java client.
    ///
    /// The coprocessor must be loaded for the table, by the table's attribute `coprocessor$1` or by
    /// the configuration of the servers. The request and the answer can be any [`prost::Message`]s,
    /// generated from the service's `.proto` file.
    ///
    /// ```
    /// use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor, admin::Endpoint};
    ///
    /// #[derive(Clone, PartialEq, prost::Message)]
    /// struct AggregateRequest {
    ///     #[prost(string, required, tag = "1")]
    ///     interpreter: String,
    ///     #[prost(bytes = "bytes", required, tag = "2")]
    ///     scan: bytes::Bytes,
    /// }
    ///
    /// #[derive(Clone, PartialEq, prost::Message)]
    /// struct AggregateResponse {
    ///     #[prost(bytes = "bytes", repeated, tag = "1")]
    ///     first_part: Vec<bytes::Bytes>,
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// let client = Client::connect("mock:").await?;
    /// let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b")).attribute(
    ///     "coprocessor$1",
    ///     "|org.apache.hadoop.hbase.coprocessor.AggregateImplementation|536870911|",
    /// );
    /// client.admin().create_table(&books).await?;
    /// client.raw_table("books")?.put(Put::new("dune").cell("b", "pages", "412")).await?;
    ///
    /// let request = AggregateRequest {
    ///     interpreter: "org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter".into(),
    ///     scan: bytes::Bytes::from_static(b"\x0a\x03\x0a\x01b"), // a `Scan` of family `b`
    /// };
    /// let count = Endpoint::new("AggregateService", "GetRowNum").repeatable();
    /// let answer: AggregateResponse =
    ///     client.admin().hbase()?.call_endpoint("books", "dune", &count, &request).await?;
    /// assert_eq!(answer.first_part[0], 1_u64.to_be_bytes()[..]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); [`WrongTableState`](ErrorKind::WrongTableState) if the
    /// table is disabled; [`DoNotRetry`](ErrorKind::DoNotRetry) with `UnknownProtocolException` if
    /// the region has no such service or method, or with the exception that the endpoint threw;
    /// [`Protocol`](ErrorKind::Protocol) if the answer cannot be decoded as an `R`;
    /// [`OutcomeUnknown`](ErrorKind::OutcomeUnknown) if no answer arrived and the endpoint is not
    /// [`repeatable`](Endpoint::repeatable).
    pub async fn call_endpoint<R: Message + Default>(
        &self,
        table: impl Into<TableRef<'_>>,
        row: impl AsRef<[u8]>,
        endpoint: &Endpoint,
        request: &impl Message,
    ) -> Result<R> {
        let table = self.naming.resolve(table)?;
        self.call_when_ready(&table, row.as_ref(), endpoint, request, |_| None).await
    }

    /// Calls an endpoint on the region that holds a row. Calls it again as long as its answer,
    /// according to `not_ready`, comes from a service that is not ready.
    pub(super) async fn call_when_ready<R: Message + Default>(
        &self,
        table: &TableName,
        row: &[u8],
        endpoint: &Endpoint,
        request: &impl Message,
        not_ready: NotReady,
    ) -> Result<R> {
        let request = Bytes::from(request.encode_to_vec());
        let answer = call::<R>(&self.cluster, table, row, endpoint, request, not_ready).await?;
        Ok(answer.answer)
    }

    /// Calls an endpoint on all regions that have rows in a range, and returns their answers in the
    /// order of the regions: `Table.coprocessorService(startKey, endKey)` of the Java client. The
    /// start is inclusive, the end exclusive; an empty key is the start or the end of the table.
    /// The endpoint is called on whole regions: if it should read only the rows of the range, its
    /// request must say so.
    ///
    /// The endpoint is called on up to 16 regions concurrently. If a region splits meanwhile, the
    /// endpoint is called on both halves. If regions merge meanwhile, the endpoint may get rows
    /// twice. It is then called on all regions again, provided that it is
    /// [`repeatable`](Endpoint::repeatable).
    ///
    /// ```
    /// # use tallrow::{Client, FamilyDescriptor, Put, TableDescriptor, admin::Endpoint};
    /// # #[derive(Clone, PartialEq, prost::Message)]
    /// # struct AggregateRequest {
    /// #     #[prost(string, required, tag = "1")] interpreter: String,
    /// #     #[prost(bytes = "bytes", required, tag = "2")] scan: bytes::Bytes,
    /// # }
    /// # #[derive(Clone, PartialEq, prost::Message)]
    /// # struct AggregateResponse { #[prost(bytes = "bytes", repeated, tag = "1")] first_part: Vec<bytes::Bytes> }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # let books = TableDescriptor::new("books")?.family(FamilyDescriptor::new("b")).splits(["h", "p"])
    /// #     .attribute("coprocessor$1", "|org.apache.hadoop.hbase.coprocessor.AggregateImplementation|536870911|");
    /// # client.admin().create_table(&books).await?;
    /// # client.raw_table("books")?.put(Put::new("dune").cell("b", "pages", "412")).await?;
    /// # let request = AggregateRequest {
    /// #     interpreter: "org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter".into(),
    /// #     scan: bytes::Bytes::from_static(b"\x0a\x03\x0a\x01b"),
    /// # };
    /// let count = Endpoint::new("AggregateService", "GetRowNum").repeatable();
    /// let hbase = client.admin().hbase()?;
    /// let answers = hbase
    ///     .call_endpoint_on_range::<AggregateResponse>("books", "".."", &count, &request)
    ///     .await?;
    /// let counts: Vec<_> = answers.iter().map(|a| a.answer.first_part[0][7]).collect();
    /// assert_eq!(counts, [1, 0, 0]);
    /// assert_eq!(answers[1].start_key, "h");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors of [`call_endpoint`](HBaseAdmin::call_endpoint) for any of the regions;
    /// [`OutcomeUnknown`](ErrorKind::OutcomeUnknown) also if merged regions got rows twice and the
    /// endpoint is not [`repeatable`](Endpoint::repeatable), or regions were merged in each of
    /// several rounds.
    pub async fn call_endpoint_on_range<R: Message + Default>(
        &self,
        table: impl Into<TableRef<'_>>,
        rows: Range<impl AsRef<[u8]>>,
        endpoint: &Endpoint,
        request: &impl Message,
    ) -> Result<Vec<EndpointAnswer<R>>> {
        let table = self.naming.resolve(table)?;
        let request = Bytes::from(request.encode_to_vec());
        let (start, end) = (rows.start.as_ref(), rows.end.as_ref());
        if !end.is_empty() && start >= end {
            return Ok(Vec::new());
        }
        for _ in 0..ROUNDS {
            let region_count = region_rows_if_enabled(&self.cluster, NAME, &table).await?;
            let answers =
                self.call_each(&table, &region_count, (start, end), endpoint, &request).await?;
            let overlap = answers.windows(2).any(
                |pair| matches!(pair, [a, b] if a.end_key.is_empty() || a.end_key > b.start_key),
            );
            if !overlap {
                return Ok(answers);
            }
            if !endpoint.repeatable {
                break;
            }
        }
        let text = "regions were merged meanwhile, and some rows were passed to the endpoint twice";
        Err(Error::new(ErrorKind::OutcomeUnknown, text)
            .with_operation_if_unset(NAME)
            .on_table(&table))
    }

    /// Calls an endpoint on the regions of a range, which may have changed since `regions` was
    /// read.
    async fn call_each<R: Message + Default>(
        &self,
        table: &TableName,
        regions: &[RegionRow],
        (start, end): (&[u8], &[u8]),
        endpoint: &Endpoint,
        request: &Bytes,
    ) -> Result<Vec<EndpointAnswer<R>>> {
        let mut pieces = Vec::new();
        for row in regions {
            let first = row.info.start_key.clone().unwrap_or_default();
            let last = row.info.end_key.clone().unwrap_or_default();
            let before = !end.is_empty() && *first >= *end;
            let after = !last.is_empty() && *last <= *start;
            if !before && !after {
                pieces.push((first, last));
            }
        }
        let mut waiting = pieces.into_iter();
        let mut asked = FuturesUnordered::new();
        let mut answers = Vec::new();
        loop {
            while asked.len() < AT_A_TIME
                && let Some((first, last)) = waiting.next()
            {
                let cluster = Arc::clone(&self.cluster);
                asked.push(call_piece(cluster, table, first, last, endpoint, request.clone()));
            }
            match asked.next().await {
                Some(answer) => answers.extend(answer?),
                None => break,
            }
        }
        answers.sort_by(|a: &EndpointAnswer<R>, b| a.start_key.cmp(&b.start_key));
        // A region that was merged from several regions was called once for each of them.
        if endpoint.repeatable {
            answers.dedup_by(|a, b| a.region == b.region);
        }
        Ok(answers)
    }
}

const NAME: &str = "call endpoint";

/// Calls an endpoint on all regions from one row key to another.
async fn call_piece<R: Message + Default>(
    cluster: Arc<Cluster>,
    table: &TableName,
    first: Bytes,
    last: Bytes,
    endpoint: &Endpoint,
    request: Bytes,
) -> Result<Vec<EndpointAnswer<R>>> {
    let mut answers = Vec::new();
    let mut row = first;
    loop {
        let answer = call(&cluster, table, &row, endpoint, request.clone(), |_| None).await?;
        row = answer.end_key.clone();
        answers.push(answer);
        if row.is_empty() || (!last.is_empty() && row >= last) {
            return Ok(answers);
        }
    }
}

async fn call<R: Message + Default>(
    cluster: &Cluster,
    table: &TableName,
    row: &[u8],
    endpoint: &Endpoint,
    request: Bytes,
    not_ready: NotReady,
) -> Result<EndpointAnswer<R>> {
    let config = &cluster.config;
    let service = ServiceCall {
        service: &endpoint.service,
        method: &endpoint.method,
        request,
        repeatable: endpoint.repeatable,
        writes: false,
        attempt_timeout: endpoint.timeout.unwrap_or(config.attempt_timeout),
        priority: 0,
        not_ready,
    };
    let timeout = endpoint.timeout.unwrap_or(config.operation_timeout);
    let mut attempts = cluster.attempts_on(NAME, Some(table), timeout);
    let row = Bytes::copy_from_slice(row);
    let called = exec_service(cluster, table, &row, &service, &mut attempts).await;
    let answer = called.and_then(|(location, answer)| {
        let answer = R::decode(answer).map_err(|e| {
            let error = WireError::new("answer of an endpoint", e.to_string());
            Error::protocol(error).on_server(location.server_address())
        })?;
        Ok(EndpointAnswer {
            region: location.name_bytes(),
            start_key: location.start_key_bytes(),
            end_key: location.end_key_bytes(),
            answer,
        })
    });
    attempts.end(answer.map_err(|e| e.on_table(table).on_row(&row)))
}

#[cfg(all(test, feature = "mock"))]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;
    use crate::wire::exception::{RemoteException, VISIBILITY_NOT_READY};
    use crate::wire::proto::ListLabelsResponse;
    use crate::{Client, FamilyDescriptor, TableDescriptor};

    /// Treats the first two answers as those of a service that is not ready.
    fn first_two(_: &Bytes) -> Option<RemoteException> {
        static SEEN: AtomicU32 = AtomicU32::new(0);
        let is_one = SEEN.fetch_add(1, Ordering::Relaxed) < 2;
        is_one.then(|| RemoteException::new(VISIBILITY_NOT_READY, "not yet"))
    }

    #[tokio::test(start_paused = true)]
    async fn a_service_that_is_not_ready_is_called_again_although_that_is_not_repeatable() {
        let client = Client::connect("mock:").await.unwrap();
        let aggregates = "|org.apache.hadoop.hbase.coprocessor.AggregateImplementation|536870911|";
        let table = TableDescriptor::new("t").unwrap().family(FamilyDescriptor::new("f"));
        let table = table.attribute("coprocessor$1", aggregates);
        client.admin().create_table(&table).await.unwrap();
        let hbase = client.admin().hbase().unwrap();
        // `AggregateRequest` with a scan of the family; the answer is like a list of labels.
        let interpreter = b"org.apache.hadoop.hbase.client.coprocessor.LongColumnInterpreter";
        let head = [0x0A, u8::try_from(interpreter.len()).unwrap()];
        let request = [&head[..], interpreter, b"\x12\x05\x0a\x03\x0a\x01f"].concat();
        let count = Endpoint::new("AggregateService", "GetRowNum");
        let called = |not_ready| {
            let request = Bytes::from(request.clone());
            call::<ListLabelsResponse>(
                &hbase.cluster,
                table.name(),
                b"",
                &count,
                request,
                not_ready,
            )
        };
        let answer = called(first_two).await.unwrap();
        assert_eq!(answer.answer.label[0], 0_u64.to_be_bytes()[..]);
        assert_eq!(client.mock_cluster().unwrap().call_count("ExecService"), 3);
        // Until the deadline.
        let never = |_: &Bytes| Some(RemoteException::new(VISIBILITY_NOT_READY, "not yet"));
        let error = called(never).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ServerError, "{error:?}");
        assert_eq!(error.exception(), Some(VISIBILITY_NOT_READY));
        assert!(error.attempts() > 3 && error.to_string().contains("not yet"), "{error}");
    }
}
