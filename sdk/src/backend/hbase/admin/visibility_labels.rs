//! Visibility labels: which labels exist, and which users may read cells with these labels.

use bytes::Bytes;
use prost::Message;

use super::endpoint::Endpoint;
use super::handle::HBaseAdmin;
use crate::backend::hbase::endpoint::NotReady;
use crate::backend::hbase::reaction::{self, Reaction};
use crate::backend::hbase::table_name::labels_table;
use crate::wire::exception::{self, RemoteException};
use crate::wire::proto::{
    GetAuthsRequest, GetAuthsResponse, ListLabelsRequest, ListLabelsResponse, SetAuthsRequest,
    VisibilityLabel, VisibilityLabelsRequest, VisibilityLabelsResponse,
};
use crate::{Error, ErrorKind, Result};

impl HBaseAdmin {
    /// Adds labels, which can then be used in the visibility expressions of cells
    /// ([`CallOptions::visibility`](crate::op::CallOptions::visibility)): `add_labels` of HBase's
    /// shell. This needs the coprocessor `VisibilityController`, and the user must be a superuser.
    ///
    /// ```
    /// use tallrow::op::CallOptions;
    /// use tallrow::{Get, Put};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = tallrow::Client::connect("mock:").await?;
    /// # let unsupported = run(client).await.unwrap_err();
    /// # assert_eq!(unsupported.kind(), tallrow::ErrorKind::Unsupported);
    /// # Ok(())
    /// # }
    /// # async fn run(client: tallrow::Client) -> tallrow::Result<()> {
    /// let hbase = client.admin().hbase()?;
    /// hbase.add_labels(["secret", "eu"]).await?;
    /// assert!(hbase.list_labels().await?.contains(&"secret".to_owned()));
    /// hbase.add_auths("ada", ["secret"]).await?;
    /// assert_eq!(hbase.list_auths("ada").await?, ["secret"]);
    ///
    /// // Ada reads this, and those without the label do not.
    /// let secret = CallOptions::new().visibility("secret | (eu & !public)");
    /// let table = client.raw_table("books")?;
    /// table.put(Put::new("dune").cell("b", "price", "12").options(secret)).await?;
    /// hbase.remove_auths("ada", ["secret"]).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if some labels exist already: the error lists them,
    /// and the other labels are added. [`PermissionDenied`](ErrorKind::PermissionDenied) if the
    /// user is not a superuser; [`Unsupported`](ErrorKind::Unsupported) if the cluster has no
    /// labels.
    pub async fn add_labels<L: AsRef<str>>(
        &self,
        labels: impl IntoIterator<Item = L>,
    ) -> Result<()> {
        let labels = bytes_of(labels);
        let vis_label = labels.iter().cloned().map(|label| VisibilityLabel { label }).collect();
        let request = VisibilityLabelsRequest { vis_label };
        let endpoint = Endpoint::new(SERVICE, "addLabels");
        let answer = self.of_labels("add labels", &endpoint, &request, refuses_all).await?;
        check_each("add labels", &labels, answer)
    }

    /// Returns all labels, in the order of their bytes.
    ///
    /// For some seconds after its region was opened, `VisibilityController` answers that there are
    /// no labels. This waits until it is ready; the Java client returns the empty list.
    ///
    /// See [`add_labels`](Self::add_labels) for an example and for the errors.
    pub async fn list_labels(&self) -> Result<Vec<String>> {
        let name = "list labels";
        let endpoint = Endpoint::new(SERVICE, "listLabels").repeatable();
        let list = async || -> Result<Vec<String>> {
            let answer: ListLabelsResponse =
                self.of_labels(name, &endpoint, &ListLabelsRequest {}, refuses_all).await?;
            Ok(texts_of(&answer.label))
        };
        let labels = list().await?;
        if !labels.is_empty() {
            return Ok(labels);
        }
        // There are no labels, or the controller is not ready: another answer tells, which needs
        // the same permission and changes nothing.
        self.auths_of(name, ANY_USER).await?;
        list().await
    }

    /// Lets a user, or a group written as `@group`, read cells with these labels, in addition to
    /// the labels that the user or group has already: `set_auths` of HBase's shell.
    ///
    /// See [`add_labels`](Self::add_labels) for an example.
    ///
    /// # Errors
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if some labels do not exist: the error lists them, and
    /// the user gets the other labels. The other errors are those of
    /// [`add_labels`](Self::add_labels).
    pub async fn add_auths<L: AsRef<str>>(
        &self,
        user: &str,
        labels: impl IntoIterator<Item = L>,
    ) -> Result<()> {
        let endpoint = Endpoint::new(SERVICE, "setAuths").repeatable();
        self.change_auths("set auths", &endpoint, user, bytes_of(labels)).await
    }

