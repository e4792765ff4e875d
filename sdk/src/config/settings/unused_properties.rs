//! The properties of HBase's files that have no effect on this client, and why.

const REGISTRY: &str = "the registry is asked when hbase:meta or the master is not where it was, all hosts concurrently";
const LINGER: &str =
    "a write waits in a writer for at most 10 ms unless WriterBuilder::linger says otherwise";
const WINDOW: &str = "pauses grow by HBase's table, at random";
const BATCH: &str = "a batch is one call to each server";
const FAST_FAIL: &str = "a server that cannot be reached fails at once for failed_server_expiry";
const REPLICAS: &str = "the program says what is read from replicas, and when";
const LOG: &str = "nothing is logged; errors have the history of their attempts";
const METRICS: &str = "metrics are a feature of the crate, `metrics`";
const THREADS: &str = "the client runs on the threads of the program's runtime";
const SHORT: &str = "attempt_timeout is for all calls";

/// The properties of Java's clients that have no effect, and why.
const CLIENT: &[(&str, &str)] = &[
    (
        "hbase.client.rpc.codec",
        "cells are always sent with KeyValueCodec, which every server reads",
    ),
    (
        "hbase.client.default.rpc.codec",
        "cells are always sent with KeyValueCodec, which every server reads",
    ),
    (
        "hbase.client.nonces.enabled",
        "increments and appends always have a nonce, or they could be applied twice",
    ),
    (
        "hbase.client.backpressure.enabled",
        "adaptive_window and in_flight_bytes limit what is in flight",
    ),
    ("hbase.client.max.total.tasks", "in_flight_bytes limits what is in flight"),
    ("hbase.client.max.perserver.tasks", "calls_per_server limits the calls to a server"),
    ("hbase.client.max.perregion.tasks", "operations of a region share the calls to its server"),
    ("hbase.client.ipc.pool.size", "there is one connection to each server"),
    ("hbase.client.ipc.pool.type", "there is one connection to each server"),
    (
        "hbase.rpc.client.impl",
        "there is one implementation; Config::connector opens connections in another way",
    ),
    (
        "hbase.client.primaryCallTimeout.multiget",
        "the gets of a batch ask other replicas each for itself, after primary_get_timeout",
    ),
    ("hbase.ipc.client.tcpnodelay", "it is always on"),
    ("hbase.ipc.client.tcpkeepalive", "it is always on"),
    ("hbase.ipc.client.socket.timeout.read", "attempt_timeout limits the wait for an answer"),
    ("hbase.ipc.client.socket.timeout.write", "attempt_timeout limits the wait for an answer"),
    ("hbase.client.start.log.errors.counter", "nothing is logged"),
    ("hbase.client.instance.id", "it is only for the logs of the Java client"),
    ("hbase.client.userprovider.class", "the user is a setting, `user`"),
    ("hbase.status.published", "servers that are down are found by calling them"),
    (
        "hbase.client.async.connection.impl",
        "there is one implementation; Config::connector opens connections in another way",
    ),
    (
        "hbase.client.connection.impl",
        "there is one implementation; Config::connector opens connections in another way",
    ),
    ("hbase.client.bootstrap.hedged.fanout", REGISTRY),
    ("hbase.client.bootstrap.initial_refresh_delay_secs", REGISTRY),
    ("hbase.client.bootstrap.min_secs_between_refreshes", REGISTRY),
    ("hbase.client.bootstrap.refresh_interval_secs", REGISTRY),
    ("hbase.client.master_registry.hedged.fanout", REGISTRY),
    ("hbase.client.master_registry.initial_refresh_delay_secs", REGISTRY),
    ("hbase.client.master_registry.min_secs_between_refreshes", REGISTRY),
    ("hbase.client.master_registry.refresh_interval_secs", REGISTRY),
    ("hbase.client.master.state.cache.timeout.sec", REGISTRY),
    ("hbase.client.bufferedmutator.classname", "a writer is RawTable::writer"),
    (
        "hbase.client.write.buffer.maxmutations",
        "a batch of a writer has at most 1,000 writes unless WriterBuilder::batch_operations says otherwise",
    ),
    ("hbase.client.write.buffer.periodicflush.timeout.ms", LINGER),
    ("hbase.client.write.buffer.periodicflush.timertick.ms", LINGER),
    ("hbase.client.exponential-backoff.max", WINDOW),
    ("hbase.client.statistics.backoff-policy", WINDOW),
    ("hbase.client.request.controller.impl", "in_flight_bytes limits what is in flight"),
    ("hbase.client.max.submit.heapsize", "in_flight_bytes limits what is in flight"),
    ("hbase.client.max.perrequest.heapsize", BATCH),
    ("hbase.client.max.perrequest.rows", BATCH),
    ("hbase.client.max.retries.in.queue", "retry_budget limits the retries of a client"),
    ("hbase.client.retries.by.server", "every operation has its own attempts"),
    ("hbase.client.serverside.retries.multiplier", "it is for the clients inside of servers"),
    ("hbase.client.failure.map.cleanup.interval", FAST_FAIL),
    ("hbase.client.fast.fail.cleanup.duration", FAST_FAIL),
    ("hbase.client.fast.fail.interceptor.impl", FAST_FAIL),
    ("hbase.client.fast.fail.mode.enabled", FAST_FAIL),
    ("hbase.client.fastfail.threshold", FAST_FAIL),
    (
        "hbase.client.locate.prefetch.limit",
        "one lookup brings the regions next to it; Client::prefetch_regions brings all of a table",
    ),
    (
        "hbase.client.meta.max.concurrent.locate.per.table",
        "the lookups of a table that go side by side are limited to 8",
    ),
    ("hbase.client.meta.operation.timeout", "a lookup may take what its operation has left"),
    (
        "hbase.client.meta.scanner.timeout.period",
        "meta_attempt_timeout limits a call to hbase:meta",
    ),
    (
        "hbase.client.use.scanner.timeout.period.for.next.calls",
        "page_timeout limits every page of a scan",
    ),
    ("hbase.client.meta.replica.scan.timeout", REPLICAS),
    ("hbase.meta.replicas.use", REPLICAS),
    ("hbase.meta.replica.count", REPLICAS),
    ("hbase.meta.scanner.caching", "a lookup reads as many rows as it needs"),
    (
        "hbase.client.scanner.async.prefetch",
        "the next page is always fetched ahead, see prefetch_bytes",
    ),
    ("hbase.client.log.batcherrors.details", LOG),
    ("hbase.client.log.detail.period.ms", LOG),
    ("hbase.client.log.scanner.activity", LOG),
    ("hbase.client.log.scanner.latency.cutoff", LOG),
    ("hbase.client.threshold.log.details", LOG),
    ("hbase.client.threshold.log.region.details", LOG),
    ("hbase.client.metrics.enable", METRICS),
    ("hbase.client.metrics.scope", METRICS),
    ("hbase.client.table.metrics.enable", METRICS),
    (
        "hbase.client.zookeeper.observer.mode",
        "it is for servers; hbase.client.zookeeper.quorum names observers for clients",
    ),
    ("hbase.htable.threads.coresize", THREADS),
    ("hbase.htable.threads.keepalivetime", THREADS),
    ("hbase.htable.threads.max", THREADS),
    ("hbase.netty.eventloop.rpcclient.thread.count", THREADS),
    ("hbase.rpc.client.event-loop.config", THREADS),
    ("hbase.ipc.client.specificThreadForWriting", THREADS),
    ("hbase.ipc.client.write.queueSize", THREADS),
    (
        "hbase.ipc.client.connect.max.retries",
        "connections are opened again as long as an operation has time",
    ),
    (
        "hbase.ipc.client.connection.minIdleTimeBeforeClose",
        "connections are kept as long as the client",
    ),
    ("hbase.rpc.callerfactory.class", "there are no classes to load"),
    ("hbase.rpc.controllerfactory.class", "there are no classes to load"),
    ("hbase.rpc.rows.warning.threshold", "it is for servers or other programs"),
    ("hbase.rpc.shortoperation.retry.pause.time", SHORT),
    ("hbase.rpc.shortoperation.timeout", SHORT),
    ("hbase.zookeeper.sync.timeout.millis", "connect_timeout limits how long ZooKeeper is asked"),
    ("zookeeper.keep-alive.time", "ZooKeeper is asked in sessions that last for one answer"),
    ("zookeeper.registry.async.get.timeout", "connect_timeout limits how long ZooKeeper is asked"),
    ("zookeeper.session.timeout", "ZooKeeper is asked in sessions that last for one answer"),
    ("zookeeper.recovery.retry", "connect_timeout limits how long ZooKeeper is asked"),
    ("zookeeper.recovery.retry.intervalmill", "connect_timeout limits how long ZooKeeper is asked"),
];

