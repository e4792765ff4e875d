//! Creating, reading, changing, listing and deleting schema bundles.
//!
//! # Invariants
//!
//! - A bundle is created and deleted once, and changed once if the change is bound to an etag:
//!   without an answer, the outcome is unknown. Tests:
//!   `sdk/src/backend/bigtable/tests/bundles.rs::a_bundle_is_never_created_or_deleted_twice`.
//! - A change that is bound to an etag replaces only what was read. Tests:
//!   `sdk/src/backend/bigtable/tests/bundles.rs::a_bundle_that_was_changed_since_is_a_conflict`.

use super::backup_errors::may_be_there;
use super::bundle_errors::{bundle_exists, changed_since, hint_at_compatibility, missing_bundle};
use super::handle::BigtableAdmin;
use super::operation::LongRunningOperation;
use super::pages::all_pages;
use super::schema_bundle::SchemaBundle;
use crate::backend::attempts::Attempts;
use crate::backend::repeat::Idempotency;
use crate::wire::bigtable::{
    self as wire, CreateSchemaBundleRequest, DeleteSchemaBundleRequest, Empty, FieldMask,
    GetSchemaBundleRequest, ListSchemaBundlesRequest, ListSchemaBundlesResponse, Operation,
    UpdateSchemaBundleRequest, method,
};
use crate::{Error, Result, TableName, TableRef};

/// A schema bundle that a call is about.
struct Target {
    table: TableName,
    /// The full name of the table.
    table_path: String,
    /// The full name of the bundle.
    path: String,
}

impl BigtableAdmin {
    /// Creates a schema bundle of a table, waits until the service has done so, and returns the
    /// bundle with its etag.
    ///
    /// ```
    /// use tallrow::admin::SchemaBundle;
    /// use tallrow::{Client, ErrorKind, FamilyDescriptor, TableDescriptor};
    /// use tallrow_mock::MockCluster;
    ///
    /// // The file `visit.proto`, with a message `Visit`, and later also with an enum `Browser`. In
    /// // a program: `include_bytes!(..)` of the file that `protoc` or prost-build has written.
    /// const FIRST: &[u8] = b"\x0a\x16\x0a\x0bvisit.proto\x22\x07\x0a\x05Visit";
    /// const SECOND: &[u8] = b"\x0a\x28\x0a\x0bvisit.proto\x22\x07\x0a\x05Visit\
    ///     \x2a\x10\x0a\x07Browser\x12\x05\x0a\x01A\x10\0";
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// let visits = TableDescriptor::new("visits")?.family(FamilyDescriptor::new("v"));
    /// client.admin().create_table(&visits).await?;
    ///
    /// let bigtable = client.admin().bigtable()?;
    /// let web = SchemaBundle::new("web", FIRST);
    /// let created = bigtable.create_schema_bundle("visits", &web).await?;
    /// assert_eq!(bigtable.schema_bundle("visits", "web").await?, created);
    ///
    /// // A change is refused if the bundle was changed since it was read.
    /// let next = created.clone().with_proto_descriptors(SECOND);
    /// let changed = bigtable.set_schema_bundle("visits", &next).await?;
    /// assert_eq!(bigtable.list_schema_bundles("visits").await?, [changed]);
    /// let refused = bigtable.set_schema_bundle("visits", &next).await.unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::Conflict);
    /// bigtable.set_schema_bundle("visits", &next.without_etag()).await?;
    ///
    /// // So is one that takes away what queries may use.
    /// let back = SchemaBundle::new("web", FIRST);
    /// let refused = bigtable.set_schema_bundle("visits", &back).await.unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::DoNotRetry);
    /// bigtable.set_schema_bundle("visits", &back.allow_incompatible()).await?;
    ///
    /// bigtable.delete_schema_bundle("visits", "web", None).await?;
    /// assert!(bigtable.list_schema_bundles("visits").await?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound),
    /// [`TableExists`](crate::ErrorKind::TableExists) if the table has a bundle of this id already,
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the service refuses the definitions.
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if no answer arrived: the request is
    /// not sent again; [`schema_bundle`](Self::schema_bundle) finds out whether it was received.
    /// [`Timeout`](crate::ErrorKind::Timeout) if the service takes longer; then it goes on.
    pub async fn create_schema_bundle(
        &self,
        table: impl Into<TableRef<'_>>,
        bundle: &SchemaBundle,
    ) -> Result<SchemaBundle> {
        const NAME: &str = "create schema bundle";
        let target = self.bundle_target(table, bundle.id())?;
        let mut attempts = self.instance.admin_attempts(NAME, Some(&target.table));
        let made = async {
            let new = bundle.clone().without_etag().to_message(String::new());
            let request = CreateSchemaBundleRequest {
                parent: target.table_path.clone(),
                schema_bundle_id: bundle.id().to_owned(),
                schema_bundle: Some(new),
            };
            let parameter = ("parent", &*target.table_path);
            let begun =
                self.call_once(method::CREATE_SCHEMA_BUNDLE, parameter, request, &mut attempts);
            self.bundle_of(begun.await?, &attempts).await
        };
        let made = made.await;
        let made = made.map_err(|error| may_be_there(error, "schema bundle"));
        let made = made.map_err(|error| bundle_exists(error, &target.path));
        attempts.end(made.map_err(|error| error.with_operation(NAME).on_table(&target.table)))
    }

