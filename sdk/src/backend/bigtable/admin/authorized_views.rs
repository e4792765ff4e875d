//! Creating, describing, changing, listing and deleting authorized views.
//!
//! # Invariants
//!
//! - A view is created and deleted once: without an answer, the outcome is unknown. Tests:
//!   `sdk/src/backend/bigtable/tests/views.rs::a_view_is_never_created_or_deleted_twice`.

use super::authorized_view::AuthorizedViewDescriptor;
use super::backup_errors::may_be_there;
use super::handle::BigtableAdmin;
use super::operation::LongRunningOperation;
use super::pages::all_pages;
use crate::backend::attempts::Attempts;
use crate::backend::repeat::Idempotency;
use crate::wire::bigtable::{
    AuthorizedView, CreateAuthorizedViewRequest, DeleteAuthorizedViewRequest, Empty, FieldMask,
    GetAuthorizedViewRequest, ListAuthorizedViewsRequest, ListAuthorizedViewsResponse, Operation,
    ResponseView, UpdateAuthorizedViewRequest, method,
};
use crate::{ErrorKind, Result, TableName, TableRef};

/// An authorized view that a call is about.
struct Target {
    /// The name of the view, for errors.
    name: TableName,
    /// The full name of its table.
    table_path: String,
    /// The full name of the view.
    path: String,
}

impl BigtableAdmin {
    /// Creates an authorized view of a table, and waits until the service has done so.
    ///
    /// ```
    /// use tallrow::admin::AuthorizedViewDescriptor;
    /// use tallrow::{Client, ErrorKind, FamilyDescriptor, Put, Scan, TableDescriptor, TableRef};
    /// use tallrow_mock::MockCluster;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mock = MockCluster::builder().bigtable_port(0).start().await?;
    /// let client = Client::connect(&mock.bigtable_url().unwrap()).await?;
    /// let visits = TableDescriptor::new("visits")?.family(FamilyDescriptor::new("v"));
    /// client.admin().create_table(&visits).await?;
    ///
    /// let bigtable = client.admin().bigtable()?;
    /// let of_team = AuthorizedViewDescriptor::new("of-team").rows_with_prefix("team-7/").family("v");
    /// bigtable.create_authorized_view("visits", &of_team).await?;
    /// let view = client.raw_table(TableRef::authorized_view("visits", "of-team"))?;
    /// view.put(Put::new("team-7/ada").cell("v", "page", "/")).await?;
    /// let refused = view.put(Put::new("team-8/bob").cell("v", "page", "/")).await.unwrap_err();
    /// assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
    /// client.raw_table("visits")?.put(Put::new("team-8/bob").cell("v", "page", "/")).await?;
    /// assert_eq!(view.count(Scan::all()).await?, 1);
    ///
    /// assert_eq!(bigtable.authorized_view("visits", "of-team").await?, of_team);
    /// let wider = of_team.rows_with_prefix("team-8/");
    /// bigtable.set_authorized_view("visits", &wider).await?;
    /// assert_eq!(view.count(Scan::all()).await?, 2);
    /// assert_eq!(bigtable.list_authorized_views("visits").await?, [wider]);
    ///
    /// bigtable.delete_authorized_view("visits", "of-team").await?;
    /// assert_eq!(bigtable.list_authorized_views("visits").await?, []);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound), [`TableExists`](ErrorKind::TableExists) if the
    /// table has a view of this id already, [`DoNotRetry`](ErrorKind::DoNotRetry) if the service
    /// refuses the description. [`OutcomeUnknown`](ErrorKind::OutcomeUnknown) if no answer arrived:
    /// the request is not sent again; [`authorized_view`](Self::authorized_view) finds out whether
    /// it was received. [`Timeout`](ErrorKind::Timeout) if the service takes longer; then it goes
    /// on.
    pub async fn create_authorized_view(
        &self,
        table: impl Into<TableRef<'_>>,
        view: &AuthorizedViewDescriptor,
    ) -> Result<()> {
        const NAME: &str = "create authorized view";
        let target = self.target(table, view.id())?;
        let mut attempts = self.instance.admin_attempts(NAME, Some(&target.name));
        let made = async {
            let request = CreateAuthorizedViewRequest {
                parent: target.table_path.clone(),
                authorized_view_id: view.id().to_owned(),
                authorized_view: Some(view.to_message(String::new())),
            };
            let parameter = ("parent", &*target.table_path);
            let begun =
                self.call_once(method::CREATE_AUTHORIZED_VIEW, parameter, request, &mut attempts);
            self.done(begun.await?, &attempts).await
        };
        let made = made.await.map_err(|error| match error.exception() {
            Some("ALREADY_EXISTS") => {
                let text = format!(
                    "the table has a view {:?} already; choose another id, or change it by \
                     BigtableAdmin::set_authorized_view",
                    view.id()
                );
                error.into_kind(ErrorKind::TableExists, text).with_exception("ALREADY_EXISTS")
            }
            _ => may_be_there(error, "view"),
        });
        attempts.end(made.map_err(|error| error.with_operation(NAME).on_table(&target.name)))
    }

