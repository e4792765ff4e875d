import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Rows of Phoenix tables, written and read by SQL: {@code Phoenix URL STEP ..}.
 *
 * <p>A step is {@code create=FILE}, the statements of a file; {@code fill=TABLE,..}, rows with values of each type; {@code
 * print=TABLE,..}, all rows as text; {@code change}, of rows that the other client has written; {@code drop=TABLE,..}.
 */
public final class Phoenix {
  private static final int ROWS = 12;

  /** The columns of a table, with the names of their types. */
  private record Columns(Map<String, String> types, List<String> keys) {}

  public static void main(String[] args) throws Exception {
    Properties options = new Properties();
    // Not 32 regions for a log that is not used here.
    options.setProperty("phoenix.log.saltBuckets", "1");
    try (Connection connection = DriverManager.getConnection(args[0], options)) {
      connection.setAutoCommit(true);
      for (int i = 1; i < args.length; i++) {
        String[] step = args[i].split("=", 2);
        switch (step[0]) {
          case "create" -> create(connection, step[1]);
          case "fill" -> {
            for (String table : step[1].split(",")) {
              fill(connection, table);
            }
          }
          case "print" -> {
            for (String table : step[1].split(",")) {
              print(connection, table);
            }
            count(connection, "TWO", "I >= 0");
            count(connection, "TWO", "UL < 5");
            count(connection, "TWO", "VC = 'ab'");
          }
          case "change" -> change(connection);
          case "drop" -> {
            for (String table : step[1].split(",")) {
              drop(connection, table);
            }
          }
          default -> throw new IllegalArgumentException(args[i]);
        }
      }
    }
    // Threads of the client do not end by themselves.
    System.exit(0);
  }

  private static void create(Connection connection, String file) throws Exception {
    String text = Files.readString(Path.of(file)).replaceAll("(?m)^--.*$", "");
    try (Statement statement = connection.createStatement()) {
      for (String sql : text.split(";")) {
        if (!sql.isBlank()) {
          statement.execute(sql);
        }
      }
    }
  }

