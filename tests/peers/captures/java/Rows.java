import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Operations on single rows, and batches of them. */
final class Rows {
  static final byte[] F = toBytes("f");
  static final byte[] G = toBytes("g");
  static final byte[] Q = toBytes("q");
  static final byte[] N = toBytes("n");

  static Put put(String row, String qualifier, String value) {
    return new Put(toBytes(row)).addColumn(F, toBytes(qualifier), toBytes(value));
  }

  static void writeAndRead(Connection connection) throws Exception {
    try (Table table = connection.getTable(Capture.TABLE)) {
      byte[] a = toBytes("a");
      Capture.step("put one cell", () -> table.put(put("a", "q", "1")));
      Capture.step("put two families, times given, no WAL, with a time to live", () -> table.put(new Put(a, 2000)
          .addColumn(F, Q, 1000, toBytes("old")).addColumn(F, Q, toBytes("mid")).addColumn(G, new byte[0], toBytes("empty qualifier"))
          .setDurability(Durability.SKIP_WAL).setTTL(10_000_000_000_000L)));
      Capture.step("get: hit", () -> Capture.check(Bytes.toString(table.get(new Get(a)).getValue(F, Q)).equals("1"), "value"));
      Capture.step("get: miss", () -> Capture.check(table.get(new Get(toBytes("none"))).isEmpty(), "empty"));
      Capture.step("get: three versions of a column", () -> Capture.check(
          table.get(new Get(a).addColumn(F, Q).readVersions(3)).size() == 3, "versions"));
      Capture.step("get: a family between two times", () -> Capture.check(
          table.get(new Get(a).addFamily(F).setTimeRange(1000, 2000)).size() == 1, "time range"));
      Capture.step("exists: yes", () -> Capture.check(table.exists(new Get(a)), "exists"));
      Capture.step("exists: no", () -> Capture.check(!table.exists(new Get(toBytes("none"))), "exists"));
      Capture.step("exists: three rows at once",
          () -> table.exists(List.of(new Get(a), new Get(toBytes("h")), new Get(toBytes("q")))));

      Capture.step("delete: one version", () -> table.delete(new Delete(a).addColumn(F, Q, 1000)));
      Capture.step("delete: the newest version", () -> table.delete(new Delete(a).addColumn(F, Q)));
      Capture.step("delete: all versions of a column", () -> table.delete(new Delete(a).addColumns(F, Q)));
      Capture.step("delete: all versions of a column up to a time", () -> table.delete(new Delete(a).addColumns(F, Q, 2500)));
      Capture.step("delete: a family", () -> table.delete(new Delete(a).addFamily(G)));
      Capture.step("delete: one version of a family", () -> table.delete(new Delete(a).addFamilyVersion(F, 3000)));
      Capture.step("delete: a row", () -> table.delete(new Delete(a)));

      Capture.step("increment: 5", () -> Capture.check(
          Bytes.toLong(table.increment(new Increment(a).addColumn(F, N, 5)).getValue(F, N)) == 5, "sum"));
      Capture.step("increment: -2, two columns", () -> Capture.check(
          Bytes.toLong(table.increment(new Increment(a).addColumn(F, N, -2).addColumn(G, N, 1)).getValue(F, N)) == 3, "sum"));
      Capture.step("increment: without an answer", () -> table.increment(new Increment(a).addColumn(F, N, 1).setReturnResults(false)));
      Capture.step("append", () -> table.append(new Append(a).addColumn(F, Q, toBytes("tail"))));
      Capture.step("append: again", () -> Capture.check(
          Bytes.toString(table.append(new Append(a).addColumn(F, Q, toBytes("+"))).getValue(F, Q)).equals("tail+"), "value"));

      Capture.step("check and put: true", () -> Capture.check(table.checkAndMutate(
          CheckAndMutate.newBuilder(a).ifEquals(F, Q, toBytes("tail+")).build(put("a", "q", "2"))).isSuccess(), "true"));
      Capture.step("check and put: false", () -> Capture.check(!table.checkAndMutate(
          CheckAndMutate.newBuilder(a).ifEquals(F, Q, toBytes("other")).build(put("a", "q", "3"))).isSuccess(), "false"));
      Capture.step("check and delete: absent column, true", () -> Capture.check(table.checkAndMutate(
          CheckAndMutate.newBuilder(a).ifNotExists(F, toBytes("no")).build(new Delete(a).addColumns(G, N))).isSuccess(), "true"));
      Capture.step("check and increment: 9 is greater than the cell, true", () -> Capture.check(table.checkAndMutate(CheckAndMutate.newBuilder(a)
          .ifMatches(F, N, CompareOperator.GREATER, Bytes.toBytes(9L)).build(new Increment(a).addColumn(F, N, 1))).isSuccess(), "true"));
      Capture.step("mutate a row", () -> table.mutateRow(twoChanges("a")));

      batches(table);
    }
  }