    /// Returns the labels of a user, or of a group written as `@group`, in the order of their
    /// bytes: `get_auths` of HBase's shell.
    ///
    /// See [`add_labels`](Self::add_labels) for an example and for the errors.
    pub async fn list_auths(&self, user: &str) -> Result<Vec<String>> {
        let answer = self.auths_of("get auths", user).await?;
        Ok(texts_of(&answer.auth))
    }

    async fn auths_of(&self, name: &'static str, user: &str) -> Result<GetAuthsResponse> {
        let endpoint = Endpoint::new(SERVICE, "getAuths").repeatable();
        let request = GetAuthsRequest { user: user.to_owned().into() };
        // Of an empty name, an answer of a controller that is ready has none either.
        let not_ready = if user.is_empty() { refuses_all } else { names_no_user };
        self.of_labels(name, &endpoint, &request, not_ready).await
    }

    /// Takes labels away from a user: `clear_auths` of HBase's shell.
    ///
    /// See [`add_labels`](Self::add_labels) for an example.
    ///
    /// # Errors
    /// [`DoNotRetry`](ErrorKind::DoNotRetry) if the user does not have some of the labels: the
    /// error lists them, and the other labels are taken away. The other errors are those of
    /// [`add_labels`](Self::add_labels).
    pub async fn remove_auths<L: AsRef<str>>(
        &self,
        user: &str,
        labels: impl IntoIterator<Item = L>,
    ) -> Result<()> {
        let endpoint = Endpoint::new(SERVICE, "clearAuths");
        self.change_auths("clear auths", &endpoint, user, bytes_of(labels)).await
    }

    async fn change_auths(
        &self,
        name: &'static str,
        endpoint: &Endpoint,
        user: &str,
        labels: Vec<Bytes>,
    ) -> Result<()> {
        let request = SetAuthsRequest { user: user.to_owned().into(), auth: labels.clone() };
        let answer = self.of_labels(name, endpoint, &request, refuses_all).await?;
        check_each(name, &labels, answer)
    }

    /// Calls a method of `VisibilityController`, which runs in the region of `hbase:labels`. For
    /// some seconds after the region was opened, the controller is not ready; this function waits
    /// until it is.
    async fn of_labels<R: Message + Default>(
        &self,
        name: &'static str,
        endpoint: &Endpoint,
        request: &impl Message,
        not_ready: NotReady,
    ) -> Result<R> {
        let table = self.naming.resolve(labels_table())?;
        let answer = self.call_when_ready(&table, b"", endpoint, request, not_ready).await;
        answer.map_err(|error| {
            let error = error.with_operation(name);
            match error.kind() {
                ErrorKind::TableNotFound => error.into_kind_with_context(
                    ErrorKind::Unsupported,
                    "the cluster has no visibility labels: the coprocessor VisibilityController is not loaded (hbase.coprocessor.master.classes, hbase.coprocessor.region.classes)",
                ),
                _ => error,
            }
        })
    }
}

const SERVICE: &str = "VisibilityLabelsService";
/// A user whose labels nobody needs; a name must not be empty.
const ANY_USER: &str = "system";
const NOT_READY: &str = "VisibilityController not yet initialized";

fn bytes_of<L: AsRef<str>>(labels: impl IntoIterator<Item = L>) -> Vec<Bytes> {
    labels.into_iter().map(|label| Bytes::copy_from_slice(label.as_ref().as_bytes())).collect()
}

fn texts_of(labels: &[Bytes]) -> Vec<String> {
    let mut texts: Vec<String> =
        labels.iter().map(|label| String::from_utf8_lossy(label).into_owned()).collect();
    texts.sort_unstable();
    texts
}

/// Returns the exception in an answer of a controller that is not ready. Such a controller refuses
/// all labels with this exception before it does anything. If labels are to be taken away, the
/// exception has the same text, but another class.
fn refuses_all(answer: &Bytes) -> Option<RemoteException> {
    let answer = VisibilityLabelsResponse::decode(answer.clone()).ok()?;
    let exception = RemoteException::from_pair(answer.result.first()?.exception.as_ref()?);
    let is_ready = exception.class != exception::VISIBILITY_NOT_READY
        && !exception.message.contains(NOT_READY);
    (!is_ready).then_some(exception)
}

