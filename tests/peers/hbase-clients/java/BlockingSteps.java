import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** What a user of {@code Connection} tries first. */
final class BlockingSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] G = Steps.b("g");
  private static final byte[] Q = Steps.b("q");

  private static Put put(String row, String value) {
    return new Put(Steps.b(row)).addColumn(F, Q, Steps.b(value));
  }

  private static String scan(Table table, Scan scan) throws Exception {
    try (ResultScanner scanner = table.getScanner(scan)) {
      return Steps.rows(scanner);
    }
  }

  static void run(Steps s, Connection connection, Admin admin, TableName name) throws Exception {
    s.step("create a table of four regions", () -> admin.createTable(JavaClient.descriptor(name), Steps.b("b"), Steps.b("y"), 4));
    s.step("list tables", () -> {
      Steps.equal("exists", true, admin.tableExists(name));
      Steps.equal("names", name.getNameAsString(),
          JavaClient.sorted(Arrays.asList(admin.listTableNames(Pattern.compile(name + "")))));
      Steps.equal("enabled and available", true, admin.isTableEnabled(name) && admin.isTableAvailable(name));
    });
    s.step("describe", () -> {
      TableDescriptor found = admin.getDescriptor(name);
      Steps.equal("families", "f g", found.getColumnFamilyNames().stream().map(Bytes::toString).collect(Collectors.joining(" ")));
      Steps.equal("versions", 3, found.getColumnFamily(F).getMaxVersions());
    });
    s.step("regions and their servers", () -> {
      try (RegionLocator locator = connection.getRegionLocator(name)) {
        Steps.equal("regions", 4, locator.getAllRegionLocations().size());
        Steps.equal("start of the second", "b", Bytes.toString(locator.getStartKeys()[1]));
        String server = locator.getRegionLocation(Steps.b("a")).getServerName().toString();
        Steps.equal("a live server", true, admin.getRegionServers().stream().anyMatch(live -> live.toString().equals(server)));
      }
    });
    try (Table table = connection.getTable(name)) {
      rows(s, table);
      writes(s, connection, table, name);
    }
    s.step("add a family", () -> {
      admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("h"));
      try (Table table = connection.getTable(name)) {
        table.put(new Put(Steps.b("h1")).addColumn(Steps.b("h"), Q, Steps.b("v")));
        Steps.equal("value", "v", JavaClient.values(table.get(new Get(Steps.b("h1")))));
      }
    });
    s.step("flush and compact", () -> {
      admin.flush(name);
      admin.majorCompact(name);
      try (Table table = connection.getTable(name)) {
        Steps.equal("value", "v", JavaClient.values(table.get(new Get(Steps.b("h1")))));
      }
    });
    s.step("disable, truncate", () -> {
      admin.disableTable(name);
      admin.truncateTable(name, true);
      try (Table table = connection.getTable(name)) {
        Steps.equal("rows", "", scan(table, new Scan()));
      }
    });
    s.step("drop", () -> {
      admin.disableTable(name);
      admin.deleteTable(name);
      Steps.equal("exists", false, admin.tableExists(name));
    });
    s.refused("a table that does not exist", "TableNotFoundException", name.getNameAsString(), () -> {
      try (Table table = connection.getTable(name)) {
        table.get(new Get(Steps.b("a")));
      }
    });
  }

  private static void rows(Steps s, Table table) {
    s.step("put, get", () -> {
      table.put(new Put(Steps.b("user1")).addColumn(F, Q, Steps.b("v1")).addColumn(G, Steps.b("n"), Bytes.toBytes(7L)));
      Result row = table.get(new Get(Steps.b("user1")));
      Steps.equal("value", "v1", Bytes.toString(row.getValue(F, Q)));
      Steps.equal("number", 7L, Bytes.toLong(row.getValue(G, Steps.b("n"))));
      Steps.equal("an absent row", true, table.get(new Get(Steps.b("nobody"))).isEmpty());
      Steps.equal("exists", true, table.exists(new Get(Steps.b("user1"))));
    });
    s.step("put a list, get a list", () -> {
      List<Put> puts = new ArrayList<>();
      for (String row : "apple banana user2 user3 user10 zebra".split(" ")) {
        puts.add(put(row, "of " + row));
      }
      table.put(puts);
      Result[] found = table.get(Arrays.asList(new Get(Steps.b("apple")), new Get(Steps.b("none")), new Get(Steps.b("zebra"))));
      Steps.equal("values", "of apple,,of zebra", Arrays.stream(found).map(JavaClient::values).collect(Collectors.joining(",")));
    });
    s.step("scan all", () -> Steps.equal("rows", "apple banana user1 user10 user2 user3 zebra", scan(table, new Scan())));
    s.step("scan a prefix", () -> Steps.equal("rows", "user1 user10 user2 user3",
        scan(table, new Scan().setRowPrefixFilter(Steps.b("user")))));
    s.step("scan a range", () -> Steps.equal("rows", "banana user1",
        scan(table, new Scan().withStartRow(Steps.b("b")).withStopRow(Steps.b("user10")))));
    s.step("scan with a limit, and backwards", () -> {
      Steps.equal("rows", "apple banana", scan(table, new Scan().setLimit(2)));
      Steps.equal("rows", "zebra user3 user2", scan(table, new Scan().setReversed(true).setLimit(3)));
      Steps.equal("pages of two", "apple banana user1 user10 user2 user3 zebra", scan(table, new Scan().setCaching(2)));
    });
    s.step("scan with filters", () -> {
      SingleColumnValueFilter of = new SingleColumnValueFilter(F, Q, CompareOperator.EQUAL, Steps.b("of user2"));
      Steps.equal("rows", "user2", scan(table, new Scan().setFilter(of)));
      Steps.equal("rows", "user1", scan(table, new Scan().addColumn(G, Steps.b("n"))));
      Steps.equal("rows", "user1 user10",
          scan(table, new Scan().withStartRow(Steps.b("user1")).withStopRow(Steps.b("user9")).setFilter(new PageFilter(2))));
    });
    s.step("versions", () -> {
      for (int i = 1; i <= 4; i++) {
        table.put(new Put(Steps.b("versions")).addColumn(F, Q, i, Steps.b("v" + i)));
      }
      Steps.equal("values", "v4 v3 v2", JavaClient.values(table.get(new Get(Steps.b("versions")).readAllVersions())));
      Steps.equal("a time", "v2", JavaClient.values(table.get(new Get(Steps.b("versions")).setTimestamp(2))));
    });
    s.refused("a family that does not exist", "NoSuchColumnFamilyException", "none",
        () -> table.put(new Put(Steps.b("a")).addColumn(Steps.b("none"), Q, Q)));
  }

  private static void writes(Steps s, Connection connection, Table table, TableName name) {
    s.step("increment, append", () -> {
      Steps.equal("first", 5L, table.incrementColumnValue(Steps.b("counter"), F, Steps.b("c"), 5));
      Result sum = table.increment(new Increment(Steps.b("counter")).addColumn(F, Steps.b("c"), -2).addColumn(G, Steps.b("d"), 1));
      Steps.equal("c", 3L, Bytes.toLong(sum.getValue(F, Steps.b("c"))));
      Steps.equal("d", 1L, Bytes.toLong(sum.getValue(G, Steps.b("d"))));
      table.append(new Append(Steps.b("appended")).addColumn(F, Q, Steps.b("a")));
      Steps.equal("appended", "ab", JavaClient.values(table.append(new Append(Steps.b("appended")).addColumn(F, Q, Steps.b("b")))));
    });
    s.step("a batch of all kinds", () -> {
      Object[] results = new Object[4];
      table.batch(Arrays.asList(put("batch1", "b"), new Get(Steps.b("apple")), new Delete(Steps.b("banana")),
          new Increment(Steps.b("counter")).addColumn(F, Steps.b("c"), 10)), results);
      Steps.equal("get", "of apple", JavaClient.values((Result) results[1]));
      Steps.equal("increment", 13L, Bytes.toLong(((Result) results[3]).value()));
      Steps.equal("put", true, table.exists(new Get(Steps.b("batch1"))));
      Steps.equal("delete", false, table.exists(new Get(Steps.b("banana"))));
    });
    s.step("check and mutate", () -> {
      byte[] row = Steps.b("checked");
      CheckAndMutate.Builder absent = CheckAndMutate.newBuilder(row).ifNotExists(F, Q);
      Steps.equal("absent", true, table.checkAndMutate(absent.build(put("checked", "1"))).isSuccess());
      Steps.equal("again", false, table.checkAndMutate(absent.build(put("checked", "2"))).isSuccess());
      Steps.equal("equal", true, table.checkAndMutate(row, F).qualifier(Q).ifEquals(Steps.b("1")).thenPut(put("checked", "3")));
      Steps.equal("other", false, table.checkAndMutate(row, F).qualifier(Q).ifEquals(Steps.b("1")).thenDelete(new Delete(row)));
      Steps.equal("value", "3", JavaClient.values(table.get(new Get(row))));
    });
    s.step("changes of a row at once", () -> {
      byte[] row = Steps.b("atomic");
      table.put(new Put(row).addColumn(F, Steps.b("old"), Q));
      RowMutations changes = new RowMutations(row);
      changes.add(new Put(row).addColumn(F, Steps.b("new"), Steps.b("n")));
      changes.add(new Delete(row).addColumns(F, Steps.b("old")));
      table.mutateRow(changes);
      Steps.equal("values", "n", JavaClient.values(table.get(new Get(row))));
    });
    s.step("delete", () -> {
      table.delete(new Delete(Steps.b("user1")).addColumns(F, Q));
      Steps.equal("a column", null, table.get(new Get(Steps.b("user1"))).getValue(F, Q));
      Steps.equal("another", true, table.get(new Get(Steps.b("user1"))).containsColumn(G, Steps.b("n")));
      table.delete(new ArrayList<>(Arrays.asList(new Delete(Steps.b("user1")), new Delete(Steps.b("user2")))));
      Steps.equal("rows", "user10 user3", scan(table, new Scan().setRowPrefixFilter(Steps.b("user"))));
    });
    s.step("a buffered mutator", () -> {
      try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
        for (int i = 0; i < 1000; i++) {
          mutator.mutate(put(String.format("many%04d", i), "v"));
        }
      }
      int rows = 0;
      try (ResultScanner scanner = table.getScanner(new Scan().setRowPrefixFilter(Steps.b("many")))) {
        for (Result row : scanner) {
          rows++;
        }
      }
      Steps.equal("rows", 1000, rows);
    });
  }
}