  static RowMutations twoChanges(String row) throws Exception {
    return RowMutations.of(List.of(put(row, "r", "r"), new Delete(toBytes(row)).addColumns(F, toBytes("s"))));
  }

  private static void batches(Table table) throws Exception {
    Capture.step("put list over three regions", () -> table.put(List.of(put("b", "q", "b"), put("h", "q", "h"), put("q", "q", "q"))));
    Capture.step("get list with a miss",
        () -> Capture.check(table.get(List.of(new Get(toBytes("b")), new Get(toBytes("nope")))).length == 2, "two results"));
    Capture.step("batch: put, get, increment, append, delete, exists, row mutations", () -> {
      List<Row> actions = List.of(put("c", "q", "c"), new Get(toBytes("b")), new Increment(toBytes("c")).addColumn(F, N, 7),
          new Append(toBytes("h")).addColumn(F, Q, toBytes("x")), new Delete(toBytes("q")).addColumns(F, Q),
          new Get(toBytes("h")).setCheckExistenceOnly(true), twoChanges("d"));
      Object[] results = new Object[actions.size()];
      table.batch(actions, results);
      Capture.check(Bytes.toLong(((Result) results[2]).getValue(F, N)) == 7, "sum");
    });
    Capture.refused("batch: one unknown family among good actions", "NoSuchColumnFamilyException", () -> {
      List<Row> actions = List.of(put("e", "q", "e"), new Put(toBytes("e")).addColumn(toBytes("zz"), Q, Q), new Get(toBytes("b")));
      table.batch(actions, new Object[actions.size()]);
    });
    Capture.step("check and mutate list: true and false", () -> table.checkAndMutate(List.of(
        CheckAndMutate.newBuilder(toBytes("b")).ifEquals(F, Q, toBytes("b")).build(put("b", "t", "t")),
        CheckAndMutate.newBuilder(toBytes("h")).ifNotExists(F, Q).build(put("h", "t", "t")))));
  }

  /** The same operations again, for a client with other connection settings. */
  static void brief(Connection connection) throws Exception {
    try (Table table = connection.getTable(Capture.TABLE)) {
      Capture.step("put one cell", () -> table.put(put("k", "q", "v")));
      Capture.step("get: hit", () -> Capture.check(!table.get(new Get(toBytes("k"))).isEmpty(), "found"));
      Capture.step("get: miss", () -> Capture.check(table.get(new Get(toBytes("none"))).isEmpty(), "empty"));
      Capture.step("increment: 5", () -> table.increment(new Increment(toBytes("k")).addColumn(F, N, 5)));
      Capture.step("batch: put, get, increment", () -> {
        List<Row> actions = List.of(put("l", "q", "l"), new Get(toBytes("k")), new Increment(toBytes("k")).addColumn(F, N, 1));
        table.batch(actions, new Object[actions.size()]);
      });
      Capture.step("scan", () -> {
        int rows = 0;
        try (ResultScanner scanner = table.getScanner(new Scan())) {
          for (Result row : scanner) {
            rows += row.isEmpty() ? 0 : 1;
          }
        }
        Capture.check(rows >= 2, "rows: " + rows);
      });
    }
  }

  /** Differences of the asynchronous client: no call to close a finished scanner, one Multi for a batch. */
  static void asynchronous(Configuration conf) throws Exception {
    try (AsyncConnection connection = ConnectionFactory.createAsyncConnection(conf).get()) {
      AsyncTable<?> table = connection.getTable(Capture.TABLE);
      Capture.step("async put", () -> table.put(put("k", "q", "v")).get());
      Capture.step("async get", () -> Capture.check(!table.get(new Get(toBytes("k"))).get().isEmpty(), "found"));
      Capture.step("async batch", () -> {
        List<Row> actions = new ArrayList<>(List.of(put("a", "q", "a"), put("h", "q", "h"), put("z", "q", "z"), new Get(toBytes("k"))));
        table.batchAll(actions).get();
      });
      Capture.step("async scan: all", () -> Capture.check(table.scanAll(new Scan()).get().size() == 4, "four rows"));
      Capture.step("async scan: two rows, reversed",
          () -> Capture.check(table.scanAll(new Scan().setReversed(true).setLimit(2)).get().size() == 2, "two rows"));
    }
  }
}
