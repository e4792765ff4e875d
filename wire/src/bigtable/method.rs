//! The gRPC paths of the calls of Bigtable's services.

/// `google.bigtable.v2.Bigtable`, the service for rows.
pub const DATA_SERVICE: &str = "google.bigtable.v2.Bigtable";
/// `google.bigtable.admin.v2.BigtableTableAdmin`, the service for tables.
pub const TABLE_ADMIN_SERVICE: &str = "google.bigtable.admin.v2.BigtableTableAdmin";
/// `google.longrunning.Operations`, the service for operations that take longer than a call.
pub const OPERATIONS: &str = "google.longrunning.Operations";

macro_rules! methods {
    ($($name:ident = $service:literal $method:literal),* $(,)?) => {
        $(pub const $name: &str = concat!("/", $service, "/", $method);)*

        /// The paths of all these calls.
        pub const ALL: &[&str] = &[$($name),*];
    };
}

methods! {
    READ_ROWS = "google.bigtable.v2.Bigtable" "ReadRows",
    SAMPLE_ROW_KEYS = "google.bigtable.v2.Bigtable" "SampleRowKeys",
    MUTATE_ROW = "google.bigtable.v2.Bigtable" "MutateRow",
    MUTATE_ROWS = "google.bigtable.v2.Bigtable" "MutateRows",
    CHECK_AND_MUTATE_ROW = "google.bigtable.v2.Bigtable" "CheckAndMutateRow",
    PING_AND_WARM = "google.bigtable.v2.Bigtable" "PingAndWarm",
    READ_MODIFY_WRITE_ROW = "google.bigtable.v2.Bigtable" "ReadModifyWriteRow",
    PREPARE_QUERY = "google.bigtable.v2.Bigtable" "PrepareQuery",
    EXECUTE_QUERY = "google.bigtable.v2.Bigtable" "ExecuteQuery",
    GENERATE_INITIAL_CHANGE_STREAM_PARTITIONS = "google.bigtable.v2.Bigtable" "GenerateInitialChangeStreamPartitions",
    READ_CHANGE_STREAM = "google.bigtable.v2.Bigtable" "ReadChangeStream",
    CREATE_TABLE = "google.bigtable.admin.v2.BigtableTableAdmin" "CreateTable",
    LIST_TABLES = "google.bigtable.admin.v2.BigtableTableAdmin" "ListTables",
    GET_TABLE = "google.bigtable.admin.v2.BigtableTableAdmin" "GetTable",
    UPDATE_TABLE = "google.bigtable.admin.v2.BigtableTableAdmin" "UpdateTable",
    DELETE_TABLE = "google.bigtable.admin.v2.BigtableTableAdmin" "DeleteTable",
    MODIFY_COLUMN_FAMILIES = "google.bigtable.admin.v2.BigtableTableAdmin" "ModifyColumnFamilies",
    DROP_ROW_RANGE = "google.bigtable.admin.v2.BigtableTableAdmin" "DropRowRange",
    GENERATE_CONSISTENCY_TOKEN = "google.bigtable.admin.v2.BigtableTableAdmin" "GenerateConsistencyToken",
    CHECK_CONSISTENCY = "google.bigtable.admin.v2.BigtableTableAdmin" "CheckConsistency",
    UNDELETE_TABLE = "google.bigtable.admin.v2.BigtableTableAdmin" "UndeleteTable",
    CREATE_BACKUP = "google.bigtable.admin.v2.BigtableTableAdmin" "CreateBackup",
    GET_BACKUP = "google.bigtable.admin.v2.BigtableTableAdmin" "GetBackup",
    UPDATE_BACKUP = "google.bigtable.admin.v2.BigtableTableAdmin" "UpdateBackup",
    DELETE_BACKUP = "google.bigtable.admin.v2.BigtableTableAdmin" "DeleteBackup",
    LIST_BACKUPS = "google.bigtable.admin.v2.BigtableTableAdmin" "ListBackups",
    COPY_BACKUP = "google.bigtable.admin.v2.BigtableTableAdmin" "CopyBackup",
    RESTORE_TABLE = "google.bigtable.admin.v2.BigtableTableAdmin" "RestoreTable",
    CREATE_AUTHORIZED_VIEW = "google.bigtable.admin.v2.BigtableTableAdmin" "CreateAuthorizedView",
    LIST_AUTHORIZED_VIEWS = "google.bigtable.admin.v2.BigtableTableAdmin" "ListAuthorizedViews",
    GET_AUTHORIZED_VIEW = "google.bigtable.admin.v2.BigtableTableAdmin" "GetAuthorizedView",
    UPDATE_AUTHORIZED_VIEW = "google.bigtable.admin.v2.BigtableTableAdmin" "UpdateAuthorizedView",
    DELETE_AUTHORIZED_VIEW = "google.bigtable.admin.v2.BigtableTableAdmin" "DeleteAuthorizedView",
    CREATE_SCHEMA_BUNDLE = "google.bigtable.admin.v2.BigtableTableAdmin" "CreateSchemaBundle",
    UPDATE_SCHEMA_BUNDLE = "google.bigtable.admin.v2.BigtableTableAdmin" "UpdateSchemaBundle",
    GET_SCHEMA_BUNDLE = "google.bigtable.admin.v2.BigtableTableAdmin" "GetSchemaBundle",
    LIST_SCHEMA_BUNDLES = "google.bigtable.admin.v2.BigtableTableAdmin" "ListSchemaBundles",
    DELETE_SCHEMA_BUNDLE = "google.bigtable.admin.v2.BigtableTableAdmin" "DeleteSchemaBundle",
    GET_OPERATION = "google.longrunning.Operations" "GetOperation",
    CANCEL_OPERATION = "google.longrunning.Operations" "CancelOperation",
}
