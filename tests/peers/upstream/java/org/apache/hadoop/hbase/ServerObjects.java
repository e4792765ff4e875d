package org.apache.hadoop.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterFileSystem;
import org.apache.hadoop.hbase.master.cleaner.HFileCleaner;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.mockito.Mockito;

/**
 * Objects in the place of those of the servers, for tests that begin by asking for them. They know what a client can tell of the
 * servers: their names, and that there is a folder for files, which is empty. A test that asks for more is assumed not to apply.
 */
public final class ServerObjects {
  private ServerObjects() {}

  /** What `getMiniHBaseCluster` returns. */
  public static MiniHBaseCluster of(HBaseTestingUtility utility) throws IOException {
    MasterFileSystem files = object(MasterFileSystem.class);
    Mockito.doReturn(FileSystem.getLocal(utility.getConfiguration())).when(files).getFileSystem();
    Mockito.doReturn(utility.getDataTestDir("root")).when(files).getRootDir();
    HMaster master = object(HMaster.class);
    Mockito.doReturn(files).when(master).getMasterFileSystem();
    Mockito.doAnswer(call -> utility.getZooKeeperWatcher()).when(master).getZooKeeper();
    // There are no files that could be cleaned up.
    Mockito.doReturn(Mockito.mock(HFileCleaner.class)).when(master).getHFileCleaner();
    List<RegionServerThread> threads = new ArrayList<>();
    for (ServerName name : utility.getAdmin().getRegionServers()) {
      RegionServerThread thread = object(RegionServerThread.class);
      Mockito.doReturn(server(utility, name)).when(thread).getRegionServer();
      threads.add(thread);
    }
    MiniHBaseCluster cluster = object(MiniHBaseCluster.class);
    Mockito.doReturn(utility.getConfiguration()).when(cluster).getConf();
    Mockito.doReturn(master).when(cluster).getMaster();
    Mockito.doReturn(threads).when(cluster).getRegionServerThreads();
    Mockito.doReturn(threads).when(cluster).getLiveRegionServerThreads();
    // Those of all servers, among them the secondary replicas.
    Mockito.doAnswer(call -> {
      List<HRegion> all = new ArrayList<>();
      for (ServerName name : utility.getAdmin().getRegionServers()) {
        all.addAll(regionsOf(utility, name, call.getArgument(0)));
      }
      return all;
    }).when(cluster).getRegions(Mockito.any(TableName.class));
    return cluster;
  }

  /** What `getRSForFirstRegionInTable` returns. */
  public static HRegionServer ofFirstRegion(HBaseTestingUtility utility, TableName table) throws IOException {
    try (RegionLocator locator = utility.getConnection().getRegionLocator(table)) {
      return server(utility, locator.getRegionLocation(HConstants.EMPTY_START_ROW, true).getServerName());
    }
  }

  private static HRegionServer server(HBaseTestingUtility utility, ServerName name) throws IOException {
    HRegionServer server = object(HRegionServer.class);
    Mockito.doReturn(name).when(server).getServerName();
    Mockito.doAnswer(call -> regionsOf(utility, name, call.getArgument(0))).when(server).getRegions(Mockito.any(TableName.class));
    return server;
  }

  /** The regions of a table that are open on a server. */
  private static List<HRegion> regionsOf(HBaseTestingUtility utility, ServerName server, TableName table) throws IOException {
    List<HRegion> regions = new ArrayList<>();
    for (RegionInfo info : utility.getAdmin().getRegions(server)) {
      if (!info.getTable().equals(table)) {
        continue;
      }
      HRegion region = object(HRegion.class);
      Mockito.doReturn(info).when(region).getRegionInfo();
      // They have ended when the client is told of them.
      Mockito.doNothing().when(region).waitForFlushesAndCompactions();
      regions.add(region);
    }
    return regions;
  }

  /** An object whose methods all say that the servers are not in the process of the test. */
  private static <T> T object(Class<T> type) {
    return Mockito.mock(type, call -> {
      if (call.getMethod().getName().equals("toString")) {
        return type.getSimpleName() + " of another process";
      }
      throw RunningCluster.inProcess(type.getSimpleName() + "." + call.getMethod().getName());
    });
  }
}
