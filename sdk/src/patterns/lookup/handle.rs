//! `Lookup`, the handle that finds the id of a name and the name of an id, and gives an id to a new
//! name.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use bytes::Bytes;

use super::create::create_id;
use super::mappings::Mappings;
use super::read_many::cached_or_read;
use super::state::State;
use super::stats::LookupStats;
use crate::patterns::ids::IdBlocks;
use crate::request::op::BatchResults;
use crate::runtime::tasks::run_concurrently;
use crate::{Error, Result};

/// A lookup of the names of one kind and their ids. Cheap to clone; all clones share one cache.
///
/// See the [module](crate::lookup) for the bytes, the guarantees and the cost.
///
/// ```
/// use tallrow::{Client, lookup::{self, Lookup}};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// let client = Client::connect("mock:").await?;
/// client.admin().create_table(&lookup::table_descriptor("names")?).await?;
/// let hosts = Lookup::builder(client.raw_table("names")?, "host").width(3).build()?;
///
/// assert_eq!(hosts.find("web01").await?, None);
/// assert_eq!(hosts.get_or_create("web01").await?, 1);
/// assert_eq!(hosts.get_or_create("web02").await?, 2);
/// assert_eq!(hosts.get_or_create("web01").await?, 1);
/// assert_eq!(hosts.name(2).await?.as_deref(), Some(&b"web02"[..]));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Lookup {
    pub(super) state: Arc<State>,
}

impl Lookup {
    pub(super) fn new(
        mappings: Mappings,
        ids: IdBlocks,
        cache_bytes: usize,
        read_only: bool,
    ) -> Self {
        Self { state: Arc::new(State::new(mappings, ids, cache_bytes, read_only)) }
    }

    /// Returns the id of a name. A name that has no id yet gets one.
    ///
    /// # Errors
    /// The errors in the [module](crate::lookup); this function may be called again after any of
    /// them.
    pub async fn get_or_create(&self, name: impl AsRef<[u8]>) -> Result<u64> {
        let resolved = async {
            let deadline = self.state.mappings.table.deadline();
            let name = self.state.mappings.check_name(name.as_ref())?;
            match self.stored_id(&name).await? {
                Some(id) => Ok(id),
                None => create_id(&self.state, name, deadline).await,
            }
        };
        resolved.await.map_err(|error: Error| error.with_operation("get or create"))
    }

    /// Returns the id of a name; `None` if the name has no id.
    ///
    /// # Errors
    /// The errors in the [module](crate::lookup).
    pub async fn find(&self, name: impl AsRef<[u8]>) -> Result<Option<u64>> {
        let found = async {
            let name = self.state.mappings.check_name(name.as_ref())?;
            self.stored_id(&name).await
        };
        found.await.map_err(|error: Error| error.with_operation("find"))
    }

    /// Returns the name of an id; `None` if no name has the id.
    ///
    /// # Errors
    /// The errors in the [module](crate::lookup).
    pub async fn name(&self, id: u64) -> Result<Option<Bytes>> {
        if let Some(name) = self.state.cached_name(id) {
            return Ok(Some(name));
        }
        let mappings = &self.state.mappings;
        let Some(row) = mappings.id_row(id) else { return Ok(None) };
        let row = mappings.table.get(mappings.get_name_of_id(&row)).await;
        Ok(self
            .state
            .cache_name_in_row(id, row.map_err(|error| error.with_operation("name"))?.as_ref()))
    }

