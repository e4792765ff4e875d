import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.ipc.HBaseRpcControllerImpl;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;

/** What the server must reject, and with which message; some requests need the client's generated stub. */
final class RefusalSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] Q = Steps.b("q");
  private static final byte[] ZZ = Steps.b("zz");

  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    TableName name = Interop.fresh(admin, "interop_refusals");
    try (Table table = connection.getTable(name)) {
      byte[] a = Steps.b("a");
      String text = "zz does not exist in region interop_refusals,";
      s.refused("put: unknown family", "NoSuchColumnFamilyException", text, () -> table.put(new Put(a).addColumn(ZZ, Q, Q)));
      s.refused("get: unknown family", "NoSuchColumnFamilyException", text, () -> table.get(new Get(a).addFamily(ZZ)));
      s.refused("delete: unknown family", "NoSuchColumnFamilyException", text, () -> table.delete(new Delete(a).addFamily(ZZ)));
      s.refused("increment: unknown family", "NoSuchColumnFamilyException", text, () -> table.increment(new Increment(a).addColumn(ZZ, Q, 1)));
      s.refused("append: unknown family", "NoSuchColumnFamilyException", text, () -> table.append(new Append(a).addColumn(ZZ, Q, Q)));
      s.refused("scan: unknown family", "NoSuchColumnFamilyException", text, () -> first(table, new Scan().addFamily(ZZ)));
      s.refused("condition on an unknown family", "NoSuchColumnFamilyException", "zz", () -> table.checkAndMutate(
          CheckAndMutate.newBuilder(a).ifEquals(ZZ, Q, Q).build(new Put(a).addColumn(F, Q, Q))));
      s.refused("raw scan of a column", "DoNotRetryIOException", "Cannot specify any column for a raw scan",
          () -> first(table, new Scan().setRaw(true).addColumn(F, Q)));
      // It does not need f.
      SingleColumnValueFilter filter = new SingleColumnValueFilter(ZZ, Q, CompareOperator.EQUAL, Q);
      filter.setFilterIfMissing(true);
      s.refused("reversed scan of families on demand", "DoNotRetryIOException", "Reverse scan with loading CFs on demand is not supported",
          () -> first(table, new Scan().setReversed(true).setLoadColumnFamiliesOnDemand(true).setFilter(filter)));
      s.step("the refused put wrote nothing", () -> {
        try {
          table.put(new Put(a).addColumn(F, Q, Q).addColumn(ZZ, Q, Q));
          throw new Steps.Mismatch("the put was accepted");
        } catch (Steps.Mismatch e) {
          throw e;
        } catch (Exception expected) {
          Steps.equal("cells", "", Steps.cells(table.get(new Get(a))));
        }
      });
      stub(s, connection, name);
    }
    TableName unknown = TableName.valueOf("interop_unknown");
    try (Table table = connection.getTable(unknown)) {
      s.refused("get: unknown table", "TableNotFoundException", "interop_unknown", () -> table.get(new Get(Q)));
      s.refused("put: unknown table", "TableNotFoundException", "interop_unknown", () -> table.put(new Put(Q).addColumn(F, Q, Q)));
      s.refused("scan: unknown table", "TableNotFoundException", "interop_unknown", () -> first(table, new Scan()));
      s.refused("batch: unknown table", "TableNotFoundException", "interop_unknown",
          () -> table.batch(List.of(new Put(Q).addColumn(F, Q, Q)), new Object[1]));
    }
    s.refused("unknown namespace", "TableNotFoundException", "interop_nowhere", () -> {
      try (Table table = connection.getTable(TableName.valueOf("interop_nowhere:t"))) {
        table.get(new Get(Q));
      }
    });
    Interop.drop(admin, name);
  }

  private static void stub(Steps s, Connection connection, TableName name) throws Exception {
    HRegionLocation second;
    try (RegionLocator regions = connection.getRegionLocator(name)) {
      second = regions.getRegionLocation(Steps.b("h"));
    }
    ClientService.BlockingInterface server = ((ClusterConnection) connection).getClient(second.getServerName());
    byte[] region = second.getRegion().getRegionName();
    s.refused("row outside the region", "WrongRegionException", "Requested row out of range",
        () -> call(() -> server.get(controller(), RequestConverter.buildGetRequest(region, new Get(Steps.b("z"))))));
    s.refused("region that is not there", "NotServingRegionException", "is not online on", () -> call(() -> server.get(controller(),
        RequestConverter.buildGetRequest(Steps.b("interop_refusals,,1.0123456789abcdef0123456789abcdef."), new Get(Steps.b("z"))))));
    s.refused("scanner that is not there", "UnknownScannerException", "Unknown scanner '12345'", () -> call(() -> server.scan(controller(),
        ScanRequest.newBuilder().setScannerId(12345).setNumberOfRows(1).setNextCallSeq(0).build())));
    s.refused("scanner called out of order", "OutOfOrderScannerNextException", "Expected nextCallSeq: 0 But the nextCallSeq got from client: 7",
        () -> call(() -> {
          ScanResponse opened = open(server, region);
          return server.scan(controller(),
              ScanRequest.newBuilder().setScannerId(opened.getScannerId()).setNumberOfRows(1).setNextCallSeq(7).build());
        }));
    s.refused("scan without region or scanner", "DoNotRetryIOException", "Missing required input: scannerId or scan",
        () -> call(() -> server.scan(controller(), ScanRequest.newBuilder().setNumberOfRows(1).build())));
    s.step("closing a scanner twice", () -> call(() -> {
      ScanResponse opened = open(server, region);
      ScanRequest close = ScanRequest.newBuilder().setScannerId(opened.getScannerId()).setCloseScanner(true).setNumberOfRows(0).build();
      server.scan(controller(), close);
      return server.scan(controller(), close);
    }));
  }

  /** A scanner that still has a row, so that the server keeps it open. */
  private static ScanResponse open(ClientService.BlockingInterface server, byte[] region) throws ServiceException, java.io.IOException {
    return server.scan(controller(), ScanRequest.newBuilder()
        .setRegion(RequestConverter.buildRegionSpecifier(RegionSpecifierType.REGION_NAME, region))
        .setScan(ProtobufUtil.toScan(new Scan())).setNumberOfRows(0).build());
  }

  private static HBaseRpcControllerImpl controller() {
    return new HBaseRpcControllerImpl();
  }

  private static void first(Table table, Scan scan) throws Exception {
    try (ResultScanner scanner = table.getScanner(scan)) {
      scanner.next();
    }
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
