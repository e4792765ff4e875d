//! The builder of a `KeyMigration`, which compares the families of both tables and reads or creates
//! the state.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;

use super::cells::VersionLimits;
use super::handle::KeyMigration;
use super::keys::KeyMapping;
use super::phase::Phase;
use super::state::{KeyMigrationState, Part};
use super::table_pair::KeyMigrationInner;
use crate::runtime::deadline::clamp;
use crate::{Client, Error, RawTable, Result, TableDescriptor};

/// Settings of a [`KeyMigration`].
///
/// See [`KeyMigration`] for an example.
#[derive(Debug)]
#[must_use = "nothing is opened until `open` is called"]
pub struct KeyMigrationBuilder {
    client: Client,
    old: RawTable,
    new: RawTable,
    keys: KeyMapping,
    state: KeyMigrationState,
    lease: Duration,
}

impl KeyMigration {
    /// Returns a builder for a change of row keys, which copies the rows of the table `old` to the
    /// table `new` under other row keys. Both tables must exist.
    ///
    /// See [`KeyMigration`] for an example.
    pub fn builder(
        client: &Client,
        old: RawTable,
        new: RawTable,
        keys: KeyMapping,
        state: KeyMigrationState,
    ) -> KeyMigrationBuilder {
        let (client, lease) = (client.clone(), Duration::from_secs(10));
        KeyMigrationBuilder { client, old, new, keys, state, lease }
    }
}

impl KeyMigrationBuilder {
    /// Sets how long a writer uses the phase that it has read before it reads the phase again; 10 s
    /// by default. [`switch_writes`](KeyMigration::switch_writes) takes as long as the lease and
    /// the timeout of a write together, and writes wait until it ends. All processes must use the
    /// same lease, and handles of the old table with the same timeout.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tallrow::{Client, FamilyDescriptor, TableDescriptor, key_migration::{KeyMapping, KeyMigration, KeyMigrationState}};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> tallrow::Result<()> {
    /// # let client = Client::connect("mock:").await?;
    /// # for table in ["old", "new"] {
    /// #     client.admin().create_table(&TableDescriptor::new(table)?.family(FamilyDescriptor::new("d"))).await?;
    /// # }
    /// # let keys = KeyMapping::new(|old| Ok(old.to_vec()), |new| Ok(new.to_vec()));
    /// # let state = KeyMigrationState::table(client.raw_table("new")?, "\0state", "d");
    /// let builder = KeyMigration::builder(
    ///     &client,
    ///     client.raw_table("old")?,
    ///     client.raw_table("new")?,
    ///     keys,
    ///     state,
    /// );
    /// let builder = builder.lease(Duration::from_secs(2));
    /// assert!(!builder.open().await?.phase().await?.reads_new());
    /// # Ok(())
    /// # }
    /// ```
    pub fn lease(self, lease: Duration) -> Self {
        Self { lease: clamp(lease), ..self }
    }

    /// Opens the key migration: compares the families of the two tables, and reads the state, or
    /// creates it if there is none.
    ///
    /// # Errors
    /// An unknown table; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if the new table
    /// lacks a family or keeps fewer versions in a family, if both tables are the same, or if the
    /// state belongs to other tables.
    pub async fn open(self) -> Result<KeyMigration> {
        let Self { client, old, new, keys, state, lease } = self;
        let opened = async {
            let limits = compare_families(&client, &old, &new).await?;
            let tables = format!("{} {}", old.name(), new.name());
            match state.read(Part::Tables).await? {
                None => {
                    state.write(Part::Phase, Phase::WriteBoth.to_string()).await?;
                    state.write(Part::Tables, tables).await?;
                }
                Some(found) if found == tables => {}
                Some(found) => {
                    let text = format!("the state is of the tables {found}, not {tables}");
                    return Err(Error::invalid(text));
                }
            }
            let known = Mutex::new(None);
            Ok(KeyMigration(Arc::new(KeyMigrationInner {
                client,
                old,
                new,
                keys,
                state,
                limits,
                lease,
                last_phase: known,
            })))
        };
        opened.await.map_err(|error: Error| error.with_operation("open key migration"))
    }
}

/// Checks that the new table has all families of the old table and keeps at least as many versions;
/// returns how many versions the families of the old table keep.
async fn compare_families(
    client: &Client,
    old: &RawTable,
    new: &RawTable,
) -> Result<VersionLimits> {
    if old.name() == new.name() {
        let text =
            "the old table and the new one are the same; rows are moved within a table by move_row";
        return Err(Error::invalid(text).on_table(old.name()));
    }
    let admin = client.admin();
    let (old, new_table) = (admin.describe(old.name()).await?, admin.describe(new.name()).await?);
    let (old, new_versions) = (versions(&old), versions(&new_table));
    for (family, limit) in &old {
        let text = match new_versions.get(family) {
            Some(found) if found >= limit => continue,
            Some(found) => format!("keeps {found} versions, and the old table {limit}"),
            None => "does not exist".to_owned(),
        };
        let family = String::from_utf8_lossy(family);
        return Err(Error::invalid(format!("the family {family} {text}")).on_table(new.name()));
    }
    Ok(old)
}

fn versions(table: &TableDescriptor) -> VersionLimits {
    let families = table.families().iter();
    families
        .map(|family| {
            let versions = family.get("VERSIONS").and_then(|text| text.parse().ok()).unwrap_or(1);
            (Bytes::copy_from_slice(family.name().as_bytes()), versions)
        })
        .collect()
}
