import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.RegionStatesCount;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ZooKeeperProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.zookeeper.ZooKeeper;

/**
 * The replicas of {@code hbase:meta}: how many there are, where they are, what they answer. Needs two region servers; leaves one
 * replica, as a new cluster has. {@code quorum} is that of ZooKeeper, or empty.
 */
final class MetaSteps {
  private static final TableName META = TableName.META_TABLE_NAME;
  private static final TableName TABLE = TableName.valueOf("interop_meta");

  private final Steps s;
  private final Connection connection;
  private final Admin admin;
  private final RegionLocator locator;
  private final String quorum;

  private MetaSteps(Steps s, Connection connection, Admin admin, RegionLocator locator, String quorum) {
    this.s = s;
    this.connection = connection;
    this.admin = admin;
    this.locator = locator;
    this.quorum = quorum;
  }

  static void run(Steps s, Connection connection, Admin admin, Configuration conf, String quorum) throws Exception {
    Interop.drop(admin, TABLE);
    try (RegionLocator locator = connection.getRegionLocator(META)) {
      MetaSteps steps = new MetaSteps(s, connection, admin, locator, quorum);
      steps.replicate(1);
      steps.schema();
      steps.lists();
      steps.znodes();
      steps.reads();
      steps.moves(conf);
      steps.closing();
      steps.regions(conf);
      steps.lowering();
    }
    Interop.drop(admin, TABLE);
  }

