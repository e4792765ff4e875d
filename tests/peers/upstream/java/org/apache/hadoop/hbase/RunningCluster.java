package org.apache.hadoop.hbase;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos;
import org.junit.AssumptionViolatedException;

/**
 * The cluster of a test, in the place of the one that HBaseTestingUtility would start: a mock, a process of its own, or the cluster
 * of the ZooKeeper in the property `zookeeper`. A test that wants more than a client can ask for, such as a server's objects, is
 * assumed not to apply.
 */
public final class RunningCluster extends HBaseCluster {
  /** The mocks that run. */
  private static final Map<HBaseTestingUtility, Process> MOCKS = new ConcurrentHashMap<>();

  /** What a test sets for the servers, and the mock has too. */
  private static final List<String> SETTINGS = List.of("hbase.coprocessor.region.classes", "hbase.coprocessor.user.region.classes",
      "hbase.table.sanity.checks", "hbase.client.scanner.timeout.period", "hbase.quota.enabled",
      "hbase.regionserver.slowlog.buffer.enabled", "hbase.ipc.max.request.size", "hbase.region.replica.replication.catalog.enabled");

  /** The coprocessors that the mock has. */
  private static final Set<String> COPROCESSORS = Set.of("org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint",
      "org.apache.hadoop.hbase.coprocessor.AggregateImplementation");

  private RunningCluster(Configuration configuration) {
    super(configuration);
  }

  /** What `startMiniCluster` does. */
  public static void use(HBaseTestingUtility utility, StartMiniClusterOption option) throws IOException {
    String zookeeper = System.getProperty("zookeeper");
    if (zookeeper == null) {
      zookeeper = start(utility, option);
    }
    Configuration configuration = utility.getConfiguration();
    configuration.set(HConstants.ZOOKEEPER_QUORUM, zookeeper.substring(0, zookeeper.lastIndexOf(':')));
    configuration.set(HConstants.ZOOKEEPER_CLIENT_PORT, zookeeper.substring(zookeeper.lastIndexOf(':') + 1));
    RunningCluster cluster = new RunningCluster(configuration);
    cluster.initialClusterStatus = cluster.getClusterMetrics();
    utility.setHBaseCluster(cluster);
  }

