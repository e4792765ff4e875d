import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.LongComparator;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Each filter over rows a1 a2 h1 h2 v1: f:c1, f:c2 (not in a2), g:d; values count up. */
final class FilterSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] G = Steps.b("g");
  private static final String ALL = "a1/f:c1=10 a1/f:c2=11 a1/g:d=12 a2/f:c1=20 a2/g:d=22 "
      + "h1/f:c1=30 h1/f:c2=31 h1/g:d=32 h2/f:c1=40 h2/f:c2=41 h2/g:d=42 v1/f:c1=50 v1/f:c2=51 v1/g:d=52";

  private final Steps s;
  private final Table table;

  private FilterSteps(Steps s, Table table) {
    this.s = s;
    this.table = table;
  }

  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    TableName name = Interop.fresh(admin, "interop_filters");
    try (Table table = connection.getTable(name)) {
      new FilterSteps(s, table).all();
    }
    Interop.drop(admin, name);
  }

  private void all() throws Exception {
    List<Put> puts = new ArrayList<>();
    int value = 10;
    for (String row : List.of("a1", "a2", "h1", "h2", "v1")) {
      Put put = new Put(Steps.b(row)).addColumn(F, Steps.b("c1"), value, Steps.b("" + value))
          .addColumn(G, Steps.b("d"), value + 2, Steps.b("" + (value + 2)));
      if (!row.equals("a2")) {
        put.addColumn(F, Steps.b("c2"), value + 1, Steps.b("" + (value + 1)));
      }
      puts.add(put);
      value += 10;
    }
    table.put(puts);
    s.step("no filter", () -> Steps.equal("cells", ALL, cells(new Scan())));

    rows("PrefixFilter", "h1 h2", new PrefixFilter(Steps.b("h")));
    rows("RowFilter equal", "a2", new RowFilter(CompareOperator.EQUAL, new BinaryComparator(Steps.b("a2"))));
    rows("RowFilter greater", "h2 v1", new RowFilter(CompareOperator.GREATER, new BinaryComparator(Steps.b("h1"))));
    rows("RowFilter prefix comparator", "h1 h2", new RowFilter(CompareOperator.EQUAL, new BinaryPrefixComparator(Steps.b("h"))));
    rows("RowFilter regular expression", "a1 h1 v1", new RowFilter(CompareOperator.EQUAL, new RegexStringComparator(".1$")));
    rows("RowFilter substring, case ignored", "h1 h2", new RowFilter(CompareOperator.EQUAL, new SubstringComparator("H")));
    rows("InclusiveStopFilter", "a1 a2 h1", new InclusiveStopFilter(Steps.b("h1")));
    rows("FuzzyRowFilter", "a2 h2", new FuzzyRowFilter(List.of(new Pair<>(Steps.b("?2"), new byte[] {1, 0}))));
    rows("MultiRowRangeFilter", "a2 h1 v1", new MultiRowRangeFilter(new ArrayList<>(List.of(
        new MultiRowRangeFilter.RowRange("a2", true, "h1", true), new MultiRowRangeFilter.RowRange("v", true, "w", false)))));
    s.step("PageFilter counts in each region", () -> Steps.equal("rows", "a1 h1 v1", found(new Scan().setFilter(new PageFilter(1)))));
    rows("SingleColumnValueFilter, missing column passes", "a2 h1",
        new SingleColumnValueFilter(F, Steps.b("c2"), CompareOperator.EQUAL, Steps.b("31")));
    SingleColumnValueFilter strict = new SingleColumnValueFilter(F, Steps.b("c2"), CompareOperator.GREATER_OR_EQUAL, Steps.b("41"));
    strict.setFilterIfMissing(true);
    rows("SingleColumnValueFilter, missing column is left out", "h2 v1", strict);
    rows("SkipFilter drops a row with one failing cell", "a2",
        new SkipFilter(new QualifierFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(Steps.b("c2")))));
    s.step("WhileMatchFilter ends the region's scan", () -> Steps.equal("rows", "a1 h1 h2 v1", found(new Scan().setFilter(
        new WhileMatchFilter(new RowFilter(CompareOperator.NOT_EQUAL, new BinaryComparator(Steps.b("a2"))))))));

    expect("QualifierFilter", "a1/f:c2=11 h1/f:c2=31 h2/f:c2=41 v1/f:c2=51",
        new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(Steps.b("c2"))));
    expect("FamilyFilter", "a1/g:d=12 a2/g:d=22 h1/g:d=32 h2/g:d=42 v1/g:d=52",
        new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(G)));
    expect("ValueFilter less", "a1/f:c1=10 a1/f:c2=11", new ValueFilter(CompareOperator.LESS, new BinaryComparator(Steps.b("12"))));
    expect("ValueFilter regular expression", "a1/f:c2=11 h1/f:c2=31 h2/f:c2=41 v1/f:c2=51",
        new ValueFilter(CompareOperator.EQUAL, new RegexStringComparator("[1-9]1")));
    expect("ColumnPrefixFilter", "a1/g:d=12 a2/g:d=22 h1/g:d=32 h2/g:d=42 v1/g:d=52", new ColumnPrefixFilter(Steps.b("d")));
    expect("MultipleColumnPrefixFilter", "a1/f:c2=11 a1/g:d=12 a2/g:d=22 h1/f:c2=31 h1/g:d=32 h2/f:c2=41 h2/g:d=42 v1/f:c2=51 v1/g:d=52",
        new MultipleColumnPrefixFilter(new byte[][] {Steps.b("d"), Steps.b("c2")}));
    expect("ColumnRangeFilter", "a1/f:c2=11 h1/f:c2=31 h2/f:c2=41 v1/f:c2=51",
        new ColumnRangeFilter(Steps.b("c1"), false, Steps.b("d"), false));
    expect("ColumnValueFilter", "h1/f:c1=30 h2/f:c1=40 v1/f:c1=50",
        new ColumnValueFilter(F, Steps.b("c1"), CompareOperator.GREATER, Steps.b("20")));
    expect("ColumnPaginationFilter", "a1/f:c2=11 a2/g:d=22 h1/f:c2=31 h2/f:c2=41 v1/f:c2=51", new ColumnPaginationFilter(1, 1));
    expect("FirstKeyOnlyFilter", "a1/f:c1=10 a2/f:c1=20 h1/f:c1=30 h2/f:c1=40 v1/f:c1=50", new FirstKeyOnlyFilter());
    expect("KeyOnlyFilter", "a1/f:c1= a1/f:c2= a1/g:d= a2/f:c1= a2/g:d= h1/f:c1= h1/f:c2= h1/g:d= h2/f:c1= h2/f:c2= h2/g:d= "
        + "v1/f:c1= v1/f:c2= v1/g:d=", new KeyOnlyFilter());
    s.step("KeyOnlyFilter with the length as value", () -> Steps.equal("cells", "a1/f:c1=\\x00\\x00\\x00\\x02",
        cells(new Scan().withStartRow(Steps.b("a1")).setLimit(1).addColumn(F, Steps.b("c1")).setFilter(new KeyOnlyFilter(true)))));
    expect("TimestampsFilter", "a1/f:c2=11 h1/f:c1=30", new TimestampsFilter(List.of(11L, 30L)));
    expect("DependentColumnFilter", "a1/f:c1=10 a2/f:c1=20 h1/f:c1=30 h2/f:c1=40 v1/f:c1=50", new DependentColumnFilter(F, Steps.b("c1")));
    expect("SingleColumnValueExcludeFilter", "a2/f:c1=20 a2/g:d=22 h1/f:c1=30 h1/g:d=32",
        new SingleColumnValueExcludeFilter(F, Steps.b("c2"), CompareOperator.EQUAL, Steps.b("31")));
    rows("NullComparator", "a1 a2 h1 h2 v1", new SingleColumnValueFilter(F, Steps.b("c1"), CompareOperator.NOT_EQUAL, new NullComparator()));

    rows("FilterList: all of", "h1", new FilterList(new PrefixFilter(Steps.b("h")),
        new SingleColumnValueFilter(F, Steps.b("c1"), CompareOperator.EQUAL, Steps.b("30"))));
    rows("FilterList: one of", "a2 h1", new FilterList(FilterList.Operator.MUST_PASS_ONE,
        new RowFilter(CompareOperator.EQUAL, new BinaryComparator(Steps.b("a2"))),
        new RowFilter(CompareOperator.EQUAL, new BinaryComparator(Steps.b("h1")))));
    expect("FilterList: nested", "a1/f:c2=11 h1/f:c1=30", new FilterList(FilterList.Operator.MUST_PASS_ONE,
        new FilterList(new PrefixFilter(Steps.b("a")), new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(Steps.b("11")))),
        new FilterList(new PrefixFilter(Steps.b("h")), new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(Steps.b("30"))))));

    s.step("reversed with a filter", () -> Steps.equal("rows", "h2 h1", found(new Scan().setReversed(true).setFilter(new PrefixFilter(Steps.b("h"))))));
    s.step("limit counts rows after the filter", () -> Steps.equal("rows", "h1 v1", found(new Scan().setLimit(2).withStartRow(Steps.b("b"))
        .setFilter(new RowFilter(CompareOperator.EQUAL, new RegexStringComparator(".1"))))));
    s.step("filter and small pages", () -> Steps.equal("rows", "a1 h1 v1", found(new Scan().setMaxResultSize(1).setCaching(1)
        .setFilter(new RowFilter(CompareOperator.EQUAL, new RegexStringComparator(".1"))))));
    s.step("nothing matches, small pages", () -> Steps.equal("rows", "", found(new Scan().setMaxResultSize(1).setNeedCursorResult(false)
        .setFilter(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(Steps.b("none")))))));
    s.step("get with ColumnCountGetFilter", () -> Steps.equal("cells", "a1/f:c1=10 a1/f:c2=11",
        Steps.cells(table.get(new Get(Steps.b("a1")).setFilter(new ColumnCountGetFilter(2))))));
    s.step("get that its filter empties", () -> Steps.equal("cells", "",
        Steps.cells(table.get(new Get(Steps.b("a1")).setFilter(new PrefixFilter(Steps.b("h")))))));
    s.step("filter as condition of a change", () -> {
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(Steps.b("a1"));
      Put put = new Put(Steps.b("a1")).addColumn(F, Steps.b("c1"), Steps.b("yes"));
      SingleColumnValueFilter holds = new SingleColumnValueFilter(F, Steps.b("c1"), CompareOperator.EQUAL, Steps.b("10"));
      Steps.equal("false", false, table.checkAndMutate(check.ifMatches(new FilterList(holds,
          new SingleColumnValueFilter(G, Steps.b("d"), CompareOperator.EQUAL, Steps.b("13")))).build(put)).isSuccess());
      Steps.equal("true", true, table.checkAndMutate(check.ifMatches(new FilterList(holds,
          new SingleColumnValueFilter(G, Steps.b("d"), CompareOperator.EQUAL, Steps.b("12")))).build(put)).isSuccess());
      Steps.equal("cells", "a1/f:c1=yes a1/f:c2=11 a1/g:d=12", Steps.cells(table.get(new Get(Steps.b("a1")))));
    });
    s.step("LongComparator", () -> {
      table.put(new Put(Steps.b("n1")).addColumn(F, Steps.b("n"), Bytes.toBytes(-5L)));
      table.put(new Put(Steps.b("n2")).addColumn(F, Steps.b("n"), Bytes.toBytes(5L)));
      Steps.equal("rows", "n1", found(new Scan().addColumn(F, Steps.b("n"))
          .setFilter(new ValueFilter(CompareOperator.LESS, new LongComparator(0)))));
    });
  }

  private void rows(String what, String expected, Filter filter) {
    s.step(what, () -> Steps.equal("rows", expected, found(new Scan().setFilter(filter))));
  }

  private void expect(String what, String expected, Filter filter) {
    s.step(what, () -> Steps.equal("cells", expected, cells(new Scan().setFilter(filter))));
  }

  private List<Result> scan(Scan scan) throws Exception {
    List<Result> results = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        results.add(result);
      }
    }
    return results;
  }

  private String found(Scan scan) throws Exception {
    return Steps.rows(scan(scan));
  }

  private String cells(Scan scan) throws Exception {
    return String.join(" ", scan(scan).stream().map(Steps::cells).toList());
  }
}
