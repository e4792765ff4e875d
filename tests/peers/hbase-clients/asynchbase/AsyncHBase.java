import com.stumbleupon.async.Deferred;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.hbase.async.AppendRequest;
import org.hbase.async.AtomicIncrementRequest;
import org.hbase.async.BinaryComparator;
import org.hbase.async.CompareFilter;
import org.hbase.async.DeleteRequest;
import org.hbase.async.FilterList;
import org.hbase.async.GetRequest;
import org.hbase.async.GetResultOrException;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.hbase.async.PutRequest;
import org.hbase.async.QualifierFilter;
import org.hbase.async.RowFilter;
import org.hbase.async.ScanFilter;
import org.hbase.async.Scanner;

/** What a user of asynchbase tries first; {@code args} are ZooKeeper and the table, which it cannot create. */
final class AsyncHBase {
  private static final int LIMIT_MS = 60_000;
  private static final byte[] F = Steps.b("f");
  private static final byte[] Q = Steps.b("q");

  public static void main(String[] args) throws Exception {
    HBaseClient client = new HBaseClient(args[0]);
    Steps s = new Steps();
    s.group("asynchbase 1.8.2", () -> run(s, client, Steps.b(args[1])));
    client.shutdown().join(LIMIT_MS);
    System.exit(0);
  }

  private static PutRequest put(byte[] table, String row, String value) {
    return new PutRequest(table, Steps.b(row), F, Q, Steps.b(value));
  }

  private static AtomicIncrementRequest add(byte[] table, long amount) {
    return new AtomicIncrementRequest(table, Steps.b("counter"), F, Q, amount);
  }

  private static String values(List<KeyValue> cells) {
    return cells == null ? "" : cells.stream().map(cell -> new String(cell.value())).collect(Collectors.joining(" "));
  }

  private static String get(HBaseClient client, byte[] table, String row) throws Exception {
    return values(client.get(new GetRequest(table, Steps.b(row)).family(F).qualifier(Q)).join(LIMIT_MS));
  }

  private static String rows(Scanner scanner) throws Exception {
    List<String> rows = new ArrayList<>();
    ArrayList<ArrayList<KeyValue>> page;
    while ((page = scanner.nextRows().join(LIMIT_MS)) != null) {
      page.forEach(row -> rows.add(new String(row.get(0).key())));
    }
    return String.join(" ", rows);
  }

