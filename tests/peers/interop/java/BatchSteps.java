import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Batches over several regions. */
final class BatchSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] Q = Steps.b("q");
  private static final byte[] N = Steps.b("n");

  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    TableName name = Interop.fresh(admin, "interop_batches");
    try (Table table = connection.getTable(name)) {
      s.step("mixed batch over four regions", () -> {
        table.put(List.of(put("b", "vb"), put("h", "vh"), put("o", "vo"), put("u", "vu")));
        List<Row> actions = List.of(put("a", "va"), new Get(Steps.b("b")), new Increment(Steps.b("c")).addColumn(F, N, 7),
            new Append(Steps.b("h")).addColumn(F, Q, Steps.b("+")), new Delete(Steps.b("o")), new Get(Steps.b("missing")),
            RowMutations.of(List.of(put("p", "vp"), new Delete(Steps.b("p")).addColumns(F, N))),
            new Get(Steps.b("u")).setCheckExistenceOnly(true),
            CheckAndMutate.newBuilder(Steps.b("v")).ifNotExists(F, Q).build(put("v", "vv")),
            CheckAndMutate.newBuilder(Steps.b("u")).ifNotExists(F, Q).build(put("u", "no")));
        Object[] results = new Object[actions.size()];
        table.batch(actions, results);
        Steps.isTrue("put", ((Result) results[0]).isEmpty());
        Steps.equal("get", "b/f:q=vb", Steps.cells((Result) results[1]));
        Steps.equal("increment", 7L, Bytes.toLong(((Result) results[2]).getValue(F, N)));
        Steps.equal("append", "h/f:q=vh+", Steps.cells((Result) results[3]));
        Steps.isTrue("delete", ((Result) results[4]).isEmpty());
        Steps.isTrue("miss", ((Result) results[5]).isEmpty());
        Steps.equal("row mutations", true, ((Result) results[6]).getExists());
        Steps.equal("exists", true, ((Result) results[7]).getExists());
        Steps.equal("condition true", true, ((CheckAndMutateResult) results[8]).isSuccess());
        Steps.equal("condition false", false, ((CheckAndMutateResult) results[9]).isSuccess());
        Steps.equal("stored", "a/f:q=va;;p/f:q=vp;u/f:q=vu;v/f:q=vv", read(table, "a", "o", "p", "u", "v"));
      });
      s.step("batch with one unknown family: the others are done", () -> {
        List<Row> actions = List.of(put("d", "1"), new Put(Steps.b("d")).addColumn(Steps.b("zz"), Q, Q), new Get(Steps.b("b")), put("w", "1"));
        Object[] results = new Object[actions.size()];
        try {
          table.batch(actions, results);
          throw new Steps.Mismatch("expected RetriesExhaustedWithDetailsException; got no exception");
        } catch (RetriesExhaustedWithDetailsException e) {
          Steps.equal("failures", 1, e.getNumExceptions());
          Steps.equal("class", "NoSuchColumnFamilyException", e.getCause(0).getClass().getSimpleName());
          Steps.isTrue("the failed action is named", e.getRow(0) == actions.get(1));
        }
        Steps.isTrue("index 1 holds the failure", results[1] instanceof Throwable);
        Steps.equal("index 2", "b/f:q=vb", Steps.cells((Result) results[2]));
        Steps.equal("stored", "d/f:q=1;w/f:q=1", read(table, "d", "w"));
      });
      s.step("batch with two puts of one row keeps their order", () -> {
        table.batch(List.of(new Put(Steps.b("e")).addColumn(F, Q, 9, Steps.b("first")), new Put(Steps.b("e")).addColumn(F, Q, 9, Steps.b("second"))),
            new Object[2]);
        Steps.equal("stored", "e/f:q=second", read(table, "e"));
      });
      s.step("gets with an unknown family", () -> {
        Object[] results = new Object[2];
        try {
          table.batch(List.of(new Get(Steps.b("b")).addFamily(Steps.b("zz")), new Get(Steps.b("b"))), results);
          throw new Steps.Mismatch("expected RetriesExhaustedWithDetailsException; got no exception");
        } catch (RetriesExhaustedWithDetailsException e) {
          Steps.equal("class", "NoSuchColumnFamilyException", e.getCause(0).getClass().getSimpleName());
        }
        Steps.equal("index 1", "b/f:q=vb", Steps.cells((Result) results[1]));
      });
      s.step("increment of a short cell fails alone", () -> {
        table.put(new Put(Steps.b("f")).addColumn(F, N, Steps.b("abc")));
        Object[] results = new Object[2];
        try {
          table.batch(List.of(new Increment(Steps.b("f")).addColumn(F, N, 1), new Increment(Steps.b("g")).addColumn(F, N, 1)), results);
          throw new Steps.Mismatch("expected RetriesExhaustedWithDetailsException; got no exception");
        } catch (RetriesExhaustedWithDetailsException e) {
          Steps.equal("failures", 1, e.getNumExceptions());
          Steps.equal("class", "DoNotRetryIOException", e.getCause(0).getClass().getSimpleName());
        }
        Steps.equal("index 1", 1L, Bytes.toLong(((Result) results[1]).getValue(F, N)));
      });
      s.step("buffered mutator: 1,000 rows, then 500 deletes", () -> {
        List<Put> rows = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
          rows.add(put(String.format("%c%04d", 'a' + i % 26, i), "bulk"));
        }
        try (BufferedMutator mutator = connection.getBufferedMutator(name)) {
          mutator.mutate(rows);
          mutator.flush();
          Steps.equal("rows", 1000, bulk(table));
          mutator.mutate(rows.subList(0, 500).stream().map(p -> new Delete(p.getRow())).toList());
        }
        Steps.equal("rows left", 500, bulk(table));
      });
      s.step("gets of 300 rows at once", () -> {
        List<Get> gets = new ArrayList<>();
        for (int i = 500; i < 800; i++) {
          gets.add(new Get(Steps.b(String.format("%c%04d", 'a' + i % 26, i))));
        }
        Result[] results = table.get(gets);
        Steps.equal("found", 300L, Arrays.stream(results).filter(r -> !r.isEmpty()).count());
        for (int i = 0; i < 300; i++) {
          Steps.equal("row " + i, Bytes.toString(gets.get(i).getRow()), Bytes.toString(results[i].getRow()));
        }
      });
    }
    Interop.drop(admin, name);
  }

  private static Put put(String row, String value) {
    return new Put(Steps.b(row)).addColumn(F, Q, Steps.b(value));
  }

  private static String read(Table table, String... rows) throws Exception {
    Result[] results = table.get(Arrays.stream(rows).map(r -> new Get(Steps.b(r))).toList());
    return String.join(";", Arrays.stream(results).map(Steps::cells).toList());
  }

  private static int bulk(Table table) throws Exception {
    int rows = 0;
    try (ResultScanner scanner = table.getScanner(new Scan().addColumn(F, Q))) {
      for (Result row : scanner) {
        rows += Bytes.toString(row.value()).equals("bulk") ? 1 : 0;
      }
    }
    return rows;
  }
}
