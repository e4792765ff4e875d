import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.LogEntry;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.quotas.QuotaFilter;
import org.apache.hadoop.hbase.quotas.QuotaSettings;
import org.apache.hadoop.hbase.quotas.QuotaSettingsFactory;
import org.apache.hadoop.hbase.quotas.SpaceQuotaSnapshotView;
import org.apache.hadoop.hbase.quotas.SpaceViolationPolicy;
import org.apache.hadoop.hbase.quotas.ThrottleType;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.replication.ReplicationPeerDescription;
import org.apache.hadoop.hbase.util.Bytes;

/** Administration: regions, snapshots, switches, servers, quotas, peers, logs, procedures. Needs a cluster with quotas. */
final class AdminSteps {
  private static final TableName TABLE = TableName.valueOf("interop_admin");
  private static final TableName COPY = TableName.valueOf("interop_copy");

  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    Interop.drop(admin, COPY);
    Interop.fresh(admin, TABLE.getNameAsString());
    for (String snapshot : List.of("interop_one", "interop_two")) {
      if (!admin.listSnapshots(Pattern.compile(snapshot)).isEmpty()) {
        admin.deleteSnapshot(snapshot);
      }
    }
    try (Table table = connection.getTable(TABLE)) {
      for (String row : List.of("a", "h", "p", "x")) {
        table.put(new Put(Steps.b(row)).addColumn(Steps.b("f"), Steps.b("q"), Steps.b(row + "1")));
      }
      metrics(s, admin, table);
      snapshots(s, connection, admin, table);
      regions(s, admin, table);
      switches(s, admin);
      servers(s, admin);
      namespaces(s, admin);
      throttles(s, admin);
      space(s, admin, table);
      peers(s, admin);
      logs(s, admin);
      procedures(s, admin);
    }
    Interop.drop(admin, COPY);
    Interop.drop(admin, TABLE);
  }

  private static void metrics(Steps s, Admin admin, Table table) {
    s.step("cluster metrics: all options", () -> {
      ClusterMetrics metrics = admin.getClusterMetrics();
      Steps.equal("dead servers", List.of(), metrics.getDeadServerNames());
      Steps.equal("balancer", true, metrics.getBalancerOn());
      Steps.equal("regions of the table", 4, metrics.getTableRegionStatesCount().get(TABLE).getTotalRegions());
      Steps.equal("open regions of the table", 4, metrics.getTableRegionStatesCount().get(TABLE).getOpenRegions());
      Steps.isTrue("heap", metrics.getLiveServerMetrics().values().stream().allMatch(m -> m.getMaxHeapSize().getLongValue() > 0));
    });
    s.step("region metrics of each server", () -> {
      List<RegionMetrics> all = new ArrayList<>();
      for (ServerName server : admin.getRegionServers()) {
        all.addAll(admin.getRegionMetrics(server, TABLE));
      }
      Steps.equal("regions", 4, all.size());
      Steps.equal("writes", 4L, all.stream().mapToLong(RegionMetrics::getWriteRequestCount).sum());
      Steps.equal("stores", 8, all.stream().mapToInt(RegionMetrics::getStoreCount).sum());
    });
    s.step("flush, compact, state of compactions", () -> {
      admin.flush(TABLE);
      admin.majorCompact(TABLE);
      for (int i = 0; i < 6000 && admin.getCompactionState(TABLE) != CompactionState.NONE; i++) {
        Thread.sleep(100);
      }
      Steps.equal("state", CompactionState.NONE, admin.getCompactionState(TABLE));
      Steps.equal("rows", "a,h,p,x", rows(table));
    });
  }

  private static void snapshots(Steps s, Connection connection, Admin admin, Table table) {
    s.step("take a snapshot with a time to live", () -> {
      admin.snapshot("interop_one", TABLE, SnapshotType.FLUSH, Map.of("TTL", 100_000L));
      List<SnapshotDescription> found = admin.listSnapshots(Pattern.compile("interop_.*"));
      Steps.equal("snapshots", "interop_one", found.stream().map(SnapshotDescription::getName).collect(Collectors.joining(",")));
      Steps.equal("table", TABLE, found.get(0).getTableName());
      Steps.equal("time to live", 100_000L, found.get(0).getTtl());
    });
    s.refused("take a snapshot that exists", "SnapshotExistsException", "interop_one", () -> admin.snapshot("interop_one", TABLE));
    s.step("clone it: the rows as they were", () -> {
      table.put(new Put(Steps.b("z")).addColumn(Steps.b("f"), Steps.b("q"), Steps.b("later")));
      admin.cloneSnapshot("interop_one", COPY);
      try (Table copy = connection.getTable(COPY)) {
        Steps.equal("rows", "a,h,p,x", rows(copy));
        copy.put(new Put(Steps.b("b")).addColumn(Steps.b("f"), Steps.b("q"), Steps.b("own")));
        Steps.equal("rows of the other", "a,h,p,x,z", rows(table));
      }
    });
    s.refused("clone over a table", "TableExistsException", "interop_copy", () -> admin.cloneSnapshot("interop_one", COPY));
    s.step("restore it", () -> {
      admin.disableTable(TABLE);
      admin.restoreSnapshot("interop_one", false);
      admin.enableTable(TABLE);
      Steps.equal("rows", "a,h,p,x", rows(table));
    });
    s.step("delete snapshots by pattern", () -> {
      admin.snapshot("interop_two", TABLE, SnapshotType.SKIPFLUSH);
      admin.deleteSnapshots(Pattern.compile("interop_t.*"));
      Steps.equal("left", 1, admin.listSnapshots(Pattern.compile("interop_.*")).size());
      admin.deleteSnapshot("interop_one");
      Steps.equal("left", 0, admin.listSnapshots(Pattern.compile("interop_.*")).size());
    });
    s.refused("restore what is not there", "RestoreSnapshotException", "interop_one", () -> admin.restoreSnapshot("interop_one"));
    s.refused("delete what is not there", "SnapshotDoesNotExistException", "interop_one", () -> admin.deleteSnapshot("interop_one"));
    s.step("clone the schema without the rows", () -> {
      Interop.drop(admin, COPY);
      admin.cloneTableSchema(TABLE, COPY, true);
      Steps.equal("regions", 4, admin.getRegions(COPY).size());
      Steps.equal("versions", 3, admin.getDescriptor(COPY).getColumnFamily(Steps.b("f")).getMaxVersions());
      try (Table copy = connection.getTable(COPY)) {
        Steps.equal("rows", "", rows(copy));
      }
    });
  }

  private static void regions(Steps s, Admin admin, Table table) {
    s.step("split a region", () -> {
      admin.splitRegionAsync(sorted(admin).get(1).getRegionName(), Steps.b("k")).get();
      Steps.equal("bounds", ",g,k,n,t", bounds(admin));
      Steps.equal("rows", "a,h,p,x", rows(table));
    });
    s.step("merge two regions", () -> {
      List<RegionInfo> regions = sorted(admin);
      admin.mergeRegionsAsync(new byte[][] {regions.get(3).getEncodedNameAsBytes(), regions.get(4).getEncodedNameAsBytes()}, false).get();
      Steps.equal("bounds", ",g,k,n", bounds(admin));
      Steps.equal("rows", "a,h,p,x", rows(table));
    });
    s.step("move a region to each server", () -> {
      for (ServerName server : admin.getRegionServers()) {
        admin.move(sorted(admin).get(0).getEncodedNameAsBytes(), server);
        Steps.equal("row a", "a/f:q=a1", Steps.cells(table.get(new Get(Steps.b("a")))));
      }
    });
    s.step("unassign and assign a region", () -> {
      byte[] region = sorted(admin).get(0).getRegionName();
      admin.unassign(region);
      admin.assign(region);
      Steps.equal("row a", "a/f:q=a1", Steps.cells(table.get(new Get(Steps.b("a")))));
    });
    s.step("truncate a region", () -> {
      admin.truncateRegion(sorted(admin).get(0).getRegionName());
      Steps.equal("rows", "h,p,x", rows(table));
      Steps.equal("bounds", ",g,k,n", bounds(admin));
    });
  }

  private static void switches(Steps s, Admin admin) {
    s.step("balancer off and on", () -> {
      Steps.equal("was on", true, admin.balancerSwitch(false, true));
      Steps.equal("on", false, admin.isBalancerEnabled());
      Steps.equal("balanced", false, admin.balance());
      Steps.equal("was on", false, admin.balancerSwitch(true, true));
      Steps.equal("on", true, admin.isBalancerEnabled());
    });
    s.step("splits and merges off and on", () -> {
      Steps.equal("splits were on", true, admin.splitSwitch(false, false));
      Steps.equal("splits on", false, admin.isSplitEnabled());
      Steps.equal("merges on", true, admin.isMergeEnabled());
      Steps.equal("splits were on", false, admin.splitSwitch(true, false));
      Steps.equal("merges were on", true, admin.mergeSwitch(false, false));
      Steps.equal("merges were on", false, admin.mergeSwitch(true, false));
      Steps.equal("both", true, admin.isSplitEnabled() && admin.isMergeEnabled());
    });
    s.step("cleanup of snapshots off and on", () -> {
      Steps.equal("was on", true, admin.snapshotCleanupSwitch(false, true));
      Steps.equal("on", false, admin.isSnapshotCleanupEnabled());
      Steps.equal("was on", false, admin.snapshotCleanupSwitch(true, true));
    });
  }

  private static void servers(Steps s, Admin admin) {
    s.step("decommission a server and take it back", () -> {
      ServerName server = admin.getRegionServers().stream().max(Comparator.naturalOrder()).get();
      Steps.equal("decommissioned", List.of(), admin.listDecommissionedRegionServers());
      admin.decommissionRegionServers(List.of(server), false);
      Steps.equal("decommissioned", List.of(server), admin.listDecommissionedRegionServers());
      admin.recommissionRegionServer(server, List.of());
      Steps.equal("decommissioned", List.of(), admin.listDecommissionedRegionServers());
    });
  }

  private static void namespaces(Steps s, Admin admin) {
    s.step("modify a namespace", () -> {
      String name = "interop_admin";
      if (Arrays.asList(admin.listNamespaces()).contains(name)) {
        admin.deleteNamespace(name);
      }
      admin.createNamespace(NamespaceDescriptor.create(name).addConfiguration("a", "1").addConfiguration("b", "2").build());
      admin.modifyNamespace(NamespaceDescriptor.create(name).addConfiguration("b", "3").build());
      Steps.equal("attributes", Map.of("b", "3"), admin.getNamespaceDescriptor(name).getConfiguration());
      admin.deleteNamespace(name);
    });
  }

  private static void throttles(Steps s, Admin admin) {
    s.step("throttles of a user are set, listed and removed", () -> {
      admin.setQuota(QuotaSettingsFactory.throttleUser("interop", ThrottleType.READ_NUMBER, 1_000_000, java.util.concurrent.TimeUnit.SECONDS));
      admin.setQuota(QuotaSettingsFactory.throttleUser("interop", TABLE, ThrottleType.WRITE_SIZE, 1L << 40, java.util.concurrent.TimeUnit.HOURS));
      List<QuotaSettings> quotas = admin.getQuota(new QuotaFilter().setUserFilter("interop"));
      Steps.equal("quotas", 2, quotas.size());
      Steps.isTrue(quotas.toString(), quotas.stream().anyMatch(q -> q.toString().contains("READ_NUMBER") && q.toString().contains("1000000req/sec")));
      Steps.isTrue(quotas.toString(), quotas.stream().anyMatch(q -> TABLE.equals(q.getTableName())));
      admin.setQuota(QuotaSettingsFactory.unthrottleUser("interop", TABLE));
      admin.setQuota(QuotaSettingsFactory.unthrottleUser("interop"));
      Steps.equal("quotas", List.of(), admin.getQuota(new QuotaFilter().setUserFilter("interop")));
    });
  }

  private static void space(Steps s, Admin admin, Table table) {
    s.step("space quota: set, listed, measured, violated, removed", () -> {
      admin.setQuota(QuotaSettingsFactory.limitTableSpace(TABLE, 100, SpaceViolationPolicy.NO_WRITES_COMPACTIONS));
      List<QuotaSettings> quotas = admin.getQuota(new QuotaFilter().setTableFilter(TABLE.getNameAsString()));
      Steps.equal("quotas", 1, quotas.size());
      Steps.isTrue(quotas.toString(), quotas.get(0).toString().contains("NO_WRITES_COMPACTIONS"));
      SpaceQuotaSnapshotView snapshot = null;
      for (int i = 0; i < 3000 && (snapshot == null || !snapshot.getQuotaStatus().isInViolation()); i++) {
        Thread.sleep(200);
        snapshot = (SpaceQuotaSnapshotView) admin.getCurrentSpaceQuotaSnapshot(TABLE);
      }
      Steps.equal("violated", true, snapshot.getQuotaStatus().isInViolation());
      Steps.equal("policy", SpaceViolationPolicy.NO_WRITES_COMPACTIONS, snapshot.getQuotaStatus().getPolicy().get());
      Steps.equal("limit", 100L, snapshot.getLimit());
      Steps.equal("size", snapshot.getUsage(), admin.getSpaceQuotaTableSizes().get(TABLE));
      for (ServerName server : admin.getRegionServers()) {
        Map<TableName, ? extends SpaceQuotaSnapshotView> known = Map.of();
        for (int i = 0; i < 3000 && !known.containsKey(TABLE); i++) {
          known = admin.getRegionServerSpaceQuotaSnapshots(server);
          Thread.sleep(200);
        }
        Steps.equal("limit known to " + server, 100L, known.get(TABLE).getLimit());
      }
      admin.setQuota(QuotaSettingsFactory.removeTableSpaceLimit(TABLE));
      Steps.equal("quotas", List.of(), admin.getQuota(new QuotaFilter().setTableFilter(TABLE.getNameAsString())));
    });
  }

  private static void peers(Steps s, Admin admin) throws Exception {
    String id = "interop";
    if (admin.listReplicationPeers(Pattern.compile(id)).size() > 0) {
      admin.removeReplicationPeer(id);
    }
    // With this endpoint no other cluster is needed.
    ReplicationPeerConfig config = ReplicationPeerConfig.newBuilder().setClusterKey("127.0.0.1:2:/interop")
        .setReplicationEndpointImpl("org.apache.hadoop.hbase.replication.VerifyWALEntriesReplicationEndpoint")
        .setReplicateAllUserTables(false).setTableCFsMap(Map.of(TableName.valueOf("interop_none"), List.of("f", "g")))
        .setNamespaces(Set.of("interop_ns")).build();
    s.step("replication peer: added, listed", () -> {
      admin.addReplicationPeer(id, config, false);
      ReplicationPeerDescription found = admin.listReplicationPeers(Pattern.compile(id)).get(0);
      Steps.equal("enabled", false, found.isEnabled());
      Steps.equal("tables", config.getTableCFsMap(), found.getPeerConfig().getTableCFsMap());
      Steps.equal("namespaces", config.getNamespaces(), found.getPeerConfig().getNamespaces());
    });
    s.refused("add a peer twice", "DoNotRetryIOException", "already exists", () -> admin.addReplicationPeer(id, config, false));
    s.refused("disable a disabled peer", "DoNotRetryIOException", "already been disabled", () -> admin.disableReplicationPeer(id));
    s.step("replication peer: updated", () -> {
      admin.updateReplicationPeerConfig(id, ReplicationPeerConfig.newBuilder(config).setBandwidth(1 << 20).build());
      Steps.equal("bandwidth", 1L << 20, admin.getReplicationPeerConfig(id).getBandwidth());
    });
    s.step("replication peer: removed", () -> {
      admin.removeReplicationPeer(id);
      Steps.equal("peers", 0, admin.listReplicationPeers(Pattern.compile(id)).size());
    });
    s.refused("remove an unknown peer", "ReplicationPeerNotFoundException", id, () -> admin.removeReplicationPeer(id));
  }

  private static void logs(Steps s, Admin admin) {
    s.step("log of slow calls", () -> {
      Set<ServerName> servers = Set.copyOf(admin.getRegionServers());
      List<LogEntry> entries = admin.getLogEntries(servers, "SLOW_LOG", ServerType.REGION_SERVER, 5, Map.of());
      Steps.equal("entries", List.of(), entries);
      Steps.equal("answers", servers.size(), admin.clearSlowLogResponses(servers).size());
    });
  }

  private static void procedures(Steps s, Admin admin) {
    s.step("procedures and locks", () -> {
      String procedures = admin.getProcedures();
      Steps.isTrue(procedures, procedures.startsWith("[") && procedures.contains("Procedure"));
      Steps.isTrue("locks", admin.getLocks().startsWith("["));
    });
    s.step("a procedure is awaited", () -> {
      admin.disableTableAsync(TABLE).get(Duration.ofMinutes(10).toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS);
      Steps.equal("disabled", true, admin.isTableDisabled(TABLE));
      admin.enableTableAsync(TABLE).get();
    });
  }

  private static List<RegionInfo> sorted(Admin admin) throws Exception {
    return admin.getRegions(TABLE).stream().sorted(Comparator.comparing(r -> Bytes.toString(r.getStartKey()))).toList();
  }

  private static String bounds(Admin admin) throws Exception {
    return sorted(admin).stream().map(r -> Bytes.toString(r.getStartKey())).collect(Collectors.joining(","));
  }

  private static String rows(Table table) throws Exception {
    List<String> keys = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      scanner.forEach(row -> keys.add(Bytes.toString(row.getRow())));
    }
    return String.join(",", keys);
  }
}
