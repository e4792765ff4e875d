//! Namespaces: their descriptors, and how they are created, listed, described and deleted.

use std::fmt;

use super::handle::HBaseAdmin;
use super::methods::{CreateNamespace, DeleteNamespace, GetNamespaceDescriptor, ListNamespaces};
use crate::wire::proto;
use crate::{Error, Result, TableName};

/// A namespace, which groups tables: its name and its configuration.
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
    /// A namespace without configuration.
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

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A property, by its name.
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
    /// The command of the HBase shell that creates it.
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
    /// [`NamespaceExists`](crate::ErrorKind::NamespaceExists); an illegal name; a namespace that is
    /// not created by the deadline.
    pub async fn create_namespace(&self, namespace: &NamespaceDescriptor) -> Result<()> {
        const NAME: &str = "create namespace";
        TableName::check_namespace(namespace.name()).map_err(|why| {
            Error::invalid(format!("namespace {:?}: {why}", namespace.name())).during(NAME)
        })?;
        let request = proto::CreateNamespaceRequest {
            namespace_descriptor: namespace.to_message(),
            ..Default::default()
        };
        self.call::<CreateNamespace>(NAME, None, request).await.map(drop)
    }

    /// The names of all namespaces, in order, with `default` and `hbase`.
    ///
    /// See [`create_namespace`](HBaseAdmin::create_namespace) for an example.
    ///
    /// # Errors
    /// No master that answers by the deadline.
    pub async fn list_namespaces(&self) -> Result<Vec<String>> {
        let request = proto::ListNamespacesRequest {};
        let response = self.call::<ListNamespaces>("list namespaces", None, request).await?;
        let mut names = response.namespace_name;
        names.sort();
        Ok(names)
    }

    /// A namespace and its configuration.
    ///
    /// See [`create_namespace`](HBaseAdmin::create_namespace) for an example.
    ///
    /// # Errors
    /// [`NamespaceNotFound`](crate::ErrorKind::NamespaceNotFound); no master that answers by the
    /// deadline.
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
    /// [`DoNotRetry`](crate::ErrorKind::DoNotRetry) if it contains tables, or is one of HBase's
    /// own; a namespace that is not deleted by the deadline.
    pub async fn delete_namespace(&self, name: &str) -> Result<()> {
        let request =
            proto::DeleteNamespaceRequest { namespace_name: name.to_owned(), ..Default::default() };
        self.call::<DeleteNamespace>("delete namespace", None, request).await.map(drop)
    }
}
