import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** What a user of {@code AsyncConnection} tries first. */
final class AsyncConnectionSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] Q = Steps.b("q");

  private static Put put(String row, String value) {
    return new Put(Steps.b(row)).addColumn(F, Q, Steps.b(value));
  }

  static void run(Steps s, AsyncConnection connection, TableName name) throws Exception {
    AsyncAdmin admin = connection.getAdmin();
    AsyncTable<?> table = connection.getTable(name);
    s.step("create a table of three regions",
        () -> admin.createTable(JavaClient.descriptor(name), new byte[][] {Steps.b("h"), Steps.b("p")}).get());
    s.step("list tables, describe", () -> {
      Steps.equal("names", name.getNameAsString(),
          JavaClient.sorted(admin.listTableNames(Pattern.compile(name + ""), false).get()));
      Steps.equal("versions", 3, admin.getDescriptor(name).get().getColumnFamily(F).getMaxVersions());
      Steps.equal("regions", 3, connection.getRegionLocator(name).getAllRegionLocations().get().size());
    });
    s.step("put, get", () -> {
      table.put(put("user1", "v1")).get();
      Steps.equal("value", "v1", JavaClient.values(table.get(new Get(Steps.b("user1"))).get()));
      Steps.equal("exists", false, table.exists(new Get(Steps.b("nobody"))).get());
    });
    s.step("many puts at a time", () -> {
      List<CompletableFuture<Void>> puts = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        puts.add(table.put(put(String.format("%c-many%03d", 'a' + i % 26, i), "v")));
      }
      CompletableFuture.allOf(puts.toArray(new CompletableFuture[0])).get();
      Steps.equal("rows", 501, table.scanAll(new Scan()).get().size());
    });
    s.step("scan a prefix, a range, with a limit, backwards", () -> {
      table.putAll(Arrays.asList(put("user2", "v"), put("user3", "v"), put("user10", "v"))).get();
      Steps.equal("prefix", "user1 user10 user2 user3",
          Steps.rows(table.scanAll(new Scan().setRowPrefixFilter(Steps.b("user"))).get()));
      Steps.equal("range", "user1 user10",
          Steps.rows(table.scanAll(new Scan().withStartRow(Steps.b("user")).withStopRow(Steps.b("user2"))).get()));
      Steps.equal("limit", "user1 user10",
          Steps.rows(table.scanAll(new Scan().setRowPrefixFilter(Steps.b("user")).setLimit(2)).get()));
      Steps.equal("backwards", "user3 user2",
          Steps.rows(table.scanAll(new Scan().withStartRow(Steps.b("user3")).setReversed(true).setLimit(2)).get()));
      try (ResultScanner scanner = table.getScanner(new Scan().setRowPrefixFilter(Steps.b("user")))) {
        Steps.equal("scanner", "user1 user10 user2 user3", Steps.rows(scanner));
      }
    });
    s.step("increment, append", () -> {
      Steps.equal("first", 5L, table.incrementColumnValue(Steps.b("counter"), F, Q, 5).get());
      Steps.equal("second", 4L, Bytes.toLong(table.increment(new Increment(Steps.b("counter")).addColumn(F, Q, -1)).get().value()));
      Steps.equal("appended", "ab", JavaClient.values(
          table.append(new Append(Steps.b("appended")).addColumn(F, Q, Steps.b("a")))
              .thenCompose(first -> table.append(new Append(Steps.b("appended")).addColumn(F, Q, Steps.b("b")))).get()));
    });
    s.step("a batch of all kinds", () -> {
      List<Object> results = table.batchAll(Arrays.asList(put("batch1", "b"), new Get(Steps.b("user1")),
          new Delete(Steps.b("user2")), new Increment(Steps.b("counter")).addColumn(F, Q, 10))).get();
      Steps.equal("get", "v1", JavaClient.values((Result) results.get(1)));
      Steps.equal("increment", 14L, Bytes.toLong(((Result) results.get(3)).value()));
      Steps.equal("exist", "[true, false]",
          table.existsAll(Arrays.asList(new Get(Steps.b("batch1")), new Get(Steps.b("user2")))).get() + "");
    });
    s.step("check and mutate", () -> {
      byte[] row = Steps.b("checked");
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
      Steps.equal("absent", true, table.checkAndMutate(check.ifNotExists(F, Q).build(put("checked", "1"))).get().isSuccess());
      check = CheckAndMutate.newBuilder(row);
      Steps.equal("other", false, table.checkAndMutate(check.ifEquals(F, Q, Steps.b("2")).build(new Delete(row))).get().isSuccess());
      RowMutations changes = new RowMutations(row);
      changes.add(put("checked", "3"));
      changes.add(new Delete(row).addColumns(F, Steps.b("old")));
      Steps.equal("equal", true, table.checkAndMutate(row, F).qualifier(Q).ifEquals(Steps.b("1")).thenMutate(changes).get());
      Steps.equal("value", "3", JavaClient.values(table.get(new Get(row)).get()));
    });
    s.step("a buffered mutator", () -> {
      try (AsyncBufferedMutator mutator = connection.getBufferedMutator(name)) {
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
          puts.add(mutator.mutate(put(String.format("buffered%04d", i), "v")));
        }
        mutator.flush();
        CompletableFuture.allOf(puts.toArray(new CompletableFuture[0])).get();
      }
      Steps.equal("rows", 1000, table.scanAll(new Scan().setRowPrefixFilter(Steps.b("buffered"))).get().size());
    });
    s.step("delete", () -> {
      table.delete(new Delete(Steps.b("user1"))).get();
      Steps.equal("rows", "user10 user3", Steps.rows(table.scanAll(new Scan().setRowPrefixFilter(Steps.b("user"))).get()));
    });
    s.refused("a family that does not exist", "NoSuchColumnFamilyException", "none",
        () -> table.put(new Put(Steps.b("a")).addColumn(Steps.b("none"), Q, Q)).get());
    s.step("drop", () -> {
      admin.disableTable(name).get();
      admin.deleteTable(name).get();
      Steps.equal("exists", false, admin.tableExists(name).get());
    });
    s.refused("a table that does not exist", "TableNotFoundException", name.getNameAsString(),
        () -> table.get(new Get(Steps.b("a"))).get());
  }
}