  private void schema() {
    s.step("there is one replica", () -> {
      Steps.equal("replicas", 1, admin.getDescriptor(META).getRegionReplication());
      awaited("locations", "hbase:meta,,1", () -> names(locator.getAllRegionLocations()));
    });
    s.refused("no replica at all", "DoNotRetryIOException", "Table region replication should be at least one", () -> replicate(0));
    s.refused("replicas that are only read", "DoNotRetryIOException", "Meta table can't be set as read only", () -> admin
        .modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(META)).setRegionReplication(2).setReadOnly(true).build()));
    s.step("three replicas", () -> {
      replicate(3);
      Steps.equal("replicas", 3, admin.getDescriptor(META).getRegionReplication());
      Steps.equal("available", true, admin.isTableAvailable(META));
    });
  }

  private void lists() {
    s.step("the registry tells of all replicas", () -> {
      awaited("locations", "hbase:meta,,1 hbase:meta,,1_0001 hbase:meta,,1_0002", () -> names(locator.getAllRegionLocations()));
      List<HRegionLocation> ofRow = locator.getRegionLocations(Steps.b("x"), true);
      Steps.equal("of a row", "hbase:meta,,1 hbase:meta,,1_0001 hbase:meta,,1_0002", names(ofRow));
      Steps.isTrue("no sequence ids", ofRow.stream().allMatch(at -> at.getSeqNum() == -1));
    });
    s.step("one of the replicas is located", () -> {
      HRegionLocation at = locator.getRegionLocation(Steps.b("x"), 2, true);
      Steps.equal("replica", 2, at.getRegion().getReplicaId());
      Steps.equal("encoded name", "1657623790", at.getRegion().getEncodedName());
      Steps.equal("a fourth", null, locator.getRegionLocation(Steps.b("x"), 3, true));
    });
    s.step("each server has the replicas that the registry tells of", () -> {
      TreeMap<String, ServerName> found = new TreeMap<>();
      for (ServerName server : admin.getRegionServers()) {
        for (RegionInfo region : admin.getRegions(server)) {
          if (region.isMetaRegion()) {
            found.put(region.getRegionNameAsString() + " " + region.getEncodedName() + " " + region.getReplicaId(), server);
          }
        }
      }
      TreeMap<String, ServerName> told = new TreeMap<>();
      told.put("hbase:meta,,1.1588230740 1588230740 0", server(0));
      told.put("hbase:meta,,1_0001.534574363 534574363 1", server(1));
      told.put("hbase:meta,,1_0002.1657623790 1657623790 2", server(2));
      Steps.equal("replicas", told, found);
    });
    s.step("not all replicas are on one server", () -> Steps.isTrue("two servers",
        !server(0).equals(server(1)) || !server(0).equals(server(2))));
    s.step("the load of each replica", () -> {
      List<String> found = new ArrayList<>();
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, META)) {
          found.add(region.getNameAsString() + " " + region.getStoreCount());
        }
      }
      Steps.equal("stores", "hbase:meta,,1 3, hbase:meta,,1_0001 3, hbase:meta,,1_0002 3",
          found.stream().sorted().collect(Collectors.joining(", ")));
    });
    s.step("the replicas are counted", () -> {
      Steps.equal("counts", "3 open, 0 closed, 3", counts(META));
      Steps.equal("regions that have their schema", 3, admin.getAlterStatus(META).getSecond());
    });
  }

  private void znodes() throws Exception {
    if (quorum.isEmpty()) {
      return;
    }
    s.step("each replica has a znode", () -> {
      Steps.equal("znodes", "meta-region-server meta-region-server-1 meta-region-server-2", znodesOfMeta());
      for (int id = 0; id < 3; id++) {
        Steps.equal("replica " + id, server(id) + " OPEN", znode(id));
      }
    });
  }

  private void reads() throws Exception {
    s.step("a read of a secondary replica is stale", () -> {
      Result primary = get("hbase:namespace", 0);
      Steps.equal("of the primary", false, primary.isStale());
      for (int id = 1; id < 3; id++) {
        Result secondary = get("hbase:namespace", id);
        Steps.equal("of replica " + id, true, secondary.isStale());
        Steps.equal("cells", Steps.fullCells(primary), Steps.fullCells(secondary));
      }
    });
    s.step("a consistent read is one of the primary replica", () -> {
      try (Table meta = connection.getTable(META)) {
        Steps.equal("stale", false, meta.get(new Get(Steps.b("hbase:namespace"))).isStale());
      }
    });
    s.step("a scan of a secondary replica is stale, and in the order of hbase:meta", () -> {
      String rows = rows(0);
      Steps.isTrue(rows, rows.startsWith("hbase:namespace false hbase:namespace,,"));
      for (int id = 1; id < 3; id++) {
        Steps.equal("rows of replica " + id, rows.replace(" false", " true"), rows(id));
      }
    });
    s.step("a new table is not seen by a secondary replica", () -> {
      admin.createTable(TableDescriptorBuilder.newBuilder(TABLE).setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .setRegionReplication(3).build());
      Steps.equal("of the primary", false, get(TABLE.getNameAsString(), 0).isEmpty());
      Steps.equal("of the first", true, get(TABLE.getNameAsString(), 1).isEmpty());
      Steps.equal("of the second", true, get(TABLE.getNameAsString(), 2).isEmpty());
    });
    s.step("a flush shows it to the secondary replicas", () -> {
      admin.flush(META);
      for (int id = 1; id < 3; id++) {
        int replica = id;
        awaited("seen by replica " + id, false, () -> get(TABLE.getNameAsString(), replica).isEmpty());
      }
    });
    s.step("a new state of a table is not seen either", () -> {
      admin.disableTable(TABLE);
      Steps.equal("of the primary", "\\x08\\x01", Bytes.toStringBinary(get(TABLE.getNameAsString(), 0).value()));
      Steps.equal("of the first", "\\x08\\x00", Bytes.toStringBinary(get(TABLE.getNameAsString(), 1).value()));
      Steps.equal("regions of the disabled table", "0 open, 0 closed, 0", counts(TABLE));
      admin.enableTable(TABLE);
      Steps.equal("regions of the table", "3 open, 0 closed, 3", counts(TABLE));
    });
    s.refused("a scan of a replica that there is not", "HBaseIOException", "There is no location for replica id #3", () -> rows(3));
  }

  private void moves(Configuration conf) {
    s.step("a secondary replica is moved", () -> {
      ServerName primary = server(0);
      ServerName from = server(1);
      ServerName to = otherThan(from);
      admin.move(encoded(1), to);
      awaited("server", to, () -> server(1));
      Steps.equal("of the primary", primary, server(0));
      Steps.equal("stale", true, get("hbase:namespace", 1).isStale());
      if (!quorum.isEmpty()) {
        Steps.equal("znode", to + " OPEN", znode(1));
      }
    });
    s.step("the primary replica is moved, and tables are found", () -> {
      try (Table table = connection.getTable(TABLE)) {
        table.put(new Put(Steps.b("r")).addColumn(Steps.b("f"), Steps.b("q"), Steps.b("v")));
        ServerName to = otherThan(server(0));
        admin.move(encoded(0), to);
        awaited("server", to, () -> server(0));
        connection.clearRegionLocationCache();
        Steps.equal("value", "v", Bytes.toString(table.get(new Get(Steps.b("r"))).value()));
      }
    });
    for (String mode : List.of("None", "HedgedRead", "LoadBalance")) {
      s.step("tables are found by a client that uses the replicas in mode " + mode, () -> {
        Configuration own = new Configuration(conf);
        own.set(RegionLocator.LOCATOR_META_REPLICAS_MODE, mode);
        try (Connection client = ConnectionFactory.createConnection(own); Table table = client.getTable(TABLE)) {
          Steps.equal("value", "v", Bytes.toString(table.get(new Get(Steps.b("r"))).value()));
        }
      });
    }
  }

  private void closing() {
    RegionInfo second = info(2);
    s.step("a secondary replica is closed", () -> {
      ServerName server = server(2);
      admin.unassign(second.getRegionName(), false);
      Steps.equal("counts", "2 open, 1 closed, 3", counts(META));
      Steps.equal("still told of", "hbase:meta,,1 hbase:meta,,1_0001 hbase:meta,,1_0002", names(locator.getAllRegionLocations()));
      if (!quorum.isEmpty()) {
        Steps.equal("znode", server + " CLOSING", znode(2));
      }
    });
    s.refused("a read of a closed replica", "NotServingRegionException", "hbase:meta,,1_0002 is not online on ",
        () -> get("hbase:namespace", 2));
    s.refused("a closed replica is closed", "DoNotRetryRegionException",
        "Unexpected state for state=CLOSED, location=null, table=hbase:meta, region=1657623790",
        () -> admin.unassign(second.getRegionName(), false));
    s.refused("a closed replica is moved", "DoNotRetryRegionException",
        "Unexpected state for state=CLOSED, location=null, table=hbase:meta, region=1657623790", () -> admin.move(encoded(2)));
    s.step("it is opened again", () -> {
      admin.assign(second.getRegionName());
      Steps.equal("counts", "3 open, 0 closed, 3", counts(META));
      awaited("stale", true, () -> get("hbase:namespace", 2).isStale());
    });
    s.refused("an open replica is opened", "DoNotRetryRegionException", "Unexpected state for state=OPEN, location=127.0.0.1,",
        () -> admin.assign(second.getRegionName()));
    s.refused("a replica that there is not is opened", "UnknownRegionException", "hbase:meta,,1_0007",
        () -> admin.assign(info(7).getRegionName()));
    s.refused("a replica that there is not is moved", "UnknownRegionException", "1912494410", () -> admin.move(encoded(7)));
    s.step("only the primary replica of a table is closed", () -> {
      RegionInfo primary = admin.getRegions(TABLE).get(0);
      admin.unassign(primary.getRegionName(), false);
      Steps.equal("counts", "2 open, 1 closed, 3", counts(TABLE));
      admin.assign(primary.getRegionName());
      Steps.equal("counts", "3 open, 0 closed, 3", counts(TABLE));
    });
    s.refused("a region of a disabled table is opened", "DoNotRetryIOException",
        "interop_meta is disabled for state=CLOSED, location=null, table=interop_meta, region=", () -> {
          RegionInfo primary = admin.getRegions(TABLE).get(0);
          admin.disableTable(TABLE);
          admin.assign(primary.getRegionName());
        });
  }

  private void regions(Configuration conf) throws Exception {
    try (AsyncConnection async = ConnectionFactory.createAsyncConnection(conf).get()) {
      s.step("the regions of hbase:meta", () -> {
        Steps.equal("of the client that waits", List.of(info(0)), admin.getRegions(META));
        Steps.equal("of the other", List.of(info(0), info(1), info(2)), async.getAdmin().getRegions(META).get());
      });
      s.refused("a replica is split", "IllegalArgumentException", "Can't split replicas directly",
          () -> async.getAdmin().splitRegion(info(1).getRegionName(), Steps.b("m")).get());
      s.step("a secondary replica is flushed and compacted", () -> {
        async.getAdmin().flushRegion(info(1).getRegionName()).get();
        async.getAdmin().compactRegion(info(1).getRegionName()).get();
        awaited("compaction", CompactionState.NONE, () -> async.getAdmin().getCompactionStateForRegion(info(1).getRegionName()).get());
      });
      s.refused("a location of a fourth replica", "RegionOfflineException", "replicaId=3",
          () -> async.getRegionLocator(META).getRegionLocation(Steps.b("x"), 3, true).get());
    }
  }

  private void lowering() {
    s.step("a replica less", () -> {
      replicate(2);
      awaited("locations", "hbase:meta,,1 hbase:meta,,1_0001", () -> names(locator.getAllRegionLocations()));
      Steps.equal("counts", "2 open, 0 closed, 2", counts(META));
      if (!quorum.isEmpty()) {
        Steps.equal("znodes", "meta-region-server meta-region-server-1", znodesOfMeta());
      }
      for (ServerName server : admin.getRegionServers()) {
        Steps.isTrue("regions of " + server, admin.getRegions(server).stream().noneMatch(info(2)::equals));
      }
    });
    s.refused("a replica that there is no more is moved", "UnknownRegionException", "1657623790", () -> admin.move(encoded(2)));
    s.step("one replica again", () -> {
      replicate(1);
      awaited("locations", "hbase:meta,,1", () -> names(locator.getAllRegionLocations()));
      Steps.equal("counts", "1 open, 0 closed, 1", counts(META));
      if (!quorum.isEmpty()) {
        Steps.equal("znodes", "meta-region-server", znodesOfMeta());
      }
    });
  }

  private void replicate(int replicas) throws Exception {
    admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(META)).setRegionReplication(replicas).build());
  }

  private static RegionInfo info(int id) {
    return RegionReplicaUtil.getRegionInfoForReplica(RegionInfoBuilder.FIRST_META_REGIONINFO, id);
  }

  private static byte[] encoded(int id) {
    return info(id).getEncodedNameAsBytes();
  }

  /** The server of a replica, as the registry knows it, to which ZooKeeper tells changes a moment later. */
  private ServerName server(int id) throws Exception {
    return locator.getRegionLocation(Steps.b("x"), id, true).getServerName();
  }

  private ServerName otherThan(ServerName server) throws Exception {
    return admin.getRegionServers().stream().filter(other -> !other.equals(server)).findAny().get();
  }

  private static String names(List<HRegionLocation> locations) {
    return locations.stream().map(at -> Bytes.toString(at.getRegion().getRegionName())).sorted().collect(Collectors.joining(" "));
  }

  private String counts(TableName table) throws Exception {
    RegionStatesCount counts = admin.getClusterMetrics().getTableRegionStatesCount().get(table);
    return counts.getOpenRegions() + " open, " + counts.getClosedRegions() + " closed, " + counts.getTotalRegions();
  }

  private Result get(String row, int replica) throws Exception {
    try (Table meta = connection.getTable(META)) {
      Get get = new Get(Steps.b(row)).addColumn(Steps.b("table"), Steps.b("state"));
      get.setConsistency(Consistency.TIMELINE).setReplicaId(replica);
      return meta.get(get);
    }
  }

  /** The rows of a replica, each with whether it is stale. */
  private String rows(int replica) throws Exception {
    List<String> rows = new ArrayList<>();
    Scan scan = new Scan().setConsistency(Consistency.TIMELINE).setReplicaId(replica);
    try (Table meta = connection.getTable(META); ResultScanner scanner = meta.getScanner(scan)) {
      for (Result row : scanner) {
        rows.add(Bytes.toStringBinary(row.getRow()) + " " + row.isStale());
      }
    }
    return String.join(" ", rows);
  }

  private String znodesOfMeta() throws Exception {
    try (ZooKeeper zk = new ZooKeeper(quorum, 10_000, event -> {})) {
      return zk.getChildren("/hbase", false).stream().filter(name -> name.startsWith("meta-region-server"))
          .sorted(Comparator.naturalOrder()).collect(Collectors.joining(" "));
    }
  }

  /** The server and the state in the znode of a replica. */
  private String znode(int id) throws Exception {
    try (ZooKeeper zk = new ZooKeeper(quorum, 10_000, event -> {})) {
      byte[] data = zk.getData("/hbase/meta-region-server" + (id == 0 ? "" : "-" + id), false, null);
      // The length of the name of the writer is in the bytes 1 to 4; the message follows four letters.
      int at = 5 + Bytes.toInt(data, 1) + 4;
      var message = ZooKeeperProtos.MetaRegionServer.parseFrom(Arrays.copyOfRange(data, at, data.length));
      var server = message.getServer();
      return ServerName.valueOf(server.getHostName(), server.getPort(), server.getStartCode()) + " " + message.getState();
    }
  }

  /** Waits until something is as expected; servers learn some changes from ZooKeeper, and not at once. */
  private static <T> void awaited(String what, T expected, Callable<T> found) throws Exception {
    for (int i = 0; i < 3000 && !Objects.equals(expected, found.call()); i++) {
      Thread.sleep(20);
    }
    Steps.equal(what, expected, found.call());
  }
}
