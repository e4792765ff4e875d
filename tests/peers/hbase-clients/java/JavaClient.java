import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * The official Java client of the version on the class path, with the hbase-site.xml there.
 *
 * <p>{@code steps} tries the two clients; {@code make TABLE} and {@code drop TABLE} are for clients that have no admin.
 */
final class JavaClient {
  public static void main(String[] args) throws Exception {
    if (args[0].equals("steps")) {
      Steps s = new Steps();
      String version = VersionInfo.getVersion().replace("-hadoop3", "");
      s.group("java " + version, () -> blocking(s, TableName.valueOf("clients_java")));
      s.group("java " + version + " async", () -> async(s, TableName.valueOf("clients_java_async")));
      System.exit(0);
    }
    TableName table = TableName.valueOf(args[1]);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      drop(admin, table);
      if (args[0].equals("make")) {
        admin.createTable(descriptor(table));
      }
    }
  }

  private static void blocking(Steps s, TableName table) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Admin admin = connection.getAdmin()) {
      drop(admin, table);
      BlockingSteps.run(s, connection, admin, table);
      drop(admin, table);
    }
  }

  private static void async(Steps s, TableName table) throws Exception {
    try (AsyncConnection connection = ConnectionFactory.createAsyncConnection(HBaseConfiguration.create()).get()) {
      if (connection.getAdmin().tableExists(table).get()) {
        connection.getAdmin().disableTable(table).get();
        connection.getAdmin().deleteTable(table).get();
      }
      AsyncConnectionSteps.run(s, connection, table);
    }
  }

  private static void drop(Admin admin, TableName table) throws Exception {
    if (admin.tableExists(table)) {
      if (admin.isTableEnabled(table)) {
        admin.disableTable(table);
      }
      admin.deleteTable(table);
    }
  }

  static TableDescriptor descriptor(TableName table) {
    return TableDescriptorBuilder.newBuilder(table)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("f")).setMaxVersions(3).build())
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g")).build();
  }

  static String values(Result result) {
    return Arrays.stream(result.rawCells())
        .map(cell -> Bytes.toString(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()))
        .collect(Collectors.joining(" "));
  }

  static String sorted(List<?> names) {
    return names.stream().map(Object::toString).sorted().collect(Collectors.joining(" "));
  }
}
