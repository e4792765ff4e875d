import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Scans over rows i1 .. i5 of the middle region, with j (one wide row), and x1 .. x3 of the last. */
final class Scans {
  static Scan narrow() {
    return new Scan().withStartRow(toBytes("i")).withStopRow(toBytes("j"));
  }

  static void put(Table table) throws Exception {
    List<Put> rows = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      rows.add(Rows.put("i" + i, "q", "v" + i));
    }
    for (int i = 1; i <= 3; i++) {
      rows.add(Rows.put("x" + i, "q", "w" + i));
    }
    Put wide = new Put(toBytes("j"));
    for (int i = 1; i <= 4; i++) {
      wide.addColumn(Rows.F, toBytes("c" + i), toBytes("wide" + i));
    }
    rows.add(wide);
    rows.add(new Put(toBytes("t")).addColumn(Rows.F, Rows.Q, 1000, toBytes("a")).addColumn(Rows.F, Rows.Q, 2000, toBytes("b"))
        .addColumn(Rows.F, Rows.Q, 3000, toBytes("c")));
    Capture.step("put the rows to scan", () -> table.put(rows));
  }

  static void run(Connection connection) throws Exception {
    try (Table table = connection.getTable(Capture.TABLE)) {
      put(table);
      count("scan: forward over two regions", table, new Scan().withStartRow(toBytes("i")).addColumn(Rows.F, Rows.Q), 9);
      count("scan: reversed over two regions", table,
          new Scan().setReversed(true).withStartRow(toBytes("x2")).withStopRow(toBytes("i4"), true).addColumn(Rows.F, Rows.Q), 5);
      count("scan: limit 2", table, narrow().setLimit(2), 2);
      count("scan: pages of two rows", table, narrow().setCaching(2), 5);
      count("scan: start excluded, stop included", table,
          new Scan().withStartRow(toBytes("i1"), false).withStopRow(toBytes("i3"), true), 2);
      count("scan: nothing there", table, new Scan().withStartRow(toBytes("y")), 0);
      count("scan: partial rows that the client joins", table, new Scan().withStartRow(toBytes("j")).withStopRow(toBytes("k"))
          .setMaxResultSize(1), 1);
      count("scan: partial rows as they come", table, new Scan().withStartRow(toBytes("j")).withStopRow(toBytes("k"))
          .setMaxResultSize(1).setAllowPartialResults(true), 4);
      count("scan: batches of three cells", table, new Scan().withStartRow(toBytes("j")).withStopRow(toBytes("k")).setBatch(3), 2);
      count("scan: time range", table, new Scan().withStartRow(toBytes("t")).withStopRow(toBytes("u")).setTimeRange(1000, 2500), 1);
      cells("scan: three versions", table, new Scan().withStartRow(toBytes("t")).withStopRow(toBytes("u")).readVersions(3), 3);
      Capture.step("delete before the raw scan", () -> table.delete(new Delete(toBytes("t")).addColumn(Rows.F, Rows.Q, 2000)));
      cells("scan: raw, with delete markers", table,
          new Scan().withStartRow(toBytes("t")).withStopRow(toBytes("u")).readVersions(3).setRaw(true), 4);
      count("scan: with metrics", table, narrow().setScanMetricsEnabled(true), 5);

      Capture.step("scan: renewed, then closed early", () -> {
        try (ResultScanner scanner = table.getScanner(narrow().setCaching(1))) {
          scanner.next();
          Capture.check(scanner.renewLease(), "renewed");
          scanner.next();
        }
      });
    }
  }

  static void count(String name, Table table, Scan scan, int expected) throws Exception {
    Capture.step(name, () -> {
      int rows = 0;
      try (ResultScanner scanner = table.getScanner(scan)) {
        for (Result row : scanner) {
          rows += row.isCursor() ? 0 : 1;
        }
      }
      Capture.check(rows == expected, name + ": " + rows + " results");
    });
  }

  private static void cells(String name, Table table, Scan scan, int expected) throws Exception {
    Capture.step(name, () -> {
      StringBuilder seen = new StringBuilder();
      int cells = 0;
      try (ResultScanner scanner = table.getScanner(scan)) {
        for (Result row : scanner) {
          for (Cell cell : row.rawCells()) {
            cells++;
            seen.append(Bytes.toStringBinary(cell.getRowArray(), cell.getRowOffset(), cell.getRowLength())).append(cell).append(' ');
          }
        }
      }
      Capture.check(cells == expected, name + ": " + seen);
    });
  }
}
