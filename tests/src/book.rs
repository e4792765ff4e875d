//! The programs in the README, in docs/ and in the documentation of the derives, each compiled and
//! run.

macro_rules! pages {
    ($($page:ident $path:literal,)*) => {$(
        #[doc = include_str!(concat!("../../", $path))]
        struct $page;
    )*};
}

pages! {
    DeriveCellGroup "sdk-derive/src/cell_group.md",
    DeriveFromSqlRow "sdk-derive/src/from_sql_row.md",
    DeriveRowKey "sdk-derive/src/row_key.md",
    DeriveTable "sdk-derive/src/table.md",
    Readme "README.md",
    Administration "docs/administration.md",
    Bigtable "docs/bigtable.md",
    ChangingKeys "docs/changing-keys.md",
    ChoosingARowKey "docs/choosing-a-row-key.md",
    Compat "docs/compat.md",
    Configuration "docs/configuration.md",
    Encryption "docs/encryption.md",
    ExistingTables "docs/existing-tables.md",
    Failure "docs/failure.md",
    GettingStarted "docs/getting-started.md",
    Indexes "docs/indexes.md",
    Introduction "docs/introduction.md",
    Observability "docs/observability.md",
    OwnTypes "docs/own-types.md",
    Lists "docs/lists.md",
    WritingManyRows "docs/writing-many-rows.md",
    Lookup "docs/lookup.md",
    Paging "docs/paging.md",
    RowKeyFormat "docs/row-key-format.md",
    RowKeys "docs/row-keys.md",
    Replicas "docs/replicas.md",
    Schema "docs/schema.md",
    Speed "docs/speed.md",
    Tables "docs/tables.md",
    Testing "docs/testing.md",
    TestingKeys "docs/testing-keys.md",
    TimeSeries "docs/time-series.md",
    TypedRows "docs/typed-rows.md",
}