    /// Replaces the definitions of a schema bundle, waits until the service has done so, and
    /// returns the bundle with its new etag. If the given bundle has an etag, the bundle is
    /// replaced only if it still has this etag.
    ///
    /// See [`create_schema_bundle`](Self::create_schema_bundle) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound) if there is no such bundle,
    /// [`Conflict`](crate::ErrorKind::Conflict) if it has another etag,
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the service refuses the definitions, or if
    /// what was written before may not be readable by them and this was not
    /// [allowed](SchemaBundle::allow_incompatible).
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if the bundle has an etag and no answer
    /// arrived: the request is not sent again. [`Timeout`](crate::ErrorKind::Timeout) if it takes
    /// longer. Also the errors that every operation can return.
    pub async fn set_schema_bundle(
        &self,
        table: impl Into<TableRef<'_>>,
        bundle: &SchemaBundle,
    ) -> Result<SchemaBundle> {
        const NAME: &str = "set schema bundle";
        let target = self.bundle_target(table, bundle.id())?;
        let mut attempts = self.instance.admin_attempts(NAME, Some(&target.table));
        let made = async {
            let request = UpdateSchemaBundleRequest {
                schema_bundle: Some(bundle.to_message(target.path.clone())),
                update_mask: Some(FieldMask { paths: vec!["proto_schema".into()] }),
                ignore_warnings: bundle.allows_incompatible(),
            };
            // The first of two requests would give the bundle another etag.
            let idempotency = match bundle.etag() {
                Some(_) => Idempotency::Never,
                None => Idempotency::Write,
            };
            let begun = self.instance.admin_call(
                method::UPDATE_SCHEMA_BUNDLE,
                ("schema_bundle.name", &target.path),
                request,
                idempotency,
                &mut attempts,
            );
            self.bundle_of(begun.await?, &attempts).await
        };
        let made = made.await.map_err(|error| {
            let error = changed_since(error, &target.path, bundle.etag());
            let error = missing_bundle(error, &target.path);
            match bundle.allows_incompatible() {
                true => error,
                false => hint_at_compatibility(error),
            }
        });
        attempts.end(made.map_err(|error| error.with_operation(NAME).on_table(&target.table)))
    }

    /// Returns a schema bundle of a table, with its etag.
    ///
    /// See [`create_schema_bundle`](Self::create_schema_bundle) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound) if there is no such bundle,
    /// [`Protocol`](crate::ErrorKind::Protocol) if it has no definitions of Protocol Buffers; also
    /// the errors that every operation can return.
    pub async fn schema_bundle(
        &self,
        table: impl Into<TableRef<'_>>,
        id: &str,
    ) -> Result<SchemaBundle> {
        let target = self.bundle_target(table, id)?;
        let mut attempts = self.instance.admin_attempts("get schema bundle", Some(&target.table));
        let found = async {
            let request = GetSchemaBundleRequest { name: target.path.clone() };
            let found: wire::SchemaBundle = self
                .instance
                .admin_call(
                    method::GET_SCHEMA_BUNDLE,
                    ("name", &target.path),
                    request,
                    Idempotency::Read,
                    &mut attempts,
                )
                .await?;
            SchemaBundle::of_message(found)
        };
        let found = found.await.map_err(|error| missing_bundle(error, &target.path));
        attempts.end(found.map_err(|error| error.on_table(&target.table)))
    }

