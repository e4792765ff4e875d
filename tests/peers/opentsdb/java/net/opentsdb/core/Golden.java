package net.opentsdb.core;

import java.io.PrintStream;
import java.util.Map;
import java.util.TreeMap;
import net.opentsdb.utils.Config;
import org.hbase.async.HBaseClient;

/** Prints lines of one kind: points, compactions or downsampled. */
public class Golden {
  public static void main(String[] args) throws Exception {
    // OpenTSDB logs to the standard output.
    PrintStream out = System.out;
    System.setOut(System.err);
    switch (args[0]) {
      case "points" -> PointLines.print(out, number(args[1]), number(args[2]), number(args[3]));
      case "compactions" -> CompactionLines.print(out);
      case "downsampled" -> DownsampleLines.print(out);
      default -> throw new IllegalArgumentException(args[0]);
    }
    out.flush();
    System.exit(0);
  }

  static TSDB tsdb(HBaseClient client, String... settings) throws Exception {
    Config config = new Config(false);
    config.overrideConfig("tsd.storage.enable_compaction", "false");
    config.overrideConfig("tsd.storage.fix_duplicates", "true");
    for (int i = 0; i < settings.length; i += 2) {
      config.overrideConfig(settings[i], settings[i + 1]);
    }
    return new TSDB(client, config);
  }

  static Map<String, String> tags(String text) {
    Map<String, String> tags = new TreeMap<>();
    for (String tag : text.split(",")) {
      tags.put(tag.split("=")[0], tag.split("=")[1]);
    }
    return tags;
  }

  static String hex(byte[] bytes) {
    StringBuilder hex = new StringBuilder();
    for (byte one : bytes) {
      hex.append(String.format("%02x", one));
    }
    return hex.toString();
  }

  static int number(String text) {
    return Integer.parseInt(text);
  }
}
