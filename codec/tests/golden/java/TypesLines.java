import java.util.Arrays;
import java.util.function.Function;
import org.apache.hadoop.hbase.types.*;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/** org.apache.hadoop.hbase.types. */
class TypesLines {
  private final Out out = new Out("types");

  static <T> byte[] bytes(DataType<T> type, T value) {
    PositionedByteRange to = new SimplePositionedMutableByteRange(4096);
    type.encode(to, value);
    return Arrays.copyOf(to.getBytes(), to.getPosition());
  }

  private <T> void one(String name, String direction, String input, DataType<T> type, T value) {
    out.line(name, direction, input, () -> bytes(type, value));
  }

  private <T> void both(String name, String input, Function<Order, DataType<T>> type, T value) {
    out.line(name, "asc", input, () -> bytes(type.apply(Order.ASCENDING), value));
    out.line(name, "desc", input, () -> bytes(type.apply(Order.DESCENDING), value));
  }

  static Out all() {
    TypesLines lines = new TypesLines();
    lines.integers();
    lines.floats();
    lines.numerics();
    for (String text : Values.TEXTS) {
      lines.text(text);
    }
    lines.text(null);
    for (byte[] blob : Values.BLOBS) {
      lines.blob(blob);
    }
    lines.blob(null);
    return lines.out;
  }

  private void integers() {
    for (long v : Values.integers(8)) {
      one("RawByte", "-", "" + v, new RawByte(), (byte) v);
      both("OrderedInt8", "" + v, Types::int8, (byte) v);
      both("FixedLengthWrapper(OrderedInt8,4)", "" + v, o -> new FixedLengthWrapper<>(Types.int8(o), 4), (byte) v);
    }
    for (long v : Values.integers(16)) {
      one("RawShort", "-", "" + v, new RawShort(), (short) v);
      both("OrderedInt16", "" + v, Types::int16, (short) v);
    }
    for (long v : Values.integers(32)) {
      one("RawInteger", "-", "" + v, new RawInteger(), (int) v);
      both("OrderedInt32", "" + v, Types::int32, (int) v);
    }
    for (long v : Values.integers(64)) {
      one("RawLong", "-", "" + v, new RawLong(), v);
      both("OrderedInt64", "" + v, Types::int64, v);
    }
    out.line("TerminatedWrapper(RawLong,\"/\")", "-", "1", () -> bytes(new TerminatedWrapper<>(new RawLong(), "/"), 1L));
  }

  private void floats() {
    for (float v : Values.FLOATS) {
      one("RawFloat", "-", Values.of(v), new RawFloat(), v);
      both("OrderedFloat32", Values.of(v), Types::float32, v);
    }
    for (double v : Values.DOUBLES) {
      one("RawDouble", "-", Values.of(v), new RawDouble(), v);
      both("OrderedFloat64", Values.of(v), Types::float64, v);
      both("OrderedNumeric", Values.of(v), Types::numeric, (Number) v);
    }
  }

  private void numerics() {
    for (long v : Values.integers(16)) {
      both("OrderedNumeric", "" + v, Types::numeric, (Number) v);
    }
    for (String v : Values.DECIMALS) {
      both("OrderedNumeric", v, Types::numeric, (Number) Values.decimal(v));
    }
    both("OrderedNumeric", "null", Types::numeric, (Number) null);
  }

  private void text(String v) {
    String input = Values.of(v);
    both("RawString", input, Types::rawString, v);
    both("OrderedString", input, Types::string, v);
    both("RawStringTerminated(\"/\")", input, o -> new RawStringTerminated(o, "/"), v);
    both("RawStringTerminated(0x00)", input, o -> new RawStringTerminated(o, new byte[] {0}), v);
    both("RawStringTerminated(\"::\")", input, o -> new RawStringTerminated(o, "::"), v);
    both("RawStringFixedLength(4)", input, o -> new RawStringFixedLength(o, 4), v);
    both("RawStringFixedLength(10)", input, o -> new RawStringFixedLength(o, 10), v);
    both("TerminatedWrapper(OrderedString,\"/\")", input, o -> new TerminatedWrapper<>(Types.string(o), "/"), v);
    both("TerminatedWrapper(OrderedString,\"|\")", input, o -> new TerminatedWrapper<>(Types.string(o), "|"), v);
    both("TerminatedWrapper(RawString,\"b\")", input,
        o -> new TerminatedWrapper<>(Types.rawString(o), "b"), v);
    both("FixedLengthWrapper(OrderedString,8)", input, o -> new FixedLengthWrapper<>(Types.string(o), 8), v);
  }

  private void blob(byte[] v) {
    String input = Values.of(v);
    both("RawBytes", input, Types::rawBytes, v);
    both("OrderedBlob", input, Types::blob, v);
    both("OrderedBlobVar", input, Types::blobVar, v);
    both("RawBytesTerminated(0x00)", input, o -> new RawBytesTerminated(o, new byte[] {0}), v);
    both("RawBytesTerminated(0x80)", input, o -> new RawBytesTerminated(o, new byte[] {(byte) 0x80}), v);
    both("RawBytesTerminated(0x0001)", input, o -> new RawBytesTerminated(o, new byte[] {0, 1}), v);
    both("RawBytesFixedLength(4)", input, o -> new RawBytesFixedLength(o, 4), v);
    both("FixedLengthWrapper(RawBytes,8)", input,
        o -> new FixedLengthWrapper<>(Types.rawBytes(o), 8), v);
    both("FixedLengthWrapper(OrderedBlobVar,12)", input, o -> new FixedLengthWrapper<>(Types.blobVar(o), 12), v);
    both("TerminatedWrapper(OrderedBlob,0xff)", input,
        o -> new TerminatedWrapper<>(Types.blob(o), new byte[] {(byte) 0xff}), v);
  }
}
