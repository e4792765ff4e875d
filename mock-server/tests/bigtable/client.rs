//! A client that sends raw messages: tonic, without any of the logic of a Bigtable client.

use std::collections::BTreeMap;

use bytes::Bytes;
use http::uri::PathAndQuery;
use prost::Message;
use tallrow_mock::{MockCluster, MockClusterBuilder};
use tallrow_wire::bigtable::*;
use tonic::client::Grpc;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use tonic_prost::ProstCodec;

/// The instance whose tables the tests use.
pub const INSTANCE: &str = "projects/p/instances/i";

/// A client and its cluster.
#[derive(Clone)]
pub struct Client {
    pub cluster: MockCluster,
    grpc: Grpc<Channel>,
}

impl Client {
    /// A client of a new cluster.
    pub async fn start() -> Self {
        Self::of(MockCluster::builder()).await
    }

    /// A client of a new cluster with these settings.
    pub async fn of(builder: MockClusterBuilder) -> Self {
        let cluster = builder.bigtable_port(0).start().await.unwrap();
        Self::connect(cluster).await
    }

    /// A client with a connection of its own.
    pub async fn connect(cluster: MockCluster) -> Self {
        Self::connect_as(cluster, "tests").await
    }

    /// A client with a connection of its own, and with this name in its user agent.
    pub async fn connect_as(cluster: MockCluster, agent: &str) -> Self {
        let address = format!("http://{}", cluster.bigtable_address().unwrap());
        let endpoint = Endpoint::from_shared(address).unwrap().user_agent(agent).unwrap();
        let channel = endpoint.connect().await.unwrap();
        Self { cluster, grpc: Grpc::new(channel).max_decoding_message_size(64 << 20) }
    }

    /// Calls a method that answers one message.
    pub async fn call<A>(&self, path: &'static str, request: A) -> Result<A::Answer, Status>
    where
        A: Call,
    {
        let mut grpc = self.grpc.clone();
        grpc.ready().await.map_err(|e| Status::unavailable(e.to_string()))?;
        let (path, codec) = (PathAndQuery::from_static(path), ProstCodec::default());
        Ok(grpc.unary(Request::new(request), path, codec).await?.into_inner())
    }

    /// Calls a method that answers several messages, and returns those that came before the end or
    /// an error.
    pub async fn stream<A: Call>(
        &self,
        path: &'static str,
        request: A,
    ) -> (Vec<A::Answer>, Result<(), Status>) {
        let mut grpc = self.grpc.clone();
        let (path, codec) = (PathAndQuery::from_static(path), ProstCodec::default());
        let mut request = Request::new(request);
        // All features that a client can have.
        request.metadata_mut().insert("bigtable-features", "CAEgATABOAE".parse().unwrap());
        let mut answers = Vec::new();
        if let Err(error) = grpc.ready().await {
            return (answers, Err(Status::unavailable(error.to_string())));
        }
        let mut stream = match grpc.server_streaming(request, path, codec).await {
            Ok(stream) => stream.into_inner(),
            Err(status) => return (answers, Err(status)),
        };
        loop {
            match stream.message().await {
                Ok(Some(answer)) => answers.push(answer),
                Ok(None) => return (answers, Ok(())),
                Err(status) => return (answers, Err(status)),
            }
        }
    }

    /// Creates a table with these families and splits.
    pub async fn table(&self, id: &str, families: &[&str], splits: &[&str]) -> String {
        let families = families.iter().map(|f| ((*f).to_owned(), family(None))).collect();
        let initial_splits = splits.iter().map(|key| Split { key: bytes(key) }).collect();
        let request = CreateTableRequest { initial_splits, ..create(id, families) };
        self.call(method::CREATE_TABLE, request).await.unwrap().name
    }

    /// Changes the families of a table.
    pub async fn modify(
        &self,
        table: &str,
        changes: Vec<(&str, FamilyChange)>,
    ) -> Result<Table, Status> {
        let modification = |(id, change): (&str, FamilyChange)| Modification {
            id: id.into(),
            r#mod: Some(change),
            update_mask: None,
        };
        let request = ModifyColumnFamiliesRequest {
            name: table.into(),
            modifications: changes.into_iter().map(modification).collect(),
            ..Default::default()
        };
        self.call(method::MODIFY_COLUMN_FAMILIES, request).await
    }

    /// Mutates several rows.
    pub async fn mutate_rows(
        &self,
        table: &str,
        entries: Vec<MutateRowsEntry>,
    ) -> (Vec<MutateRowsResponse>, Result<(), Status>) {
        let table_name = table.into();
        let request = MutateRowsRequest { table_name, entries, ..Default::default() };
        self.stream(method::MUTATE_ROWS, request).await
    }

    /// Writes cells of one row.
    pub async fn put(&self, table: &str, row: &str, cells: &[(&str, &str, i64, &str)]) {
        let mutations = cells.iter().map(|(f, q, at, v)| set(f, q, *at, v)).collect();
        self.mutate(table, row, mutations).await.unwrap();
    }

    /// Mutates one row.
    pub async fn mutate(
        &self,
        table: &str,
        row: &str,
        mutations: Vec<Mutation>,
    ) -> Result<(), Status> {
        let request = MutateRowRequest {
            table_name: table.into(),
            row_key: bytes(row),
            mutations,
            ..Default::default()
        };
        self.call(method::MUTATE_ROW, request).await.map(|MutateRowResponse {}| ())
    }

    /// The cells of a table whose values are 64-bit integers, with the integers as text.
    pub async fn integers(&self, table: &str) -> Vec<String> {
        let integer = |cell: String| {
            let (place, value) = cell.split_once('=').unwrap();
            let value = crate::rows::unescape(value);
            format!("{place}={}", i64::from_be_bytes(value.try_into().unwrap()))
        };
        self.all(table).await.into_iter().map(integer).collect()
    }

    /// The cells that a read returns, as text.
    pub async fn read(&self, request: ReadRowsRequest) -> Vec<String> {
        let (answers, end) = self.stream(method::READ_ROWS, request).await;
        end.unwrap();
        crate::rows::cells(&answers)
    }

    /// The cells of a table, as text.
    pub async fn all(&self, table: &str) -> Vec<String> {
        self.read(ReadRowsRequest { table_name: table.into(), ..Default::default() }).await
    }
}

/// The message of an operation that is done.
pub fn result<M: Message + Default>(
    operation: &Operation,
) -> Result<M, tallrow_wire::bigtable::Status> {
    assert!(operation.done, "{operation:?}");
    match operation.result.clone().unwrap() {
        OperationResult::Response(any) => Ok(M::decode(any.value).unwrap()),
        OperationResult::Error(status) => Err(status),
    }
}

/// A request, with the message that answers it.
pub trait Call: Message + Default + 'static {
    type Answer: Message + Default + 'static;
}

