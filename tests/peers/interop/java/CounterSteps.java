import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Increments and appends. */
final class CounterSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] G = Steps.b("g");
  private static final byte[] N = Steps.b("n");

  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    TableName name = Interop.fresh(admin, "interop_counters");
    try (Table table = connection.getTable(name)) {
      increments(s, table);
      appends(s, table);
    }
    Interop.drop(admin, name);
  }

  private static void increments(Steps s, Table table) {
    s.step("increment from nothing, up and down", () -> {
      Steps.equal("5", 5L, table.incrementColumnValue(Steps.b("a"), F, N, 5));
      Steps.equal("3", 3L, table.incrementColumnValue(Steps.b("a"), F, N, -2));
      Steps.equal("read by 0", 3L, table.incrementColumnValue(Steps.b("a"), F, N, 0));
      Steps.equal("stored", 3L, Bytes.toLong(table.get(new Get(Steps.b("a"))).getValue(F, N)));
    });
    s.step("increment two columns of two families", () -> {
      Result result = table.increment(new Increment(Steps.b("b")).addColumn(F, N, 1).addColumn(G, N, 10));
      Steps.equal("f", 1L, Bytes.toLong(result.getValue(F, N)));
      Steps.equal("g", 10L, Bytes.toLong(result.getValue(G, N)));
      Steps.equal("cells", 2, result.size());
    });
    s.step("increment without an answer", () -> {
      Result result = table.increment(new Increment(Steps.b("c")).addColumn(F, N, 4).setReturnResults(false));
      Steps.isTrue("empty", result == null || result.isEmpty());
      Steps.equal("stored", 4L, Bytes.toLong(table.get(new Get(Steps.b("c"))).getValue(F, N)));
    });
    s.step("increment of a put value of eight bytes", () -> {
      table.put(new Put(Steps.b("d")).addColumn(F, N, Bytes.toBytes(40L)));
      Steps.equal("sum", 42L, table.incrementColumnValue(Steps.b("d"), F, N, 2));
    });
    s.step("increment wraps at the largest number", () -> {
      table.put(new Put(Steps.b("e")).addColumn(F, N, Bytes.toBytes(Long.MAX_VALUE)));
      Steps.equal("sum", Long.MIN_VALUE, table.incrementColumnValue(Steps.b("e"), F, N, 1));
    });
    s.step("increment after a delete starts anew", () -> {
      table.incrementColumnValue(Steps.b("h"), F, N, 7);
      table.delete(new Delete(Steps.b("h")).addColumns(F, N));
      Steps.equal("sum", 1L, table.incrementColumnValue(Steps.b("h"), F, N, 1));
      // The new cell may share the marker's millisecond, and is then hidden: only the result above is checked.
    });
    s.step("increment keeps versions", () -> {
      table.increment(new Increment(Steps.b("i")).addColumn(F, N, 1));
      table.increment(new Increment(Steps.b("i")).addColumn(F, N, 1));
      Result result = table.get(new Get(Steps.b("i")).readAllVersions());
      Steps.equal("newest", 2L, Bytes.toLong(result.rawCells()[0].getValueArray(), result.rawCells()[0].getValueOffset()));
    });
    s.refused("increment of a cell of three bytes", "DoNotRetryIOException", "Field is not a long, it's 3 bytes wide", () -> {
      table.put(new Put(Steps.b("j")).addColumn(F, N, Steps.b("abc")));
      table.incrementColumnValue(Steps.b("j"), F, N, 1);
    });
    s.step("increment in a list", () -> {
      Object[] results = new Object[2];
      table.batch(List.of(new Increment(Steps.b("k")).addColumn(F, N, 1), new Increment(Steps.b("z")).addColumn(F, N, 2)), results);
      Steps.equal("first", 1L, Bytes.toLong(((Result) results[0]).getValue(F, N)));
      Steps.equal("second", 2L, Bytes.toLong(((Result) results[1]).getValue(F, N)));
    });
  }

  private static void appends(Steps s, Table table) {
    byte[] q = Steps.b("q");
    s.step("append from nothing, then more", () -> {
      Steps.equal("first", "l/f:q=one", Steps.cells(table.append(new Append(Steps.b("l")).addColumn(F, q, Steps.b("one")))));
      Steps.equal("second", "l/f:q=onetwo", Steps.cells(table.append(new Append(Steps.b("l")).addColumn(F, q, Steps.b("two")))));
      Steps.equal("stored", "l/f:q=onetwo", Steps.cells(table.get(new Get(Steps.b("l")))));
    });
    s.step("append to two columns", () -> Steps.equal("cells", "m/f:q=x m/g:q=y",
        Steps.cells(table.append(new Append(Steps.b("m")).addColumn(F, q, Steps.b("x")).addColumn(G, q, Steps.b("y"))))));
    s.step("append without an answer", () -> {
      Result result = table.append(new Append(Steps.b("o")).addColumn(F, q, Steps.b("x")).setReturnResults(false));
      Steps.isTrue("empty", result == null || result.isEmpty());
      Steps.equal("stored", "o/f:q=x", Steps.cells(table.get(new Get(Steps.b("o")))));
    });
    s.step("append of nothing keeps the value", () -> {
      table.append(new Append(Steps.b("p")).addColumn(F, q, Steps.b("x")));
      Steps.equal("cells", "p/f:q=x", Steps.cells(table.append(new Append(Steps.b("p")).addColumn(F, q, new byte[0]))));
    });
  }
}
