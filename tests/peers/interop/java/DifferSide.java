import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonArray;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;

/** A server with one table, and what it answers to the operations of a script ({@code rust/script.rs}), as text. */
final class DifferSide implements AutoCloseable {
  /** From here on, a time is that of a server. */
  private static final long NOW = 1_000_000_000;

  private final TableName name;
  private final Admin admin;
  private final Table table;
  /**
   * Whether what may follow in a row can be compared: a file of which all cells have expired is not opened, so that flushes
   * show in it.
   */
  private final boolean flags;

  DifferSide(Connection connection, JsonObject options) throws Exception {
    // At the same time, another client has tables with the names of the script.
    name = TableName.valueOf(options.get("name").getAsString() + "_java");
    admin = connection.getAdmin();
    table = connection.getTable(name);
    TableDescriptorBuilder descriptor = TableDescriptorBuilder.newBuilder(name);
    if (options.has("max_cell")) {
      descriptor.setValue("hbase.server.keyvalue.maxsize", options.get("max_cell").getAsString());
    }
    for (JsonElement element : options.getAsJsonArray("families")) {
      JsonObject of = element.getAsJsonObject();
      ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(bytes(of, "name"))
          .setMaxVersions(of.get("versions").getAsInt()).setMinVersions(of.get("min_versions").getAsInt())
          .setKeepDeletedCells(KeepDeletedCells.valueOf(of.get("keep_deleted").getAsString()))
          .setNewVersionBehavior(of.get("new_versions").getAsBoolean());
      if (of.has("ttl")) {
        family.setTimeToLive(of.get("ttl").getAsInt());
      }
      descriptor.setColumnFamily(family.build());
    }
    flags = !options.get("families").toString().contains("\"ttl\"");
    List<byte[]> splits = new ArrayList<>();
    options.getAsJsonArray("splits").forEach(split -> splits.add(Bytes.toBytes(split.getAsString())));
    drop();
    admin.createTable(descriptor.build(), splits.isEmpty() ? null : splits.toArray(new byte[0][]));
  }

  private void drop() throws Exception {
    if (admin.tableExists(name)) {
      if (admin.isTableEnabled(name)) {
        admin.disableTable(name);
      }
      admin.deleteTable(name);
    }
  }

  @Override
  public void close() throws Exception {
    drop();
    table.close();
    admin.close();
  }

  /** What the server answers, or the class and the first line of its exception. */
  String answer(JsonElement operation) {
    StringBuilder found = new StringBuilder();
    try {
      carryOut(operation, found);
    } catch (Exception e) {
      found.append(shown(e));
    }
    return found.toString();
  }

