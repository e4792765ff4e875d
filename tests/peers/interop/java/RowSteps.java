import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Puts, gets and existence of single rows. */
final class RowSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] G = Steps.b("g");
  private static final byte[] Q = Steps.b("q");

  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    TableName name = Interop.fresh(admin, "interop_rows");
    try (Table table = connection.getTable(name)) {
      basics(s, table);
      selection(s, table);
      times(s, table);
      extremes(s, table);
    }
    Interop.drop(admin, name);
  }

  private static Put put(String row) {
    return new Put(Steps.b(row));
  }

  private static String get(Table table, Get get) throws Exception {
    return Steps.cells(table.get(get));
  }

  private static void basics(Steps s, Table table) {
    s.step("put and get in each region", () -> {
      for (String row : List.of("a", "g", "mzz", "n", "zz")) {
        table.put(put(row).addColumn(F, Q, Steps.b("v-" + row)));
        Steps.equal("cells", row + "/f:q=v-" + row, get(table, new Get(Steps.b(row))));
      }
    });
    s.step("get of a missing row", () -> {
      Result result = table.get(new Get(Steps.b("missing")));
      Steps.equal("empty", true, result.isEmpty());
      Steps.equal("row", null, result.getRow());
    });
    s.step("server's own timestamp", () -> {
      table.put(put("stamp").addColumn(F, Q, Steps.b("1")));
      long first = table.get(new Get(Steps.b("stamp"))).rawCells()[0].getTimestamp();
      table.put(put("stamp").addColumn(F, Q, Steps.b("2")));
      long second = table.get(new Get(Steps.b("stamp"))).rawCells()[0].getTimestamp();
      Steps.isTrue("close to this clock: " + first, Math.abs(first - System.currentTimeMillis()) < 60_000);
      Steps.isTrue("second " + second + " not before first " + first, second >= first);
    });
    s.step("put again replaces the value", () -> {
      table.put(put("twice").addColumn(F, Q, 5, Steps.b("1")));
      table.put(put("twice").addColumn(F, Q, 5, Steps.b("2")));
      Steps.equal("cells", "twice/f:q=2", get(table, new Get(Steps.b("twice")).readAllVersions()));
    });
    s.step("several families and columns come in order", () -> {
      table.put(put("many").addColumn(G, Steps.b("b"), Steps.b("4")).addColumn(F, Steps.b("z"), Steps.b("2"))
          .addColumn(G, Steps.b("a"), Steps.b("3")).addColumn(F, Steps.b("y"), Steps.b("1")).addColumn(F, Steps.b(""), Steps.b("0")));
      Steps.equal("cells", "many/f:=0 many/f:y=1 many/f:z=2 many/g:a=3 many/g:b=4", get(table, new Get(Steps.b("many"))));
    });
    s.step("puts in one list", () -> {
      table.put(List.of(put("l1").addColumn(F, Q, Steps.b("1")), put("p1").addColumn(F, Q, Steps.b("2")), put("u1").addColumn(F, Q, Steps.b("3"))));
      Result[] results = table.get(List.of(new Get(Steps.b("u1")), new Get(Steps.b("none")), new Get(Steps.b("l1")), new Get(Steps.b("p1"))));
      Steps.equal("cells", "[u1/f:q=3, , l1/f:q=1, p1/f:q=2]", Arrays.stream(results).map(Steps::cells).toList().toString());
    });
    s.step("exists", () -> {
      Steps.equal("row", true, table.exists(new Get(Steps.b("many"))));
      Steps.equal("column", true, table.exists(new Get(Steps.b("many")).addColumn(G, Steps.b("a"))));
      Steps.equal("other column", false, table.exists(new Get(Steps.b("many")).addColumn(G, Steps.b("none"))));
      Steps.equal("missing row", false, table.exists(new Get(Steps.b("missing"))));
      Steps.equal("list", "[true, false, true]", Arrays.toString(
          table.exists(List.of(new Get(Steps.b("many")), new Get(Steps.b("missing")), new Get(Steps.b("zz"))))));
      Result only = table.get(new Get(Steps.b("many")).setCheckExistenceOnly(true));
      Steps.equal("existence only", true, only.getExists());
      Steps.equal("no cells", true, only.isEmpty());
    });
    s.step("put that skips the log", () -> {
      table.put(put("nolog").addColumn(F, Q, Steps.b("v")).setDurability(Durability.SKIP_WAL));
      Steps.equal("cells", "nolog/f:q=v", get(table, new Get(Steps.b("nolog"))));
    });
    s.step("put with an own attribute", () -> {
      Put put = put("attr").addColumn(F, Q, Steps.b("v"));
      put.setAttribute("own", Steps.b("x"));
      table.put(put);
      Steps.equal("cells", "attr/f:q=v", get(table, new Get(Steps.b("attr"))));
    });
  }

  private static void selection(Steps s, Table table) {
    Get many = new Get(Steps.b("many"));
    s.step("get: one column", () -> Steps.equal("cells", "many/g:a=3", get(table, new Get(Steps.b("many")).addColumn(G, Steps.b("a")))));
    s.step("get: empty qualifier", () -> Steps.equal("cells", "many/f:=0", get(table, new Get(Steps.b("many")).addColumn(F, new byte[0]))));
    s.step("get: one family", () -> Steps.equal("cells", "many/g:a=3 many/g:b=4", get(table, new Get(Steps.b("many")).addFamily(G))));
    s.step("get: a family and a column of the other", () -> Steps.equal("cells", "many/f:z=2 many/g:a=3 many/g:b=4",
        get(table, new Get(Steps.b("many")).addFamily(G).addColumn(F, Steps.b("z")))));
    s.step("get: a column that is not there", () -> Steps.equal("cells", "", get(table, new Get(Steps.b("many")).addColumn(F, Steps.b("no")))));
    s.step("get: limit of cells in each family", () -> Steps.equal("cells", "many/f:=0 many/g:a=3",
        get(table, new Get(Steps.b("many")).setMaxResultsPerColumnFamily(1))));
    s.step("get: offset in each family", () -> Steps.equal("cells", "many/f:y=1 many/g:b=4",
        get(table, new Get(Steps.b("many")).setMaxResultsPerColumnFamily(1).setRowOffsetPerColumnFamily(1))));
    s.step("get: the whole row", () -> Steps.equal("count", 5, table.get(many).size()));
  }

  private static void times(Steps s, Table table) {
    s.step("versions: three of four stay, newest first", () -> {
      for (long t : new long[] {1000, 4000, 2000, 3000}) {
        table.put(put("t").addColumn(F, Q, t, Steps.b("v" + t)));
      }
      Steps.equal("newest", "t/f:q@4000#Put=v4000", Steps.fullCells(table.get(new Get(Steps.b("t")))));
      Steps.equal("two", "t/f:q@4000#Put=v4000 t/f:q@3000#Put=v3000",
          Steps.fullCells(table.get(new Get(Steps.b("t")).readVersions(2))));
      Steps.equal("all", "t/f:q@4000#Put=v4000 t/f:q@3000#Put=v3000 t/f:q@2000#Put=v2000",
          Steps.fullCells(table.get(new Get(Steps.b("t")).readAllVersions())));
    });
    s.step("time range: newest inside it, end excluded", () -> {
      Steps.equal("newest", "t/f:q@3000#Put=v3000", Steps.fullCells(table.get(new Get(Steps.b("t")).setTimeRange(2000, 4000))));
      Steps.equal("all", "t/f:q@3000#Put=v3000 t/f:q@2000#Put=v2000",
          Steps.fullCells(table.get(new Get(Steps.b("t")).setTimeRange(2000, 4000).readAllVersions())));
      Steps.equal("exact", "t/f:q@2000#Put=v2000", Steps.fullCells(table.get(new Get(Steps.b("t")).setTimestamp(2000))));
      Steps.equal("nothing", "", Steps.fullCells(table.get(new Get(Steps.b("t")).setTimeRange(5000, 6000))));
    });
    s.step("time range of one family", () -> {
      table.put(put("tf").addColumn(F, Q, 1000, Steps.b("1")).addColumn(G, Q, 1000, Steps.b("1")));
      Steps.equal("cells", "tf/g:q=1", get(table, new Get(Steps.b("tf")).setColumnFamilyTimeRange(F, 2000, 3000)));
    });
    s.step("one version in the other family", () -> {
      table.put(put("t").addColumn(G, Q, 1000, Steps.b("1")).addColumn(G, Q, 2000, Steps.b("2")));
      Steps.equal("cells", "t/g:q@2000#Put=2", Steps.fullCells(table.get(new Get(Steps.b("t")).addFamily(G).readAllVersions())));
    });
    s.step("time of the put stands for its cells", () -> {
      table.put(new Put(Steps.b("tp"), 77).addColumn(F, Q, Steps.b("v")));
      Steps.equal("cells", "tp/f:q@77#Put=v", Steps.fullCells(table.get(new Get(Steps.b("tp")))));
    });
    s.step("time to live of a put that is over", () -> {
      table.put(new Put(Steps.b("ttl"), 1000).addColumn(F, Q, Steps.b("v")).setTTL(10));
      Steps.equal("cells", "", get(table, new Get(Steps.b("ttl"))));
    });
    s.step("time to live of a put that lasts", () -> {
      table.put(put("ttl2").addColumn(F, Q, Steps.b("v")).setTTL(3_600_000));
      Steps.equal("cells", "ttl2/f:q=v", get(table, new Get(Steps.b("ttl2"))));
    });
  }

  private static void extremes(Steps s, Table table) {
    s.step("empty value", () -> {
      table.put(put("ev").addColumn(F, Q, new byte[0]));
      Steps.equal("cells", "ev/f:q=", get(table, new Get(Steps.b("ev"))));
    });
    s.step("any byte in row, qualifier and value", () -> {
      byte[] all = new byte[256];
      for (int i = 0; i < 256; i++) {
        all[i] = (byte) i;
      }
      table.put(new Put(all).addColumn(F, all, all));
      Result result = table.get(new Get(all));
      Steps.isTrue("row", Arrays.equals(all, result.getRow()));
      Steps.isTrue("value", Arrays.equals(all, result.getValue(F, all)));
    });
    s.step("row of one byte 00, row of one byte FF, a comma", () -> {
      for (String row : List.of("\\x00", "\\xFF", "x,y,z")) {
        table.put(put(row).addColumn(F, Q, Steps.b("v")));
        Steps.equal("value", "v", Bytes.toString(table.get(new Get(Steps.b(row))).value()));
      }
    });
    s.step("row of 10,000 bytes", () -> {
      byte[] row = new byte[10_000];
      Arrays.fill(row, (byte) 'h');
      table.put(new Put(row).addColumn(F, Q, Steps.b("v")));
      Steps.equal("length", 10_000, table.get(new Get(row)).getRow().length);
    });
    s.step("value of 1 MiB", () -> {
      byte[] value = new byte[1 << 20];
      for (int i = 0; i < value.length; i++) {
        value[i] = (byte) (i * 31);
      }
      table.put(put("big").addColumn(F, Q, value));
      Steps.isTrue("same bytes", Arrays.equals(value, table.get(new Get(Steps.b("big"))).value()));
    });
    s.step("row of 1,000 columns", () -> {
      Put wide = put("wide");
      for (int i = 0; i < 1000; i++) {
        wide.addColumn(F, Steps.b(String.format("c%04d", i)), Bytes.toBytes(i));
      }
      table.put(wide);
      Result result = table.get(new Get(Steps.b("wide")));
      Steps.equal("count", 1000, result.size());
      Steps.equal("last", 999, Bytes.toInt(result.getValue(F, Steps.b("c0999"))));
    });
  }
}