    /// Returns the schema bundles of a table, with their etags.
    ///
    /// See [`create_schema_bundle`](Self::create_schema_bundle) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound),
    /// [`Protocol`](crate::ErrorKind::Protocol) if a bundle has no definitions of Protocol Buffers;
    /// also the errors that every operation can return.
    pub async fn list_schema_bundles(
        &self,
        table: impl Into<TableRef<'_>>,
    ) -> Result<Vec<SchemaBundle>> {
        let table = self.naming.resolve(table)?;
        let mut attempts = self.instance.admin_attempts("list schema bundles", Some(&table));
        let listed = async {
            let parent = self.instance.table_path(&table)?;
            let bundles = all_pages(
                &self.instance,
                method::LIST_SCHEMA_BUNDLES,
                &parent,
                |page_token| ListSchemaBundlesRequest {
                    parent: parent.clone(),
                    page_token,
                    ..ListSchemaBundlesRequest::default()
                },
                |page: ListSchemaBundlesResponse| (page.schema_bundles, page.next_page_token),
                &mut attempts,
            );
            bundles.await?.into_iter().map(SchemaBundle::of_message).collect()
        };
        let listed: Result<Vec<_>> = listed.await;
        attempts.end(listed.map_err(|error| error.on_table(&table)))
    }

    /// Deletes a schema bundle of a table; with an etag, only if it still has this etag. The rows
    /// of the table stay.
    ///
    /// See [`create_schema_bundle`](Self::create_schema_bundle) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](crate::ErrorKind::TableNotFound) if there is no such bundle,
    /// [`Conflict`](crate::ErrorKind::Conflict) if it has another etag,
    /// [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) if no answer arrived; also the errors
    /// that every operation can return.
    pub async fn delete_schema_bundle(
        &self,
        table: impl Into<TableRef<'_>>,
        id: &str,
        etag: Option<&str>,
    ) -> Result<()> {
        let target = self.bundle_target(table, id)?;
        let mut attempts =
            self.instance.admin_attempts("delete schema bundle", Some(&target.table));
        let request = DeleteSchemaBundleRequest {
            name: target.path.clone(),
            etag: etag.unwrap_or_default().to_owned(),
        };
        let parameter = ("name", &*target.path);
        let deleted: Result<Empty> =
            self.call_once(method::DELETE_SCHEMA_BUNDLE, parameter, request, &mut attempts).await;
        let deleted = deleted.map(drop).map_err(|error| {
            missing_bundle(changed_since(error, &target.path, etag), &target.path)
        });
        attempts.end(deleted.map_err(|error| error.on_table(&target.table)))
    }

    /// Returns the names of a bundle of a table.
    fn bundle_target<'t>(&self, table: impl Into<TableRef<'t>>, id: &str) -> Result<Target> {
        let table = self.naming.resolve(table)?;
        // Ids have the characters of the names of tables.
        let is_id = TableName::parse(id).is_ok() && !id.contains(':');
        if !is_id {
            let text = format!(
                "the id of a schema bundle has letters, digits, '_', '-' and '.', and does not \
                 begin with '-' or '.': {id:?}"
            );
            return Err(Error::invalid(text).on_table(&table));
        }
        let table_path = self.instance.table_path(&table)?;
        let path = format!("{table_path}/schemaBundles/{id}");
        Ok(Target { table, table_path, path })
    }

    /// Waits until an operation on a bundle is done, at most until the deadline of the attempts.
    async fn bundle_of(&self, begun: Operation, attempts: &Attempts) -> Result<SchemaBundle> {
        let operation = LongRunningOperation::begun(self.instance.clone(), begun);
        operation.wait_until(attempts.deadline()).await
    }
}