  /** Drops a table or view, if there is one. */
  private static void drop(Connection connection, String name) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      String kind = name.equals("MINE_NAMED") ? "VIEW" : "TABLE";
      statement.execute("DROP " + kind + " IF EXISTS " + name);
    }
  }

  /** Changes rows that were written by the other client. */
  private static void change(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("UPSERT INTO TWO (ID, VC, I) VALUES (101, 'changed', NULL)");
      statement.execute("UPSERT INTO MINE (ID, TI) VALUES (101, 9)");
      statement.execute("UPSERT INTO MINE (ID) VALUES (-1)");
      statement.execute("DELETE FROM MINE WHERE ID = 102");
    }
  }

  private static Columns columns(Connection connection, String table) throws SQLException {
    Columns columns = new Columns(new LinkedHashMap<>(), new ArrayList<>());
    try (ResultSet rows = connection.getMetaData().getColumns(null, null, table, null)) {
      while (rows.next()) {
        columns.types.put(rows.getString("COLUMN_NAME"), rows.getString("TYPE_NAME"));
      }
    }
    try (ResultSet rows = connection.getMetaData().getPrimaryKeys(null, null, table)) {
      while (rows.next()) {
        columns.keys.add(rows.getString("COLUMN_NAME"));
      }
    }
    columns.types.remove("_SALT");
    columns.keys.remove("_SALT");
    return columns;
  }

  private static void fill(Connection connection, String table) throws SQLException {
    Columns columns = columns(connection, table);
    String marks = "?, ".repeat(columns.types.size() - 1) + "?";
    String names = String.join(", ", columns.types.keySet());
    try (PreparedStatement put = connection.prepareStatement("UPSERT INTO " + table + " (" + names + ") VALUES (" + marks + ")")) {
      for (int row = 0; row < ROWS; row++) {
        int at = 0;
        for (Map.Entry<String, String> column : columns.types.entrySet()) {
          at++;
          String name = column.getKey();
          boolean key = columns.keys.contains(name);
          boolean nullable = !key || name.equals("VCN") || name.equals("VCD") || name.equals("DECN");
          boolean none = nullable && ((row + at) % 4 == 0 || (row == ROWS - 1 && !key));
          Object[] values = values(column.getValue());
          Object value = values[(row + at) % values.length];
          if (name.equals("ID")) {
            value = (long) row;
          } else if (table.equals("KEYS") && name.equals("VC")) {
            value = "j" + row;
          }
          put.setObject(at, none ? null : value);
        }
        put.executeUpdate();
      }
    }
  }

  private static Object[] values(String type) {
    return switch (type) {
      case "TINYINT" -> new Object[] {(byte) 3, (byte) -3, Byte.MIN_VALUE, Byte.MAX_VALUE};
      case "SMALLINT" -> new Object[] {(short) 3, (short) -3, Short.MIN_VALUE, Short.MAX_VALUE};
      case "INTEGER" -> new Object[] {3, -3, Integer.MIN_VALUE, Integer.MAX_VALUE};
      case "BIGINT" -> new Object[] {3L, -3L, Long.MIN_VALUE, Long.MAX_VALUE};
      case "UNSIGNED_TINYINT" -> new Object[] {(byte) 0, (byte) 3, Byte.MAX_VALUE};
      case "UNSIGNED_SMALLINT" -> new Object[] {(short) 0, (short) 3, Short.MAX_VALUE};
      case "UNSIGNED_INT" -> new Object[] {0, 3, Integer.MAX_VALUE};
      case "UNSIGNED_LONG" -> new Object[] {0L, 3L, Long.MAX_VALUE};
      case "FLOAT" -> new Object[] {0f, 2.5f, -2.5f, Float.MIN_VALUE, Float.MAX_VALUE};
      case "DOUBLE" -> new Object[] {0d, 2.5d, -2.5d, Double.MIN_VALUE, Double.MAX_VALUE};
      case "UNSIGNED_FLOAT" -> new Object[] {0f, 2.5f, Float.MAX_VALUE};
      case "UNSIGNED_DOUBLE" -> new Object[] {0d, 2.5d, Double.MAX_VALUE};
      case "DECIMAL" -> new Object[] {
          new BigDecimal("0"), new BigDecimal("12.5"), new BigDecimal("-12.50"), new BigDecimal("1e-30"),
          new BigDecimal("-99999999999999999999999999999999999999"),
      };
      case "BOOLEAN" -> new Object[] {true, false};
      case "VARCHAR" -> new Object[] {"ab", "h\u00e9llo \ud83d\ude00", "z"};
      case "CHAR" -> new Object[] {"b", "wxyz", "q r"};
      // At the end of a key Phoenix reads a VARBINARY without a last FF, in its own rows too.
      case "VARBINARY" -> new Object[] {new byte[] {0}, new byte[] {1, 0, -1, 5}};
      case "BINARY" -> new Object[] {new byte[] {0, 0, 1}, new byte[] {-1, 0, -2}};
      case "DATE", "TIME" -> new Object[] {new Date(0), new Date(-5), new Date(1_763_800_000_999L)};
      case "UNSIGNED_DATE", "UNSIGNED_TIME" -> new Object[] {new Date(0), new Date(1_763_800_000_999L)};
      case "TIMESTAMP" -> new Object[] {timestamp(0, 1), timestamp(-5, 999_999), timestamp(1_763_800_000_999L, 123_456)};
      default -> throw new IllegalArgumentException("no values of type " + type);
    };
  }

  /** The time so many milliseconds since 1970, and so many nanoseconds after it. */
  private static Timestamp timestamp(long millis, int nanos) {
    Timestamp time = new Timestamp(millis);
    time.setNanos(time.getNanos() + nanos);
    return time;
  }

  private static void print(Connection connection, String table) throws SQLException {
    Columns columns = columns(connection, table);
    int count = 0;
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT " + String.join(", ", columns.types.keySet()) + " FROM " + table)) {
      while (rows.next()) {
        StringBuilder line = new StringBuilder(table);
        for (Map.Entry<String, String> column : columns.types.entrySet()) {
          line.append(' ').append(column.getKey()).append('=').append(shown(rows, column.getKey(), column.getValue()));
        }
        System.out.println(line);
        find(connection, table, columns, rows);
        count++;
      }
    }
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table)) {
      rows.next();
      if (rows.getInt(1) != count) {
        throw new IllegalStateException(table + ": " + count + " rows, and COUNT(*) is " + rows.getInt(1));
      }
    }
    System.out.println(table + " rows: " + count);
  }

  /** Looks the row up by its primary key, so that Phoenix makes the same row key. */
  private static void find(Connection connection, String table, Columns columns, ResultSet row) throws SQLException {
    List<String> conditions = new ArrayList<>();
    List<Object> values = new ArrayList<>();
    for (String key : columns.keys) {
      Object value = row.getObject(key);
      conditions.add(key + (value == null ? " IS NULL" : " = ?"));
      if (value != null) {
        values.add(value);
      }
    }
    String sql = "SELECT COUNT(*) FROM " + table + " WHERE " + String.join(" AND ", conditions);
    try (PreparedStatement get = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.size(); i++) {
        get.setObject(i + 1, values.get(i));
      }
      try (ResultSet found = get.executeQuery()) {
        found.next();
        if (found.getInt(1) != 1) {
          throw new IllegalStateException(table + ": a row is not found by its key " + values);
        }
      }
    }
  }

  private static void count(Connection connection, String table, String condition) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM " + table + " WHERE " + condition)) {
      rows.next();
      System.out.println(table + " " + condition + ": " + rows.getInt(1));
    }
  }

  private static String shown(ResultSet row, String name, String type) throws SQLException {
    Object value = row.getObject(name);
    if (value == null) {
      return "null";
    }
    return switch (type) {
      case "FLOAT", "UNSIGNED_FLOAT" -> String.format("%08x", Float.floatToIntBits((Float) value));
      case "DOUBLE", "UNSIGNED_DOUBLE" -> String.format("%016x", Double.doubleToLongBits((Double) value));
      case "DECIMAL" -> {
        BigDecimal number = ((BigDecimal) value).stripTrailingZeros();
        yield number.signum() == 0 ? "0e0" : number.unscaledValue() + "e" + -number.scale();
      }
      case "VARCHAR", "CHAR" -> hex(((String) value).getBytes(StandardCharsets.UTF_8));
      case "VARBINARY", "BINARY" -> hex((byte[]) value);
      case "TIMESTAMP" -> {
        Timestamp time = (Timestamp) value;
        yield time.getTime() + "+" + time.getNanos() % 1_000_000;
      }
      case "DATE", "TIME", "UNSIGNED_DATE", "UNSIGNED_TIME" -> String.valueOf(((java.util.Date) value).getTime());
      default -> String.valueOf(value);
    };
  }

  private static String hex(byte[] bytes) {
    StringBuilder hex = new StringBuilder();
    for (byte one : bytes) {
      hex.append(String.format("%02x", one));
    }
    return hex.toString();
  }
}