  private String shown(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null && !(cause instanceof DoNotRetryIOException)) {
      cause = cause.getCause();
    }
    String text = String.valueOf(cause.getMessage()).split("\n")[0];
    return cause.getClass().getSimpleName() + ": "
        + text.replaceAll(name + ",[^ ]*", "REGION").replaceAll("scanner id.*|HRegion\\$.*", "..").replaceAll("[0-9]{9,}", "NUMBER")
            // A real server's text has further lines, before which the client's own words are not seen.
            .replaceAll(": [0-9]+ times?, servers with issues: .*", "");
  }

  private void carryOut(JsonElement operation, StringBuilder found) throws Exception {
    if (operation.isJsonPrimitive()) {
      switch (operation.getAsString()) {
        case "flush" -> admin.flush(name);
        case "compact" -> compact(found);
        default -> {
          List<RegionInfo> regions = admin.getRegions(name);
          admin.mergeRegionsAsync(regions.stream().map(RegionInfo::getEncodedNameAsBytes).toArray(byte[][]::new), false).get(5, TimeUnit.MINUTES);
          settle(1, found);
        }
      }
      return;
    }
    String kind = operation.getAsJsonObject().keySet().iterator().next();
    JsonElement of = operation.getAsJsonObject().get(kind);
    switch (kind) {
      case "table" -> { }
      case "put" -> table.put(put(of.getAsJsonObject()));
      case "delete" -> table.delete(delete(of.getAsJsonObject()));
      case "increment", "append" -> {
        try {
          found.append(result(kind.equals("append") ? table.append(append(of.getAsJsonObject())) : table.increment(increment(of.getAsJsonObject()))));
        } finally {
          // The next one has another time.
          Thread.sleep(2);
        }
      }
      case "mutate" -> found.append(result(table.mutateRow((RowMutations) row(operation))));
      case "check" -> found.append(table.checkAndMutate(check(of.getAsJsonObject())).isSuccess());
      case "batch" -> batch(of.getAsJsonArray(), found);
      case "get" -> found.append(result(table.get(get(of.getAsJsonObject()))));
      case "exists" -> found.append(table.exists(get(of.getAsJsonObject())));
      case "scan" -> scan(of.getAsJsonObject(), found);
      case "split" -> {
        List<RegionInfo> regions = admin.getRegions(name);
        admin.splitRegionAsync(regions.get(0).getRegionName(), Bytes.toBytes(of.getAsString())).get(5, TimeUnit.MINUTES);
        settle(regions.size() + 1, found);
      }
      default -> throw new IllegalArgumentException("no operation " + kind);
    }
  }

  /**
   * Waits until the table has this many regions, all of them are open, and no compaction leaves out more than the one before it.
   * New regions compact the files of those before them by themselves, at some time, and what is asked for meanwhile is left out;
   * and once a compaction has left out the oldest puts, the next one leaves out the markers before them. So all are compacted as
   * often as it takes, whether or not the regions have begun by themselves.
   */
  private void settle(int count, StringBuilder found) throws Exception {
    for (int pauses = 0; admin.getRegions(name).size() != count || !admin.isTableAvailable(name); pauses++) {
      if (pauses == 6_000) {
        found.append("the regions do not open");
        return;
      }
      Thread.sleep(10);
    }
    for (int compactions = 0; compactions < 4; compactions++) {
      compact(found);
    }
  }

  private void compact(StringBuilder found) throws Exception {
    admin.flush(name);
    admin.majorCompact(name);
    for (int pauses = 0; admin.getCompactionState(name) != CompactionState.NONE; pauses++) {
      if (pauses == 6_000) {
        found.append("the compaction does not end");
        return;
      }
      Thread.sleep(10);
    }
  }

  private void batch(JsonArray operations, StringBuilder found) throws Exception {
    List<Row> rows = new ArrayList<>();
    for (JsonElement operation : operations) {
      rows.add(row(operation));
    }
    Object[] results = new Object[rows.size()];
    try {
      table.batch(rows, results);
    } catch (java.io.IOException e) {
      // Each operation has its own.
    }
    for (Object result : results) {
      found.append(result instanceof Result ? result((Result) result) : result instanceof Throwable ? shown((Throwable) result) : result)
          .append("; ");
    }
  }

  private void scan(JsonObject of, StringBuilder found) throws Exception {
    Scan scan = new Scan().setReversed(of.get("reversed").getAsBoolean()).setRaw(of.get("raw").getAsBoolean());
    JsonArray from = of.getAsJsonArray("from");
    JsonArray to = of.getAsJsonArray("to");
    scan.withStartRow(Bytes.toBytes(from.get(0).getAsString()), from.get(1).getAsBoolean());
    scan.withStopRow(Bytes.toBytes(to.get(0).getAsString()), to.get(1).getAsBoolean());
    scan.readVersions(of.get("versions").getAsInt());
    if (of.has("times")) {
      scan.setTimeRange(DifferFilters.at(of.get("times"), 0).getAsLong(), DifferFilters.at(of.get("times"), 1).getAsLong());
    }
    for (JsonElement column : of.getAsJsonArray("columns")) {
      if (DifferFilters.at(column, 1).isJsonNull()) {
        scan.addFamily(DifferFilters.bytes(DifferFilters.at(column, 0)));
      } else {
        scan.addColumn(DifferFilters.bytes(DifferFilters.at(column, 0)), DifferFilters.bytes(DifferFilters.at(column, 1)));
      }
    }
    if (of.has("filter")) {
      scan.setFilter(DifferFilters.filter(of.get("filter")));
    }
    if (of.has("on_demand")) {
      scan.setLoadColumnFamiliesOnDemand(of.get("on_demand").getAsBoolean());
    }
    if (of.has("store_limit")) {
      scan.setMaxResultsPerColumnFamily(of.get("store_limit").getAsInt());
    }
    scan.setRowOffsetPerColumnFamily(of.get("store_offset").getAsInt());
    scan.setAllowPartialResults(of.get("partial").getAsBoolean()).setNeedCursorResult(of.get("cursors").getAsBoolean());
    if (of.has("batch")) {
      scan.setBatch(of.get("batch").getAsInt());
    }
    if (of.has("limit")) {
      scan.setLimit(of.get("limit").getAsInt());
    }
    if (of.has("caching")) {
      scan.setCaching(of.get("caching").getAsInt());
    }
    // A file without cells in a range of times is not opened either.
    boolean compared = flags && !of.has("times");
    try (ResultScanner results = table.getScanner(scan)) {
      for (Result result : results) {
        found.append(result.isCursor() ? "cursor " : result(result)).append(compared && result.mayHaveMoreCellsInRow() ? " .. " : " | ");
      }
    }
  }

  private static Get get(JsonObject of) throws Exception {
    Get get = new Get(bytes(of, "row")).readVersions(of.get("versions").getAsInt());
    if (of.has("times")) {
      get.setTimeRange(DifferFilters.at(of.get("times"), 0).getAsLong(), DifferFilters.at(of.get("times"), 1).getAsLong());
    }
    for (JsonElement column : of.getAsJsonArray("columns")) {
      if (DifferFilters.at(column, 1).isJsonNull()) {
        get.addFamily(DifferFilters.bytes(DifferFilters.at(column, 0)));
      } else {
        get.addColumn(DifferFilters.bytes(DifferFilters.at(column, 0)), DifferFilters.bytes(DifferFilters.at(column, 1)));
      }
    }
    if (of.has("filter")) {
      get.setFilter(DifferFilters.filter(of.get("filter")));
    }
    if (of.has("on_demand")) {
      get.setLoadColumnFamiliesOnDemand(of.get("on_demand").getAsBoolean());
    }
    if (of.has("store_limit")) {
      get.setMaxResultsPerColumnFamily(of.get("store_limit").getAsInt());
    }
    return get.setRowOffsetPerColumnFamily(of.get("store_offset").getAsInt());
  }

  private static CheckAndMutate check(JsonObject of) throws Exception {
    CheckAndMutate.Builder builder = CheckAndMutate.newBuilder(bytes(of, "row"));
    if (of.has("filter")) {
      Filter filter = DifferFilters.filter(of.get("filter"));
      builder.ifMatches(filter);
    } else if (of.has("value")) {
      builder.ifMatches(bytes(of, "family"), bytes(of, "qualifier"), CompareOperator.valueOf(of.get("operator").getAsString()), bytes(of, "value"));
    } else {
      builder.ifNotExists(bytes(of, "family"), bytes(of, "qualifier"));
    }
    if (of.has("times")) {
      builder.timeRange(org.apache.hadoop.hbase.io.TimeRange.between(DifferFilters.at(of.get("times"), 0).getAsLong(),
          DifferFilters.at(of.get("times"), 1).getAsLong()));
    }
    Row then = row(of.get("then"));
    return then instanceof Put ? builder.build((Put) then) : then instanceof Delete ? builder.build((Delete) then) : builder.build((RowMutations) then);
  }

  private static Row row(JsonElement operation) throws Exception {
    String kind = operation.getAsJsonObject().keySet().iterator().next();
    JsonElement of = operation.getAsJsonObject().get(kind);
    return switch (kind) {
      case "put" -> put(of.getAsJsonObject());
      case "delete" -> delete(of.getAsJsonObject());
      case "get" -> get(of.getAsJsonObject());
      case "mutate" -> {
        List<Mutation> changes = new ArrayList<>();
        for (JsonElement change : of.getAsJsonArray()) {
          changes.add((Mutation) row(change));
        }
        yield RowMutations.of(changes);
      }
      default -> throw new IllegalArgumentException("no operation of a row: " + kind);
    };
  }

  private static Put put(JsonObject of) throws Exception {
    Put put = new Put(bytes(of, "row"));
    for (JsonElement cell : of.getAsJsonArray("cells")) {
      put.add(cell(bytes(of, "row"), cell.getAsJsonObject()));
    }
    return of.has("ttl") ? put.setTTL(of.get("ttl").getAsLong()) : put;
  }

  private static Delete delete(JsonObject of) throws Exception {
    Delete delete = new Delete(bytes(of, "row"));
    for (JsonElement cell : of.getAsJsonArray("cells")) {
      delete.add(cell(bytes(of, "row"), cell.getAsJsonObject()));
    }
    return delete;
  }

  private static Cell cell(byte[] row, JsonObject of) {
    return CellBuilderFactory.create(CellBuilderType.DEEP_COPY).setRow(row).setFamily(bytes(of, "family")).setQualifier(bytes(of, "qualifier"))
        .setTimestamp(of.has("time") ? of.get("time").getAsLong() : HConstants.LATEST_TIMESTAMP)
        .setType(Cell.Type.valueOf(of.get("kind").getAsString())).setValue(of.has("value") ? bytes(of, "value") : new byte[0]).build();
  }

  private static Increment increment(JsonObject of) {
    Increment increment = new Increment(bytes(of, "row"));
    for (JsonElement cell : of.getAsJsonArray("cells")) {
      JsonObject added = cell.getAsJsonObject();
      increment.addColumn(bytes(added, "family"), bytes(added, "qualifier"), added.get("by").getAsLong());
    }
    return increment;
  }

  private static Append append(JsonObject of) {
    Append append = new Append(bytes(of, "row"));
    for (JsonElement cell : of.getAsJsonArray("cells")) {
      JsonObject added = cell.getAsJsonObject();
      append.addColumn(bytes(added, "family"), bytes(added, "qualifier"), bytes(added, "value"));
    }
    return append;
  }

  private static byte[] bytes(JsonObject of, String name) {
    return Bytes.toBytes(of.get(name).getAsString());
  }

  private static String result(Result result) {
    StringBuilder all = new StringBuilder();
    if (result != null && !result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        String value = Bytes.toStringBinary(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
        String key = cell.toString().replaceAll("/vlen=.*|/seqid=.*", "");
        all.append(cell.getTimestamp() < NOW ? key : key.replace("/" + cell.getTimestamp() + "/", "/now/")).append("=").append(value).append(" ");
      }
    }
    return all.toString();
  }
}
