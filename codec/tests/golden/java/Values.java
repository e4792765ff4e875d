import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.hbase.util.Bytes;

/** Values at the edges, and how an input column writes them. */
class Values {
  static final float[] FLOATS = {
    0f, -0f, 1f, -1f, 1.5f, -1.5f, 0.1f, 3.4028235e38f, -3.4028235e38f, 1.4e-45f, -1.4e-45f, 1.17549435e-38f,
    Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, Float.intBitsToFloat(0xffc00000),
    Float.intBitsToFloat(0x7f800001), Float.intBitsToFloat(0xffffffff), 16777216f, 123456.79f};
  static final double[] DOUBLES = {
    0d, -0d, 1d, -1d, 1.5d, -1.5d, 0.1d, -0.1d, 100d, 99d, 9.99d, 1e10, 1e22, 12345678.9, 3.141592653589793,
    Double.MAX_VALUE, -Double.MAX_VALUE, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MIN_NORMAL,
    Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN, Double.longBitsToDouble(0xfff8000000000000L),
    Double.longBitsToDouble(0x7ff0000000000001L), Double.longBitsToDouble(-1L), 9007199254740993d, 1e-7, 1e-300, 5e300};
  static final String[] TEXTS = {
    "", "a", "ab", "abc", "b", "user1", "user10", "é", "日本", "😀", "\u0000", "a\u0000", "a\u0000b", "\u0001", "\u007f",
    "\u0080", "ÿ", "\uffff", " ", "a ", "a b", "/", "a/b", "a/", "|", "a|b", "\"q\"", "back\\slash", "tab\there", "new\nline",
    "x".repeat(40)};
  static final byte[][] BLOBS = hex(
    "", "00", "01", "7f", "80", "fe", "ff", "0000", "0001", "00ff", "ff00", "ffff", "61", "6100", "610062", "6162", "8080",
    "01020304050607", "0102030405060708", "fffefdfcfbfaf9", "fffefdfcfbfaf9f8", "000000000000000000", "7f7f7f7f7f7f7f7f",
    "00010002", "616263646566676869", "aa".repeat(33));
  static final String[] DECIMALS = {
    "0e0", "0e-5", "0e5", "1e0", "-1e0", "10e-1", "100e-2", "1e1", "1e2", "1e-1", "1e-2", "1e-3", "1e-30", "1e30", "-1e-30", "-1e30",
    "15e-1", "-15e-1", "150e-2", "99e0", "100e0", "101e0", "999e-1", "1234e-2", "-1234e-2", "123456789e-4", "123e10", "123e-10",
    "1e31", "1e-31", "1e37", "9e37", "1e-60", "1e100", "-1e100", "1e-100", "-1e-100", "1e126", "1e-126", "1e127", "1e-129", "1e-130",
    "9999999999999999999999999999999e0", "1234567890123456789012345678901e0", "1234567890123456789012345678901e-31",
    "12345678901234567890123456789012345678e0", "-12345678901234567890123456789012345678e0",
    "12345678901234567890123456789012345678e-19", "-12345678901234567890123456789012345678e-19",
    "-12345678901234567890123456789012345670e-19", "12345678901234567890123456789012345678e-38",
    "99999999999999999999999999999999999999e0", "99999999999999999999999999999999e0", "-99999999999999999999999999999995e-8",
    "1234567890123456789012345678901234567890e-3", "5e0", "-5e0", "50e0", "500e0", "5000e0", "505e-1", "1005e-3",
    "9223372036854775807e0", "-9223372036854775808e0", "18446744073709551616e0", "1e300", "-1e300", "1e-300", "1e600", "1e-600",
    "7e-1", "70e-2", "7e-2", "-7e-2", "-7e-1", "127e0", "128e0", "-128e0", "-129e0", "255e0", "256e0", "32768e-3"};

  static byte[][] hex(String... all) {
    byte[][] bytes = new byte[all.length][];
    for (int i = 0; i < all.length; i++) {
      bytes[i] = Bytes.fromHex(all[i]);
    }
    return bytes;
  }

  /** Integers of this number of bits: the ends, around zero, around every power of 2 of 8 bits. */
  static List<Long> integers(int bits) {
    TreeSet<Long> all = new TreeSet<>();
    long max = bits == 64 ? Long.MAX_VALUE : (1L << (bits - 1)) - 1;
    for (long edge : new long[] {0, 1, 2, 10, 42, 99, 100, 101, 127, 128, 255, 256, 1000, 9999, 10000, 32767, 32768, 65535, 65536,
      1000000, 2147483647L, 2147483648L, 4294967295L, 4294967296L, 1700000000000L, 9007199254740993L, max - 1, max}) {
      if (edge >= 0 && edge <= max) {
        all.add(edge);
        all.add(-edge);
        all.add(-edge - 1);
      }
    }
    return new ArrayList<>(all);
  }

  static BigDecimal decimal(String text) {
    int e = text.indexOf('e');
    return new BigDecimal(new BigInteger(text.substring(0, e)), -Integer.parseInt(text.substring(e + 1)));
  }

  static String of(float value) {
    return String.format("bits=0x%08x", Float.floatToRawIntBits(value));
  }

  static String of(double value) {
    return String.format("bits=0x%016x", Double.doubleToRawLongBits(value));
  }

  static String of(byte[] value) {
    return value == null ? "null" : "0x" + Bytes.toHex(value);
  }

  static String of(String value) {
    if (value == null) {
      return "null";
    }
    StringBuilder out = new StringBuilder("\"");
    for (char c : value.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20 || c == 0x7f) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  static String of(BigDecimal value) {
    return value.unscaledValue() + "e" + -value.scale();
  }

  static String ofAny(Object value) {
    if (value instanceof String) {
      return of((String) value);
    } else if (value instanceof byte[]) {
      return of((byte[]) value);
    } else if (value instanceof Float) {
      return of((float) (Float) value);
    } else if (value instanceof Double) {
      return of((double) (Double) value);
    } else if (value instanceof BigDecimal) {
      return of((BigDecimal) value);
    }
    return String.valueOf(value);
  }

  static String ofAll(Object... values) {
    StringBuilder out = new StringBuilder("[");
    for (Object value : values) {
      out.append(out.length() == 1 ? "" : ",").append(ofAny(value));
    }
    return out.append("]").toString();
  }
}
