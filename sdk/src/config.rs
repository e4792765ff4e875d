use std::time::Duration;

use crate::{Connector, DeliveryGuarantee};

/// How a client behaves. Each setting names the Java client's property for the same thing.
///
/// ```
/// use std::time::Duration;
/// use tallrow::Config;
///
/// let config = Config { operation_timeout: Duration::from_secs(2), ..Config::default() };
/// assert!(config.attempt_timeout > config.operation_timeout, "an attempt is cut short by its operation");
/// ```
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::exhaustive_structs, reason = "struct update syntax is how it is built")]
pub struct Config {
    /// How long an operation may take, all attempts and pauses together: 10 s
    /// (`hbase.client.operation.timeout`, 1,200 s).
    pub operation_timeout: Duration,
    /// How long one attempt may wait for its answer: 5 s (`hbase.rpc.timeout`, 60 s).
    pub attempt_timeout: Duration,
    /// How long one page of a scan may take, its attempts and pauses included: 30 s
    /// (`hbase.client.scanner.timeout.period`, 60 s).
    pub page_timeout: Duration,
    /// How long an admin operation may take, until its procedure on the master is done: 5 min
    /// (`hbase.client.procedure.future.get.timeout.msec`, 10 min).
    pub admin_timeout: Duration,
    /// How long [`connect`](crate::Client::connect) may take, for all hosts together, and opening a connection
    /// later: 3 s (`hbase.ipc.client.socket.timeout.connect`, 10 s, for each host).
    pub connect_timeout: Duration,
    /// The first pause between two attempts: 50 ms; it grows by HBase's table, and each pause is random between 0 and
    /// that (`hbase.client.pause`, 100 ms).
    pub pause: Duration,
    /// What happens to a put or delete without a timestamp whose reply was lost: [`DeliveryGuarantee::AtMostOnce`],
    /// which does not send it again and reports it as unknown. The Java client behaves as with
    /// [`DeliveryGuarantee::AtLeastOnce`].
    pub delivery: DeliveryGuarantee,
    /// How many bytes of operations may be in flight at a time: 64 MiB; further callers wait. The Java client has no
    /// such limit.
    pub in_flight_bytes: usize,
    /// How many bytes a scan may fetch ahead of its reader: 4 MiB
    /// (twice `hbase.client.scanner.max.result.size`, 2 MiB).
    pub prefetch_bytes: usize,
    /// The largest cell that is sent, key and value together: 10 MiB (`hbase.client.keyvalue.maxsize`).
    pub max_cell_bytes: usize,
    /// How many calls with single operations may be outstanding at one server: 2. What arrives in the meantime is
    /// sent together when one of them is answered. The Java client sends each alone.
    pub calls_per_server: usize,
    /// How connections to servers are opened: [`Connector::tcp`].
    pub connector: Connector,
    /// The user name that is sent to the servers: `HADOOP_USER_NAME`, else `USER`, else `tallrow`.
    pub user: String,
}

impl Default for Config {
    fn default() -> Self {
        let user = ["HADOOP_USER_NAME", "USER"].iter().find_map(|v| std::env::var(v).ok());
        Self {
            operation_timeout: Duration::from_secs(10),
            attempt_timeout: Duration::from_secs(5),
            page_timeout: Duration::from_secs(30),
            admin_timeout: Duration::from_secs(300),
            connect_timeout: Duration::from_secs(3),
            pause: Duration::from_millis(50),
            delivery: DeliveryGuarantee::default(),
            in_flight_bytes: 64 << 20,
            prefetch_bytes: 4 << 20,
            max_cell_bytes: 10 << 20,
            calls_per_server: 2,
            connector: Connector::tcp(),
            user: user.filter(|u| !u.is_empty()).unwrap_or_else(|| "tallrow".into()),
        }
    }
}
