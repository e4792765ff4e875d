import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Scan.ReadType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/** Scans over 100 rows r00 .. of four regions, three columns each, and over one wide row. */
final class ScanSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] G = Steps.b("g");
  private static final byte[] Q = Steps.b("q");
  private static final int ROWS = 100;

  private final Steps s;
  private final Table table;

  private ScanSteps(Steps s, Table table) {
    this.s = s;
    this.table = table;
  }

  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    TableName name = Interop.fresh(admin, "interop_scans");
    try (Table table = connection.getTable(name)) {
      ScanSteps scans = new ScanSteps(s, table);
      scans.fill();
      scans.order();
      scans.bounds();
      scans.limits();
      scans.selection();
      scans.partial();
      scans.scanners(connection);
    }
    Interop.drop(admin, name);
  }

  /** The i-th row in order: 25 rows for each region. */
  private static String row(int i) {
    return "ahov".charAt(i / 25) + String.format("%02d", i);
  }

  private static String rows(int from, int to) {
    List<String> rows = new ArrayList<>();
    for (int i = from; from < to ? i < to : i > to; i += from < to ? 1 : -1) {
      rows.add(row(i));
    }
    return String.join(" ", rows);
  }

  private List<Result> scan(Scan scan) throws Exception {
    List<Result> results = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        results.add(result);
      }
    }
    return results;
  }

  private void expect(String what, String expected, Scan scan) {
    s.step(what, () -> Steps.equal("rows", expected, Steps.rows(scan(scan))));
  }

  private static Scan between(int from, int to) {
    return new Scan().withStartRow(Steps.b(row(from))).withStopRow(Steps.b(row(to)));
  }

  private void fill() {
    s.step("put 100 rows", () -> {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        puts.add(new Put(Steps.b(row(i))).addColumn(F, Q, Steps.b("v" + i)).addColumn(F, Steps.b("r"), Steps.b("w" + i))
            .addColumn(G, Q, Steps.b("x" + i)));
      }
      table.put(puts);
    });
  }

  private void order() {
    expect("forward over four regions", rows(0, 100), new Scan());
    expect("reversed over four regions", rows(99, -1), new Scan().setReversed(true));
    expect("forward, pages of 7 rows", rows(0, 100), new Scan().setCaching(7));
    expect("reversed, pages of 7 rows", rows(99, -1), new Scan().setReversed(true).setCaching(7));
    expect("forward, pages of one row", rows(20, 30), between(20, 30).setCaching(1));
    expect("forward, small pages by size", rows(0, 100), new Scan().setMaxResultSize(500));
    expect("reversed, small pages by size", rows(99, -1), new Scan().setReversed(true).setMaxResultSize(500));
    expect("by position read", rows(10, 60), between(10, 60).setReadType(ReadType.PREAD));
    expect("by stream", rows(10, 60), between(10, 60).setReadType(ReadType.STREAM));
    expect("without block cache", rows(10, 60), between(10, 60).setCacheBlocks(false));
  }

  private void bounds() {
    expect("start and stop in different regions", rows(20, 80), between(20, 80));
    expect("start excluded, stop included", rows(21, 81),
        new Scan().withStartRow(Steps.b(row(20)), false).withStopRow(Steps.b(row(80)), true));
    expect("start equals stop, both included: one row", row(30),
        new Scan().withStartRow(Steps.b(row(30)), true).withStopRow(Steps.b(row(30)), true));
    expect("start equals stop, stop excluded: nothing", "", between(30, 30));
    expect("start at a region's first key", rows(25, 50), new Scan().withStartRow(Steps.b("g")).withStopRow(Steps.b("n")));
    expect("start between rows", rows(26, 29), new Scan().withStartRow(Steps.b("h25\\x00")).withStopRow(Steps.b("h28\\x00")));
    expect("start after the last row", "", new Scan().withStartRow(Steps.b("w")));
    expect("stop before the first row", "", new Scan().withStopRow(Steps.b("a")));
    expect("an empty region stretch", "", new Scan().withStartRow(Steps.b("i")).withStopRow(Steps.b("n")));
    expect("reversed, start and stop", rows(80, 20), new Scan().setReversed(true).withStartRow(Steps.b(row(80))).withStopRow(Steps.b(row(20))));
    expect("reversed, start excluded, stop included", rows(79, 19), new Scan().setReversed(true)
        .withStartRow(Steps.b(row(80)), false).withStopRow(Steps.b(row(20)), true));
    expect("reversed from a row that is not there", rows(49, 44), new Scan().setReversed(true).withStartRow(Steps.b("n")).setLimit(5));
    expect("reversed to a region's first key", rows(60, 49), new Scan().setReversed(true).withStartRow(Steps.b(row(60)))
        .withStopRow(Steps.b("o"), true).withStopRow(Steps.b(row(50)), true));
    expect("prefix", rows(50, 75), new Scan().setStartStopRowForPrefixScan(Steps.b("o")));
    expect("one row by get as scan", row(5), new Scan(new Get(Steps.b(row(5)))));
  }

  private void limits() {
    expect("limit within a region", rows(0, 3), new Scan().setLimit(3));
    expect("limit at a region's end", rows(0, 25), new Scan().setLimit(25));
    expect("limit over regions", rows(0, 60), new Scan().setLimit(60));
    expect("limit over regions, pages of 7", rows(0, 60), new Scan().setLimit(60).setCaching(7));
    expect("reversed limit over regions", rows(99, 39), new Scan().setReversed(true).setLimit(60));
    expect("limit above the rows there are", rows(90, 100), new Scan().withStartRow(Steps.b(row(90))).setLimit(1000));
    expect("one row", row(0), new Scan().setOneRowLimit());
  }

  private void selection() {
    s.step("one column", () -> Steps.equal("cells", "h30/f:q=v30 h31/f:q=v31", cells(between(30, 32).addColumn(F, Q))));
    s.step("one family", () -> Steps.equal("cells", "h30/g:q=x30 h31/g:q=x31", cells(between(30, 32).addFamily(G))));
    s.step("all cells in order", () -> Steps.equal("cells", "h30/f:q=v30 h30/f:r=w30 h30/g:q=x30", cells(between(30, 31))));
    s.step("a column that no row has", () -> Steps.equal("cells", "", cells(new Scan().addColumn(F, Steps.b("none")))));
    s.step("versions and time ranges", () -> {
      table.put(new Put(Steps.b("t1")).addColumn(F, Q, 1000, Steps.b("1")).addColumn(F, Q, 2000, Steps.b("2"))
          .addColumn(F, Q, 3000, Steps.b("3")).addColumn(F, Q, 4000, Steps.b("4")));
      Scan all = new Scan().withStartRow(Steps.b("t1")).withStopRow(Steps.b("t2"));
      Steps.equal("newest", "t1/f:q=4", cells(all));
      Steps.equal("all versions", "t1/f:q=4 t1/f:q=3 t1/f:q=2", cells(new Scan(all).readAllVersions()));
      Steps.equal("time range", "t1/f:q=3", cells(new Scan(all).setTimeRange(2000, 4000)));
      Steps.equal("time range, versions", "t1/f:q=3 t1/f:q=2", cells(new Scan(all).setTimeRange(2000, 4000).readAllVersions()));
      Steps.equal("exact time", "t1/f:q=2", cells(new Scan(all).setTimestamp(2000).readAllVersions()));
      Steps.equal("family time range", "t1/f:q=2", cells(new Scan(all).setColumnFamilyTimeRange(F, 2000, 3000)));
    });
    s.step("raw scan shows markers and what they hide", () -> {
      table.put(new Put(Steps.b("u1")).addColumn(F, Q, 1000, Steps.b("1")));
      table.delete(new Delete(Steps.b("u1")).addColumn(F, Q, 1000));
      table.delete(new Delete(Steps.b("u1")).addFamily(F, 500));
      Scan one = new Scan().withStartRow(Steps.b("u1")).withStopRow(Steps.b("u2"));
      Steps.equal("plain", "", cells(one));
      Steps.equal("raw", "u1/f:@500#DeleteFamily= u1/f:q@1000#Delete= u1/f:q@1000#Put=1",
          String.join(" ", scan(new Scan(one).setRaw(true).readAllVersions()).stream().map(Steps::fullCells).toList()));
    });
    s.step("limit of cells in each family", () -> Steps.equal("cells", "h30/f:q=v30 h30/g:q=x30",
        cells(between(30, 31).setMaxResultsPerColumnFamily(1))));
    s.step("offset in each family", () -> Steps.equal("cells", "h30/f:r=w30",
        cells(between(30, 31).setMaxResultsPerColumnFamily(1).setRowOffsetPerColumnFamily(1))));
  }

  private void partial() {
    Scan wide = new Scan().withStartRow(Steps.b("b")).withStopRow(Steps.b("c"));
    s.step("put a row of 50 cells of 200 bytes", () -> {
      Put put = new Put(Steps.b("bwide"));
      for (int i = 0; i < 50; i++) {
        put.addColumn(F, Steps.b(String.format("c%02d", i)), Steps.b(String.format("%0200d", i)));
      }
      table.put(put);
      table.put(new Put(Steps.b("bz")).addColumn(F, Q, Steps.b("after")));
    });
    s.step("the client joins a row from small pages", () -> {
      List<Result> results = scan(new Scan(wide).setMaxResultSize(1000));
      Steps.equal("rows", "bwide bz", Steps.rows(results));
      Steps.equal("cells", 50, results.get(0).size());
      Steps.equal("last", "c49", new String(results.get(0).rawCells()[49].getQualifierArray(), results.get(0).rawCells()[49].getQualifierOffset(), 3));
    });
    s.step("reversed, the client joins a row from small pages", () -> {
      List<Result> results = scan(new Scan().setReversed(true).withStartRow(Steps.b("c")).withStopRow(Steps.b("b")).setMaxResultSize(1000));
      Steps.equal("rows", "bz bwide", Steps.rows(results));
      Steps.equal("cells", 50, results.get(1).size());
    });
    s.step("partial results as they come", () -> {
      List<Result> results = scan(new Scan(wide).setMaxResultSize(1000).setAllowPartialResults(true));
      Steps.isTrue("several parts: " + results.size(), results.size() > 3);
      Steps.equal("cells", 51, results.stream().mapToInt(Result::size).sum());
      Steps.equal("first is partial", true, results.get(0).mayHaveMoreCellsInRow());
      Steps.equal("last is whole", false, results.get(results.size() - 1).mayHaveMoreCellsInRow());
    });
    s.step("batches of 20 cells", () -> Steps.equal("sizes", "[20, 20, 10, 1]",
        scan(new Scan(wide).setBatch(20)).stream().map(Result::size).toList().toString()));
    s.step("batches of 20 cells, pages of one", () -> Steps.equal("sizes", "[20, 20, 10, 1]",
        scan(new Scan(wide).setBatch(20).setCaching(1)).stream().map(Result::size).toList().toString()));
    s.step("batches of 20 cells, small pages by size", () -> Steps.equal("sizes", "[20, 20, 10, 1]",
        scan(new Scan(wide).setBatch(20).setMaxResultSize(1000)).stream().map(Result::size).toList().toString()));
    s.step("limit counts rows, not parts", () -> Steps.equal("rows", "bwide",
        Steps.rows(scan(new Scan(wide).setMaxResultSize(1000).setLimit(1)))));
  }

  private void scanners(Connection connection) {
    s.step("metrics count rows and regions", () -> {
      try (ResultScanner scanner = table.getScanner(between(30, 70).setScanMetricsEnabled(true))) {
        int n = 0;
        while (scanner.next() != null) {
          n++;
        }
        ScanMetrics metrics = scanner.getScanMetrics();
        Steps.equal("rows", 40, n);
        Steps.equal("regions", 2L, metrics.countOfRegions.get());
        Steps.equal("rows scanned", 40L, metrics.countOfRowsScanned.get());
      }
    });
    s.step("renew a scanner, then go on", () -> {
      try (ResultScanner scanner = table.getScanner(between(20, 30).setCaching(2))) {
        Steps.equal("first", row(20), new String(scanner.next().getRow()));
        Steps.equal("renewed", true, scanner.renewLease());
        Steps.equal("second", row(21), new String(scanner.next().getRow()));
        Steps.equal("third", row(22), new String(scanner.next().getRow()));
      }
    });
    s.step("close a scanner early, then scan again", () -> {
      try (ResultScanner scanner = table.getScanner(new Scan().setCaching(2))) {
        scanner.next();
      }
      Steps.equal("rows", rows(0, 2), Steps.rows(scan(new Scan().setLimit(2))));
    });
    s.step("two scanners side by side", () -> {
      try (ResultScanner one = table.getScanner(between(25, 35).setCaching(2)); ResultScanner two = table.getScanner(between(28, 38).setCaching(3))) {
        for (int i = 0; i < 7; i++) {
          Steps.equal("one", row(25 + i), new String(one.next().getRow()));
          Steps.equal("two", row(28 + i), new String(two.next().getRow()));
        }
      }
    });
    s.step("a scan sees a row written before it", () -> {
      table.put(new Put(Steps.b("zlast")).addColumn(F, Q, Steps.b("v")));
      Steps.equal("rows", "zlast", Steps.rows(scan(new Scan().withStartRow(Steps.b("z")))));
    });
    s.step("scan of hbase:meta finds the four regions", () -> {
      int regions = 0;
      try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
          ResultScanner scanner = meta.getScanner(new Scan().addFamily(Steps.b("info"))
              .withStartRow(Steps.b("interop_scans,,")).withStopRow(Steps.b("interop_scans ,,")))) {
        for (Result result : scanner) {
          regions += result.containsColumn(Steps.b("info"), Steps.b("regioninfo")) ? 1 : 0;
        }
      }
      Steps.equal("regions", 4, regions);
    });
  }

  private String cells(Scan scan) throws Exception {
    return String.join(" ", scan(scan).stream().map(Steps::cells).toList());
  }
}
