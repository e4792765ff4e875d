//! `KeyLookup`, which turns row keys with names into row keys with ids, and back.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::slice;
use std::sync::Arc;

use bytes::Bytes;

use super::batch::{LookupBatch, ResultPositions};
use super::handle::Lookup;
use crate::key::{LookupField, LookupKey};
use crate::request::op::BatchResults;
use crate::runtime::tasks::run_concurrently;
use crate::{Error, ErrorKind, RawTable, Result};

/// The lookups of all names of a row key, which turn a key with names into a key with ids, and
/// back. Cheap to clone.
///
/// `#[key(lookup = "..")]` marks a field that holds an id, and sets the kind of its names. The
/// derive macro generates a second type for the key with names; for `LogKey`, this type is called
/// `LogKeyNames`.
///
/// ```
/// use tallrow::key::Uid;
/// use tallrow::{
///     Client, RowKey,
///     lookup::{self, KeyLookup},
/// };
///
/// enum Hosts {}
/// enum Events {}
///
/// #[derive(RowKey, Debug, PartialEq)]
/// struct LogKey {
///     #[key(lookup = "host")]
///     host: Uid<Hosts, 3>,
///     #[key(lookup = "event")]
///     event: Uid<Events, 2>,
///     #[key(rev_ts)]
///     at: i64,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&lookup::table_descriptor("names")?).await?;
/// let lookup = KeyLookup::<LogKey>::new(client.raw_table("names")?)?;
///
/// let names =
///     LogKeyNames { host: "web01".into(), event: "started".into(), at: 1_700_000_000_000 };
/// let key = lookup.get_or_create(&names).await?;
/// assert_eq!((key.host.number(), key.event.number(), key.encode().len()), (1, 1, 13));
/// assert_eq!(lookup.names(&key).await?, names);
/// # Ok(())
/// # }
/// ```
///
/// # Cost
/// The functions for many keys look up each name and each id only once, however many keys contain
/// it. Names and ids that are not in the caches are read for all fields together, in shared calls.
/// New names cost the same as in [`Lookup::get_or_create_all`].
///
/// # Errors
/// The errors in the [module](crate::lookup), and these:
///
/// | kind | |
/// |---|---|
/// | [`Inconsistent`](ErrorKind::Inconsistent) | an id without a name |
/// | [`Decode`](ErrorKind::Decode) | a name that is not UTF-8 |
pub struct KeyLookup<K: LookupKey> {
    /// The lookups, one for each kind.
    lookups: Arc<[Lookup]>,
    /// For each field, the index of its lookup.
    of_fields: Arc<[usize]>,
    key: PhantomData<fn() -> K>,
}

impl<K: LookupKey> KeyLookup<K> {
    /// Creates a lookup in this table for each kind of names in the key, with default settings, and
    /// with ids that are as wide as in the key.
    ///
    /// See [`KeyLookup`] for an example.
    ///
    /// # Errors
    /// None for a key with valid attributes.
    pub fn new(table: RawTable) -> Result<Self> {
        let build = |field: &LookupField| {
            Lookup::builder(table.clone(), field.kind()).width(field.width()).build()
        };
        Self::from_lookups(kinds::<K>().map(build).collect::<Result<Vec<_>>>()?)
    }

    /// Creates a `KeyLookup` from these lookups. They may be in different tables, have settings
    /// other than the default, or also be used for other keys.
    ///
    /// ```
    /// # use tallrow::{Client, ErrorKind, RowKey, lookup::{self, KeyLookup, Lookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # let table = client.raw_table("names")?;
    /// #[derive(RowKey, Debug, PartialEq)]
    /// struct HostKey {
    ///     #[key(lookup = "host")]
    ///     host: u32,
    /// }
    ///
    /// let hosts = Lookup::builder(table.clone(), "host").width(4).block_size(100).build()?;
    /// let lookup = KeyLookup::<HostKey>::from_lookups([hosts.clone()])?;
    /// assert_eq!(
    ///     lookup.get_or_create(&HostKeyNames { host: "web01".into() }).await?,
    ///     HostKey { host: 1 }
    /// );
    /// assert_eq!(hosts.find("web01").await?, Some(1));
    ///
    /// let wide = Lookup::builder(table, "host").width(8).build()?;
    /// let error = KeyLookup::<HostKey>::from_lookups([wide]).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) if there is no lookup for a kind, or if the
    /// ids of a lookup are wider than in the key.
    pub fn from_lookups(lookups: impl IntoIterator<Item = Lookup>) -> Result<Self> {
        let lookups: Vec<_> = lookups.into_iter().collect();
        let of_field = |field: &LookupField| {
            let (name, kind) = (field.name(), field.kind());
            let is_of_kind = |lookup: &Lookup| lookup.state.mappings.kind == kind;
            let problem = match lookups.iter().enumerate().find(|(_, lookup)| is_of_kind(lookup)) {
                Some((at, lookup)) if lookup.state.mappings.width <= field.width() => {
                    return Ok(at);
                }
                Some((_, lookup)) => format!(
                    "the ids of `{kind}` are {} bytes wide, and the field {name} has {}",
                    lookup.state.mappings.width,
                    field.width()
                ),
                None => format!("there is no lookup of `{kind}` for the field {name}"),
            };
            Err(Error::invalid(problem).with_operation_if_unset("build lookup"))
        };
        let of_fields = K::LOOKUPS.iter().map(of_field).collect::<Result<_>>()?;
        Ok(Self { lookups: lookups.into(), of_fields, key: PhantomData })
    }

