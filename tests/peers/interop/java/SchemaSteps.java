import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** What schemas say and servers obey or refuse: options, families that are not there, names of regions, hbase:meta. */
final class SchemaSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] Q = Steps.b("q");
  private static final TableName NAME = TableName.valueOf("interop_schema");
  private static final String BYPASS = " Set hbase.table.sanity.checks to false";

  /** An option ({@code t.} before one of the table), its value, and how it is refused. */
  private static final String[][] REFUSED = {
      {"VERSIONS", "x", "IOException", "For input string: \"x\""},
      {"VERSIONS", " 3", "IOException", "For input string: \" 3\""},
      {"VERSIONS", "99999999999", "IOException", "For input string: \"99999999999\""},
      {"VERSIONS", "-1", "DoNotRetryIOException", "Min versions for column family f must be less than the Max versions." + BYPASS},
      {"MIN_VERSIONS", "x", "IOException", "For input string: \"x\""},
      {"TTL", "x", "IOException", "For input string: \"x\""},
      {"TTL", "FOREVER", "IOException", "For input string: \"FOREVER\""},
      {"TTL", "0", "DoNotRetryIOException", "TTL for column family f must be positive." + BYPASS},
      {"BLOCKSIZE", "64KB", "IOException", "For input string: \"64KB\""},
      {"BLOCKSIZE", "1", "DoNotRetryIOException", "Block size for column family f  must be between 1K and 16MB." + BYPASS},
      {"BLOOMFILTER", "x", "DoNotRetryIOException", "Failed to get bloom filter param" + BYPASS},
      {"BLOOMFILTER", "ROWPREFIX_FIXED_LENGTH", "DoNotRetryIOException", "Failed to get bloom filter param" + BYPASS},
      {"COMPRESSION", "x", "DoNotRetryIOException", "No enum constant org.apache.hadoop.hbase.io.compress.Compression.Algorithm.X" + BYPASS},
      {"COMPRESSION_COMPACT", "x", "DoNotRetryIOException", "No enum constant org.apache.hadoop.hbase.io.compress.Compression.Algorithm.X" + BYPASS},
      {"REPLICATION_SCOPE", "x", "DoNotRetryIOException", "For input string: \"x\"" + BYPASS},
      {"REPLICATION_SCOPE", "7", "DoNotRetryIOException", "Replication scope for column family f is 7 which is invalid." + BYPASS},
      {"DFS_REPLICATION", "99999", "IOException", "Value out of range. Value:\"99999\" Radix:10"},
      {"DFS_REPLICATION", "-1", "DoNotRetryIOException", "HFile Replication for column family f  must be greater than zero." + BYPASS},
      {"IN_MEMORY_COMPACTION", "x", "DoNotRetryIOException", "No enum constant org.apache.hadoop.hbase.MemoryCompactionPolicy.X" + BYPASS},
      {"ENCRYPTION", "x", "DoNotRetryIOException", "Key provider org.apache.hadoop.hbase.io.crypto.KeyStoreKeyProvider "},
      {"t.MAX_FILESIZE", "x", "IOException", "For input string: \"x\""},
      {"t.MAX_FILESIZE", "1", "DoNotRetryIOException", "(1) is too small, which might cause over splitting into unmanageable number of regions." + BYPASS},
      {"t.MEMSTORE_FLUSHSIZE", "x", "IOException", "For input string: \"x\""},
      {"t.MEMSTORE_FLUSHSIZE", "1", "DoNotRetryIOException", "(1) is too small, which might cause very frequent flushing." + BYPASS},
      {"t.REGION_REPLICATION", "x", "IOException", "For input string: \"x\""},
      {"t.REGION_REPLICATION", "0", "DoNotRetryIOException", "Table region replication should be at least one." + BYPASS},
      {"t.hbase.server.keyvalue.maxsize", "x", "DoNotRetryIOException", "'hbase.server.keyvalue.maxsize' must be a long." + BYPASS},
  };

  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    Interop.drop(admin, NAME);
    options(s, admin);
    switches(s, connection, admin);
    sizes(s, connection, admin);
    families(s, admin);
    markers(s, connection, admin);
    parents(s, connection, admin);
    longKeys(s, admin);
    meta(s, admin);
    async(s, connection);
    Interop.drop(admin, NAME);
  }

  private static void options(Steps s, Admin admin) throws Exception {
    for (String[] option : REFUSED) {
      s.refused("create: " + option[0] + " " + option[1], option[2], option[3], () -> admin.createTable(table(option[0], option[1])));
    }
    admin.createTable(table());
    for (String[] option : REFUSED) {
      s.refused("modify: " + option[0] + " " + option[1], option[2], option[3], () -> admin.modifyTable(table(option[0], option[1])));
    }
    for (String[] option : new String[][] {{"VERSIONS", "+3"}, {"VERSIONS", "0"}, {"BLOOMFILTER", "row"}, {"COMPRESSION", "gz"}}) {
      s.step("modify: " + option[0] + " " + option[1], () -> admin.modifyTable(table(option[0], option[1])));
    }
    Interop.drop(admin, NAME);
  }

  private static void switches(Steps s, Connection connection, Admin admin) throws Exception {
    admin.createTable(table("t.SPLIT_ENABLED", "false", "t.MERGE_ENABLED", "false"), new byte[][] {Steps.b("m")});
    List<RegionInfo> regions = admin.getRegions(NAME);
    byte[][] both = {regions.get(0).getEncodedNameAsBytes(), regions.get(1).getEncodedNameAsBytes()};
    s.refused("a table that is not to be split", "DoNotRetryIOException", "failed as region split is disabled for the table",
        () -> admin.splitRegionAsync(regions.get(0).getRegionName(), Steps.b("c")).get());
    s.refused("a table that is not to be merged", "DoNotRetryIOException", "Merge of [" + regions.get(0).getEncodedName() + ", "
        + regions.get(1).getEncodedName() + "] failed as region merge is disabled for the table", () -> admin.mergeRegionsAsync(both, false).get());
    Interop.drop(admin, NAME);
  }

  private static void sizes(Steps s, Connection connection, Admin admin) throws Exception {
    admin.createTable(table("t.hbase.server.keyvalue.maxsize", "100"));
    try (Table table = connection.getTable(NAME)) {
      byte[] r = Steps.b("r");
      s.step("a cell of the largest size", () -> table.put(new Put(r).addColumn(F, Q, new byte[73])));
      s.refused("a larger one", "DoNotRetryIOException", "Cell[r/f:q/LATEST_TIMESTAMP/Put/vlen=74/seqid=0] with size 101 exceeds limit of 100 bytes",
          () -> table.put(new Put(r).addColumn(F, Q, new byte[74])));
      s.refused("one that grows", "DoNotRetryIOException", "Cell with size 101 exceeds limit of 100 bytes in region",
          () -> table.append(new Append(r).addColumn(F, Q, new byte[1])));
    }
    Interop.drop(admin, NAME);
  }

  private static void families(Steps s, Admin admin) throws Exception {
    admin.createTable(table());
    byte[] zz = Steps.b("zz");
    byte[] region = admin.getRegions(NAME).get(0).getRegionName();
    String flush = "Column families [zz] don't exist in table interop_schema";
    String compact = "column family zz does not exist in region interop_schema,";
    s.refused("flush of a family that is not there", "NoSuchColumnFamilyException", flush, () -> admin.flush(NAME, zz));
    s.refused("flush of two", "NoSuchColumnFamilyException", flush, () -> admin.flush(NAME, Arrays.asList(F, zz)));
    s.refused("flush of a region", "NoSuchColumnFamilyException", flush, () -> admin.flushRegion(region, zz));
    s.refused("compaction", "NoSuchColumnFamilyException", compact, () -> admin.compact(NAME, zz));
    s.refused("major compaction", "NoSuchColumnFamilyException", compact, () -> admin.majorCompact(NAME, zz));
    s.refused("compaction of a region", "NoSuchColumnFamilyException", compact, () -> admin.compactRegion(region, zz));
    admin.disableTable(NAME);
    s.refused("flush of a table that is disabled", "TableNotEnabledException", "interop_schema", () -> admin.flush(NAME));
    Interop.drop(admin, NAME);
  }

  /** A Put that carries delete markers, and what they delete in a family of either kind. */
  private static void markers(Steps s, Connection connection, Admin admin) throws Exception {
    for (String newer : new String[] {"false", "true"}) {
      admin.createTable(table("VERSIONS", "3", "NEW_VERSION_BEHAVIOR", newer));
      try (Table table = connection.getTable(NAME)) {
        byte[] r = Steps.b("r");
        s.step("a put with a marker, new version behaviour " + newer, () -> {
          table.put(new Put(r).addColumn(F, Q, 5, Steps.b("v5")).addColumn(F, Q, 6, Steps.b("v6")));
          table.put(marker(r, 6, Cell.Type.Delete));
          Steps.equal("cells", "r/f:q=v5", Steps.cells(table.get(new Get(r).readAllVersions())));
          table.put(marker(r, 7, Cell.Type.DeleteColumn));
          Steps.equal("cells", "", Steps.cells(table.get(new Get(r).readAllVersions())));
        });
        s.step("a put after a marker, new version behaviour " + newer, () -> {
          table.put(new Put(r).addColumn(F, Q, 4, Steps.b("v4")));
          Steps.equal("cells", newer.equals("true") ? "r/f:q=v4" : "", Steps.cells(table.get(new Get(r).readAllVersions())));
        });
      }
      Interop.drop(admin, NAME);
    }
  }

  private static Put marker(byte[] row, long time, Cell.Type type) throws Exception {
    Put put = new Put(row);
    put.add(CellBuilderFactory.create(CellBuilderType.DEEP_COPY).setRow(row).setFamily(F).setQualifier(Q).setTimestamp(time)
        .setType(type).setValue(Steps.b("w")).build());
    return put;
  }

  private static void parents(Steps s, Connection connection, Admin admin) throws Exception {
    s.step("the parent of a split goes with its table", () -> {
      admin.createTable(table());
      try (Table table = connection.getTable(NAME)) {
        table.put(Arrays.asList(new Put(Steps.b("a")).addColumn(F, Q, Q), new Put(Steps.b("z")).addColumn(F, Q, Q)));
      }
      admin.splitRegionAsync(admin.getRegions(NAME).get(0).getRegionName(), Steps.b("m")).get(300, TimeUnit.SECONDS);
      Steps.equal("rows", 3, metaRows(connection));
      admin.disableTable(NAME);
      admin.truncateTable(NAME, true);
      Steps.equal("rows after it was truncated", 2, metaRows(connection));
      admin.splitRegionAsync(admin.getRegions(NAME).get(0).getRegionName(), Steps.b("c")).get(300, TimeUnit.SECONDS);
      Interop.drop(admin, NAME);
      Steps.equal("rows after it was deleted", 0, metaRows(connection));
    });
  }

  private static int metaRows(Connection connection) throws Exception {
    int rows = 0;
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME);
        ResultScanner scanner = meta.getScanner(new Scan().setStartStopRowForPrefixScan(NAME.getName()))) {
      for (Result row : scanner) {
        rows += Bytes.startsWith(row.getRow(), Steps.b(NAME + ",")) && !row.isEmpty() ? 1 : 0;
      }
    }
    return rows;
  }

  /**
   * The name of a region is a row of hbase:meta, and no longer than one. A longer one fails with "Row length 32768 is >
   * 32767", and leaves a real cluster with a region that splits, or a table that is created, for ever: no step here.
   */
  private static void longKeys(Steps s, Admin admin) throws Exception {
    byte[] longest = new byte[Short.MAX_VALUE - (NAME.getName().length + ",".length() + ",1234567890123.".length() + 32 + ".".length())];
    Arrays.fill(longest, (byte) 'k');
    s.step("the longest start key", () -> {
      admin.createTable(table(), new byte[][] {longest});
      Steps.equal("regions", 2, admin.getRegions(NAME).size());
    });
    s.step("truncated, the names are as long", () -> {
      admin.disableTable(NAME);
      admin.truncateTable(NAME, true);
      Steps.equal("regions", 2, admin.getRegions(NAME).size());
    });
    Interop.drop(admin, NAME);
  }

  private static void meta(Steps s, Admin admin) throws Exception {
    TableDescriptor meta = admin.getDescriptor(TableName.META_TABLE_NAME);
    s.step("hbase:meta as it is", () -> admin.modifyTable(meta));
    s.refused("hbase:meta read only", "DoNotRetryIOException", "Meta table can't be set as read only." + BYPASS,
        () -> admin.modifyTable(TableDescriptorBuilder.newBuilder(meta).setReadOnly(true).build()));
    s.refused("hbase:meta without a family", "HBaseIOException", "Delete of hbase:meta column family rep_barrier",
        () -> admin.modifyTable(TableDescriptorBuilder.newBuilder(meta).removeColumnFamily(Steps.b("rep_barrier")).build()));
    s.refused("hbase:meta deleted", "IOException", "Can't modify catalog tables", () -> admin.deleteTable(TableName.META_TABLE_NAME));
    s.step("its endpoint", () -> Steps.isTrue("MultiRowMutationEndpoint",
        meta.hasCoprocessor("org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint")));
  }

  /** The asynchronous client reads the state of a table up to the millisecond in which it asks. */
  private static void async(Steps s, Connection connection) throws Exception {
    s.step("states are seen at once", () -> {
      try (AsyncConnection async = ConnectionFactory.createAsyncConnection(connection.getConfiguration()).get()) {
        AsyncAdmin admin = async.getAdmin();
        for (int round = 0; round < 5; round++) {
          admin.createTable(table()).get();
          Steps.equal("created: exists", true, admin.tableExists(NAME).get());
          admin.disableTable(NAME).get();
          Steps.equal("disabled", true, admin.isTableDisabled(NAME).get());
          admin.enableTable(NAME).get();
          Steps.equal("enabled", true, admin.isTableEnabled(NAME).get());
          admin.disableTable(NAME).get();
          admin.deleteTable(NAME).get();
          Steps.equal("deleted: exists", false, admin.tableExists(NAME).get());
        }
      }
    });
  }

  /** The table with these options, by turns name and value. */
  private static TableDescriptor table(String... options) {
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(F);
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(NAME);
    for (int at = 0; at < options.length; at += 2) {
      if (options[at].startsWith("t.")) {
        table.setValue(options[at].substring(2), options[at + 1]);
      } else {
        family.setValue(options[at], options[at + 1]);
      }
    }
    return table.setColumnFamily(family.build()).build();
  }
}
