import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/** One response with each kind of exception; calls that no public method makes are sent through the client's generated stub. */
final class Refusals {
  static void run(Connection connection, Admin admin) throws Exception {
    TableName unknown = TableName.valueOf("unknown");
    try (Table table = connection.getTable(Capture.TABLE); Table none = connection.getTable(unknown)) {
      Capture.refused("unknown family in a put", "NoSuchColumnFamilyException",
          () -> table.put(new Put(toBytes("a")).addColumn(toBytes("zz"), Rows.Q, Rows.Q)));
      Capture.refused("unknown family in a get", "NoSuchColumnFamilyException",
          () -> table.get(new Get(toBytes("a")).addFamily(toBytes("zz"))));
      Capture.refused("unknown family in a scan", "NoSuchColumnFamilyException",
          () -> table.getScanner(new Scan().addFamily(toBytes("zz"))).next());
      Capture.step("put three bytes", () -> table.put(Rows.put("a", "short", "abc")));
      Capture.refused("increment of a cell of three bytes", "DoNotRetryIOException",
          () -> table.increment(new Increment(toBytes("a")).addColumn(Rows.F, toBytes("short"), 1)));
      Capture.refused("unknown table", "TableNotFoundException", () -> none.get(new Get(toBytes("a"))));
    }
    Capture.refused("create a table that exists", "TableExistsException", () -> admin.createTable(Tables.descriptor(Capture.TABLE)));
    Capture.refused("create a table in an unknown namespace", "NamespaceNotFoundException",
        () -> admin.createTable(Tables.descriptor(TableName.valueOf("nowhere:t"))));
    Capture.refused("describe an unknown table", "TableNotFoundException", () -> admin.getDescriptor(unknown));

    HRegionLocation middle = Tables.holding(connection, "h");
    ClientService.BlockingInterface server = ((ClusterConnection) connection).getClient(middle.getServerName());
    byte[] region = middle.getRegion().getRegionName();
    Capture.refused("row outside the region", "WrongRegionException",
        () -> call(() -> server.get(new HBaseRpcControllerImpl(), RequestConverter.buildGetRequest(region, new Get(toBytes("z"))))));
    Capture.refused("region that is not there", "NotServingRegionException", () -> call(() -> server.get(new HBaseRpcControllerImpl(),
        RequestConverter.buildGetRequest(toBytes("captured,,1.0123456789abcdef0123456789abcdef."), new Get(toBytes("z"))))));
    Capture.refused("scanner that is not there", "UnknownScannerException", () -> call(() -> server.scan(new HBaseRpcControllerImpl(),
        ScanRequest.newBuilder().setScannerId(12345).setNumberOfRows(1).setNextCallSeq(0).build())));
    Capture.refused("scanner called out of order", "OutOfOrderScannerNextException", () -> call(() -> {
      ScanResponse opened = server.scan(new HBaseRpcControllerImpl(), ScanRequest.newBuilder()
          .setRegion(RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, region))
          .setScan(ProtobufUtil.toScan(new Scan())).setNumberOfRows(1).build());
      return server.scan(new HBaseRpcControllerImpl(),
          ScanRequest.newBuilder().setScannerId(opened.getScannerId()).setNumberOfRows(1).setNextCallSeq(7).build());
    }));
    Capture.refused("scan without region or scanner", "DoNotRetryIOException",
        () -> call(() -> server.scan(new HBaseRpcControllerImpl(), ScanRequest.newBuilder().setNumberOfRows(1).build())));
  }

  private interface Call {
    Object run() throws Exception;
  }

  private static void call(Call call) throws Exception {
    try {
      call.run();
    } catch (ServiceException e) {
      throw ProtobufUtil.handleRemoteException(e);
    }
  }
}
