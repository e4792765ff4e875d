/// What happens to a put or a delete that was sent and not answered.
///
/// It matters for writes to which the server gives their time: sent a second time, they get a second, later time, and
/// then hide what anybody wrote in between. Writes whose cells all have a [`Timestamp`](crate::Timestamp) of their own
/// are idempotent, and sent again under every policy. Reads always are; increments and appends are too, since the server
/// recognizes them; check-and-mutate and [`Delete::newest_version`](crate::Delete::newest_version) never are.
///
/// A policy is set for a client ([`Config::delivery`](crate::Config::delivery)), a table
/// ([`RawTable::with_delivery`](crate::RawTable::with_delivery), [`TypedTable::with_delivery`](crate::TypedTable::with_delivery))
/// or one write ([`Put::delivery`](crate::Put::delivery), [`Delete::delivery`](crate::Delete::delivery),
/// [`RowMutations::delivery`](crate::op::RowMutations::delivery), [`WriteOptions::delivery`](crate::table::WriteOptions::delivery)),
/// the last of these first.
///
/// | policy | a lost reply | what may go wrong | its price |
/// |---|---|---|---|
/// | [`AtMostOnce`](Self::AtMostOnce) (default) | [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) | nothing: each write takes effect once or not at all | the caller decides what an unknown outcome means |
/// | [`AtLeastOnce`](Self::AtLeastOnce) | sent again until the deadline | an acknowledged write may take effect several times, and undo other writes made between its call and its answer, or shortly after | none |
/// | [`Idempotent`](Self::Idempotent) | sent again until the deadline | a write with an older time than what is there is acknowledged and stays hidden | synchronized clocks |
///
/// # A late first attempt
/// An attempt that was given up may still reach the server. Each call carries its timeout, and HBase drops a call that
/// waited longer than that before it was run (`CallRunner`). What is left is a window: a call that was held up on its way,
/// since the server counts from its arrival, and one that began in time and was then held up (a long garbage collection,
/// a slow log).
///
/// - Under `AtMostOnce` only a write reported as `OutcomeUnknown` can still take effect in this window.
/// - Under `AtLeastOnce` an acknowledged write can, too: it then undoes what was written after it.
/// - Under `Idempotent` the window is closed: the late attempt carries the time of its call, which is older than that of
///   any write of the row that this client began afterwards.
///
/// ```
/// use tallrow::{Client, Config, DeliveryGuarantee, FamilyDescriptor, Put, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// // A loader that alone writes its rows: to write one twice does no harm.
/// let config = Config { delivery: DeliveryGuarantee::AtLeastOnce, ..Config::default() };
/// let client = Client::connect_with("mock:", config).await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// let table = client.raw_table("t")?;
/// table.put(Put::new("r1").cell("d", "q", "v")).await?;
/// // One write that must not be repeated all the same.
/// table.put(Put::new("r2").cell("d", "q", "v").delivery(DeliveryGuarantee::AtMostOnce)).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeliveryGuarantee {
    /// Never sent again once it may have taken effect: then its outcome is unknown, and reported so.
    #[default]
    AtMostOnce,
    /// Sent again until it is answered, each time with a new time of the server. This is what the Java client and
    /// gohbase do.
    AtLeastOnce,
    /// Sent again until it is answered, always with the time that the client drew when it was called.
    ///
    /// The time is the clock's, in ms; for one row it never goes back within a client, and is later than that of every
    /// delete before it and of every write that is under way or was not answered. So a row that several tasks write more
    /// than a thousand times a second gets ahead of the clock; by a second at most, then writes wait. Other writers of the same cells must draw their
    /// times in the same way, from clocks that agree: a write with an older time than the newest cell is acknowledged, and
    /// no reader sees it. Columns of counters must not be put under this policy, for increments have the server's time.
    ///
    /// The change of a check-and-mutate gets such a time too, though it is never sent again. It waits for the client's other
    /// writes of the row, and they for it, so that its condition does not come to hold through a write with a later time.
    Idempotent,
}
