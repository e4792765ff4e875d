import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.EnumSet;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Tables, namespaces and regions. */
final class Tables {
  static TableDescriptor descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(toBytes("f")).setMaxVersions(3).build())
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g")).build();
  }

  static void create(Admin admin) throws Exception {
    Capture.step("table exists: no", () -> Capture.check(!admin.tableExists(Capture.TABLE), "exists"));
    Capture.step("create table with splits g and p", () -> make(admin));
    Capture.step("table exists: yes", () -> Capture.check(admin.tableExists(Capture.TABLE), "exists"));
    Capture.step("describe table", () -> admin.getDescriptor(Capture.TABLE));
    Capture.step("list tables", () -> admin.listTableNames());
    Capture.step("list namespaces", () -> admin.listNamespaceDescriptors());
    Capture.step("cluster: master and server names",
        () -> admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER, ClusterMetrics.Option.SERVERS_NAME)));
  }

  static void move(Connection connection, Admin admin) throws Exception {
    try (RegionLocator regions = connection.getRegionLocator(Capture.TABLE); Table table = connection.getTable(Capture.TABLE)) {
      Capture.step("locate all regions", () -> Capture.check(regions.getAllRegionLocations().size() == 3, "three regions"));
      HRegionLocation first = regions.getRegionLocation(toBytes("a"));
      ServerName other = null;
      for (ServerName server : admin.getRegionServers()) {
        other = server.equals(first.getServerName()) ? other : server;
      }
      ServerName target = other;
      Capture.step("locate row a and read it", () -> table.get(new Get(toBytes("a"))));
      Capture.step("move the first region", () -> admin.move(first.getRegion().getEncodedNameAsBytes(), target));
      Capture.step("get through the old location", () -> table.get(new Get(toBytes("a"))));
    }
  }

  static void states(Connection connection, Admin admin) throws Exception {
    Capture.refused("delete an enabled table", "TableNotDisabledException", () -> admin.deleteTable(Capture.TABLE));
    Capture.step("flush table", () -> admin.flush(Capture.TABLE));
    Capture.step("disable table", () -> admin.disableTable(Capture.TABLE));
    try (Table table = connection.getTable(Capture.TABLE)) {
      Capture.refused("get from a disabled table", "TableNotEnabledException", () -> table.get(new Get(toBytes("a"))));
    }
    Capture.refused("disable a disabled table", "TableNotEnabledException", () -> admin.disableTable(Capture.TABLE));
    Capture.step("truncate table, keep the splits", () -> admin.truncateTable(Capture.TABLE, true));
    Capture.step("disable table", () -> admin.disableTable(Capture.TABLE));
    Capture.step("enable table", () -> admin.enableTable(Capture.TABLE));
    Capture.refused("enable an enabled table", "TableNotDisabledException", () -> admin.enableTable(Capture.TABLE));
    remove(admin);
    Capture.refused("delete an unknown table", "TableNotFoundException", () -> admin.deleteTable(Capture.TABLE));
    Capture.step("create namespace", () -> admin.createNamespace(NamespaceDescriptor.create("capturing").build()));
    Capture.step("delete namespace", () -> admin.deleteNamespace("capturing"));
  }

  static void make(Admin admin) throws Exception {
    admin.createTable(descriptor(Capture.TABLE), new byte[][] {toBytes("g"), toBytes("p")});
  }

  static void unmake(Admin admin) throws Exception {
    admin.disableTable(Capture.TABLE);
    admin.deleteTable(Capture.TABLE);
  }

  static void remove(Admin admin) throws Exception {
    Capture.step("disable table", () -> admin.disableTable(Capture.TABLE));
    Capture.step("delete table", () -> admin.deleteTable(Capture.TABLE));
  }

  /** The server that holds this row. */
  static HRegionLocation holding(Connection connection, String row) throws Exception {
    try (RegionLocator regions = connection.getRegionLocator(Capture.TABLE)) {
      return regions.getRegionLocation(toBytes(row));
    }
  }
}
