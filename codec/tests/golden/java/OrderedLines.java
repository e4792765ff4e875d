import java.util.Arrays;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;

/** org.apache.hadoop.hbase.util.OrderedBytes. */
class OrderedLines {
  interface Writer {
    void write(PositionedByteRange to, Order order) throws Exception;
  }

  private final Out out = new Out("OrderedBytes");

  private void both(String type, String input, Writer writer) {
    for (Order order : new Order[] {Order.ASCENDING, Order.DESCENDING}) {
      String direction = order == Order.ASCENDING ? "asc" : "desc";
      out.line(type, direction, input, () -> {
        PositionedByteRange to = new SimplePositionedMutableByteRange(4096);
        writer.write(to, order);
        return Arrays.copyOf(to.getBytes(), to.getPosition());
      });
    }
  }

  static Out all() {
    OrderedLines lines = new OrderedLines();
    lines.fixed();
    lines.variable();
    lines.numeric();
    return lines.out;
  }

  private void fixed() {
    for (long v : Values.integers(8)) {
      both("int8", "" + v, (to, order) -> OrderedBytes.encodeInt8(to, (byte) v, order));
    }
    for (long v : Values.integers(16)) {
      both("int16", "" + v, (to, order) -> OrderedBytes.encodeInt16(to, (short) v, order));
    }
    for (long v : Values.integers(32)) {
      both("int32", "" + v, (to, order) -> OrderedBytes.encodeInt32(to, (int) v, order));
    }
    for (long v : Values.integers(64)) {
      both("int64", "" + v, (to, order) -> OrderedBytes.encodeInt64(to, v, order));
    }
    for (float v : Values.FLOATS) {
      both("float32", Values.of(v), (to, order) -> OrderedBytes.encodeFloat32(to, v, order));
    }
    for (double v : Values.DOUBLES) {
      both("float64", Values.of(v), (to, order) -> OrderedBytes.encodeFloat64(to, v, order));
    }
  }

  private void variable() {
    for (String v : Values.TEXTS) {
      both("string", Values.of(v), (to, order) -> OrderedBytes.encodeString(to, v, order));
    }
    for (byte[] v : Values.BLOBS) {
      both("blobVar", Values.of(v), (to, order) -> OrderedBytes.encodeBlobVar(to, v, order));
      both("blobCopy", Values.of(v), (to, order) -> OrderedBytes.encodeBlobCopy(to, v, order));
    }
    both("string", "null", (to, order) -> OrderedBytes.encodeString(to, null, order));
    both("blobVar", "null", (to, order) -> OrderedBytes.encodeBlobVar(to, null, order));
    both("blobCopy", "null", (to, order) -> OrderedBytes.encodeBlobCopy(to, null, order));
    both("null", "null", (to, order) -> OrderedBytes.encodeNull(to, order));
  }

  private void numeric() {
    for (long v : Values.integers(64)) {
      both("numeric", "" + v, (to, order) -> OrderedBytes.encodeNumeric(to, v, order));
    }
    for (double v : Values.DOUBLES) {
      both("numeric", Values.of(v), (to, order) -> OrderedBytes.encodeNumeric(to, v, order));
    }
    for (String v : Values.DECIMALS) {
      both("numeric", v, (to, order) -> OrderedBytes.encodeNumeric(to, Values.decimal(v), order));
    }
    both("numeric", "null", (to, order) -> OrderedBytes.encodeNumeric(to, null, order));
  }
}
