//! The flags of commands that work on the names of one kind in a lookup table.

use clap::Args;
use tallrow::lookup::Lookup;

use crate::cluster::connection::ConnectionArguments;
use crate::cluster::tables;
use crate::failure::Result;

/// The flags of every command about the names of one kind.
#[derive(Args, Clone, Debug)]
pub(super) struct NameArguments {
    /// The table, with the families id and name
    table: String,

    /// Which names: host; metrics, tagk or tagv in tsdb-uid
    #[arg(long)]
    kind: String,

    /// How many bytes an id has
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 8,
        value_parser = clap::value_parser!(u8).range(1..=8),
    )]
    width: u8,

    #[command(flatten)]
    connection: ConnectionArguments,
}

impl NameArguments {
    pub(super) async fn lookup(&self, read_only: bool) -> Result<Lookup> {
        let client = self.connection.connect().await?;
        tables::describe_if_allowed(&client, &self.table).await?;
        let lookup = Lookup::builder(client.raw_table(&*self.table)?, &self.kind);
        let lookup = lookup.width(usize::from(self.width));
        Ok(if read_only { lookup.read_only() } else { lookup }.build()?)
    }

    /// Returns the kind of the names and the name of the table as text, such as `host in names`.
    pub(super) fn place(&self) -> String {
        format!("{} in {}", self.kind, self.table)
    }
}
