import java.math.BigDecimal;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.phoenix.schema.SaltingUtil;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.*;

/** The column types of Phoenix, and its salt. */
class PhoenixLines {
  private static final long[] TIMES = {
    0, 1, -1, 999, 1000, -1000, 1700000000000L, 1700000000123L, -62135596800000L, 253402300799999L, Long.MAX_VALUE, Long.MIN_VALUE};
  private final Out out = new Out("Phoenix");

  private void both(PDataType<?> type, String input, Object value) {
    out.line(type.getSqlTypeName(), "asc", input, () -> type.toBytes(value, SortOrder.ASC));
    out.line(type.getSqlTypeName(), "desc", input, () -> type.toBytes(value, SortOrder.DESC));
  }

  private void padded(PDataType<?> type, int width, String input, Object value) {
    String name = type.getSqlTypeName() + "(" + width + ")";
    for (SortOrder order : new SortOrder[] {SortOrder.ASC, SortOrder.DESC}) {
      out.line(name, order == SortOrder.ASC ? "asc" : "desc", input, () -> {
        byte[] bytes = type.toBytes(value, order);
        return bytes.length > width ? tooLong(width) : type.pad(bytes, width, order);
      });
    }
  }

  /** The bytes that an UPSERT into the column writes. */
  private static byte[] tooLong(int width) {
    throw new IllegalArgumentException("more than " + width);
  }

  static Out all() {
    PhoenixLines lines = new PhoenixLines();
    lines.integers();
    lines.floats();
    lines.variable();
    lines.times();
    return lines.out;
  }

  private void integers() {
    for (long v : Values.integers(64)) {
      both(PLong.INSTANCE, "" + v, v);
      both(PUnsignedLong.INSTANCE, "" + v, v);
    }
    for (long v : Values.integers(32)) {
      both(PInteger.INSTANCE, "" + v, (int) v);
      both(PUnsignedInt.INSTANCE, "" + v, (int) v);
    }
    for (long v : Values.integers(16)) {
      both(PSmallint.INSTANCE, "" + v, (short) v);
      both(PUnsignedSmallint.INSTANCE, "" + v, (short) v);
    }
    for (long v : Values.integers(8)) {
      both(PTinyint.INSTANCE, "" + v, (byte) v);
      both(PUnsignedTinyint.INSTANCE, "" + v, (byte) v);
    }
    both(PBoolean.INSTANCE, "true", true);
    both(PBoolean.INSTANCE, "false", false);
  }

  private void floats() {
    for (float v : Values.FLOATS) {
      both(PFloat.INSTANCE, Values.of(v), v);
      both(PUnsignedFloat.INSTANCE, Values.of(v), v);
    }
    for (double v : Values.DOUBLES) {
      both(PDouble.INSTANCE, Values.of(v), v);
      both(PUnsignedDouble.INSTANCE, Values.of(v), v);
    }
    for (String v : Values.DECIMALS) {
      BigDecimal decimal = Values.decimal(v);
      // Past this the exponent, a byte, takes the place of another number's.
      if (Math.abs(decimal.precision() - decimal.scale()) < 124) {
        both(PDecimal.INSTANCE, v, decimal);
      }
    }
    both(PDecimal.INSTANCE, "null", null);
  }

  private void variable() {
    for (String v : Values.TEXTS) {
      both(PVarchar.INSTANCE, Values.of(v), v);
      padded(PChar.INSTANCE, 5, Values.of(v), v);
      padded(PChar.INSTANCE, 12, Values.of(v), v);
    }
    both(PVarchar.INSTANCE, "null", null);
    for (byte[] v : Values.BLOBS) {
      both(PVarbinary.INSTANCE, Values.of(v), v);
      padded(PBinary.INSTANCE, 4, Values.of(v), v);
      padded(PBinary.INSTANCE, 9, Values.of(v), v);
    }
    both(PVarbinary.INSTANCE, "null", null);
  }

  private void times() {
    for (long v : TIMES) {
      both(PDate.INSTANCE, "" + v, new Date(v));
      both(PTime.INSTANCE, "" + v, new Time(v));
      both(PTimestamp.INSTANCE, "" + v, new Timestamp(v));
      both(PUnsignedDate.INSTANCE, "" + v, new Date(v));
      both(PUnsignedTime.INSTANCE, "" + v, new Time(v));
      both(PUnsignedTimestamp.INSTANCE, "" + v, new Timestamp(v));
      for (int nanos : new int[] {0, 1, 456, 999_999}) {
        Timestamp exact = new Timestamp(v);
        exact.setNanos(exact.getNanos() / 1_000_000 * 1_000_000 + nanos);
        both(PTimestamp.INSTANCE, "[" + v + "," + nanos + "]", exact);
        both(PUnsignedTimestamp.INSTANCE, "[" + v + "," + nanos + "]", exact);
      }
    }
  }

  static Out salts() {
    Out out = new Out("Phoenix.salt");
    for (int buckets : new int[] {1, 2, 3, 16, 100, 127, 128, 129, 200, 256}) {
      for (byte[] key : Values.BLOBS) {
        out.line("buckets=" + buckets, "-", Values.of(key), () -> new byte[] {SaltingUtil.getSaltingByte(key, 0, key.length, buckets)});
      }
      for (String text : new String[] {"user1", "user10", "日本", "a\u0000b"}) {
        byte[] key = Bytes.toBytes(text);
        out.line("buckets=" + buckets, "-", Values.of(text), () -> new byte[] {SaltingUtil.getSaltingByte(key, 0, key.length, buckets)});
      }
    }
    for (int buckets : new int[] {2, 3, 16, 256}) {
      byte[][] points = SaltingUtil.getSalteByteSplitPoints(buckets);
      SplitLines.points(out, "buckets=" + buckets, "-", points);
    }
    return out;
  }
}