  private static void run(Steps s, HBaseClient client, byte[] table) throws Exception {
    // The answer is whether some row exists that nobody has written; what counts is that there is one.
    s.step("the table exists, and its family", () -> {
      client.ensureTableExists(table).join(LIMIT_MS);
      Steps.equal("answer", false, client.ensureTableFamilyExists(table, F).join(LIMIT_MS));
    });
    // The client looks for its region until it gives up, on a real cluster too.
    s.refused("a table that does not exist", "NonRecoverableException", "Too many attempts: Exists(table=\"clients_none\"",
        () -> client.ensureTableExists("clients_none").join(LIMIT_MS));
    s.refused("a family that does not exist", "NoSuchColumnFamilyException", "",
        () -> client.ensureTableFamilyExists(table, Steps.b("none")).join(LIMIT_MS));
    s.step("put, get", () -> {
      client.put(put(table, "user1", "v1")).join(LIMIT_MS);
      Steps.equal("value", "v1", get(client, table, "user1"));
      Steps.equal("an absent row", "", get(client, table, "nobody"));
    });
    s.step("many puts, sent together", () -> {
      List<Deferred<Object>> puts = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        puts.add(client.put(put(table, String.format("many%03d", i), "v" + i)));
      }
      client.flush().join(LIMIT_MS);
      Deferred.group(puts).join(LIMIT_MS);
      Steps.equal("value", "v499", get(client, table, "many499"));
    });
    s.step("several columns, several gets", () -> {
      byte[][] qualifiers = {Steps.b("a"), Steps.b("b")};
      byte[][] values = {Steps.b("1"), Steps.b("2")};
      client.put(new PutRequest(table, Steps.b("wide"), F, qualifiers, values)).join(LIMIT_MS);
      List<GetRequest> gets = new ArrayList<>();
      gets.add(new GetRequest(table, Steps.b("wide")));
      gets.add(new GetRequest(table, Steps.b("nobody")));
      gets.add(new GetRequest(table, Steps.b("user1")));
      List<GetResultOrException> found = client.get(gets).join(LIMIT_MS);
      Steps.equal("values", "1 2,,v1", found.stream().map(one -> values(one.getCells())).collect(Collectors.joining(",")));
    });
    s.step("scan a range", () -> {
      for (String row : "user2 user3 user10 zebra".split(" ")) {
        client.put(put(table, row, "of " + row)).join(LIMIT_MS);
      }
      Scanner scanner = client.newScanner(table);
      scanner.setStartKey("user");
      scanner.setStopKey("uses");
      Steps.equal("rows", "user1 user10 user2 user3", rows(scanner));
    });
    s.step("scan a family in pages", () -> {
      Scanner scanner = client.newScanner(table);
      scanner.setFamily(F);
      scanner.setMaxNumRows(7);
      scanner.setStartKey("many");
      scanner.setStopKey("n");
      Steps.equal("rows", 500, rows(scanner).split(" ").length);
    });
    s.step("scan by a regular expression of the key", () -> {
      Scanner scanner = client.newScanner(table);
      scanner.setKeyRegexp("^user.$");
      Steps.equal("rows", "user1 user2 user3", rows(scanner));
    });
    s.step("scan with filters", () -> {
      Scanner scanner = client.newScanner(table);
      List<ScanFilter> both = new ArrayList<>();
      both.add(new RowFilter(CompareFilter.CompareOp.GREATER_OR_EQUAL, new BinaryComparator(Steps.b("user"))));
      both.add(new QualifierFilter(CompareFilter.CompareOp.EQUAL, new BinaryComparator(Steps.b("b"))));
      scanner.setFilter(new FilterList(both));
      Steps.equal("rows", "wide", rows(scanner));
    });
    s.step("increment, also buffered", () -> {
      Steps.equal("first", 5L, client.atomicIncrement(add(table, 5)).join(LIMIT_MS));
      Steps.equal("second", 3L, client.atomicIncrement(add(table, -2)).join(LIMIT_MS));
      List<Deferred<Long>> sums = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        sums.add(client.bufferAtomicIncrement(add(table, 1)));
      }
      client.flush().join(LIMIT_MS);
      Deferred.group(sums).join(LIMIT_MS);
      Steps.equal("all", 103L, client.atomicIncrement(add(table, 0)).join(LIMIT_MS));
    });
    s.step("append", () -> {
      client.append(new AppendRequest(table, Steps.b("appended"), F, Q, Steps.b("a"))).join(LIMIT_MS);
      client.append(new AppendRequest(table, Steps.b("appended"), F, Q, Steps.b("b"))).join(LIMIT_MS);
      Steps.equal("value", "ab", get(client, table, "appended"));
    });
    s.step("compare and set", () -> {
      Steps.equal("absent", true, client.atomicCreate(put(table, "checked", "1")).join(LIMIT_MS));
      Steps.equal("again", false, client.atomicCreate(put(table, "checked", "2")).join(LIMIT_MS));
      Steps.equal("equal", true, client.compareAndSet(put(table, "checked", "3"), Steps.b("1")).join(LIMIT_MS));
      Steps.equal("other", false, client.compareAndSet(put(table, "checked", "4"), Steps.b("1")).join(LIMIT_MS));
      Steps.equal("value", "3", get(client, table, "checked"));
    });
    s.step("delete", () -> {
      client.delete(new DeleteRequest(table, Steps.b("user1"), F, Q)).join(LIMIT_MS);
      client.delete(new DeleteRequest(table, Steps.b("user2"))).join(LIMIT_MS);
      Steps.equal("value", "", get(client, table, "user1") + get(client, table, "user2"));
    });
    s.step("prefetch, regions", () -> {
      client.prefetchMeta(table).join(LIMIT_MS);
      Steps.equal("regions", 1, client.locateRegions(table).join(LIMIT_MS).size());
    });
  }
}