    /// Returns the lookup of this kind of names, for example to scan by one of the names, or for
    /// its [`stats`](Lookup::stats).
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, lookup::{self, KeyLookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # #[derive(RowKey)]
    /// # struct HostKey {
    /// #     #[key(lookup = "host")]
    /// #     host: u32,
    /// # }
    /// let lookup = KeyLookup::<HostKey>::new(client.raw_table("names")?)?;
    /// lookup.get_or_create(&HostKeyNames { host: "web01".into() }).await?;
    /// let hosts = lookup.lookup("host").unwrap();
    /// assert_eq!(hosts.find("web01").await?, Some(1));
    /// assert_eq!(hosts.stats().created, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn lookup(&self, kind: impl AsRef<[u8]>) -> Option<&Lookup> {
        self.lookups.iter().find(|lookup| lookup.state.mappings.kind == kind.as_ref())
    }

    /// Returns the key with ids in place of these names. A name that has no id yet gets one.
    ///
    /// See [`KeyLookup`] for an example, the cost and the errors.
    ///
    /// # Errors
    /// The errors in [`KeyLookup`]; this function may be called again after any of them.
    pub async fn get_or_create(&self, names: &K::Names) -> Result<K> {
        one(self.get_or_create_all(slice::from_ref(names)).await)
    }

    /// Returns the key with ids in place of these names; `None` if one of the names has no id.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, lookup::{self, KeyLookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # #[derive(RowKey, Debug, PartialEq)]
    /// # struct HostKey {
    /// #     #[key(lookup = "host")]
    /// #     host: u32,
    /// # }
    /// let lookup = KeyLookup::<HostKey>::new(client.raw_table("names")?)?;
    /// assert_eq!(lookup.find(&HostKeyNames { host: "web01".into() }).await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The errors in [`KeyLookup`].
    pub async fn find(&self, names: &K::Names) -> Result<Option<K>> {
        one(self.find_all(slice::from_ref(names)).await)
    }

    /// Returns the key with names in place of its ids.
    ///
    /// See [`KeyLookup`] for an example, the cost and the errors.
    ///
    /// # Errors
    /// The errors in [`KeyLookup`].
    pub async fn names(&self, key: &K) -> Result<K::Names> {
        one(self.names_all(slice::from_ref(key)).await)
    }

