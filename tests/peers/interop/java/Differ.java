import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
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
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/**
 * Does the same random operations on two clusters and compares every answer: {@code Differ HOST:PORT HOST:PORT SEED
 * TABLES}, the reference first.
 *
 * <p>Each table has a random schema, and then changes, flushes, compactions, gets and scans with random filters. Values,
 * times and keys are few, so that they meet. A seed says all of it: what differs is printed with its table and step, and
 * the same seed finds it again. Ends with 0 when nothing differs.
 */
public final class Differ {
  private static final TableName TABLE = TableName.valueOf("interop_differ");
  /** None is shorter than a fuzzy key: HBase matches such a row, or not, by where its last seek went. */
  private static final String[] ROWS = {"aa", "ab", "aba", "ba", "ca"};
  private static final String[] FAMILIES = {"f", "g"};
  private static final String[] QUALIFIERS = {"", "a", "ab", "b", "c"};
  private static final Cell.Type[] MARKERS = {Cell.Type.Delete, Cell.Type.DeleteColumn, Cell.Type.DeleteFamily, Cell.Type.DeleteFamilyVersion};
  private static final int STEPS = 60;

  private final Random random;

  private Differ(long seed) {
    random = new Random(seed);
  }

  /** One of the clusters. */
  private static final class Side implements AutoCloseable {
    final Connection connection;
    final Admin admin;
    final Table table;

    Side(String address) throws Exception {
      Configuration conf = Interop.configuration(address);
      conf.setInt("hbase.client.retries.number", 1);
      connection = ConnectionFactory.createConnection(conf);
      admin = connection.getAdmin();
      table = connection.getTable(TABLE);
    }

    void drop() throws Exception {
      if (admin.tableExists(TABLE)) {
        if (admin.isTableEnabled(TABLE)) {
          admin.disableTable(TABLE);
        }
        admin.deleteTable(TABLE);
      }
    }

    @Override
    public void close() throws Exception {
      connection.close();
    }
  }

  private interface Step {
    String on(Side side) throws Exception;
  }

