import java.math.BigInteger;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.RegionSplitter;

/**
 * Writes splits.txt: what HBase's own classes split tables into.
 * Run with hbase-server, hbase-common and what they need on the class path; the file names the version.
 */
public class Splits {
  static void line(String algorithm, String argument, byte[][] splits, int from, int to) {
    StringBuilder out = new StringBuilder(algorithm + "\t" + argument + "\t");
    for (int i = from; i < to; i++) {
      out.append(i == from ? "" : ",").append(Bytes.toHex(splits[i]));
    }
    System.out.println(out);
  }

  public static void main(String[] args) {
    for (int n : new int[] {2, 3, 4, 7, 10, 16, 100, 255}) {
      byte[][] hex = new RegionSplitter.HexStringSplit().split(n);
      line("HexStringSplit", "" + n, hex, 0, hex.length);
      byte[][] decimal = new RegionSplitter.DecimalStringSplit().split(n);
      line("DecimalStringSplit", "" + n, decimal, 0, decimal.length);
      byte[][] uniform = new RegionSplitter.UniformSplit().split(n);
      line("UniformSplit", "" + n, uniform, 0, uniform.length);
    }
    String[][] ends = {
      {"", "ff"}, {"00", "ff"}, {"61", "63"}, {"61", "62"}, {"6100", "7a"}, {"00", "01"},
      {"fe", "ff"}, {"00ff", "0100"}, {"30303030", "66666666"}, {"7f", "80ff01"}, {"ff", "ffff"}};
    for (String[] pair : ends) {
      for (boolean inclusive : new boolean[] {false, true}) {
        for (int n : new int[] {1, 2, 3, 9, 254, 300}) {
          byte[][] all = Bytes.split(Bytes.fromHex(pair[0]), Bytes.fromHex(pair[1]), inclusive, n);
          String argument = pair[0] + " " + pair[1] + " " + inclusive + " " + n;
          line("Bytes.split", argument, all, 1, all.length - 1);
        }
      }
    }
    for (int n : new int[] {2, 3, 10, 16, 17}) {
      for (String[] pair : new String[][] {{"0", "ffffffffffffffff"}, {"10", "ff"}, {"a", "7fffffffffffffff"}}) {
        BigInteger low = new BigInteger(pair[0], 16);
        BigInteger step = new BigInteger(pair[1], 16).subtract(low).divide(BigInteger.valueOf(n));
        byte[][] splits = new byte[n - 1][];
        for (int i = 1; i < n; i++) {
          BigInteger key = low.add(step.multiply(BigInteger.valueOf(i)));
          splits[i - 1] = Bytes.toBytes(String.format("%016x", key));
        }
        line("getHexSplits", pair[0] + " " + pair[1] + " " + n, splits, 0, splits.length);
      }
    }
  }
}