    /// Returns the keys for many sets of names, in the order of the sets. A name that has no id yet
    /// gets one.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, lookup::{self, KeyLookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// #[derive(RowKey, Debug, PartialEq)]
    /// struct HostKey {
    ///     #[key(lookup = "host")]
    ///     host: u32,
    ///     at: u64,
    /// }
    ///
    /// let lookup = KeyLookup::<HostKey>::new(client.raw_table("names")?)?;
    /// let names = [1, 2].map(|at| HostKeyNames { host: "web01".into(), at });
    /// let keys = lookup.get_or_create_all(&names).await.into_result()?;
    /// assert_eq!(keys, [HostKey { host: 1, at: 1 }, HostKey { host: 1, at: 2 }]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The errors are those in [`KeyLookup`].
    pub async fn get_or_create_all<'a>(
        &self,
        names: impl IntoIterator<Item = &'a K::Names>,
    ) -> BatchResults<K>
    where
        K::Names: 'a,
    {
        let names: Vec<_> = names.into_iter().collect();
        let (each, positions) = self.batch(names.iter().map(|names| K::names_in(names)));
        let each = each.map(async |(lookup, names)| lookup.get_or_create_all(names).await);
        let ids = positions.results_of_keys(run_concurrently(each).await);
        let keys = names.into_iter().zip(ids).map(|(names, ids)| key_of(names, &ids?));
        BatchResults::of_operation("get or create", keys)
    }

    /// Returns the keys for many sets of names, in the order of the sets; `None` for a set that
    /// contains a name without an id.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, lookup::{self, KeyLookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # #[derive(RowKey, Debug, PartialEq)]
    /// # struct HostKey {
    /// #     #[key(lookup = "host")]
    /// #     host: u32,
    /// # }
    /// let lookup = KeyLookup::<HostKey>::new(client.raw_table("names")?)?;
    /// let names = ["web01", "web02"].map(|host| HostKeyNames { host: host.into() });
    /// lookup.get_or_create(&names[0]).await?;
    /// let found = lookup.find_all(&names).await.into_result()?;
    /// assert_eq!(found, [Some(HostKey { host: 1 }), None]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The errors are those in [`KeyLookup`].
    pub async fn find_all<'a>(
        &self,
        names: impl IntoIterator<Item = &'a K::Names>,
    ) -> BatchResults<Option<K>>
    where
        K::Names: 'a,
    {
        let names: Vec<_> = names.into_iter().collect();
        let (each, positions) = self.batch(names.iter().map(|names| K::names_in(names)));
        let each = each.map(async |(lookup, names)| lookup.find_all(names).await);
        let ids = positions.results_of_keys(run_concurrently(each).await);
        let keys = names.into_iter().zip(ids).map(|(names, ids)| {
            let ids: Option<Vec<_>> = ids?.into_iter().collect();
            ids.map(|ids| key_of(names, &ids)).transpose()
        });
        BatchResults::of_operation("find", keys)
    }

    /// Returns many keys with names in place of their ids, in the order of the keys.
    ///
    /// ```
    /// # use tallrow::{Client, RowKey, lookup::{self, KeyLookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # #[derive(RowKey, Debug, PartialEq)]
    /// # struct HostKey {
    /// #     #[key(lookup = "host")]
    /// #     host: u32,
    /// # }
    /// let lookup = KeyLookup::<HostKey>::new(client.raw_table("names")?)?;
    /// lookup.get_or_create(&HostKeyNames { host: "web01".into() }).await?;
    /// let names = lookup.names_all(&[HostKey { host: 1 }, HostKey { host: 2 }]).await;
    /// assert_eq!(names[0].as_ref().unwrap(), &HostKeyNames { host: "web01".into() });
    /// let error = names[1].as_ref().unwrap_err();
    /// assert!(error.to_string().ends_with("the id 2 of host has no name"));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The errors are those in [`KeyLookup`].
    pub async fn names_all<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a K>,
    ) -> BatchResults<K::Names>
    where
        K: 'a,
    {
        let keys: Vec<_> = keys.into_iter().collect();
        let (each, positions) = self.batch(keys.iter().map(|key| key.ids()));
        let each = each.map(async |(lookup, ids)| lookup.names(ids).await);
        let found = positions.results_of_keys(run_concurrently(each).await);
        let named = keys.into_iter().zip(found).map(|(key, found)| {
            let names = key.ids().into_iter().zip(found?);
            let names = names.map(|((field, id), name)| self.text(field, id, name));
            key.to_names(names.collect::<Result<Vec<_>>>()?).ok_or_else(incomplete)
        });
        BatchResults::of_operation("names", named)
    }

    /// Collects the values to look up for many keys.
    fn batch<V: Copy + Eq + Hash>(
        &self,
        values: impl Iterator<Item = Vec<(usize, V)>>,
    ) -> (impl Iterator<Item = (Lookup, Vec<V>)>, ResultPositions) {
        let LookupBatch { values, positions } =
            LookupBatch::new(self.lookups.len(), &self.of_fields, values);
        (self.lookups.iter().cloned().zip(values), positions)
    }

    /// Returns the name of an id as text.
    fn text(&self, field: usize, id: u64, name: Option<Bytes>) -> Result<String> {
        let (kind, problem) = match name.map(|name| String::from_utf8(name.into())) {
            Some(Ok(name)) => return Ok(name),
            Some(Err(_)) => (ErrorKind::Decode, "a name that is not UTF-8"),
            None => (ErrorKind::Inconsistent, "no name"),
        };
        let of = K::LOOKUPS.get(field).map_or("", LookupField::name);
        let error = Error::new(kind, format!("the id {id} of {of} has {problem}"));
        let lookup = self.of_fields.get(field).and_then(|at| self.lookups.get(*at));
        Err(lookup
            .iter()
            .fold(error, |error, lookup| error.on_table(lookup.state.mappings.table.name())))
    }
}

/// Returns, for each kind of names, the first field of a key that has this kind.
fn kinds<K: LookupKey>() -> impl Iterator<Item = &'static LookupField> {
    let is_first = |(at, field): &(usize, &LookupField)| {
        !K::LOOKUPS.iter().take(*at).any(|before| before.kind() == field.kind())
    };
    K::LOOKUPS.iter().enumerate().filter(is_first).map(|(_, field)| field)
}

/// Returns the key in which these ids replace these names.
fn key_of<K: LookupKey>(names: &K::Names, ids: &[u64]) -> Result<K> {
    K::from_names(names, ids).ok_or_else(incomplete)
}

fn incomplete() -> Error {
    Error::invalid("the key asks for other names than it has fields with `lookup`")
}

/// Returns the result of the only operation.
fn one<T>(outcomes: BatchResults<T>) -> Result<T> {
    outcomes.into_iter().next().unwrap_or_else(|| Err(incomplete()))
}

impl<K: LookupKey> Clone for KeyLookup<K> {
    fn clone(&self) -> Self {
        let (lookups, of_fields) = (self.lookups.clone(), self.of_fields.clone());
        Self { lookups, of_fields, key: PhantomData }
    }
}

impl<K: LookupKey> fmt::Debug for KeyLookup<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeyLookup").field(&self.lookups).finish()
    }
}
