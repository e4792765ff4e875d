import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
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
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
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
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** The filters of a script ({@code rust/script.rs}) as those of the client. */
final class DifferFilters {
  private DifferFilters() {}

  static Filter filter(JsonElement json) throws java.io.IOException {
    if (json.isJsonPrimitive()) {
      return new FirstKeyOnlyFilter();
    }
    String name = json.getAsJsonObject().keySet().iterator().next();
    JsonElement of = json.getAsJsonObject().get(name);
    JsonObject fields = of.isJsonObject() ? of.getAsJsonObject() : null;
    return switch (name) {
      case "column_count" -> new ColumnCountGetFilter(of.getAsInt());
      case "column_page" -> new ColumnPaginationFilter(fields.get("limit").getAsInt(), fields.get("offset").getAsInt());
      case "column_page_from" -> new ColumnPaginationFilter(fields.get("limit").getAsInt(), bytes(fields.get("from")));
      case "column_prefix" -> new ColumnPrefixFilter(bytes(of));
      case "column_prefixes" -> {
        List<byte[]> prefixes = new ArrayList<>();
        of.getAsJsonArray().forEach(prefix -> prefixes.add(bytes(prefix)));
        yield new MultipleColumnPrefixFilter(prefixes.toArray(new byte[0][]));
      }
      case "column_range" -> {
        JsonElement min = fields.get("min");
        JsonElement max = fields.get("max");
        yield new ColumnRangeFilter(min.isJsonNull() ? null : bytes(at(min, 0)), !min.isJsonNull() && at(min, 1).getAsBoolean(),
            max.isJsonNull() ? null : bytes(at(max, 0)), !max.isJsonNull() && at(max, 1).getAsBoolean());
      }
      case "column_value" -> {
        JsonObject comparison = fields.getAsJsonObject("comparison");
        yield new ColumnValueFilter(bytes(fields.get("family")), bytes(fields.get("qualifier")), operator(comparison), comparator(comparison));
      }
      case "dependent_column" -> {
        byte[] family = bytes(fields.get("family"));
        byte[] qualifier = bytes(fields.get("qualifier"));
        boolean drop = fields.get("drop").getAsBoolean();
        if (fields.get("value").isJsonNull()) {
          yield new DependentColumnFilter(family, qualifier, drop);
        }
        JsonObject value = fields.getAsJsonObject("value");
        yield new DependentColumnFilter(family, qualifier, drop, operator(value), comparator(value));
      }
      case "family" -> new FamilyFilter(operator(fields), comparator(fields));
      case "fuzzy_rows" -> {
        List<Pair<byte[], byte[]>> patterns = new ArrayList<>();
        for (JsonElement pattern : of.getAsJsonArray()) {
          JsonArray mask = at(pattern, 1).getAsJsonArray();
          byte[] any = new byte[mask.size()];
          for (int i = 0; i < any.length; i++) {
            any[i] = mask.get(i).getAsByte();
          }
          patterns.add(new Pair<>(bytes(at(pattern, 0)), any));
        }
        yield new FuzzyRowFilter(patterns);
      }
      case "inclusive_stop" -> new InclusiveStopFilter(bytes(of));
      case "key_only" -> new KeyOnlyFilter(of.getAsBoolean());
      case "page" -> new PageFilter(of.getAsLong());
      case "prefix" -> new PrefixFilter(bytes(of));
      case "qualifier" -> new QualifierFilter(operator(fields), comparator(fields));
      case "row" -> new RowFilter(operator(fields), comparator(fields));
      case "row_ranges" -> {
        List<MultiRowRangeFilter.RowRange> ranges = new ArrayList<>();
        for (JsonElement range : of.getAsJsonArray()) {
          ranges.add(new MultiRowRangeFilter.RowRange(bytes(at(range, 0)), at(range, 1).getAsBoolean(), bytes(at(range, 2)),
              at(range, 3).getAsBoolean()));
        }
        yield new MultiRowRangeFilter(ranges);
      }
      case "single_column" -> {
        JsonObject comparison = fields.getAsJsonObject("comparison");
        byte[] family = bytes(fields.get("family"));
        byte[] qualifier = bytes(fields.get("qualifier"));
        SingleColumnValueFilter single = fields.get("exclude").getAsBoolean()
            ? new SingleColumnValueExcludeFilter(family, qualifier, operator(comparison), comparator(comparison))
            : new SingleColumnValueFilter(family, qualifier, operator(comparison), comparator(comparison));
        single.setFilterIfMissing(fields.get("if_missing").getAsBoolean());
        single.setLatestVersionOnly(fields.get("latest_only").getAsBoolean());
        yield single;
      }
      case "timestamps" -> {
        List<Long> times = new ArrayList<>();
        fields.getAsJsonArray("times").forEach(time -> times.add(time.getAsLong()));
        yield new TimestampsFilter(times, fields.get("by_seeking").getAsBoolean());
      }
      case "value" -> new ValueFilter(operator(fields), comparator(fields));
      case "skip" -> new SkipFilter(filter(of));
      case "while" -> new WhileMatchFilter(filter(of));
      case "all" -> new FilterList(FilterList.Operator.MUST_PASS_ALL, filters(of));
      case "any" -> new FilterList(FilterList.Operator.MUST_PASS_ONE, filters(of));
      default -> throw new IllegalArgumentException("no filter " + name);
    };
  }

  private static List<Filter> filters(JsonElement of) throws java.io.IOException {
    List<Filter> members = new ArrayList<>();
    for (JsonElement member : of.getAsJsonArray()) {
      members.add(filter(member));
    }
    return members;
  }

  private static CompareOperator operator(JsonObject comparison) {
    return CompareOperator.valueOf(comparison.get("operator").getAsString());
  }

  private static ByteArrayComparable comparator(JsonObject comparison) {
    JsonObject of = comparison.getAsJsonObject("comparator");
    String name = of.keySet().iterator().next();
    return switch (name) {
      case "binary" -> new BinaryComparator(bytes(of.get(name)));
      case "prefix" -> new BinaryPrefixComparator(bytes(of.get(name)));
      default -> new SubstringComparator(of.get(name).getAsString());
    };
  }

  static JsonElement at(JsonElement of, int index) {
    return of.getAsJsonArray().get(index);
  }

  static byte[] bytes(JsonElement of) {
    return Bytes.toBytes(of.getAsString());
  }
}