    /// Replaces the rows, the columns and the protection of an authorized view by those that are
    /// described, and waits until the service has done so.
    ///
    /// See [`create_authorized_view`](Self::create_authorized_view) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound) if there is no such view,
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if the service refuses the description,
    /// [`Timeout`](ErrorKind::Timeout) if it takes longer. Also the errors that every operation can
    /// return.
    pub async fn set_authorized_view(
        &self,
        table: impl Into<TableRef<'_>>,
        view: &AuthorizedViewDescriptor,
    ) -> Result<()> {
        const NAME: &str = "set authorized view";
        let target = self.target(table, view.id())?;
        let mut attempts = self.instance.admin_attempts(NAME, Some(&target.name));
        let made = async {
            let paths = vec!["subset_view".into(), "deletion_protection".into()];
            let request = UpdateAuthorizedViewRequest {
                authorized_view: Some(view.to_message(target.path.clone())),
                update_mask: Some(FieldMask { paths }),
                ignore_warnings: false,
            };
            let parameter = ("authorized_view.name", &*target.path);
            let begun = self.instance.admin_call(
                method::UPDATE_AUTHORIZED_VIEW,
                parameter,
                request,
                Idempotency::Write,
                &mut attempts,
            );
            self.done(begun.await?, &attempts).await
        };
        let made = made.await;
        attempts.end(made.map_err(|error| error.with_operation(NAME).on_table(&target.name)))
    }

    /// Describes an authorized view of a table.
    ///
    /// See [`create_authorized_view`](Self::create_authorized_view) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound) if there is no such view; also the errors that
    /// every operation can return.
    pub async fn authorized_view(
        &self,
        table: impl Into<TableRef<'_>>,
        id: &str,
    ) -> Result<AuthorizedViewDescriptor> {
        let target = self.target(table, id)?;
        let mut attempts = self.instance.admin_attempts("get authorized view", Some(&target.name));
        let found = async {
            let view = ResponseView::Full as i32;
            let request = GetAuthorizedViewRequest { name: target.path.clone(), view };
            let parameter = ("name", &*target.path);
            let found: AuthorizedView = self
                .instance
                .admin_call(
                    method::GET_AUTHORIZED_VIEW,
                    parameter,
                    request,
                    Idempotency::Read,
                    &mut attempts,
                )
                .await?;
            AuthorizedViewDescriptor::of_message(&found)
        };
        let found = found.await;
        attempts.end(found.map_err(|error| error.on_table(&target.name)))
    }

    /// Returns the authorized views of a table.
    ///
    /// See [`create_authorized_view`](Self::create_authorized_view) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound); also the errors that every operation can
    /// return.
    pub async fn list_authorized_views(
        &self,
        table: impl Into<TableRef<'_>>,
    ) -> Result<Vec<AuthorizedViewDescriptor>> {
        let table = self.naming.resolve(table)?;
        let mut attempts = self.instance.admin_attempts("list authorized views", Some(&table));
        let listed = async {
            let parent = self.instance.table_path(&table)?;
            let views = all_pages(
                &self.instance,
                method::LIST_AUTHORIZED_VIEWS,
                &parent,
                |page_token| ListAuthorizedViewsRequest {
                    parent: parent.clone(),
                    page_token,
                    view: ResponseView::Full as i32,
                    ..ListAuthorizedViewsRequest::default()
                },
                |page: ListAuthorizedViewsResponse| (page.authorized_views, page.next_page_token),
                &mut attempts,
            );
            views.await?.iter().map(AuthorizedViewDescriptor::of_message).collect()
        };
        let listed: Result<Vec<_>> = listed.await;
        attempts.end(listed.map_err(|error| error.on_table(&table)))
    }

    /// Deletes an authorized view of a table; the rows of the table stay.
    ///
    /// See [`create_authorized_view`](Self::create_authorized_view) for an example.
    ///
    /// # Errors
    /// [`TableNotFound`](ErrorKind::TableNotFound) if there is no such view,
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if it is protected,
    /// [`OutcomeUnknown`](ErrorKind::OutcomeUnknown) if no answer arrived; also the errors that
    /// every operation can return.
    pub async fn delete_authorized_view(
        &self,
        table: impl Into<TableRef<'_>>,
        id: &str,
    ) -> Result<()> {
        let target = self.target(table, id)?;
        let mut attempts =
            self.instance.admin_attempts("delete authorized view", Some(&target.name));
        let request =
            DeleteAuthorizedViewRequest { name: target.path.clone(), etag: String::new() };
        let parameter = ("name", &*target.path);
        let deleted: Result<Empty> =
            self.call_once(method::DELETE_AUTHORIZED_VIEW, parameter, request, &mut attempts).await;
        attempts.end(deleted.map(drop).map_err(|error| error.on_table(&target.name)))
    }

    /// Returns the names of a view of a table.
    fn target<'t>(&self, table: impl Into<TableRef<'t>>, id: &str) -> Result<Target> {
        let name = self.naming.resolve(TableRef::authorized_view(table, id))?;
        let known = self.instance.table_context(&name)?;
        Ok(Target {
            table_path: known.table_path.clone().unwrap_or_default(),
            path: known.target.authorized_view.clone(),
            name,
        })
    }

    /// Waits until an operation on a view is done, at most until the deadline of the attempts.
    async fn done(&self, begun: Operation, attempts: &Attempts) -> Result<()> {
        let operation =
            LongRunningOperation::<AuthorizedViewDescriptor>::begun(self.instance.clone(), begun);
        operation.wait_until(attempts.deadline()).await.map(drop)
    }
}