  public static void main(String[] args) throws Exception {
    if (args.length != 4) {
      System.err.println("usage: Differ HOST:PORT HOST:PORT SEED TABLES");
      System.exit(2);
    }
    int steps = 0;
    int different = 0;
    try (Side expected = new Side(args[0]); Side found = new Side(args[1])) {
      for (int at = 0; at < Integer.parseInt(args[3]); at++) {
        Differ differ = new Differ(Long.parseLong(args[2]) + at);
        TableDescriptor descriptor = differ.descriptor();
        expected.drop();
        found.drop();
        expected.admin.createTable(descriptor);
        found.admin.createTable(descriptor);
        List<String> before = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
          StringBuilder what = new StringBuilder();
          Step todo = differ.step(what, step);
          String wanted = answer(todo, expected);
          String got = answer(todo, found);
          steps++;
          if (!wanted.equals(got) && !isBug(wanted)) {
            different++;
            System.out.println("FAIL differ: table " + at + " step " + step + ": " + what + "\n     expected " + wanted
                + "\n     got      " + got + "\n     after " + descriptor + "\n       " + String.join("\n       ", before));
            break;
          }
          if (!what.toString().startsWith("get") && !what.toString().startsWith("scan")) {
            before.add(what.toString());
          }
        }
      }
      expected.drop();
      found.drop();
    }
    System.out.println(steps - different + " passed, " + different + " failed");
    System.exit(different == 0 ? 0 : 1);
  }

  /** Whether the reference fails by a mistake of its own, which no one has to repeat. */
  private static boolean isBug(String answer) {
    return answer.matches("(?s).*Cannot (invoke|read field) \".*") || answer.startsWith("OutOfOrderScannerNextException") || answer.equals("RemoteWithExtrasException: java.io.IOException");
  }

  /** What a step returns, or the class and the first line of its exception. */
  private static String answer(Step step, Side side) {
    try {
      return step.on(side);
    } catch (Exception e) {
      Throwable cause = e;
      while (cause.getCause() != null && !(cause instanceof org.apache.hadoop.hbase.DoNotRetryIOException)) {
        cause = cause.getCause();
      }
      String text = String.valueOf(cause.getMessage()).split("\n")[0];
      return cause.getClass().getSimpleName() + ": " + text.replaceAll(TABLE + ",[^ ]*", "REGION").replaceAll("scanner id.*|HRegion\\$.*", "..");
    }
  }

  private TableDescriptor descriptor() {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    if (oneIn(8)) {
      table.setValue("hbase.server.keyvalue.maxsize", String.valueOf(25 + random.nextInt(8)));
    }
    for (String name : FAMILIES) {
      ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(name));
      int versions = 1 + random.nextInt(3);
      family.setMaxVersions(versions).setMinVersions(random.nextInt(versions));
      family.setKeepDeletedCells(pick(KeepDeletedCells.values()));
      family.setNewVersionBehavior(oneIn(4));
      table.setColumnFamily(family.build());
    }
    return table.build();
  }

  private Step step(StringBuilder what, int step) {
    int kind = random.nextInt(step < 15 ? 8 : 20);
    if (kind < 4) {
      Put put = put();
      what.append("put ").append(cells(put.getFamilyCellMap().values()));
      return side -> {
        side.table.put(put);
        return "done";
      };
    } else if (kind < 6) {
      Delete delete = delete();
      what.append("delete ").append(cells(delete.getFamilyCellMap().values()));
      return side -> {
        side.table.delete(delete);
        return "done";
      };
    } else if (kind == 6) {
      return counter(what);
    } else if (kind == 7) {
      int upkeep = random.nextInt(4);
      what.append(upkeep == 0 ? "major compaction" : upkeep == 1 ? "flush" : "check");
      if (upkeep == 0) {
        return side -> {
          side.admin.flush(TABLE);
          side.admin.majorCompact(TABLE);
          while (side.admin.getCompactionState(TABLE) != org.apache.hadoop.hbase.client.CompactionState.NONE) {
            Thread.sleep(10);
          }
          return "done";
        };
      } else if (upkeep == 1) {
        return side -> {
          side.admin.flush(TABLE);
          return "done";
        };
      }
      byte[] row = row();
      byte[] family = family();
      byte[] qualifier = qualifier();
      byte[] value = value();
      CompareOperator operator = CompareOperator.values()[random.nextInt(6)];
      Put put = new Put(row).addColumn(family(), qualifier(), time(), value());
      what.append(" ").append(text(row)).append(" ").append(text(family)).append(":").append(text(qualifier)).append(" ").append(operator)
          .append(" ").append(text(value)).append(" then put ").append(cells(put.getFamilyCellMap().values()));
      return side -> String.valueOf(side.table.checkAndMutate(
          CheckAndMutate.newBuilder(row).ifMatches(family, qualifier, operator, value).build(put)).isSuccess());
    } else if (kind < 11) {
      Get get = get();
      what.append("get ").append(get).append(" filter ").append(get.getFilter());
      return side -> result(side.table.get(get));
    }
    Scan scan = scan();
    what.append("scan ").append(scan).append(" reversed ").append(scan.isReversed()).append(" limit ").append(scan.getLimit()).append(" filter ")
        .append(shown(scan.getFilter()));
    return side -> {
      StringBuilder all = new StringBuilder();
      // What has no cell within a range of times is not opened for it, so that flushes show in what may follow.
      boolean flags = scan.getTimeRange().isAllTime();
      try (ResultScanner results = side.table.getScanner(new Scan(scan))) {
        for (Result result : results) {
          all.append(result(result)).append(flags && result.mayHaveMoreCellsInRow() ? " .. " : " | ");
        }
      }
      return all.toString();
    };
  }

  private Put put() {
    byte[] row = row();
    Put put = new Put(row);
    try {
      for (int cells = 1 + random.nextInt(4); cells > 0; cells--) {
        Cell.Type type = oneIn(12) ? pick(MARKERS) : Cell.Type.Put;
        put.add(CellBuilderFactory.create(CellBuilderType.DEEP_COPY).setRow(row).setFamily(family()).setQualifier(qualifier())
            .setTimestamp(time()).setType(type).setValue(value()).build());
      }
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
    return put;
  }

  private Delete delete() {
    Delete delete = new Delete(row());
    for (int cells = 1 + random.nextInt(2); cells > 0; cells--) {
      switch (random.nextInt(4)) {
        case 0 -> delete.addColumn(family(), qualifier(), time());
        case 1 -> delete.addColumns(family(), qualifier(), time());
        case 2 -> delete.addFamily(family(), time());
        default -> delete.addFamilyVersion(family(), time());
      }
    }
    return delete;
  }

  /** Their own rows: the time of what they write is that of the server. */
  private Step counter(StringBuilder what) {
    byte[] row = Bytes.toBytes(oneIn(2) ? "x" : "y");
    byte[] family = family();
    byte[] qualifier = qualifier();
    if (row[0] == 'x') {
      what.append("increment ").append(text(family)).append(":").append(text(qualifier));
      return side -> Bytes.toStringBinary(side.table.increment(new Increment(row).addColumn(family, qualifier, 3)).value());
    }
    what.append("append ").append(text(family)).append(":").append(text(qualifier));
    return side -> Bytes.toStringBinary(side.table.append(new Append(row).addColumn(family, qualifier, Bytes.toBytes("v"))).value());
  }

  private Get get() {
    Get get = new Get(row());
    try {
      get.readVersions(1 + random.nextInt(3));
      if (oneIn(3)) {
        get.setTimeRange(random.nextInt(3), 3 + random.nextInt(4));
      }
      columns(get::addFamily, get::addColumn);
      if (oneIn(2)) {
        get.setFilter(filter(2, false));
      }
      if (oneIn(6)) {
        get.setMaxResultsPerColumnFamily(1 + random.nextInt(2)).setRowOffsetPerColumnFamily(random.nextInt(2));
      }
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
    return get;
  }

  private Scan scan() {
    boolean reversed = oneIn(4);
    Scan scan = new Scan().setReversed(reversed).setAllowPartialResults(oneIn(2));
    try {
      byte[] from = row();
      byte[] to = row();
      if ((Bytes.compareTo(from, to) > 0) != reversed) {
        byte[] other = from;
        from = to;
        to = other;
      }
      scan.withStartRow(from, oneIn(2)).withStopRow(oneIn(3) ? new byte[0] : reversed ? to : Bytes.toBytes("w"), oneIn(2));
      scan.readVersions(1 + random.nextInt(3));
      if (oneIn(3)) {
        scan.setTimeRange(random.nextInt(3), 3 + random.nextInt(4));
      }
      if (oneIn(6)) {
        scan.setRaw(true);
      } else {
        columns(scan::addFamily, scan::addColumn);
      }
      boolean whole = true;
      if (!scan.isRaw() && oneIn(3) || oneIn(3)) {
        Filter filter = filter(2, reversed);
        scan.setFilter(filter);
        whole = !filter.hasFilterRow();
      }
      if (whole && oneIn(2)) {
        scan.setBatch(1 + random.nextInt(3));
      }
      if (oneIn(4)) {
        scan.setLimit(1 + random.nextInt(3));
      }
      if (oneIn(4)) {
        scan.setCaching(1 + random.nextInt(2));
      }
      if (oneIn(8)) {
        scan.setMaxResultsPerColumnFamily(1 + random.nextInt(2)).setRowOffsetPerColumnFamily(random.nextInt(2));
      }
    } catch (java.io.IOException e) {
      throw new IllegalStateException(e);
    }
    // Regions of the rows of counters have other times on each side.
    if (scan.getStopRow().length == 0 && !scan.isReversed()) {
      scan.withStopRow(Bytes.toBytes("w"));
    }
    return scan;
  }

  private interface OfFamily {
    Object add(byte[] family) throws java.io.IOException;
  }

  private interface OfColumn {
    Object add(byte[] family, byte[] qualifier) throws java.io.IOException;
  }

  private void columns(OfFamily families, OfColumn columns) throws java.io.IOException {
    if (oneIn(4)) {
      families.add(family());
    } else if (oneIn(3)) {
      for (int count = 1 + random.nextInt(3); count > 0; count--) {
        columns.add(family(), qualifier());
      }
    }
  }

  private Filter filter(int depth, boolean reversed) throws java.io.IOException {
    BinaryComparator qualifier = new BinaryComparator(qualifier());
    CompareOperator operator = CompareOperator.values()[random.nextInt(6)];
    return switch (random.nextInt(depth == 0 ? 20 : 25)) {
      case 0 -> new ColumnCountGetFilter(random.nextInt(4));
      case 1 -> new ColumnPaginationFilter(random.nextInt(3), random.nextInt(3));
      case 2 -> new ColumnPaginationFilter(1 + random.nextInt(2), qualifier());
      case 3 -> new ColumnPrefixFilter(qualifier());
      case 4 -> new MultipleColumnPrefixFilter(oneIn(2) ? new byte[][] {Bytes.toBytes("a"), Bytes.toBytes("c")}
          : new byte[][] {Bytes.toBytes("ab"), Bytes.toBytes("b")});
      case 5 -> new ColumnRangeFilter(oneIn(4) ? null : qualifier(), oneIn(2), oneIn(4) ? null : qualifier(), oneIn(2));
      case 6 -> new ColumnValueFilter(family(), qualifier(), operator, value());
      case 7 -> new FamilyFilter(operator, new BinaryComparator(family()));
      case 8 -> new FirstKeyOnlyFilter();
      case 9 -> new FuzzyRowFilter(List.of(new Pair<>(Bytes.toBytes(oneIn(2) ? "ab" : "ba"),
          new byte[] {(byte) random.nextInt(2), (byte) random.nextInt(2)})));
      case 10 -> new InclusiveStopFilter(row());
      case 11 -> new KeyOnlyFilter(oneIn(2));
      case 12 -> new MultiRowRangeFilter(new ArrayList<>(List.of(new MultiRowRangeFilter.RowRange("aa", true, "ab", oneIn(2)),
          new MultiRowRangeFilter.RowRange("ba", oneIn(2), "ca", true))));
      case 13 -> new PageFilter(1 + random.nextInt(3));
      case 14 -> new PrefixFilter(row());
      case 15 -> new QualifierFilter(operator, qualifier);
      case 16 -> new RowFilter(operator, new BinaryComparator(row()));
      case 17 -> {
        SingleColumnValueFilter single = new SingleColumnValueFilter(family(), qualifier(), operator, value());
        single.setFilterIfMissing(!reversed && oneIn(2));
        single.setLatestVersionOnly(oneIn(2));
        yield single;
      }
      case 18 -> new TimestampsFilter(new ArrayList<>(Arrays.asList(time(), time())), oneIn(2));
      case 19 -> new ValueFilter(operator, new BinaryComparator(value()));
      case 20 -> new SkipFilter(filter(depth - 1, reversed));
      case 21 -> new WhileMatchFilter(filter(depth - 1, reversed));
      default -> {
        FilterList.Operator all = oneIn(2) ? FilterList.Operator.MUST_PASS_ALL : FilterList.Operator.MUST_PASS_ONE;
        yield new FilterList(all, filter(depth - 1, reversed), filter(depth - 1, reversed));
      }
    };
  }

  private static String shown(Filter filter) {
    if (filter instanceof SkipFilter) {
      return "Skip(" + shown(((SkipFilter) filter).getFilter()) + ")";
    } else if (filter instanceof WhileMatchFilter) {
      return "While(" + shown(((WhileMatchFilter) filter).getFilter()) + ")";
    } else if (filter instanceof FilterList) {
      StringBuilder all = new StringBuilder(((FilterList) filter).getOperator() + "(");
      ((FilterList) filter).getFilters().forEach(f -> all.append(shown(f)).append("; "));
      return all + ")";
    }
    return String.valueOf(filter);
  }

  private static String cells(Iterable<List<Cell>> families) {
    StringBuilder all = new StringBuilder();
    families.forEach(cells -> cells.forEach(cell -> all.append(cell).append(" ")));
    return all.toString();
  }

  private static String result(Result result) {
    StringBuilder all = new StringBuilder();
    if (!result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        String value = Bytes.toStringBinary(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
        all.append(cell.toString().replaceAll("/seqid=.*", "")).append("=").append(value).append(" ");
      }
    }
    return all.toString();
  }

  private static String text(byte[] bytes) {
    return Bytes.toStringBinary(bytes);
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private <T> T pick(T[] of) {
    return of[random.nextInt(of.length)];
  }

  private byte[] row() {
    return Bytes.toBytes(pick(ROWS));
  }

  private byte[] family() {
    return Bytes.toBytes(pick(FAMILIES));
  }

  private byte[] qualifier() {
    return Bytes.toBytes(pick(QUALIFIERS));
  }

  private long time() {
    return 1 + random.nextInt(6);
  }

  private byte[] value() {
    return Bytes.toBytes("v" + random.nextInt(4));
  }
}
