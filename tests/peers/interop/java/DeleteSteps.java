import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;

/** Each kind of delete marker, and what it hides. */
final class DeleteSteps {
  private static final byte[] F = Steps.b("f");
  private static final byte[] G = Steps.b("g");
  private static final byte[] Q = Steps.b("q");

  static void run(Steps s, Connection connection, Admin admin) throws Exception {
    TableName name = Interop.fresh(admin, "interop_deletes");
    try (Table table = connection.getTable(name)) {
      kind(s, table, "one version", "k1", new Delete(Steps.b("k1")).addColumn(F, Q, 2000),
          "f:q@3000 f:q@1000 f:r@1000 g:q@1000");
      kind(s, table, "the newest version", "k2", new Delete(Steps.b("k2")).addColumn(F, Q),
          "f:q@2000 f:q@1000 f:r@1000 g:q@1000");
      kind(s, table, "a version that is not there", "k3", new Delete(Steps.b("k3")).addColumn(F, Q, 2500),
          "f:q@3000 f:q@2000 f:q@1000 f:r@1000 g:q@1000");
      kind(s, table, "all versions of a column", "k4", new Delete(Steps.b("k4")).addColumns(F, Q), "f:r@1000 g:q@1000");
      kind(s, table, "versions of a column up to a time", "k5", new Delete(Steps.b("k5")).addColumns(F, Q, 2000),
          "f:q@3000 f:r@1000 g:q@1000");
      kind(s, table, "a family", "k6", new Delete(Steps.b("k6")).addFamily(F), "g:q@1000");
      kind(s, table, "a family up to a time", "k7", new Delete(Steps.b("k7")).addFamily(F, 2000), "f:q@3000 g:q@1000");
      kind(s, table, "one version of a family", "k8", new Delete(Steps.b("k8")).addFamilyVersion(F, 1000),
          "f:q@3000 f:q@2000 g:q@1000");
      kind(s, table, "a row", "k9", new Delete(Steps.b("k9")), "");
      kind(s, table, "a row up to a time", "k10", new Delete(Steps.b("k10"), 2000), "f:q@3000");
      kind(s, table, "two columns and a family at once", "k11",
          new Delete(Steps.b("k11")).addColumn(F, Q, 3000).addColumns(F, Steps.b("r")).addFamily(G), "f:q@2000 f:q@1000");

      s.step("marker hides an older put that comes later", () -> {
        table.delete(new Delete(Steps.b("late")).addColumns(F, Q, 5000));
        table.put(new Put(Steps.b("late")).addColumn(F, Q, 4000, Steps.b("hidden")));
        Steps.equal("cells", "", Steps.cells(table.get(new Get(Steps.b("late")))));
        table.put(new Put(Steps.b("late")).addColumn(F, Q, 6000, Steps.b("seen")));
        Steps.equal("cells", "late/f:q=seen", Steps.cells(table.get(new Get(Steps.b("late")).readAllVersions())));
      });
      s.step("delete of a missing row", () -> table.delete(new Delete(Steps.b("nothing"))));
      s.step("put after a row delete", () -> {
        table.put(new Put(Steps.b("again")).addColumn(F, Q, Steps.b("1")));
        table.delete(new Delete(Steps.b("again")));
        long deleted = System.currentTimeMillis();
        // A put of the same millisecond would stay hidden, as in any HBase.
        table.put(new Put(Steps.b("again")).addColumn(F, Q, deleted + 60_000, Steps.b("2")));
        Steps.equal("cells", "again/f:q=2", Steps.cells(table.get(new Get(Steps.b("again")))));
      });
      s.step("list of deletes over regions", () -> {
        for (String row : List.of("a", "h", "o", "v")) {
          table.put(new Put(Steps.b(row)).addColumn(F, Q, Steps.b("1")));
        }
        table.delete(new java.util.ArrayList<>(List.of(new Delete(Steps.b("a")), new Delete(Steps.b("o")), new Delete(Steps.b("v")))));
        boolean[] left = table.exists(List.of(new Get(Steps.b("a")), new Get(Steps.b("h")), new Get(Steps.b("o")), new Get(Steps.b("v"))));
        Steps.equal("left", "[false, true, false, false]", java.util.Arrays.toString(left));
      });
    }
    Interop.drop(admin, name);
  }

  /** Puts f:q at three times, f:r and g:q, deletes, and compares what is left. */
  private static void kind(Steps s, Table table, String what, String row, Delete delete, String left) {
    s.step(what, () -> {
      Put put = new Put(Steps.b(row)).addColumn(F, Steps.b("r"), 1000, Steps.b("v")).addColumn(G, Q, 1000, Steps.b("v"));
      for (long t : new long[] {1000, 2000, 3000}) {
        put.addColumn(F, Q, t, Steps.b("v"));
      }
      table.put(put);
      table.delete(delete);
      String cells = Steps.fullCells(table.get(new Get(Steps.b(row)).readAllVersions()));
      Steps.equal("left", left, cells.replace(row + "/", "").replace("#Put=v", ""));
    });
  }
}
