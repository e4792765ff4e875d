//! The policies for a put or delete whose reply is lost: whether it is sent again, and with which
//! timestamp.
//!
//! # Invariants
//!
//! - A put or delete takes effect once, or as often as its policy allows. Tests:
//!   `tests/suites/faults/delivery.rs::a_write_without_a_reply_is_sent_again_if_its_policy_allows`,
//!   `tests/suites/faults/delivery.rs::an_idempotent_put_is_one_version_however_often_it_is_sent`,
//!   `tests/suites/faults/delivery.rs::only_at_least_once_can_undo_a_concurrent_write`.

/// The policy for a put or delete that was sent and not answered: whether it is sent again, and
/// with which timestamp.
///
/// The policy matters for writes without a timestamp: if such a write is sent a second time, it
/// gets a later server time, and then hides the values that other clients wrote in between. Writes
/// whose cells all have a [`Timestamp`](crate::Timestamp) are idempotent, and are sent again under
/// every policy. Reads are also sent again under every policy, and so are increments and appends,
/// because the server recognizes them. [`Delete::newest_version`](crate::Delete::newest_version) is
/// never sent again, and neither is a put or delete with a condition
/// ([`CheckAndMutate`](crate::op::CheckAndMutate)).
///
/// A policy is set for a client ([`Config::delivery`](crate::Config::delivery)), a table
/// ([`RawTable::with_delivery`](crate::RawTable::with_delivery),
/// [`TypedTable::with_delivery`](crate::TypedTable::with_delivery)) or one write
/// ([`Put::delivery`](crate::Put::delivery), [`Delete::delivery`](crate::Delete::delivery),
/// [`RowMutations::delivery`](crate::op::RowMutations::delivery),
/// [`WriteOptions::delivery`](crate::table::WriteOptions::delivery)). The policy of a write takes
/// precedence over that of its table, and the policy of a table over that of its client.
///
/// | policy | a lost reply | what may go wrong | its price |
/// |---|---|---|---|
/// | [`AtMostOnce`](Self::AtMostOnce) (default) | [`OutcomeUnknown`](crate::ErrorKind::OutcomeUnknown) | nothing: each write takes effect once or not at all | the caller decides what an unknown outcome means |
/// | [`AtLeastOnce`](Self::AtLeastOnce) | sent again until the deadline | an acknowledged write may take effect several times, and undo other writes that are made between its call and its answer, or shortly after its answer | none |
/// | [`Idempotent`](Self::Idempotent) | sent again until the deadline | a write that is older than the stored cells is acknowledged and stays hidden | synchronized clocks |
///
/// # A late first attempt
/// An attempt that was given up may still reach the server. Each call carries its timeout, and
/// HBase drops a call that waited longer than this timeout before it was run (`CallRunner`). This
/// leaves a window. The call may be delayed in the network, because the server counts from the
/// arrival of the call. Or it may be delayed after the server began to run it in time (by a long
/// garbage collection, a slow log).
///
/// - Under `AtMostOnce` only a write reported as `OutcomeUnknown` can still take effect in this
///   window.
/// - Under `AtLeastOnce` an acknowledged write can also take effect in this window: the write then
///   undoes later writes.
/// - Under `Idempotent` the window is closed: the late attempt carries the timestamp of its call,
///   which is older than that of any write of the row that this client began afterwards.
///
/// ```
/// use tallrow::{Client, Config, DeliveryGuarantee, FamilyDescriptor, Put, TableDescriptor};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> tallrow::Result<()> {
/// // A loader that is the only writer of its rows: writing one twice does no harm.
/// let config = Config::new().delivery(DeliveryGuarantee::AtLeastOnce);
/// let client = Client::connect_with("mock:", config).await?;
/// # client.admin().create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d"))).await?;
/// let table = client.raw_table("t")?;
/// table.put(Put::new("r1").cell("d", "q", "v")).await?;
/// // One write that must not be repeated even so.
/// table.put(Put::new("r2").cell("d", "q", "v").delivery(DeliveryGuarantee::AtMostOnce)).await?;
/// # Ok(())
/// # }
/// ```
///
/// What each policy does when the reply to a put is lost:
///
/// ```
/// use tallrow::{
///     Client, DeliveryGuarantee, ErrorKind, FamilyDescriptor, Put, TableDescriptor, Timestamp,
/// };
/// use tallrow_mock::{Fault, MockCluster};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mock = MockCluster::start().await?;
/// let client = Client::connect(&mock.url()).await?;
/// client
///     .admin()
///     .create_table(&TableDescriptor::new("t")?.family(FamilyDescriptor::new("d")))
///     .await?;
/// let table = client.raw_table("t")?;
/// let put = Put::new("r").cell("d", "q", "v");
///
/// // The server makes the change, and closes the connection instead of replying.
/// mock.inject(Fault::on("Mutate").nth(1).close_after());
/// let error = table.put(put.clone()).await.unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::OutcomeUnknown);
/// assert_eq!(mock.call_count("Mutate"), 1);
/// assert!(table.exists("r").await?, "the program can look");
///
/// for delivery in [DeliveryGuarantee::AtLeastOnce, DeliveryGuarantee::Idempotent] {
///     let before = mock.call_count("Mutate");
///     mock.inject(Fault::on("Mutate").nth(1).close_after());
///     table.put(put.clone().delivery(delivery)).await?;
///     assert_eq!(mock.call_count("Mutate") - before, 2, "it was sent again");
/// }
///
/// // With times, a put is idempotent under every policy.
/// let before = mock.call_count("Mutate");
/// mock.inject(Fault::on("Mutate").nth(1).close_after());
/// table.put(Put::new("r").cell_at("d", "q", Timestamp::from_millis(5), "v")).await?;
/// assert_eq!(mock.call_count("Mutate") - before, 2);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeliveryGuarantee {
    /// The write is never sent again once it may have taken effect: its outcome is then reported as
    /// unknown.
    #[default]
    AtMostOnce,
    /// The write is sent again until it is answered, each time with a new server time. This is what
    /// the Java client and gohbase do.
    AtLeastOnce,
    /// The write is sent again until it is answered, always with the timestamp that the client
    /// chose when the write was called.
    ///
    /// The timestamp is the time of the client's clock in ms. Within a client, the timestamps of
    /// the writes of a row never decrease, and each is later than that of every earlier delete and
    /// of every write that is in flight or was not answered. If several tasks write a row more than
    /// a thousand times a second, its timestamps therefore run ahead of the clock; when they are a
    /// second ahead, further writes wait. Other writers of the same cells must set their timestamps
    /// in the same way, from synchronized clocks: a write with an older timestamp than the newest
    /// cell is acknowledged, but no reader sees it. Do not use this policy for counters, because
    /// increments get the server's time. A step that both sets values and adds to counters
    /// ([`Update`](crate::Update), [`RowMutations`](crate::op::RowMutations)) therefore gets the
    /// server's time too, and is not sent again: if it were repeated with its first timestamp, the
    /// values that it sets could be hidden although its additions take effect.
    ///
    /// The change of a check-and-mutate gets such a timestamp too, although it is never sent again.
    /// A check-and-mutate and the client's other writes of its row wait for each other, so that its
    /// condition cannot depend on a write with a later timestamp.
    Idempotent,
}