    /// Returns the ids of many names, in the order of the names. A name that has no id yet gets
    /// one.
    ///
    /// Names that are not in the cache are read together. Then the ids of all new names are taken
    /// from the counter by one increment, and assigned in the order of the names.
    ///
    /// ```
    /// # use tallrow::{Client, lookup::{self, Lookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # let table = client.raw_table("names")?;
    /// let hosts = Lookup::builder(table, "host").build()?;
    /// let ids = hosts.get_or_create_all(["web01", "web02", "web01"]).await.into_result()?;
    /// assert_eq!(ids[0], ids[2]);
    /// assert_ne!(ids[0], ids[1]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn get_or_create_all<N: AsRef<[u8]>>(
        &self,
        names: impl IntoIterator<Item = N>,
    ) -> BatchResults<u64> {
        let deadline = self.state.mappings.table.deadline();
        let names: Vec<_> = names.into_iter().map(|name| self.checked(name)).collect();
        let found = self.stored_ids(&names).await;
        let pairs = || names.iter().zip(&found);
        let new: HashSet<_> = pairs()
            .filter_map(|(name, id)| name.as_ref().ok().filter(|_| matches!(id, Ok(None))))
            .collect();
        if !new.is_empty() && !self.state.read_only {
            // If the reservation fails, the names for which no id is left fail below.
            let missing = (new.len() as u64).saturating_sub(self.state.unused_count());
            let _ = self.state.ids.reserve_until(missing, deadline).await;
        }
        drop(new);
        let resolve = |(name, id): (Result<Bytes>, Result<Option<u64>>)| async move {
            match id? {
                Some(id) => Ok(id),
                None => create_id(&self.state, name?, deadline).await,
            }
        };
        let ids = run_concurrently(names.into_iter().zip(found).map(resolve)).await;
        BatchResults::of_operation("get or create", ids)
    }

    /// Returns the ids of many names, in the order of the names; names that are not in the cache
    /// are read together.
    ///
    /// ```
    /// # use tallrow::{Client, lookup::{self, Lookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # let table = client.raw_table("names")?;
    /// let hosts = Lookup::builder(table, "host").build()?;
    /// hosts.get_or_create("web01").await?;
    /// assert_eq!(hosts.find_all(["web01", "web02"]).await.into_result()?, [Some(1), None]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn find_all<N: AsRef<[u8]>>(
        &self,
        names: impl IntoIterator<Item = N>,
    ) -> BatchResults<Option<u64>> {
        let names: Vec<_> = names.into_iter().map(|name| self.checked(name)).collect();
        let found = self.stored_ids(&names).await.into_iter().zip(names);
        BatchResults::of_operation("find", found.map(|(id, name)| name.and(id)))
    }

    /// Returns the names of many ids, in the order of the ids; ids that are not in the cache are
    /// read together.
    ///
    /// ```
    /// # use tallrow::{Client, lookup::{self, Lookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # let table = client.raw_table("names")?;
    /// let hosts = Lookup::builder(table, "host").build()?;
    /// hosts.get_or_create("web01").await?;
    /// let names = hosts.names([1, 2]).await.into_result()?;
    /// assert_eq!(names, [Some("web01".into()), None]);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn names(&self, ids: impl IntoIterator<Item = u64>) -> BatchResults<Option<Bytes>> {
        let state = &self.state;
        let names = cached_or_read(
            &state.mappings.table,
            ids,
            |id| state.cached_name(*id),
            |id| Some(state.mappings.get_name_of_id(&state.mappings.id_row(*id)?)),
            |id, row| Ok(state.cache_name_in_row(*id, row)),
        );
        BatchResults::of_operation("name", names.await)
    }

    /// Returns statistics of this lookup and its clones: cache hits and misses, and ids created and
    /// lost.
    ///
    /// ```
    /// # use tallrow::{Client, lookup::{self, Lookup}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # client.admin().create_table(&lookup::table_descriptor("names")?).await?;
    /// # let table = client.raw_table("names")?;
    /// let hosts = Lookup::builder(table, "host").build()?;
    /// hosts.get_or_create("web01").await?;
    /// hosts.get_or_create("web01").await?;
    /// let stats = hosts.stats();
    /// assert_eq!((stats.misses, stats.hits, stats.created, stats.leaked), (1, 1, 1, 0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn stats(&self) -> LookupStats {
        let counts = &self.state.counts;
        LookupStats {
            hits: counts.hits.get(),
            misses: counts.misses.get(),
            created: counts.created.get(),
            leaked: counts.leaked.get() + self.state.unused_count(),
            lost_blocks: self.state.ids.lost_block_count(),
        }
    }

    fn checked(&self, name: impl AsRef<[u8]>) -> Result<Bytes> {
        self.state.mappings.check_name(name.as_ref())
    }

    /// Returns the id of a name, from the cache or the table.
    async fn stored_id(&self, name: &Bytes) -> Result<Option<u64>> {
        if let Some(id) = self.state.cached_id(name) {
            return Ok(Some(id));
        }
        let mappings = &self.state.mappings;
        let row = mappings.table.get(mappings.get_id_of_name(name)).await?;
        self.state.cache_id_in_row(name, row.as_ref())
    }

    /// Returns the ids of many names, from the cache or the table; `None` for an invalid name.
    async fn stored_ids(&self, names: &[Result<Bytes>]) -> Vec<Result<Option<u64>>> {
        fn right(name: &Result<Bytes>) -> Option<&Bytes> {
            name.as_ref().ok()
        }
        let state = &self.state;
        cached_or_read(
            &state.mappings.table,
            names,
            |name| state.cached_id(right(name)?),
            |name| Some(state.mappings.get_id_of_name(right(name)?)),
            |name, row| right(name).map_or(Ok(None), |name| state.cache_id_in_row(name, row)),
        )
        .await
    }
}

impl fmt::Debug for Lookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lookup").field(&self.state.mappings).finish()
    }
}
