import static org.apache.hadoop.hbase.util.Bytes.toBytes;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;

/** Filters in gets, scans and conditions, over the rows of {@link Scans}. */
final class Filters {
  static void run(Connection connection) throws Exception {
    try (Table table = connection.getTable(Capture.TABLE)) {
      Scans.put(table);
      Capture.step("get: with filters", () -> table.get(new Get(toBytes("i1")).setFilter(new FilterList(FilterList.Operator.MUST_PASS_ALL,
          new QualifierFilter(CompareOperator.EQUAL, new RegexStringComparator("^q")), new KeyOnlyFilter(true)))));
      Capture.step("check with a filter and mutate the row: true", () -> Capture.check(table.checkAndMutate(
          CheckAndMutate.newBuilder(toBytes("i1")).ifMatches(new PrefixFilter(toBytes("i"))).build(Rows.twoChanges("i1"))).isSuccess(), "true"));
      Scans.count("scan: filters on value and column", table, Scans.narrow().setFilter(new FilterList(
          new ValueFilter(CompareOperator.GREATER, new BinaryComparator(toBytes("v2"))),
          new SingleColumnValueFilter(Rows.F, Rows.Q, CompareOperator.NOT_EQUAL, toBytes("v4")))), 2);
      Scans.count("scan: row ranges", table, new Scan().setFilter(new MultiRowRangeFilter(new ArrayList<>(List.of(
          new MultiRowRangeFilter.RowRange("i1", true, "i2", true), new MultiRowRangeFilter.RowRange("x2", true, "x3", false))))), 3);
      Scans.count("scan: while-match, page and first-key filters", table, Scans.narrow().setFilter(new FilterList(
          new WhileMatchFilter(new PageFilter(3)), new FirstKeyOnlyFilter())), 3);
      Scans.count("scan: a cursor is asked for, nothing matches", table, Scans.narrow().setNeedCursorResult(true).setMaxResultSize(1)
          .setFilter(new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(toBytes("none")))), 0);
    }
  }
}
