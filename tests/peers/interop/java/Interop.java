import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Drives any HBase server through the official client and checks every answer: {@code Interop HOST:PORT[,..] [GROUP..]}.
 *
 * <p>The address is that of a master or region server, for the RPC registry. The system property {@code zookeeper} is the
 * address of ZooKeeper; without it there is no group {@code zookeeper}. Exits with 0 when every step passed.
 */
public final class Interop {
  static final byte[][] SPLITS = {Steps.b("g"), Steps.b("n"), Steps.b("t")};

  interface Group {
    void run(Steps steps, Connection connection, Admin admin) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    if (args.length == 0) {
      System.err.println("usage: Interop HOST:PORT[,..] [GROUP..]");
      System.exit(2);
    }
    Configuration conf = configuration(args[0]);
    Map<String, Group> groups = new LinkedHashMap<>();
    groups.put("tables", TableSteps::run);
    groups.put("admin", AdminSteps::run);
    groups.put("schema", SchemaSteps::run);
    groups.put("rows", RowSteps::run);
    groups.put("deletes", DeleteSteps::run);
    groups.put("counters", CounterSteps::run);
    groups.put("conditions", ConditionSteps::run);
    groups.put("batches", BatchSteps::run);
    groups.put("scans", ScanSteps::run);
    groups.put("filters", FilterSteps::run);
    groups.put("refusals", RefusalSteps::run);
    groups.put("async", (steps, connection, admin) -> {
      try (AsyncConnection async = ConnectionFactory.createAsyncConnection(conf).get()) {
        AsyncSteps.run(steps, async);
      }
    });
    String quorum = System.getProperty("zookeeper", "");
    groups.put("meta", (steps, connection, admin) -> MetaSteps.run(steps, connection, admin, conf, quorum));
    if (!quorum.isEmpty()) {
      groups.put("zookeeper", (steps, connection, admin) -> ZooKeeperSteps.run(steps, quorum));
    }
    List<String> chosen = args.length > 1 ? Arrays.asList(args).subList(1, args.length) : List.copyOf(groups.keySet());
    if (!groups.keySet().containsAll(chosen)) {
      System.err.println("groups are: " + String.join(" ", groups.keySet()));
      System.exit(2);
    }

    Steps steps = new Steps();
    try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
      for (String name : chosen) {
        steps.group(name, () -> groups.get(name).run(steps, connection, admin));
      }
    }
    System.exit(steps.report() ? 0 : 1);
  }

  /** How a client reaches the servers at these addresses, and for how long it retries. */
  static Configuration configuration(String address) {
    Configuration conf = new Configuration(false);
    conf.addResource("hbase-default.xml");
    conf.setBoolean("hbase.defaults.for.version.skip", true);
    conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    conf.set("hbase.client.bootstrap.servers", address);
    // A server that never answers costs minutes, and one on a busy machine is waited for.
    conf.setInt("hbase.client.retries.number", 6);
    conf.setInt("hbase.client.pause", 50);
    conf.setInt("hbase.rpc.timeout", 120_000);
    conf.setInt("hbase.client.operation.timeout", 300_000);
    conf.setInt("hbase.client.meta.operation.timeout", 300_000);
    conf.setInt("hbase.client.scanner.timeout.period", 120_000);
    conf.setInt("hbase.client.sync.wait.timeout.msec", 600_000);
    conf.setInt("hbase.client.procedure.future.get.timeout.msec", 600_000);
    return conf;
  }

  /** Families f (three versions) and g (one). */
  static TableDescriptor descriptor(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(Steps.b("f")).setMaxVersions(3).build())
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("g")).build();
  }

  /** A new table of four regions; deletes one that an earlier run may have left. */
  static TableName fresh(Admin admin, String name) throws Exception {
    TableName table = TableName.valueOf(name);
    drop(admin, table);
    admin.createTable(descriptor(table), SPLITS);
    return table;
  }

  static void drop(Admin admin, TableName table) throws Exception {
    if (admin.tableExists(table)) {
      if (admin.isTableEnabled(table)) {
        admin.disableTable(table);
      }
      admin.deleteTable(table);
    }
  }
}