  private static String start(HBaseTestingUtility utility, StartMiniClusterOption option) throws IOException {
    List<String> command = new ArrayList<>(List.of(System.getProperty("mock"), "--zk-port", "0"));
    command.addAll(List.of("--servers", String.valueOf(option.getNumRegionServers())));
    for (String name : SETTINGS) {
      String value = utility.getConfiguration().getTrimmed(name);
      if (value != null && name.endsWith(".classes")) {
        // What other coprocessors do is missing, which their tests notice.
        value = Stream.of(value.split(",")).filter(COPROCESSORS::contains).collect(Collectors.joining(","));
      }
      if (value != null && !value.isEmpty()) {
        command.addAll(List.of("--setting", name + "=" + value));
      }
    }
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    MOCKS.put(utility, process);
    // The script that started this ends what is left when it is killed.
    Files.writeString(Path.of(System.getProperty("pids")), process.pid() + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    String ready = process.inputReader().readLine();
    Matcher addresses = Pattern.compile("\"hbase_rpc\":\"([^\"]*)\",\"hbase_zk\":\"([^\"]*)\"").matcher(String.valueOf(ready));
    if (!addresses.find()) {
      throw new IOException("start a mock: expected a ready line with hbase_rpc and hbase_zk, got " + ready);
    }
    utility.getConfiguration().set(HConstants.MASTER_ADDRS_KEY, addresses.group(1));
    return addresses.group(2);
  }

  /** What `shutdownMiniCluster` does. */
  public static void leave(HBaseTestingUtility utility) throws IOException {
    utility.closeConnection();
    Process process = MOCKS.get(utility);
    // One that has ended already is left for `endAll` to find.
    if (process != null && process.isAlive()) {
      MOCKS.remove(utility);
      process.destroy();
    }
  }

  public static void flush(HBaseTestingUtility utility) throws IOException {
    for (TableName table : utility.getAdmin().listTableNames()) {
      flush(utility, table);
    }
  }

  public static void flush(HBaseTestingUtility utility, TableName table) throws IOException {
    utility.getAdmin().flush(table);
  }

  public static void compact(HBaseTestingUtility utility, boolean major) throws IOException {
    for (TableName table : utility.getAdmin().listTableNames()) {
      compact(utility, table, major);
    }
  }

  /** Compacts a table, and waits for its end as the test expects. */
  public static void compact(HBaseTestingUtility utility, TableName table, boolean major) throws IOException {
    Admin admin = utility.getAdmin();
    if (major) {
      admin.majorCompact(table);
    } else {
      admin.compact(table);
    }
    utility.waitFor(60_000, () -> admin.getCompactionState(table) == CompactionState.NONE);
  }

  public static void waitUntilNoRegionsInTransition(HBaseTestingUtility utility) throws IOException {
    waitUntilNoRegionsInTransition(utility, 60_000);
  }

  public static void waitUntilNoRegionsInTransition(HBaseTestingUtility utility, long timeout) throws IOException {
    Admin admin = utility.getAdmin();
    utility.waitFor(timeout, () -> admin.getClusterMetrics().getRegionStatesInTransition().isEmpty());
  }

  /** Checks that the master has a complete snapshot of a table. */
  public static void confirmSnapshot(String name, TableName table, Admin admin) throws IOException {
    for (SnapshotDescription snapshot : admin.listSnapshots()) {
      if (snapshot.getName().equals(name) && snapshot.getTableName().equals(table)) {
        return;
      }
    }
    throw new AssertionError("there is no snapshot " + name + " of " + table);
  }

  /** Ends the mocks that a class has left, and returns whether all of them were still running. */
  public static boolean endAll() {
    boolean alive = true;
    for (Process process : MOCKS.values()) {
      alive &= process.isAlive();
      process.destroy();
    }
    MOCKS.clear();
    return alive;
  }

  /** What a method does that needs servers in the process of the test. */
  public static AssumptionViolatedException inProcess(String method) {
    return new AssumptionViolatedException(method + " needs servers in the process of the test");
  }

  @Override
  public ClusterMetrics getClusterMetrics() throws IOException {
    try (var connection = ConnectionFactory.createConnection(conf); Admin admin = connection.getAdmin()) {
      return admin.getClusterMetrics();
    }
  }

  @Override
  public ServerName getServerHoldingRegion(TableName table, byte[] region) throws IOException {
    try (var connection = ConnectionFactory.createConnection(conf); RegionLocator locator = connection.getRegionLocator(table)) {
      for (HRegionLocation at : locator.getAllRegionLocations()) {
        if (org.apache.hadoop.hbase.util.Bytes.equals(at.getRegion().getRegionName(), region)) {
          return at.getServerName();
        }
      }
    }
    return null;
  }

  @Override
  public boolean isDistributedCluster() {
    return true;
  }

  @Override
  public boolean isKilledRS(ServerName server) {
    return false;
  }

  @Override
  public boolean waitForActiveAndReadyMaster(long timeout) throws IOException {
    return getClusterMetrics().getMasterName() != null;
  }

  @Override
  public MasterProtos.MasterService.BlockingInterface getMasterAdminService() {
    throw inProcess("getMasterAdminService");
  }

  @Override
  public AdminProtos.AdminService.BlockingInterface getAdminProtocol(ServerName server) {
    throw inProcess("getAdminProtocol");
  }

  @Override
  public ClientProtos.ClientService.BlockingInterface getClientProtocol(ServerName server) {
    throw inProcess("getClientProtocol");
  }

  @Override
  public void waitUntilShutDown() {}

  @Override
  public void shutdown() {}

  @Override
  public void close() {}

  @Override
  public void startRegionServer(String host, int port) {
    throw inProcess("startRegionServer");
  }

  @Override
  public void killRegionServer(ServerName server) {
    throw inProcess("killRegionServer");
  }

  @Override
  public void stopRegionServer(ServerName server) {
    throw inProcess("stopRegionServer");
  }

  @Override
  public void waitForRegionServerToStop(ServerName server, long timeout) {
    throw inProcess("waitForRegionServerToStop");
  }

  @Override
  public void startMaster(String host, int port) {
    throw inProcess("startMaster");
  }

  @Override
  public void killMaster(ServerName server) {
    throw inProcess("killMaster");
  }

  @Override
  public void stopMaster(ServerName server) {
    throw inProcess("stopMaster");
  }

  @Override
  public void waitForMasterToStop(ServerName server, long timeout) {
    throw inProcess("waitForMasterToStop");
  }

  @Override
  public void startZkNode(String host, int port) {
    throw inProcess("startZkNode");
  }

  @Override
  public void killZkNode(ServerName server) {
    throw inProcess("killZkNode");
  }

  @Override
  public void stopZkNode(ServerName server) {
    throw inProcess("stopZkNode");
  }

  @Override
  public void waitForZkNodeToStart(ServerName server, long timeout) {
    throw inProcess("waitForZkNodeToStart");
  }

  @Override
  public void waitForZkNodeToStop(ServerName server, long timeout) {
    throw inProcess("waitForZkNodeToStop");
  }

  @Override
  public void startDataNode(ServerName server) {
    throw inProcess("startDataNode");
  }

  @Override
  public void killDataNode(ServerName server) {
    throw inProcess("killDataNode");
  }

  @Override
  public void stopDataNode(ServerName server) {
    throw inProcess("stopDataNode");
  }

  @Override
  public void waitForDataNodeToStart(ServerName server, long timeout) {
    throw inProcess("waitForDataNodeToStart");
  }

  @Override
  public void waitForDataNodeToStop(ServerName server, long timeout) {
    throw inProcess("waitForDataNodeToStop");
  }

  @Override
  public void startNameNode(ServerName server) {
    throw inProcess("startNameNode");
  }

  @Override
  public void killNameNode(ServerName server) {
    throw inProcess("killNameNode");
  }

  @Override
  public void stopNameNode(ServerName server) {
    throw inProcess("stopNameNode");
  }

  @Override
  public void waitForNameNodeToStart(ServerName server, long timeout) {
    throw inProcess("waitForNameNodeToStart");
  }

  @Override
  public void waitForNameNodeToStop(ServerName server, long timeout) {
    throw inProcess("waitForNameNodeToStop");
  }

  @Override
  public void startJournalNode(ServerName server) {
    throw inProcess("startJournalNode");
  }

  @Override
  public void killJournalNode(ServerName server) {
    throw inProcess("killJournalNode");
  }

  @Override
  public void stopJournalNode(ServerName server) {
    throw inProcess("stopJournalNode");
  }

  @Override
  public void waitForJournalNodeToStart(ServerName server, long timeout) {
    throw inProcess("waitForJournalNodeToStart");
  }

  @Override
  public void waitForJournalNodeToStop(ServerName server, long timeout) {
    throw inProcess("waitForJournalNodeToStop");
  }

  @Override
  public void suspendRegionServer(ServerName server) {
    throw inProcess("suspendRegionServer");
  }

  @Override
  public void waitForRegionServerToSuspend(ServerName server, long timeout) {
    throw inProcess("waitForRegionServerToSuspend");
  }

  @Override
  public void resumeRegionServer(ServerName server) {
    throw inProcess("resumeRegionServer");
  }

  @Override
  public void waitForRegionServerToResume(ServerName server, long timeout) {
    throw inProcess("waitForRegionServerToResume");
  }
}
