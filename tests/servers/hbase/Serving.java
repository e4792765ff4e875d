import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/**
 * Exits with 0 once every given server serves: {@code Serving SECONDS PORT@MILLIS ..}.
 *
 * <p>A server counts when the initialised master lists it with a start code not older than MILLIS; the namespace table
 * must answer a scan too, because meta can be up while no user region is, and so must the tables of access control and of
 * labels where there are these. What is missing goes to standard output.
 */
public final class Serving {
  public static void main(String[] args) throws Exception {
    long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000_000L;
    Map<Integer, Long> asked = new HashMap<>();
    for (int i = 1; i < args.length; i++) {
      String[] part = args[i].split("@");
      asked.put(Integer.parseInt(part[0]), Long.parseLong(part[1]));
    }
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 0);
    conf.setInt("zookeeper.recovery.retry", 0);
    conf.setInt("hbase.client.operation.timeout", 30000);
    conf.setInt("hbase.rpc.timeout", 20000);
    conf.setInt("hbase.client.meta.operation.timeout", 30000);
    conf.setInt("hbase.ipc.client.failed.servers.expiry", 100);
    conf.setInt("hbase.client.pause", 50);

    String last = "";
    while (System.nanoTime() < end) {
      String now;
      try {
        now = missing(conf, asked);
        if (now == null) {
          System.out.println("all serve");
          System.exit(0);
        }
      } catch (Exception e) {
        now = firstCause(e);
      }
      if (!now.equals(last)) {
        System.out.println(now);
      }
      last = now;
      Thread.sleep(100);
    }
    System.exit(1);
  }

  /** Returns what does not serve yet, or null. */
  private static String missing(Configuration conf, Map<Integer, Long> asked) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
      ClusterMetrics metrics =
          admin.getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER, ClusterMetrics.Option.LIVE_SERVERS));
      Map<Integer, Long> left = new HashMap<>(asked);
      serve(left, metrics.getMasterName());
      for (ServerName server : metrics.getLiveServerMetrics().keySet()) {
        serve(left, server);
      }
      if (!left.isEmpty()) {
        return "not reported in: ports " + left.keySet();
      }
      // Rejected until the master has initialised, unlike the calls above.
      admin.listNamespaceDescriptors();
      int seen = rows(connection, "hbase:namespace");
      if (seen < 2) {
        return "hbase:namespace has " + seen + " rows";
      }
      // The master creates them last.
      String coprocessors = conf.get("hbase.coprocessor.master.classes", "");
      if (coprocessors.contains("AccessController")) {
        rows(connection, "hbase:acl");
      }
      if (coprocessors.contains("VisibilityController")) {
        rows(connection, "hbase:labels");
      }
      return null;
    }
  }

  private static int rows(Connection connection, String name) throws Exception {
    try (Table table = connection.getTable(TableName.valueOf(name)); ResultScanner rows = table.getScanner(new Scan())) {
      int seen = 0;
      while (rows.next() != null) {
        seen++;
      }
      return seen;
    }
  }

  private static String firstCause(Throwable e) {
    while (e.getCause() != null) {
      e = e.getCause();
    }
    return String.valueOf(e).split("\n")[0];
  }

  private static void serve(Map<Integer, Long> left, ServerName server) {
    if (server != null && left.getOrDefault(server.getPort(), Long.MAX_VALUE) <= server.getStartcode()) {
      left.remove(server.getPort());
    }
  }
}
