//! Namespaces: their descriptors, and how they are created, listed, described and deleted.

use std::fmt;

use super::handle::HBaseAdmin;
use super::methods::{CreateNamespace, DeleteNamespace, GetNamespaceDescriptor, ListNamespaces};
use crate::wire::proto;
use crate::{Error, Result, TableName};

/// The name and the configuration of a namespace, which is a group of tables.
///
/// ```
/// use tallrow::admin::NamespaceDescriptor;
///
/// let namespace =
///     NamespaceDescriptor::new("team7").configuration("hbase.namespace.quota.maxtables", 10);
/// assert_eq!(namespace.name(), "team7");
/// assert_eq!(namespace.get("hbase.namespace.quota.maxtables"), Some("10"));
/// assert_eq!(
///     namespace.to_string(),
///     "create_namespace 'team7', {'hbase.namespace.quota.maxtables' => '10'}"
/// );
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NamespaceDescriptor {
    name: String,
    configuration: Vec<(String, String)>,
}

impl NamespaceDescriptor {
    /// Describes a namespace without configuration.
    ///
    /// See [`NamespaceDescriptor`] for an example of this and the other functions.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), configuration: Vec::new() }
    }

    /// Sets a property of the namespace, such as a quota.
    pub fn configuration(mut self, key: &str, value: impl ToString) -> Self {
        self.configuration.retain(|(k, _)| k != key);
        self.configuration.push((key.to_owned(), value.to_string()));
        self.configuration.sort();
        self
    }

    /// The name of the namespace.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the property of the namespace that has this name.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.configuration.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    fn to_message(&self) -> proto::NamespaceDescriptor {
        let pair = |(name, value): &(String, String)| proto::NameStringPair {
            name: name.clone(),
            value: value.clone(),
        };
        let configuration = self.configuration.iter().map(pair).collect();
        proto::NamespaceDescriptor { name: self.name.clone().into(), configuration }
    }

    fn from_message(message: &proto::NamespaceDescriptor) -> Self {
        let this = Self::new(String::from_utf8_lossy(&message.name));
        let add =
            |this: Self, pair: &proto::NameStringPair| this.configuration(&pair.name, &pair.value);
        message.configuration.iter().fold(this, add)
    }
}

impl fmt::Display for NamespaceDescriptor {
    /// Writes the command of the HBase shell that creates the namespace.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "create_namespace '{}'", self.name)?;
        if self.configuration.is_empty() {
            return Ok(());
        }
        let pairs = self.configuration.iter().map(|(key, value)| format!("'{key}' => '{value}'"));
        write!(f, ", {{{}}}", pairs.collect::<Vec<_>>().join(", "))
    }
}

impl HBaseAdmin {
    /// Creates a namespace.
    ///
    /// ```
    /// use tallrow::{Client, ErrorKind, admin::NamespaceDescriptor};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// let hbase = client.admin().hbase()?;
    /// let team = NamespaceDescriptor::new("team7");
    /// hbase.create_namespace(&team).await?;
    /// assert_eq!(
    ///     hbase.create_namespace(&team).await.unwrap_err().kind(),
    ///     ErrorKind::NamespaceExists
    /// );
    /// assert_eq!(hbase.list_namespaces().await?, ["default", "hbase", "team7"]);
    /// assert_eq!(hbase.describe_namespace("team7").await?, team);
    ///
    /// hbase.delete_namespace("team7").await?;
    /// assert_eq!(
    ///     hbase.describe_namespace("team7").await.unwrap_err().kind(),
    ///     ErrorKind::NamespaceNotFound
    /// );
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`NamespaceExists`](crate::ErrorKind::NamespaceExists). Also fails for an invalid name, and
    /// if the namespace is not created by the deadline.
    pub async fn create_namespace(&self, namespace: &NamespaceDescriptor) -> Result<()> {
        const NAME: &str = "create namespace";
        TableName::check_namespace(namespace.name()).map_err(|why| {
            Error::invalid(format!("namespace {:?}: {why}", namespace.name()))
                .with_operation_if_unset(NAME)
        })?;
        let request = proto::CreateNamespaceRequest {
            namespace_descriptor: namespace.to_message(),
            ..Default::default()
        };
        self.call::<CreateNamespace>(NAME, None, request).await.map(drop)
    }

    /// Returns the sorted names of all namespaces, including `default` and `hbase`.
    ///
    /// See [`create_namespace`](HBaseAdmin::create_namespace) for an example.
    ///
    /// # Errors
    /// Fails if no master answers by the deadline.
    pub async fn list_namespaces(&self) -> Result<Vec<String>> {
        let request = proto::ListNamespacesRequest {};
        let response = self.call::<ListNamespaces>("list namespaces", None, request).await?;
        let mut names = response.namespace_name;
        names.sort();
        Ok(names)
    }

    /// Returns a namespace and its configuration.
    ///
    /// See [`create_namespace`](HBaseAdmin::create_namespace) for an example.
    ///
    /// # Errors
    /// [`NamespaceNotFound`](crate::ErrorKind::NamespaceNotFound). Also fails if no master answers
    /// by the deadline.
    pub async fn describe_namespace(&self, name: &str) -> Result<NamespaceDescriptor> {
        let request = proto::GetNamespaceDescriptorRequest { namespace_name: name.to_owned() };
        let response =
            self.call::<GetNamespaceDescriptor>("describe namespace", None, request).await?;
        Ok(NamespaceDescriptor::from_message(&response.namespace_descriptor))
    }

    /// Deletes a namespace, which must not contain tables.
    ///
    /// See [`create_namespace`](HBaseAdmin::create_namespace) for an example.
    ///
    /// # Errors
    /// [`NamespaceNotFound`](crate::ErrorKind::NamespaceNotFound);
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if the namespace contains tables, or is one of
    /// HBase's own. Also fails if the namespace is not deleted by the deadline.
    pub async fn delete_namespace(&self, name: &str) -> Result<()> {
        let request =
            proto::DeleteNamespaceRequest { namespace_name: name.to_owned(), ..Default::default() };
        self.call::<DeleteNamespace>("delete namespace", None, request).await.map(drop)
    }
}
