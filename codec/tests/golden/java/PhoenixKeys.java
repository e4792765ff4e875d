import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.phoenix.util.PhoenixRuntime;

/** Row keys of tables, as an UPSERT makes them. */
class PhoenixKeys implements AutoCloseable {
  private final Out out = new Out("Phoenix");
  private final Connection connection = DriverManager.getConnection("jdbc:phoenix:none");
  private int tables;

  private PhoenixKeys() throws SQLException {
    connection.setAutoCommit(false);
  }

  static Out all() throws Exception {
    try (PhoenixKeys keys = new PhoenixKeys()) {
      keys.texts();
      keys.numbers();
      keys.binaries();
      return keys.out;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  private static Object[] row(Object... fields) {
    return fields;
  }

  /** Creates a table with these columns as its key, plain and salted, and writes the keys of the rows. */
  private void rows(String columns, Object[]... rows) throws SQLException {
    for (int buckets : new int[] {0, 16}) {
      StringBuilder definitions = new StringBuilder();
      StringBuilder key = new StringBuilder();
      StringBuilder name = new StringBuilder();
      StringBuilder marks = new StringBuilder();
      for (String column : columns.split(";")) {
        String[] words = column.split(" ");
        String at = "c" + definitions.chars().filter(c -> c == ',').count();
        definitions.append(at).append(" ").append(words[0].replace('+', ',')).append(words.length > 2 ? " NOT NULL, " : ", ");
        key.append(key.length() == 0 ? "" : ", ").append(at).append(" ").append(words[1]);
        name.append(name.length() == 0 ? "{" : ",").append(words[0]).append(" ").append(words[1]);
        marks.append("?, ");
      }
      String table = "t" + ++tables;
      connection.createStatement().execute("CREATE TABLE " + table + " (" + definitions + "v VARCHAR CONSTRAINT pk PRIMARY KEY ("
          + key + "))" + (buckets > 0 ? " SALT_BUCKETS=" + buckets : ""));
      String type = name + "}" + (buckets > 0 ? " SALT_BUCKETS=" + buckets : "");
      for (Object[] row : rows) {
        out.line(type, "-", Values.ofAll(row), () -> key(table, marks, row));
      }
    }
  }

  private byte[] key(String table, CharSequence marks, Object[] row) throws SQLException {
    connection.rollback();
    try (PreparedStatement upsert = connection.prepareStatement("UPSERT INTO " + table + " VALUES (" + marks + "'v')")) {
      for (int i = 0; i < row.length; i++) {
        upsert.setObject(i + 1, row[i]);
      }
      upsert.executeUpdate();
      Iterator<Pair<byte[], List<Cell>>> written = PhoenixRuntime.getUncommittedDataIterator(connection);
      byte[] key = CellUtil.cloneRow(written.next().getSecond().get(0));
      connection.rollback();
      return key;
    }
  }

  private void texts() throws SQLException {
    Object[][] pairs = {
      row("x", 5L), row("", 0L), row(null, -1L), row("ab", Long.MIN_VALUE), row("日本", Long.MAX_VALUE), row("user1", 1700000000000L),
      row("user10", 1700000000000L)};
    for (String directions : new String[] {"asc asc", "asc desc", "desc asc", "desc desc"}) {
      String[] two = directions.split(" ");
      rows("VARCHAR " + two[0] + ";BIGINT " + two[1] + " !", pairs);
    }
    Object[][] texts = {
      row("a", "b", "c"), row("a", "b", null), row("a", null, null), row("a", null, "c"), row(null, null, "c"), row(null, "b", null),
      row("", "b", ""), row("ab", "", "c"), row("é", "ÿ", "z")};
    rows("VARCHAR asc;VARCHAR asc;VARCHAR asc", texts);
    rows("VARCHAR desc;VARCHAR desc;VARCHAR desc", texts);
    rows("VARCHAR asc;VARCHAR desc;VARCHAR asc", texts);
    rows("VARCHAR desc;VARCHAR asc;VARCHAR desc", texts);
    Object[][] chars = {row("abc", "x"), row("a", "y"), row("abcde", ""), row("", "z"), row("ab ", null), row("é", "w")};
    rows("CHAR(5) asc !;VARCHAR asc", chars);
    rows("CHAR(5) desc !;VARCHAR desc", chars);
    Object[][] turned = {row("x", "abc"), row("y", "a"), row("", "abcde"), row(null, "ab")};
    rows("VARCHAR asc;CHAR(5) asc !", turned);
    rows("VARCHAR desc;CHAR(5) desc !", turned);
  }

  private void numbers() throws SQLException {
    Object[][] whole = {
      row(1, (short) 2, (byte) 3, 4L), row(-1, (short) -2, (byte) -3, -4L), row(0, (short) 0, (byte) 0, 0L),
      row(Integer.MAX_VALUE, Short.MAX_VALUE, Byte.MAX_VALUE, Long.MAX_VALUE),
      row(Integer.MIN_VALUE, Short.MIN_VALUE, Byte.MIN_VALUE, Long.MIN_VALUE)};
    rows("INTEGER asc !;SMALLINT asc !;TINYINT asc !;BIGINT asc !", whole);
    rows("INTEGER desc !;SMALLINT asc !;TINYINT desc !;BIGINT desc !", whole);
    rows("UNSIGNED_INT asc !;UNSIGNED_SMALLINT desc !;UNSIGNED_TINYINT asc !;UNSIGNED_LONG desc !", whole);
    Object[][] floats = {
      row(1.5f, -1.5d, true), row(-1.5f, 1.5d, false), row(0f, 0d, true), row(Float.MAX_VALUE, Double.MIN_VALUE, false)};
    rows("FLOAT asc !;DOUBLE desc !;BOOLEAN asc !", floats);
    rows("FLOAT desc !;DOUBLE asc !;BOOLEAN desc !", floats);
    Object[][] decimals = {
      row(new BigDecimal("1.5"), "a", 1), row(new BigDecimal("-1.5"), "b", 2), row(new BigDecimal("0"), "c", 3),
      row(new BigDecimal("1e30"), "", 4), row(new BigDecimal("-1e-30"), "e", 5), row(null, "f", 6),
      row(new BigDecimal("99.99"), null, 7), row(new BigDecimal("12345678901234567890123456789012345678"), "g", 8)};
    rows("DECIMAL asc;VARCHAR asc;INTEGER asc !", decimals);
    rows("DECIMAL desc;VARCHAR desc;INTEGER desc !", decimals);
    Object[][] last = {row(1, new BigDecimal("1.5")), row(2, new BigDecimal("-10")), row(3, null), row(4, new BigDecimal("0"))};
    rows("INTEGER asc !;DECIMAL asc", last);
    rows("INTEGER asc !;DECIMAL desc", last);
  }

  private void binaries() throws SQLException {
    Object[][] last = {row(1L, new byte[] {0, -1, 1}), row(2L, new byte[] {}), row(3L, null), row(4L, new byte[] {-1}), row(5L, new byte[] {0}), row(6L, new byte[] {1, 0, 0})};
    rows("BIGINT asc !;VARBINARY asc", last);
    Object[][] zeros = {row("a", "b\u0000"), row("a", "\u0000"), row("a\u0000b", "c"), row("\u0000", "c"), row("a\u0000", "c")};
    rows("VARCHAR asc;VARCHAR asc", zeros);
    rows("VARCHAR desc;VARCHAR desc", zeros);
    Object[][] after = {row("a", new byte[] {0}), row("a", new byte[] {}), row("a", null), row("a", new byte[] {1, 0, 0})};
    rows("VARCHAR asc;VARBINARY asc", after);
    rows("VARCHAR desc;VARBINARY asc", after);
    Object[][] fixed = {row(new byte[] {1, 2, 3, 4}, "a"), row(new byte[] {-1, 0}, "b"), row(new byte[] {0}, null)};
    rows("BINARY(4) asc !;VARCHAR asc", fixed);
    rows("BINARY(4) desc !;VARCHAR desc", fixed);
  }
}
