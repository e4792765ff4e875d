import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.Bytes;

/** Tables: create, describe, alter, disable, truncate, drop; namespaces; the cluster itself. */
final class TableSteps {
  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    TableName name = TableName.valueOf("interop_tables");
    Interop.drop(admin, name);
    create(s, connection, admin, name);
    alter(s, admin, name);
    states(s, connection, admin, name);
    namespaces(s, admin);
    cluster(s, admin);
  }

  private static void create(Steps s, Connection connection, Admin admin, TableName name) throws Exception {
    s.step("table does not exist", () -> Steps.equal("exists", false, admin.tableExists(name)));
    s.step("create with three split keys", () -> admin.createTable(
        TableDescriptorBuilder.newBuilder(name).setValue("note", "kept as is")
            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Steps.b("f")).setMaxVersions(3).setTimeToLive(86_400)
                .setBloomFilterType(BloomType.ROWCOL).setBlocksize(8192).setInMemory(true).setValue("own", "value").build())
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g")).build(),
        Interop.SPLITS));
    s.step("table exists, is enabled and available", () -> {
      Steps.equal("exists", true, admin.tableExists(name));
      Steps.equal("enabled", true, admin.isTableEnabled(name));
      Steps.equal("disabled", false, admin.isTableDisabled(name));
      Steps.equal("available", true, admin.isTableAvailable(name));
    });
    s.step("region boundaries", () -> {
      try (RegionLocator regions = connection.getRegionLocator(name)) {
        List<HRegionLocation> all = regions.getAllRegionLocations();
        Steps.equal("boundaries", "[..g) [g..n) [n..t) [t..)", all.stream().map(l -> "["
            + Bytes.toString(l.getRegion().getStartKey()) + ".." + Bytes.toString(l.getRegion().getEndKey()) + ")")
            .collect(Collectors.joining(" ")));
        Steps.equal("one region id", 1L, all.stream().map(l -> l.getRegion().getRegionId()).distinct().count());
        for (HRegionLocation location : all) {
          RegionInfo region = location.getRegion();
          Steps.equal("encoded name", RegionInfo.encodeRegionName(region.getRegionName()), region.getEncodedName());
          Steps.isTrue("server of " + region.getEncodedName(), location.getServerName() != null);
        }
        Steps.equal("region of row m", "g", Bytes.toString(regions.getRegionLocation(Steps.b("m")).getRegion().getStartKey()));
        Steps.equal("region of row n", "n", Bytes.toString(regions.getRegionLocation(Steps.b("n"), true).getRegion().getStartKey()));
      }
      Steps.equal("regions by admin", 4, admin.getRegions(name).size());
    });
    s.step("list", () -> {
      Steps.isTrue("in the full list", Arrays.asList(admin.listTableNames()).contains(name));
      Steps.equal("by pattern", List.of(name), Arrays.asList(admin.listTableNames(Pattern.compile("interop_ta.*"))));
      Steps.equal("by another pattern", 0, admin.listTableNames(Pattern.compile("nothing_.*")).length);
      Steps.equal("system tables are left out", false, Arrays.asList(admin.listTableNames()).contains(TableName.META_TABLE_NAME));
      Steps.isTrue("system tables on request",
          Arrays.asList(admin.listTableNames(Pattern.compile("hbase:.*"), true)).contains(TableName.META_TABLE_NAME));
    });
    s.step("describe", () -> {
      TableDescriptor d = admin.getDescriptor(name);
      Steps.equal("note", "kept as is", d.getValue("note"));
      Steps.equal("families", "f g", d.getColumnFamilyNames().stream().map(Bytes::toString).collect(Collectors.joining(" ")));
      ColumnFamilyDescriptor f = d.getColumnFamily(Steps.b("f"));
      Steps.equal("versions", 3, f.getMaxVersions());
      Steps.equal("time to live", 86_400, f.getTimeToLive());
      Steps.equal("bloom", BloomType.ROWCOL, f.getBloomFilterType());
      Steps.equal("block size", 8192, f.getBlocksize());
      Steps.equal("in memory", true, f.isInMemory());
      Steps.equal("own attribute", "value", Bytes.toString(f.getValue(Steps.b("own"))));
      Steps.equal("versions of g", 1, d.getColumnFamily(Steps.b("g")).getMaxVersions());
      Steps.isTrue("in the list of descriptors", admin.listTableDescriptors().stream().anyMatch(x -> x.getTableName().equals(name)));
    });
    s.refused("create what exists", "TableExistsException", "interop_tables", () -> admin.createTable(Interop.descriptor(name)));
    s.refused("create without families", "DoNotRetryIOException", "Table should have at least one column family",
        () -> admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("interop_bad")).build()));
    s.refused("create with no versions", "DoNotRetryIOException", "f",
        () -> admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf("interop_bad")).setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(Steps.b("f")).setTimeToLive(0).build()).build()));
    s.refused("create in an unknown namespace", "NamespaceNotFoundException", "interop_none",
        () -> admin.createTable(Interop.descriptor(TableName.valueOf("interop_none:t"))));
    s.refused("describe an unknown table", "TableNotFoundException", "interop_none",
        () -> admin.getDescriptor(TableName.valueOf("interop_none")));
  }

  private static void alter(Steps s, Admin admin, TableName name) throws Exception {
    s.step("add a family", () -> {
      admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.newBuilder(Steps.b("h")).setMaxVersions(7).build());
      Steps.equal("versions of h", 7, admin.getDescriptor(name).getColumnFamily(Steps.b("h")).getMaxVersions());
    });
    s.refused("add a family that exists", "InvalidFamilyOperationException", "Column family 'h' in table 'interop_tables' already exists",
        () -> admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("h")));
    s.step("modify a family", () -> {
      admin.modifyColumnFamily(name, ColumnFamilyDescriptorBuilder.newBuilder(Steps.b("h")).setMaxVersions(2).build());
      Steps.equal("versions of h", 2, admin.getDescriptor(name).getColumnFamily(Steps.b("h")).getMaxVersions());
    });
    s.step("modify the table", () -> {
      admin.modifyTable(TableDescriptorBuilder.newBuilder(admin.getDescriptor(name)).setValue("note", "changed").build());
      Steps.equal("note", "changed", admin.getDescriptor(name).getValue("note"));
    });
    s.step("delete a family", () -> {
      admin.deleteColumnFamily(name, Steps.b("h"));
      Steps.equal("h", null, admin.getDescriptor(name).getColumnFamily(Steps.b("h")));
    });
    s.refused("delete a family that is not there", "InvalidFamilyOperationException", "Family 'h' does not exist, so it cannot be deleted",
        () -> admin.deleteColumnFamily(name, Steps.b("h")));
    s.step("flush", () -> admin.flush(name));
  }

  private static void states(Steps s, Connection connection, Admin admin, TableName name) throws Exception {
    try (Table table = connection.getTable(name)) {
      s.refused("delete an enabled table", "TableNotDisabledException", "interop_tables", () -> admin.deleteTable(name));
      s.refused("truncate an enabled table", "TableNotDisabledException", "interop_tables", () -> admin.truncateTable(name, true));
      s.refused("enable an enabled table", "TableNotDisabledException", "interop_tables", () -> admin.enableTable(name));
      s.step("disable", () -> {
        table.put(new Put(Steps.b("a")).addColumn(Steps.b("f"), Steps.b("q"), Steps.b("kept")));
        admin.disableTable(name);
        Steps.equal("disabled", true, admin.isTableDisabled(name));
        Steps.equal("enabled", false, admin.isTableEnabled(name));
        Steps.equal("exists", true, admin.tableExists(name));
      });
      s.refused("get from a disabled table", "TableNotEnabledException", "interop_tables", () -> table.get(new Get(Steps.b("a"))));
      s.refused("put into a disabled table", "TableNotEnabledException", "interop_tables",
          () -> table.put(new Put(Steps.b("a")).addColumn(Steps.b("f"), Steps.b("q"), Steps.b("lost"))));
      s.refused("disable a disabled table", "TableNotEnabledException", "interop_tables", () -> admin.disableTable(name));
      s.step("enable: the row is still there", () -> {
        admin.enableTable(name);
        Steps.equal("cells", "a/f:q=kept", Steps.cells(table.get(new Get(Steps.b("a")))));
      });
      s.step("truncate, splits kept", () -> {
        admin.disableTable(name);
        admin.truncateTable(name, true);
        Steps.equal("enabled", true, admin.isTableEnabled(name));
        Steps.equal("regions", 4, admin.getRegions(name).size());
        Steps.equal("cells", "", Steps.cells(table.get(new Get(Steps.b("a")))));
      });
      s.step("truncate, splits dropped", () -> {
        admin.disableTable(name);
        admin.truncateTable(name, false);
        Steps.equal("regions", 1, admin.getRegions(name).size());
        table.put(new Put(Steps.b("z")).addColumn(Steps.b("f"), Steps.b("q"), Steps.b("new")));
        Steps.equal("cells", "z/f:q=new", Steps.cells(table.get(new Get(Steps.b("z")))));
      });
      s.step("drop", () -> {
        admin.disableTable(name);
        admin.deleteTable(name);
        Steps.equal("exists", false, admin.tableExists(name));
        Steps.equal("listed", false, Arrays.asList(admin.listTableNames()).contains(name));
      });
      s.refused("get from a dropped table", "TableNotFoundException", "interop_tables", () -> table.get(new Get(Steps.b("a"))));
      s.refused("drop an unknown table", "TableNotFoundException", "interop_tables", () -> admin.deleteTable(name));
      s.refused("disable an unknown table", "TableNotFoundException", "interop_tables", () -> admin.disableTable(name));
      s.refused("enable an unknown table", "TableNotFoundException", "interop_tables", () -> admin.enableTable(name));
      s.step("create again under the same name", () -> {
        admin.createTable(Interop.descriptor(name));
        Steps.equal("cells", "", Steps.cells(table.get(new Get(Steps.b("z")))));
        Interop.drop(admin, name);
      });
    }
  }

  private static void namespaces(Steps s, Admin admin) throws Exception {
    TableName inside = TableName.valueOf("interop_ns:t");
    s.step("namespaces: default and hbase", () -> {
      List<String> names = new ArrayList<>(Arrays.stream(admin.listNamespaceDescriptors()).map(NamespaceDescriptor::getName).toList());
      Steps.isTrue("both in " + names, names.containsAll(List.of("default", "hbase")));
    });
    s.step("create a namespace with an attribute", () -> {
      if (Arrays.stream(admin.listNamespaceDescriptors()).anyMatch(n -> n.getName().equals("interop_ns"))) {
        Interop.drop(admin, inside);
        admin.deleteNamespace("interop_ns");
      }
      admin.createNamespace(NamespaceDescriptor.create("interop_ns").addConfiguration(Map.of("k", "v")).build());
      Steps.equal("attribute", "v", admin.getNamespaceDescriptor("interop_ns").getConfigurationValue("k"));
    });
    s.refused("create a namespace that exists", "NamespaceExistException", "interop_ns",
        () -> admin.createNamespace(NamespaceDescriptor.create("interop_ns").build()));
    s.step("table in a namespace", () -> {
      admin.createTable(Interop.descriptor(inside));
      Steps.equal("exists", true, admin.tableExists(inside));
      Steps.equal("tables", List.of(inside), Arrays.asList(admin.listTableNamesByNamespace("interop_ns")));
      Steps.isTrue("in the full list", Arrays.asList(admin.listTableNames()).contains(inside));
    });
    s.refused("delete a namespace with a table", "ConstraintException", "interop_ns", () -> admin.deleteNamespace("interop_ns"));
    s.step("delete a namespace", () -> {
      Interop.drop(admin, inside);
      admin.deleteNamespace("interop_ns");
    });
    s.refused("describe an unknown namespace", "NamespaceNotFoundException", "interop_ns", () -> admin.getNamespaceDescriptor("interop_ns"));
    s.refused("delete an unknown namespace", "NamespaceNotFoundException", "interop_ns", () -> admin.deleteNamespace("interop_ns"));
    s.refused("delete namespace default", "ConstraintException", "Reserved namespace default cannot be removed",
        () -> admin.deleteNamespace("default"));
  }

  private static void cluster(Steps s, Admin admin) {
    s.step("cluster metrics: master, servers, version", () -> {
      ClusterMetrics metrics = admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER, ClusterMetrics.Option.SERVERS_NAME,
          ClusterMetrics.Option.LIVE_SERVERS, ClusterMetrics.Option.CLUSTER_ID, ClusterMetrics.Option.HBASE_VERSION));
      Steps.isTrue("master", metrics.getMasterName() != null);
      Steps.isTrue("servers", !metrics.getServersName().isEmpty());
      Steps.equal("live servers", metrics.getServersName().size(), metrics.getLiveServerMetrics().size());
      Steps.isTrue("cluster id", metrics.getClusterId() != null && !metrics.getClusterId().isEmpty());
      Steps.isTrue("version", metrics.getHBaseVersion() != null);
    });
    s.step("master and region servers by admin", () -> {
      Steps.isTrue("master", admin.getMaster() != null);
      Steps.isTrue("servers", !admin.getRegionServers().isEmpty());
    });
    s.step("balancer switch is on", () -> Steps.equal("on", true, admin.isBalancerEnabled()));
  }
}
