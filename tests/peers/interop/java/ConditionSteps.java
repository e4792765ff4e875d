import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/** Check-and-mutate and row mutations. */
final class ConditionSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] Q = Steps.b("q");
  private static final byte[] N = Steps.b("n");

  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    TableName name = Interop.fresh(admin, "interop_conditions");
    try (Table table = connection.getTable(name)) {
      values(s, table);
      operators(s, table);
      mutations(s, table);
      rowMutations(s, table);
    }
    Interop.drop(admin, name);
  }

  private static Put put(String row, String value) {
    return new Put(Steps.b(row)).addColumn(F, Q, Steps.b(value));
  }

  private static CheckAndMutate.Builder check(String row) {
    return CheckAndMutate.newBuilder(Steps.b(row));
  }

  private static String value(Table table, String row) throws Exception {
    return Steps.cells(table.get(new Get(Steps.b(row)).addFamily(F)));
  }

  private static void values(Steps s, Table table) {
    s.step("equal: true, then false", () -> {
      table.put(put("a", "1"));
      Steps.equal("true", true, table.checkAndMutate(check("a").ifEquals(F, Q, Steps.b("1")).build(put("a", "2"))).isSuccess());
      Steps.equal("cells", "a/f:q=2", value(table, "a"));
      Steps.equal("false", false, table.checkAndMutate(check("a").ifEquals(F, Q, Steps.b("1")).build(put("a", "3"))).isSuccess());
      Steps.equal("cells", "a/f:q=2", value(table, "a"));
    });
    s.step("not there: true, then false", () -> {
      Steps.equal("true", true, table.checkAndMutate(check("b").ifNotExists(F, Q).build(put("b", "1"))).isSuccess());
      Steps.equal("false", false, table.checkAndMutate(check("b").ifNotExists(F, Q).build(put("b", "2"))).isSuccess());
      Steps.equal("cells", "b/f:q=1", value(table, "b"));
    });
    s.step("value against a column that is not there is false", () -> Steps.equal("false", false,
        table.checkAndMutate(check("none").ifEquals(F, Q, Steps.b("1")).build(put("none", "1"))).isSuccess()));
    s.step("equal to nothing: an absent and an empty value are both true", () -> {
      Steps.equal("absent", true, table.checkAndMutate(check("c").ifEquals(F, Q, new byte[0]).build(put("c", ""))).isSuccess());
      Steps.equal("empty", true, table.checkAndMutate(check("c").ifEquals(F, Q, new byte[0]).build(put("c", "1"))).isSuccess());
      Steps.equal("cells", "c/f:q=1", value(table, "c"));
    });
    s.step("time range: an older cell counts", () -> {
      table.put(new Put(Steps.b("d")).addColumn(F, Q, 1000, Steps.b("old")).addColumn(F, Q, 2000, Steps.b("new")));
      Steps.equal("in the range", true, table.checkAndMutate(check("d").ifEquals(F, Q, Steps.b("old"))
          .timeRange(TimeRange.between(500, 1500)).build(put("d", "x"))).isSuccess());
      Steps.equal("outside", false, table.checkAndMutate(check("d").ifEquals(F, Q, Steps.b("old"))
          .timeRange(TimeRange.between(1500, 1600)).build(put("d", "y"))).isSuccess());
    });
  }

  /** The given value is the left operand: LESS compares whether it is less than the cell. */
  private static void operators(Steps s, Table table) {
    String[] expected = {"LESS 1:true 2:false 3:false", "LESS_OR_EQUAL 1:true 2:true 3:false", "EQUAL 1:false 2:true 3:false",
        "NOT_EQUAL 1:true 2:false 3:true", "GREATER_OR_EQUAL 1:false 2:true 3:true", "GREATER 1:false 2:false 3:true"};
    for (String line : expected) {
      CompareOperator operator = CompareOperator.valueOf(line.split(" ")[0]);
      s.step("operator " + operator + " against the cell 2", () -> {
        table.put(put("op", "2"));
        StringBuilder found = new StringBuilder(operator.name());
        for (String given : List.of("1", "2", "3")) {
          found.append(' ').append(given).append(':').append(table.checkAndMutate(
              check("op").ifMatches(F, Q, operator, Steps.b(given)).build(new Put(Steps.b("op")).addColumn(F, N, N))).isSuccess());
        }
        Steps.equal("answers", line, found.toString());
      });
    }
  }

  private static void mutations(Steps s, Table table) {
    s.step("delete under a condition", () -> {
      table.put(put("h", "1"));
      Steps.equal("true", true,
          table.checkAndMutate(check("h").ifEquals(F, Q, Steps.b("1")).build(new Delete(Steps.b("h")))).isSuccess());
      Steps.equal("cells", "", value(table, "h"));
    });
    s.step("increment under a condition answers the sum", () -> {
      table.put(put("i", "1"));
      CheckAndMutateResult result = table.checkAndMutate(
          check("i").ifEquals(F, Q, Steps.b("1")).build(new Increment(Steps.b("i")).addColumn(F, N, 9)));
      Steps.equal("true", true, result.isSuccess());
      Steps.equal("sum", 9L, Bytes.toLong(result.getResult().getValue(F, N)));
    });
    s.step("append under a condition answers the value", () -> {
      table.put(put("j", "1"));
      CheckAndMutateResult result = table.checkAndMutate(
          check("j").ifEquals(F, Q, Steps.b("1")).build(new Append(Steps.b("j")).addColumn(F, Q, Steps.b("+"))));
      Steps.equal("true", true, result.isSuccess());
      Steps.equal("cells", "j/f:q=1+", Steps.cells(result.getResult()));
    });
    s.step("increment under a false condition does nothing", () -> {
      CheckAndMutateResult result = table.checkAndMutate(
          check("i").ifEquals(F, Q, Steps.b("no")).build(new Increment(Steps.b("i")).addColumn(F, N, 1)));
      Steps.equal("false", false, result.isSuccess());
      Steps.equal("stored", 9L, Bytes.toLong(table.get(new Get(Steps.b("i"))).getValue(F, N)));
    });
    s.step("list of conditions over regions", () -> {
      table.put(List.of(put("k", "1"), put("z", "1")));
      List<CheckAndMutateResult> results = table.checkAndMutate(List.of(check("k").ifEquals(F, Q, Steps.b("1")).build(put("k", "2")),
          check("z").ifEquals(F, Q, Steps.b("9")).build(put("z", "2")), check("y").ifNotExists(F, Q).build(put("y", "2"))));
      Steps.equal("answers", "[true, false, true]", results.stream().map(CheckAndMutateResult::isSuccess).toList().toString());
      Steps.equal("cells", "k/f:q=2 z/f:q=1 y/f:q=2", value(table, "k") + " " + value(table, "z") + " " + value(table, "y"));
    });
  }

  private static void rowMutations(Steps s, Table table) {
    s.step("row mutations: put and delete", () -> {
      table.put(new Put(Steps.b("l")).addColumn(F, Steps.b("gone"), Steps.b("1")));
      table.mutateRow(RowMutations.of(List.of(put("l", "2"), new Delete(Steps.b("l")).addColumns(F, Steps.b("gone")))));
      Steps.equal("cells", "l/f:q=2", value(table, "l"));
    });
    s.step("row mutations: increment and append answer", () -> {
      table.put(put("m", "a"));
      var result = table.mutateRow(RowMutations.of(List.of(new Increment(Steps.b("m")).addColumn(F, N, 3),
          new Append(Steps.b("m")).addColumn(F, Q, Steps.b("b")))));
      Steps.equal("sum", 3L, Bytes.toLong(result.getValue(F, N)));
      Steps.equal("value", "ab", Bytes.toString(result.getValue(F, Q)));
    });
    s.refused("row mutations: an unknown family", "NoSuchColumnFamilyException", "zz", () -> table.mutateRow(
        RowMutations.of(List.of(put("o", "no"), new Put(Steps.b("o")).addColumn(Steps.b("zz"), Q, Q)))));
    s.step("row mutations: none of the refused one was applied", () -> Steps.equal("cells", "", value(table, "o")));
    s.step("row mutations under a condition: true and false", () -> {
      table.put(put("p", "1"));
      RowMutations change = RowMutations.of(List.of(put("p", "2"), new Put(Steps.b("p")).addColumn(F, N, Steps.b("n"))));
      Steps.equal("false", false, table.checkAndMutate(check("p").ifEquals(F, Q, Steps.b("9")).build(change)).isSuccess());
      Steps.equal("cells", "p/f:q=1", value(table, "p"));
      Steps.equal("true", true, table.checkAndMutate(check("p").ifEquals(F, Q, Steps.b("1")).build(change)).isSuccess());
      Steps.equal("cells", "p/f:n=n p/f:q=2", value(table, "p"));
    });
  }
}
