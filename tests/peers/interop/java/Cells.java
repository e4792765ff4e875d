import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Prints the cells of tables as the official client reads them: {@code Cells HOST:PORT[,..] TABLE ..}.
 *
 * <p>Arguments after a table, {@code f:q=type}, name the type as which Java's {@code Bytes} reads a column: {@code string},
 * {@code long}, {@code int}, {@code short}, {@code double}; the cell is then followed by a tab and the result. {@code
 * f:*=type} is for all others of a family.
 */
public final class Cells {
  public static void main(String[] args) throws Exception {
    if (args.length < 2) {
      System.err.println("usage: Cells HOST:PORT[,..] TABLE [f:q=type ..] ..");
      System.exit(2);
    }
    Configuration conf = Interop.configuration(args[0]);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      for (int i = 1; i < args.length; ) {
        String name = args[i++];
        Map<String, String> types = new HashMap<>();
        for (; i < args.length && args[i].contains("="); i++) {
          String[] column = args[i].split("=", 2);
          types.put(column[0], column[1]);
        }
        System.out.println(name);
        try (Table table = connection.getTable(TableName.valueOf(name)); ResultScanner rows = table.getScanner(new Scan())) {
          for (Result row : rows) {
            for (Cell cell : row.rawCells()) {
              print(cell, types);
            }
          }
        }
      }
    }
  }

  private static void print(Cell cell, Map<String, String> types) {
    String family = Bytes.toStringBinary(CellUtil.cloneFamily(cell));
    String column = family + ":" + Bytes.toStringBinary(CellUtil.cloneQualifier(cell));
    byte[] value = CellUtil.cloneValue(cell);
    String type = types.getOrDefault(column, types.get(family + ":*"));
    String read = type == null ? "" : "\t" + read(type, value);
    System.out.println(
        "  " + Bytes.toStringBinary(CellUtil.cloneRow(cell)) + "  " + column + " = " + Bytes.toStringBinary(value) + read);
  }

  private static String read(String type, byte[] value) {
    switch (type) {
      case "string":
        return Bytes.toString(value);
      case "long":
        return Long.toString(Bytes.toLong(value));
      case "short":
        return Short.toString(Bytes.toShort(value));
      case "int":
        return Integer.toString(Bytes.toInt(value));
      case "double":
        return Double.toString(Bytes.toDouble(value));
      default:
        throw new IllegalArgumentException("types are string, long, int, short, double, not " + type);
    }
  }
}
