package net.opentsdb.core;

import java.io.PrintStream;
import org.hbase.async.HBaseClient;

/** What TSDB.addPoint writes: the settings, the point, then row, qualifier and value in hex. */
class PointLines {
  private static final String[][] SERIES = {
    {"m1", "k1=v1"}, {"m7", "k1=v11"}, {"m7", "k2=v3,k1=v12"}, {"m200", "k9=v255,k10=v128,k300=v1"}, {"m65000", "k1=v1,k2=v2,k3=v3,k4=v4,k5=v5,k6=v6,k7=v7,k8=v8"}
  };
  private static final long[] TIMES = {
    0, 1, 3599, 3600, 1356998400L, 1356998401L, 1700000000L, 4294967295L, 1356998400000L, 1356998400001L, 1356998499999L, 1700000000123L, 1700002799999L, 4294967295999L
  };
  private static final long[] INTS = {
    0, 1, -1, 127, 128, -128, -129, 32767, 32768, -32768, -32769, 2147483647L, 2147483648L, -2147483648L, -2147483649L, Long.MAX_VALUE, Long.MIN_VALUE
  };
  private static final double[] FLOATS = {0, -0.0, 1.5, -1.5, 0.1, 3.4028234e38, 1e-45};
  private static final double[] DOUBLES = {0, -0.0, 1.5, 0.1, Double.MAX_VALUE, Double.MIN_VALUE, -12345.678};

  private final PrintStream out;
  private final HBaseClient client;
  private final TSDB tsdb;
  private final String settings;

  private PointLines(PrintStream out, int saltWidth, int buckets, int idWidth, boolean append) throws Exception {
    this.out = out;
    client = new HBaseClient(idWidth);
    settings = (append ? "append" : "put") + "\t" + saltWidth + "\t" + buckets + "\t" + idWidth;
    String width = "" + idWidth;
    tsdb = Golden.tsdb(client,
        "tsd.storage.salt.width", "" + saltWidth, "tsd.storage.salt.buckets", "" + Math.max(buckets, 1),
        "tsd.storage.uid.width.metric", width, "tsd.storage.uid.width.tagk", width, "tsd.storage.uid.width.tagv", width,
        "tsd.storage.enable_appends", "" + append);
  }

  static void print(PrintStream out, int saltWidth, int buckets, int idWidth) throws Exception {
    for (boolean append : new boolean[] {false, true}) {
      new PointLines(out, saltWidth, buckets, idWidth, append).print();
    }
  }

  private void print() throws Exception {
    for (String[] series : SERIES) {
      for (long time : TIMES) {
        point(series, time, "int", "42");
      }
    }
    for (long time : new long[] {1356998400L, 1356998400001L}) {
      for (long value : INTS) {
        point(SERIES[0], time, "int", "" + value);
      }
      for (double value : FLOATS) {
        point(SERIES[0], time, "float", "" + (float) value);
      }
      for (double value : DOUBLES) {
        point(SERIES[0], time, "double", "" + value);
      }
    }
  }

  private void point(String[] series, long time, String type, String value) throws Exception {
    client.written.clear();
    String result;
    try {
      (switch (type) {
        case "int" -> tsdb.addPoint(series[0], time, Long.parseLong(value), Golden.tags(series[1]));
        case "float" -> tsdb.addPoint(series[0], time, Float.parseFloat(value), Golden.tags(series[1]));
        default -> tsdb.addPoint(series[0], time, Double.parseDouble(value), Golden.tags(series[1]));
      }).join();
      byte[][] cell = client.written.get(0);
      result = Golden.hex(cell[0]) + "\t" + Golden.hex(cell[1]) + "\t" + Golden.hex(cell[2]);
    } catch (IllegalArgumentException refused) {
      result = "!";
    }
    String unit = (time & Const.SECOND_MASK) != 0 ? "ms" : "s";
    out.println(String.join("\t", settings, series[0], series[1], time + unit, type, value, result));
  }
}
