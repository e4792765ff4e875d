import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
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
 * Records the bytes between the official client and a server: {@code Capture FOLDER SERVER ADDRESS PART ..}.
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
    // Daemon threads, so that a failed step ends the program.
    NioEventLoopGroup group = new NioEventLoopGroup(1, new DefaultThreadFactory("network", true));
    Configuration silent = HBaseConfiguration.create();
    silent.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    silent.set("hbase.client.bootstrap.servers", args[2]);
    silent.setInt("hbase.client.bootstrap.hedged.fanout", 1);
    silent.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    silent.setInt(HConstants.HBASE_CLIENT_PAUSE, 100);
    Configuration conf = new Configuration(silent);
    NettyRpcClientConfigHelper.setEventLoopConfig(conf, group, RecordingChannel.class);

    for (String part : List.of(args).subList(3, args.length)) {
      switch (part) {
        case "plain":
          record(folder, part, origin, conf, (connection, admin) -> {
            Tables.create(admin);
            Rows.writeAndRead(connection);
            Scans.run(connection);
            Refusals.run(connection, admin);
            Tables.move(connection, admin);
            Tables.states(connection, admin);
          });
          break;
        case "brief":
          record(folder, part, origin, conf, (connection, admin) -> {
            Tables.create(admin);
            Rows.brief(connection);
            step("flush table", () -> admin.flush(TABLE));
            Tables.remove(admin);
          });
          break;
        case "filters":
          withTable(silent, () -> record(folder, part, origin, conf, (connection, admin) -> Filters.run(connection)));
          break;
        case "async":
          withTable(silent, () -> record(folder, part, origin, conf, (connection, admin) -> Rows.asynchronous(conf)));
          break;
        case "bootstrap":
          Configuration refreshing = new Configuration(conf);
          // A refresh that falls due before the client has found the cluster is skipped; the next one comes soon.
          refreshing.setInt("hbase.client.bootstrap.initial_refresh_delay_secs", 1);
          refreshing.setInt("hbase.client.bootstrap.refresh_interval_secs", 20);
          refreshing.setInt("hbase.client.bootstrap.min_secs_between_refreshes", 1);
          record(folder, part, origin, refreshing, (connection, admin) -> Recording.settle(r -> r.asked("GetBootstrapNodes")));
          break;
        case "no-cell-blocks":
          Configuration withoutBlocks = new Configuration(conf);
          withoutBlocks.set("hbase.client.rpc.codec", "");
          withoutBlocks.set("hbase.client.default.rpc.codec", "");
          withTable(silent, () -> record(folder, part, origin, withoutBlocks, (connection, admin) -> Rows.brief(connection)));
          break;
        case "gzip":
          Configuration compressed = new Configuration(conf);
          compressed.set("hbase.client.rpc.compressor", "org.apache.hadoop.io.compress.GzipCodec");
          withTable(silent, () -> record(folder, part, origin, compressed, (connection, admin) -> Rows.brief(connection)));
          break;
        case "registry":
          withTable(silent, () -> registry(folder, part, origin));
          break;
        default:
          throw new IllegalArgumentException("no part is called " + part);
      }
    }
  }

  /** The registry on ZooKeeper, whose address is in the cluster's configuration on the class path. */
  private static void registry(Path folder, String part, String origin) throws Exception {
    Configuration through = HBaseConfiguration.create();
    InetSocketAddress server = new InetSocketAddress(through.get("hbase.zookeeper.quorum").split(":")[0],
        through.getInt("hbase.zookeeper.property.clientPort", 2181));
    try (ZooKeeperRelay relay = new ZooKeeperRelay(server)) {
      through.setInt("hbase.zookeeper.property.clientPort", relay.port());
      try (Connection connection = ConnectionFactory.createConnection(through); Admin admin = connection.getAdmin()) {
        check(admin.tableExists(TABLE), "exists");
        admin.listNamespaceDescriptors();
      }
      relay.write(folder, part, origin);
    }
    System.out.println("part " + part + " recorded");
  }

  /** Runs a step on a table that is created and deleted outside of the recording. */
  private static void withTable(Configuration silent, Step step) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(silent); Admin admin = connection.getAdmin()) {
      Tables.make(admin);
      try {
        step.run();
      } finally {
        Tables.unmake(admin);
      }
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
    Recording.step(name);
    step.run();
    Recording.settle(r -> true);
  }

  /** A step that must throw this exception, anywhere in the chain of causes or among the causes of a batch. */
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
