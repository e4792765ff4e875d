import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.ipc.NettyRpcClientConfigHelper;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Records the bytes between the official client and a real cluster: {@code Capture FOLDER SERVER-VERSION ADDRESS [brief]}.
 *
 * <p>Each part below is one client with its own connections, and so its own files.
 */
public final class Capture {
  static final TableName TABLE = TableName.valueOf("captured");

  interface Part {
    void run(Connection connection, Admin admin) throws Exception;
  }

  interface Step {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    String origin = "client " + VersionInfo.getVersion() + ", server " + args[1];
    // Daemon threads, so that a failed step ends the program.
    NioEventLoopGroup group = new NioEventLoopGroup(1, new DefaultThreadFactory("network", true));
    Configuration conf = HBaseConfiguration.create();
    NettyRpcClientConfigHelper.setEventLoopConfig(conf, group, RecordingChannel.class);
    conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    conf.set("hbase.client.bootstrap.servers", args[2]);
    conf.setInt("hbase.client.bootstrap.hedged.fanout", 1);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, 100);

    if (args.length > 3 && args[3].equals("brief")) {
      record(folder, "brief", origin, conf, (connection, admin) -> {
        Tables.create(admin);
        Rows.brief(connection);
        step("flush table", () -> admin.flush(TABLE));
        Tables.remove(admin);
      });
      return;
    }
    record(folder, "plain", origin, conf, (connection, admin) -> {
      Tables.create(admin);
      Rows.writeAndRead(connection);
      Scans.run(connection);
      Refusals.run(connection, admin);
      Tables.move(connection, admin);
      Tables.states(connection, admin);
    });

    record(folder, "async", origin, conf, (connection, admin) -> {
      Tables.create(admin);
      Rows.asynchronous(conf);
    });

    Configuration refreshing = new Configuration(conf);
    refreshing.setInt("hbase.client.bootstrap.initial_refresh_delay_secs", 1);
    record(folder, "bootstrap", origin, refreshing,
        (connection, admin) -> step("ask for the bootstrap nodes", r -> r.asked("GetBootstrapNodes"), () -> {}));

    Configuration withoutBlocks = new Configuration(conf);
    withoutBlocks.set("hbase.client.rpc.codec", "");
    withoutBlocks.set("hbase.client.default.rpc.codec", "");
    record(folder, "no-cell-blocks", origin, withoutBlocks, (connection, admin) -> Rows.brief(connection));

    Configuration compressed = new Configuration(conf);
    compressed.set("hbase.client.rpc.compressor", "org.apache.hadoop.io.compress.GzipCodec");
    record(folder, "gzip", origin, compressed, (connection, admin) -> Rows.brief(connection));

    String[] zooKeeper = conf.get("hbase.zookeeper.quorum").split(":");
    int port = conf.getInt("hbase.zookeeper.property.clientPort", 2181);
    try (ZooKeeperRelay relay = new ZooKeeperRelay(new InetSocketAddress(zooKeeper[0], port))) {
      Configuration through = HBaseConfiguration.create();
      through.setInt("hbase.zookeeper.property.clientPort", relay.port());
      try (Connection connection = ConnectionFactory.createConnection(through); Admin admin = connection.getAdmin()) {
        check(admin.tableExists(TABLE), "exists");
        admin.listNamespaceDescriptors();
        Tables.remove(admin);
      }
      relay.write(folder, "registry", origin);
    }
  }

  private static void record(Path folder, String name, String origin, Configuration conf, Part part) throws Exception {
    Recording.reset();
    Recording.step("connect");
    try (Connection connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
      part.run(connection, admin);
      Recording.settle(r -> true);
    }
    Recording.write(folder, name, origin);
    System.out.println("part " + name + " recorded");
  }

  static void step(String name, Step step) throws Exception {
    step(name, r -> true, step);
  }

  private static void step(String name, Predicate<Recording> seen, Step step) throws Exception {
    Recording.step(name);
    step.run();
    Recording.settle(seen);
  }

  /** A step whose answer must be this exception, anywhere in the chain of causes or among the causes of a batch. */
  static void refused(String name, String exception, Step step) throws Exception {
    step(name, () -> {
      try {
        step.run();
      } catch (Exception e) {
        if (names(e).stream().noneMatch(n -> n.endsWith(exception))) {
          throw new AssertionError(name + ": expected " + exception + ", got " + e, e);
        }
        return;
      }
      throw new AssertionError(name + ": expected " + exception + ", got no exception");
    });
  }

  private static List<String> names(Throwable e) {
    java.util.ArrayList<String> names = new java.util.ArrayList<>();
    for (Throwable t = e; t != null; t = t.getCause()) {
      names.add(t.getClass().getName());
      if (t instanceof org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException) {
        ((org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException) t).getCauses().forEach(c -> names.addAll(names(c)));
      }
      if (t instanceof org.apache.hadoop.ipc.RemoteException) {
        names.add(((org.apache.hadoop.ipc.RemoteException) t).getClassName());
      }
    }
    return names;
  }

  static void check(boolean held, String what) {
    if (!held) {
      throw new AssertionError(what);
    }
  }
}