/// The prefixes of the properties that servers and other programs read.
const SERVERS: &[&str] = &[
    "dfs.",
    "fs.",
    "hadoop.",
    "hbase.balancer.",
    "hbase.block",
    "hbase.bucketcache.",
    "hbase.bulkload.",
    "hbase.cells.",
    "hbase.cluster.distributed",
    "hbase.coprocessor.",
    "hbase.client.kerberos.",
    "hbase.data.umask",
    "hbase.dfs.",
    "hbase.fs.",
    "hbase.hfile.",
    "hbase.hregion.",
    "hbase.hstore.",
    "hbase.http.",
    "hbase.ipc.server.",
    "hbase.local.dir",
    "hbase.lease.",
    "hbase.master.",
    "hbase.meta.blocksize",
    "hbase.meta.versions",
    "hbase.mob.",
    "hbase.namespace.",
    "hbase.normalizer.",
    "hbase.offpeak.",
    "hbase.procedure.",
    "hbase.quota.",
    "hbase.region.",
    "hbase.regions.",
    "hbase.regionserver.",
    "hbase.replication.",
    "hbase.rest.",
    "hbase.rootdir",
    "hbase.rs.",
    "hbase.security.authorization",
    "hbase.security.exec",
    "hbase.server.",
    "hbase.serverside.",
    "hbase.snapshot.",
    "hbase.ssl.",
    "hbase.storescanner.",
    "hbase.security.access.",
    "hbase.security.visibility.",
    "hbase.status.",
    "hbase.superuser",
    "hbase.systemtables.",
    "hbase.table.",
    "hbase.tablemultiplexer.",
    "hbase.thrift.",
    "hbase.tmp.dir",
    "hbase.unsafe.",
    "hbase.wal.",
    "hbase.zookeeper.leaderport",
    "hbase.zookeeper.peerport",
    "hbase.zookeeper.client.",
    "hbase.zookeeper.property.",
    "hbase.zookeeper.recoverable.waittime",
    "hbase.zookeeper.server.",
    "hfile.",
    "io.",
    "ipc.",
    "mapred",
    "net.topology.",
    "phoenix.",
    "yarn.",
    "zookeeper.znode.",
];

/// Returns why a property that is not a setting has no effect; `None` if the property is unknown.
pub(super) fn why_unused(name: &str) -> Option<&'static str> {
    let client = CLIENT.iter().find(|(known, _)| *known == name).map(|(_, why)| *why);
    let server = SERVERS.iter().any(|start| name.starts_with(start));
    client.or(server.then_some("it is for servers or other programs"))
}

/// Returns the properties of Java's clients that have no effect.
pub(super) fn unused_client_properties() -> impl Iterator<Item = &'static str> {
    CLIENT.iter().map(|(name, _)| *name)
}
