import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** The same operations with the asynchronous client, which uses other code for the same calls. */
final class AsyncSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] G = Steps.b("g");
  private static final byte[] Q = Steps.b("q");
  private static final byte[] N = Steps.b("n");

  static void run(Steps s, AsyncConnection connection) throws Exception {
    AsyncAdmin admin = connection.getAdmin();
    TableName name = TableName.valueOf("interop_async");
    if (wait(admin.tableExists(name))) {
      if (wait(admin.isTableEnabled(name))) {
        wait(admin.disableTable(name));
      }
      wait(admin.deleteTable(name));
    }
    s.step("create table", () -> wait(admin.createTable(Interop.descriptor(name), Interop.SPLITS)));
    s.step("exists, listed, described, four regions", () -> {
      Steps.equal("exists", true, wait(admin.tableExists(name)));
      Steps.isTrue("listed", wait(admin.listTableNames()).contains(name));
      Steps.equal("versions of f", 3, wait(admin.getDescriptor(name)).getColumnFamily(F).getMaxVersions());
      Steps.equal("regions", 4, wait(admin.getRegions(name)).size());
      Steps.equal("locations", 4, wait(connection.getRegionLocator(name).getAllRegionLocations()).size());
    });
    AsyncTable<AdvancedScanResultConsumer> table = connection.getTable(name);
    rows(s, table);
    many(s, table);
    scans(s, table);
    refusals(s, admin, connection, name, table);
  }

  private static <T> T wait(Future<T> future) throws Exception {
    return future.get(60, TimeUnit.SECONDS);
  }

  private static Put put(String row, String value) {
    return new Put(Steps.b(row)).addColumn(F, Q, Steps.b(value));
  }

  private static void rows(Steps s, AsyncTable<?> table) {
    s.step("put, get, miss, exists", () -> {
      wait(table.put(put("a", "1")));
      Steps.equal("cells", "a/f:q=1", Steps.cells(wait(table.get(new Get(Steps.b("a"))))));
      Steps.equal("miss", "", Steps.cells(wait(table.get(new Get(Steps.b("none"))))));
      Steps.equal("exists", true, wait(table.exists(new Get(Steps.b("a")))));
      Steps.equal("exists not", false, wait(table.exists(new Get(Steps.b("none")))));
    });
    s.step("delete", () -> {
      wait(table.put(put("b", "1")));
      wait(table.delete(new Delete(Steps.b("b"))));
      Steps.equal("cells", "", Steps.cells(wait(table.get(new Get(Steps.b("b"))))));
    });
    s.step("increment and append", () -> {
      Steps.equal("sum", 5L, Bytes.toLong(wait(table.increment(new Increment(Steps.b("c")).addColumn(F, N, 5))).getValue(F, N)));
      Steps.equal("cells", "c/f:q=x", Steps.cells(wait(table.append(new Append(Steps.b("c")).addColumn(F, Q, Steps.b("x"))))));
      Steps.equal("by value", 8L, wait(table.incrementColumnValue(Steps.b("c"), F, N, 3)));
    });
    s.step("conditions", () -> {
      Steps.equal("true", true, wait(table.checkAndMutate(
          CheckAndMutate.newBuilder(Steps.b("a")).ifEquals(F, Q, Steps.b("1")).build(put("a", "2")))).isSuccess());
      Steps.equal("false", false, wait(table.checkAndMutate(
          CheckAndMutate.newBuilder(Steps.b("a")).ifEquals(F, Q, Steps.b("1")).build(put("a", "3")))).isSuccess());
      Steps.equal("cells", "a/f:q=2", Steps.cells(wait(table.get(new Get(Steps.b("a"))))));
    });
    s.step("row mutations", () -> {
      wait(table.mutateRow(RowMutations.of(List.of(put("d", "1"), new Delete(Steps.b("d")).addColumns(F, N)))));
      Steps.equal("cells", "d/f:q=1", Steps.cells(wait(table.get(new Get(Steps.b("d"))))));
    });
  }

  private static void many(Steps s, AsyncTable<?> table) {
    s.step("batch over regions with one failing action", () -> {
      List<Row> actions = List.of(put("e", "1"), put("h", "1"), new Put(Steps.b("i")).addColumn(Steps.b("zz"), Q, Q), put("o", "1"),
          new Get(Steps.b("a")), new Increment(Steps.b("v")).addColumn(F, N, 2));
      List<CompletableFuture<Object>> results = table.batch(actions);
      Steps.equal("get", "a/f:q=2", Steps.cells((Result) wait(results.get(4))));
      Steps.equal("increment", 2L, Bytes.toLong(((Result) wait(results.get(5))).getValue(F, N)));
      for (int i : new int[] {0, 1, 3}) {
        wait(results.get(i));
      }
      try {
        wait(results.get(2));
        throw new Steps.Mismatch("expected NoSuchColumnFamilyException; got an answer");
      } catch (java.util.concurrent.ExecutionException e) {
        Throwable t = e.getCause();
        while (t.getCause() != null && !t.getClass().getSimpleName().equals("NoSuchColumnFamilyException")) {
          t = t.getCause();
        }
        Steps.equal("class", "NoSuchColumnFamilyException", t.getClass().getSimpleName());
      }
      Steps.equal("stored", "[e/f:q=1, h/f:q=1, o/f:q=1]", wait(table.getAll(List.of(new Get(Steps.b("e")), new Get(Steps.b("h")),
          new Get(Steps.b("o"))))).stream().map(Steps::cells).toList().toString());
    });
    s.step("500 puts and 500 gets in flight at once", () -> {
      List<CompletableFuture<?>> puts = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        puts.add(table.put(new Put(Steps.b(String.format("%c-%03d", 'a' + i % 26, i))).addColumn(G, Q, Steps.b("v" + i))));
      }
      wait(CompletableFuture.allOf(puts.toArray(new CompletableFuture[0])));
      List<CompletableFuture<Result>> gets = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        gets.add(table.get(new Get(Steps.b(String.format("%c-%03d", 'a' + i % 26, i)))));
      }
      for (int i = 0; i < 500; i++) {
        Steps.equal("value " + i, "v" + i, Bytes.toString(wait(gets.get(i)).value()));
      }
    });
    s.step("100 increments of one cell in flight at once", () -> {
      List<CompletableFuture<?>> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        all.add(table.increment(new Increment(Steps.b("hot")).addColumn(F, N, 1)));
      }
      wait(CompletableFuture.allOf(all.toArray(new CompletableFuture[0])));
      Steps.equal("sum", 100L, Bytes.toLong(wait(table.get(new Get(Steps.b("hot")))).getValue(F, N)));
    });
  }

  private static void scans(Steps s, AsyncTable<AdvancedScanResultConsumer> table) {
    Scan numbered = new Scan().addFamily(G);
    s.step("scan all", () -> Steps.equal("rows", 500, wait(table.scanAll(numbered)).size()));
    s.step("scan all in order, reversed", () -> {
      List<Result> forward = wait(table.scanAll(numbered));
      List<Result> reversed = wait(table.scanAll(new Scan(numbered).setReversed(true)));
      java.util.Collections.reverse(reversed);
      Steps.equal("rows", Steps.rows(forward), Steps.rows(reversed));
    });
    s.step("limit over regions", () -> Steps.equal("rows", 300, wait(table.scanAll(new Scan(numbered).setLimit(300))).size()));
    s.step("pages of 3, small pages by size", () -> {
      Steps.equal("caching", 500, wait(table.scanAll(new Scan(numbered).setCaching(3))).size());
      Steps.equal("size", 500, wait(table.scanAll(new Scan(numbered).setMaxResultSize(300))).size());
    });
    s.step("scanner with prefetch", () -> {
      int rows = 0;
      try (ResultScanner scanner = table.getScanner(new Scan(numbered).setCaching(10))) {
        while (scanner.next() != null) {
          rows++;
        }
      }
      Steps.equal("rows", 500, rows);
    });
    s.step("consumer that stops after 10 rows", () -> {
      CompletableFuture<Integer> seen = new CompletableFuture<>();
      table.scan(new Scan(numbered).setCaching(10), new AdvancedScanResultConsumer() {
        private int rows;

        @Override
        public void onNext(Result[] results, ScanController controller) {
          rows += results.length;
          if (rows >= 10) {
            controller.terminate();
          }
        }

        @Override
        public void onError(Throwable error) {
          seen.completeExceptionally(error);
        }

        @Override
        public void onComplete() {
          seen.complete(rows);
        }
      });
      Steps.equal("rows", 10, wait(seen));
    });
    s.step("joined partial rows", () -> {
      Put wide = new Put(Steps.b("pwide"));
      for (int i = 0; i < 40; i++) {
        wide.addColumn(F, Steps.b(String.format("c%02d", i)), Steps.b(String.format("%0100d", i)));
      }
      wait(table.put(wide));
      List<Result> results = wait(table.scanAll(new Scan().withStartRow(Steps.b("pwide")).withStopRow(Steps.b("px")).setMaxResultSize(500)));
      Steps.equal("rows", "pwide", Steps.rows(results));
      Steps.equal("cells", 40, results.get(0).size());
    });
  }

  private static void refusals(Steps s, AsyncAdmin admin, AsyncConnection connection, TableName name, AsyncTable<?> table) {
    s.refused("unknown family", "NoSuchColumnFamilyException", "zz does not exist in region interop_async,",
        () -> wait(table.get(new Get(Q).addFamily(Steps.b("zz")))));
    s.refused("unknown table", "TableNotFoundException", "interop_unknown",
        () -> wait(connection.getTable(TableName.valueOf("interop_unknown")).get(new Get(Q))));
    s.refused("create what exists", "TableExistsException", "interop_async", () -> wait(admin.createTable(Interop.descriptor(name))));
    s.refused("delete an enabled table", "TableNotDisabledException", "interop_async", () -> wait(admin.deleteTable(name)));
    s.step("disable", () -> wait(admin.disableTable(name)));
    s.refused("get from a disabled table", "TableNotEnabledException", "interop_async", () -> wait(table.get(new Get(Steps.b("a")))));
    s.refused("scan of a disabled table", "TableNotEnabledException", "interop_async", () -> wait(table.scanAll(new Scan())));
    s.step("truncate", () -> {
      wait(admin.truncateTable(name, true));
      Steps.equal("rows", 0, wait(table.scanAll(new Scan())).size());
    });
    s.step("drop", () -> {
      wait(admin.disableTable(name));
      wait(admin.deleteTable(name));
      Steps.equal("exists", false, wait(admin.tableExists(name)));
    });
    s.refused("drop an unknown table", "TableNotFoundException", "interop_async", () -> wait(admin.deleteTable(name)));
  }
}