/// Returns an exception if an answer does not contain the user of the request. Such an answer means
/// that the controller is not ready: it then throws no exception, but sets a text, which the server
/// loses.
fn names_no_user(answer: &Bytes) -> Option<RemoteException> {
    let answer = GetAuthsResponse::decode(answer.clone()).ok()?;
    let is_ready = !answer.user.is_empty();
    (!is_ready).then(|| RemoteException::new(exception::VISIBILITY_NOT_READY, NOT_READY))
}

/// Returns an error that lists the refused labels, if any were refused. The server answers for each
/// label separately.
fn check_each(
    name: &'static str,
    labels: &[Bytes],
    answer: VisibilityLabelsResponse,
) -> Result<()> {
    let answers = labels.iter().zip(answer.result);
    let refused: Vec<(&Bytes, RemoteException)> = answers
        .filter_map(|(label, result)| Some((label, RemoteException::from_pair(&result.exception?))))
        .collect();
    let Some((_, first)) = refused.first() else { return Ok(()) };
    let kind = match reaction::reaction_to(first) {
        Reaction::Fail(kind) => kind,
        _ => ErrorKind::ServerError,
    };
    let of_each = refused.iter().map(|(label, exception)| {
        // The text begins with the class of the original exception.
        let why = match exception.message.split_once(": ") {
            Some((class, why)) if !class.contains(' ') => why,
            _ => &exception.message,
        };
        format!("{}: {why}", label.escape_ascii())
    });
    let of_each: Vec<String> = of_each.collect();
    let text = format!(
        "{} of {} labels were refused: {}",
        refused.len(),
        labels.len(),
        of_each.join(", ")
    );
    Err(Error::new(kind, text).with_operation_if_unset(name).with_exception(&first.class))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::proto::RegionActionResult;

    #[test]
    fn a_controller_that_is_not_ready_is_known_by_its_answer() {
        let answer = |class: &str, text: &str| {
            let exception = Some(RemoteException::new(class, text).to_pair());
            let result = vec![RegionActionResult { exception, ..Default::default() }; 2];
            Bytes::from(VisibilityLabelsResponse { result }.encode_to_vec())
        };
        let coprocessor = "org.apache.hadoop.hbase.coprocessor.CoprocessorException";
        for class in [exception::VISIBILITY_NOT_READY, coprocessor] {
            assert_eq!(refuses_all(&answer(class, NOT_READY)).unwrap().class, class);
        }
        assert_eq!(refuses_all(&answer(exception::DO_NOT_RETRY, "Label 'a' already exists")), None);
        assert_eq!(refuses_all(&answer(exception::ACCESS_DENIED, "not you")), None);
        let labels = ListLabelsResponse { label: vec!["secret".into(), "eu".into()] };
        assert_eq!(refuses_all(&labels.encode_to_vec().into()), None);
        assert_eq!(refuses_all(&Bytes::new()), None);

        assert_eq!(names_no_user(&Bytes::new()).unwrap().class, exception::VISIBILITY_NOT_READY);
        let auths = GetAuthsResponse { user: "ada".into(), auth: Vec::new() };
        assert_eq!(names_no_user(&auths.encode_to_vec().into()), None);
    }

    #[test]
    fn each_refused_label_is_named() {
        let refused = |class: &str, text: &str| RegionActionResult {
            exception: Some(RemoteException::new(class, text).to_pair()),
            ..Default::default()
        };
        let labels = bytes_of(["a", "b", "c"]);
        let exists = "org.apache.hadoop.hbase.security.visibility.LabelAlreadyExistsException: Label 'a' already exists";
        let result = vec![
            refused(exception::DO_NOT_RETRY, exists),
            RegionActionResult::default(),
            refused(exception::DO_NOT_RETRY, "no. It is too long"),
        ];
        let error =
            check_each("add labels", &labels, VisibilityLabelsResponse { result }).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DoNotRetry);
        assert_eq!(
            error.message(),
            "2 of 3 labels were refused: a: Label 'a' already exists, c: no. It is too long"
        );
        let denied = refused(exception::ACCESS_DENIED, "User 'bob' is not authorized");
        let answer = VisibilityLabelsResponse { result: vec![denied] };
        let error = check_each("set auths", &labels[..1], answer).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
        let all = VisibilityLabelsResponse { result: vec![RegionActionResult::default(); 3] };
        assert!(check_each("set auths", &labels, all).is_ok());
    }
}