macro_rules! calls {
    ($($request:ident -> $answer:ident),* $(,)?) => {
        $(impl Call for $request {
            type Answer = $answer;
        })*
    };
}

calls! {
    CheckAndMutateRowRequest -> CheckAndMutateRowResponse,
    CheckConsistencyRequest -> CheckConsistencyResponse,
    CreateTableRequest -> Table,
    DeleteTableRequest -> Empty,
    DropRowRangeRequest -> Empty,
    GenerateInitialChangeStreamPartitionsRequest -> GenerateInitialChangeStreamPartitionsResponse,
    GenerateConsistencyTokenRequest -> GenerateConsistencyTokenResponse,
    GetTableRequest -> Table,
    ListTablesRequest -> ListTablesResponse,
    ModifyColumnFamiliesRequest -> Table,
    MutateRowRequest -> MutateRowResponse,
    MutateRowsRequest -> MutateRowsResponse,
    PingAndWarmRequest -> PingAndWarmResponse,
    ReadChangeStreamRequest -> ReadChangeStreamResponse,
    ReadModifyWriteRowRequest -> ReadModifyWriteRowResponse,
    ReadRowsRequest -> ReadRowsResponse,
    SampleRowKeysRequest -> SampleRowKeysResponse,
    CancelOperationRequest -> Empty,
    CopyBackupRequest -> Operation,
    CreateAuthorizedViewRequest -> Operation,
    CreateBackupRequest -> Operation,
    CreateSchemaBundleRequest -> Operation,
    DeleteAuthorizedViewRequest -> Empty,
    DeleteBackupRequest -> Empty,
    DeleteSchemaBundleRequest -> Empty,
    GetAuthorizedViewRequest -> AuthorizedView,
    GetBackupRequest -> Backup,
    GetOperationRequest -> Operation,
    GetSchemaBundleRequest -> SchemaBundle,
    ListAuthorizedViewsRequest -> ListAuthorizedViewsResponse,
    ListBackupsRequest -> ListBackupsResponse,
    ListSchemaBundlesRequest -> ListSchemaBundlesResponse,
    RestoreTableRequest -> Operation,
    UndeleteTableRequest -> Operation,
    UpdateAuthorizedViewRequest -> Operation,
    UpdateBackupRequest -> Backup,
    UpdateSchemaBundleRequest -> Operation,
    UpdateTableRequest -> Operation,
}

/// A request to create a table with these families.
pub fn create(id: &str, column_families: BTreeMap<String, ColumnFamily>) -> CreateTableRequest {
    CreateTableRequest {
        parent: INSTANCE.into(),
        table_id: id.into(),
        table: Some(Table { column_families, ..Default::default() }),
        initial_splits: Vec::new(),
    }
}

/// A family with a rule; with an empty one, it keeps everything.
pub fn family(rule: Option<GarbageRule>) -> ColumnFamily {
    ColumnFamily { gc_rule: Some(GcRule { rule }), value_type: None }
}

/// A family of aggregates.
pub fn aggregate(aggregator: Aggregator) -> ColumnFamily {
    let value_type = Some(Type::aggregate(Type::big_endian_int64(), aggregator));
    ColumnFamily { value_type, ..Default::default() }
}

/// A mutation that adds to a cell of an aggregate family.
pub fn add(family: &str, qualifier: &str, timestamp_micros: i64, value: i64) -> Mutation {
    let add = AddToCell {
        family_name: family.into(),
        column_qualifier: Some(Value::raw(bytes(qualifier))),
        timestamp: Some(Value::timestamp(timestamp_micros)),
        input: Some(Value::int(value)),
    };
    Mutation { mutation: Some(Change::AddToCell(add)) }
}

/// A mutation that writes a cell.
pub fn set(family: &str, qualifier: &str, timestamp_micros: i64, value: &str) -> Mutation {
    let set = SetCell {
        family_name: family.into(),
        column_qualifier: bytes(qualifier),
        timestamp_micros,
        value: bytes(value),
    };
    Mutation { mutation: Some(Change::SetCell(set)) }
}

pub fn bytes(text: &str) -> Bytes {
    Bytes::copy_from_slice(text.as_bytes())
}
