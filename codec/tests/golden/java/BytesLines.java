import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MD5Hash;

/** org.apache.hadoop.hbase.util.Bytes and MD5Hash. */
class BytesLines {
  static Out bytes() {
    Out out = new Out("Bytes");
    for (long v : Values.integers(64)) {
      out.line("long", "-", "" + v, () -> Bytes.toBytes(v));
    }
    for (long v : Values.integers(32)) {
      out.line("int", "-", "" + v, () -> Bytes.toBytes((int) v));
    }
    for (long v : Values.integers(16)) {
      out.line("short", "-", "" + v, () -> Bytes.toBytes((short) v));
    }
    for (float v : Values.FLOATS) {
      out.line("float", "-", Values.of(v), () -> Bytes.toBytes(v));
    }
    for (double v : Values.DOUBLES) {
      out.line("double", "-", Values.of(v), () -> Bytes.toBytes(v));
    }
    out.line("boolean", "-", "true", () -> Bytes.toBytes(true));
    out.line("boolean", "-", "false", () -> Bytes.toBytes(false));
    for (String v : Values.TEXTS) {
      out.line("String", "-", Values.of(v), () -> Bytes.toBytes(v));
    }
    for (String v : Values.DECIMALS) {
      out.line("BigDecimal", "-", v, () -> Bytes.toBytes(Values.decimal(v)));
    }
    return out;
  }

  static Out md5() {
    Out out = new Out("MD5Hash");
    for (String v : Values.TEXTS) {
      out.line("String", "-", Values.of(v), () -> Bytes.fromHex(MD5Hash.getMD5AsHex(Bytes.toBytes(v))));
    }
    for (byte[] v : Values.BLOBS) {
      out.line("bytes", "-", Values.of(v), () -> Bytes.fromHex(MD5Hash.getMD5AsHex(v)));
    }
    for (long v : Values.integers(64)) {
      out.line("long", "-", "" + v, () -> Bytes.fromHex(MD5Hash.getMD5AsHex(Bytes.toBytes(v))));
    }
    for (long v : Values.integers(32)) {
      out.line("int", "-", "" + v, () -> Bytes.fromHex(MD5Hash.getMD5AsHex(Bytes.toBytes((int) v))));
    }
    return out;
  }
}
