import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * The client in its default configuration, which finds the cluster through ZooKeeper, and ZooKeeper's own client.
 *
 * <p>{@code quorum} is that of the cluster, as HOST:PORT.
 */
final class ZooKeeperSteps {
  static void run(Steps s, String quorum) throws Exception {
    clients(s, quorum);
    znodes(s, quorum);
  }

  /** Nothing is set but the quorum. */
  private static Configuration configuration(String quorum) {
    Configuration conf = new Configuration(false);
    conf.addResource("hbase-default.xml");
    conf.setBoolean("hbase.defaults.for.version.skip", true);
    int colon = quorum.lastIndexOf(':');
    conf.set("hbase.zookeeper.quorum", quorum.substring(0, colon));
    conf.set("hbase.zookeeper.property.clientPort", quorum.substring(colon + 1));
    return conf;
  }

  private static void clients(Steps s, String quorum) throws Exception {
    TableName name = TableName.valueOf("interop_zookeeper");
    try (Connection connection = ConnectionFactory.createConnection(configuration(quorum)); Admin admin = connection.getAdmin()) {
      s.step("a table is made by the master that ZooKeeper names", () -> Interop.fresh(admin, name.getNameAsString()));
      s.step("a row is written and read where ZooKeeper says that hbase:meta is", () -> {
        try (Table table = connection.getTable(name)) {
          table.put(new Put(Steps.b("r")).addColumn(Steps.b("f"), Steps.b("q"), Steps.b("v")));
          Steps.equal("value", "v", Bytes.toString(table.get(new Get(Steps.b("r"))).getValue(Steps.b("f"), Steps.b("q"))));
        }
      });
      s.step("the cluster has an id, a master and servers", () -> {
        Steps.equal("length of the id", 36, admin.getClusterMetrics().getClusterId().length());
        Steps.equal("master", admin.getMaster(), admin.getClusterMetrics().getMasterName());
      });
      try (AsyncConnection async = ConnectionFactory.createAsyncConnection(configuration(quorum)).get()) {
        s.step("the asynchronous client reads the row too", () -> Steps.equal("value", "v",
            Bytes.toString(async.getTable(name).get(new Get(Steps.b("r"))).get().getValue(Steps.b("f"), Steps.b("q")))));
      }
      Interop.drop(admin, name);
    }
  }

  private static void znodes(Steps s, String quorum) throws Exception {
    BlockingQueue<WatchedEvent> events = new LinkedBlockingQueue<>();
    TableName name = TableName.valueOf("interop_watched");
    try (Connection connection = ConnectionFactory.createConnection(configuration(quorum));
        Admin admin = connection.getAdmin();
        ZooKeeper zk = new ZooKeeper(quorum, 10_000, events::add)) {
      Interop.drop(admin, name);
      s.step("the session begins with an event", () -> {
        Steps.equal("state", Watcher.Event.KeeperState.SyncConnected, events.poll(30, TimeUnit.SECONDS).getState());
        Steps.equal("timeout", 10_000, zk.getSessionTimeout());
      });
      s.step("each live server has an ephemeral znode", () -> {
        List<String> names = zk.getChildren("/hbase/rs", false);
        Steps.equal("servers", admin.getClusterMetrics().getLiveServerMetrics().size(), names.size());
        for (String server : names) {
          ServerName.valueOf(server);
          Stat stat = zk.exists("/hbase/rs/" + server, false);
          Steps.equal("owner of " + server, true, stat.getEphemeralOwner() != 0);
        }
      });
      s.step("the contents are written by a server, and their records agree", () -> {
        for (String path : new String[] {"/hbase/hbaseid", "/hbase/master", "/hbase/meta-region-server", "/hbase/running"}) {
          Stat stat = new Stat();
          byte[] data = zk.getData(path, false, stat);
          Steps.equal("first byte of " + path, (byte) 0xFF, data[0]);
          Steps.equal("length of " + path, data.length, stat.getDataLength());
        }
      });
      s.refused("a znode that does not exist", "NoNodeException", "/hbase/none", () -> zk.getData("/hbase/none", false, null));
      s.step("a watch tells of a new table, and of its state", () -> {
        zk.getChildren("/hbase/table", true);
        Interop.fresh(admin, name.getNameAsString());
        WatchedEvent created = events.poll(30, TimeUnit.SECONDS);
        Steps.equal("event", Watcher.Event.EventType.NodeChildrenChanged, created.getType());
        Steps.equal("path", "/hbase/table", created.getPath());
        String path = "/hbase/table/" + name;
        Steps.equal("state", true, zk.getData(path, true, null) != null);
        admin.disableTable(name);
        WatchedEvent disabled = events.poll(30, TimeUnit.SECONDS);
        Steps.equal("event", Watcher.Event.EventType.NodeDataChanged, disabled.getType());
        Steps.equal("path", path, disabled.getPath());
        zk.exists(path, true);
        admin.deleteTable(name);
        Steps.equal("event", Watcher.Event.EventType.NodeDeleted, events.poll(30, TimeUnit.SECONDS).getType());
      });
      Interop.drop(admin, name);
    } catch (KeeperException e) {
      throw new IllegalStateException(e);
    }
  }
}
