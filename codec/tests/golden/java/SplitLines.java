import java.math.BigInteger;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter;

/** RegionSplitter, Bytes.split, and the split function of the HBase book, one split key a line. */
class SplitLines {
  static void points(Out out, String name, String input, byte[][] points) {
    for (int i = 0; i < points.length; i++) {
      byte[] point = points[i];
      out.line((name + " point " + i + " of " + points.length).trim(), "-", input, () -> point);
    }
  }

  static Out regions() {
    Out out = new Out("RegionSplitter");
    for (int n : new int[] {2, 3, 4, 10, 16, 60}) {
      points(out, "HexStringSplit", "" + n, new RegionSplitter.HexStringSplit().split(n));
      points(out, "DecimalStringSplit", "" + n, new RegionSplitter.DecimalStringSplit().split(n));
      points(out, "UniformSplit", "" + n, new RegionSplitter.UniformSplit().split(n));
    }
    return out;
  }

  static Out between() {
    Out out = new Out("Bytes.split");
    String[][] ends = {{"", "ff"}, {"00", "ff"}, {"61", "63"}, {"61", "7a"}, {"6100", "7a"}, {"00ff", "0100"}, {"7f", "80ff01"}, {"30303030", "66666666"}};
    for (String[] pair : ends) {
      byte[][] bounds = Values.hex(pair);
      for (int n : new int[] {1, 3, 9}) {
        byte[][] all = Bytes.split(bounds[0], bounds[1], n);
        points(out, "", Values.ofAll(bounds[0], bounds[1]), all);
      }
    }
    return out;
  }

  static Out hex() {
    Out out = new Out("HexSplits");
    for (int n : new int[] {2, 3, 10, 16}) {
      for (String[] pair : new String[][] {{"0", "ffffffffffffffff"}, {"10", "ff"}, {"a", "7fffffffffffffff"}}) {
        BigInteger low = new BigInteger(pair[0], 16);
        BigInteger step = new BigInteger(pair[1], 16).subtract(low).divide(BigInteger.valueOf(n));
        byte[][] splits = new byte[n - 1][];
        for (int i = 0; i < n - 1; i++) {
          splits[i] = String.format("%016x", low.add(step.multiply(BigInteger.valueOf(i + 1)))).getBytes();
        }
        points(out, "", Values.ofAll(pair[0], pair[1], n), splits);
      }
    }
    return out;
  }
}
