package net.opentsdb.core;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;

/** What CompactionQueue.compact makes of the cells of a row: qualifier:value:time of each, then the one cell. */
class CompactionLines {
  private static final byte[] ROW = {0, 0, 1, 0x50, (byte) 0xe2, 0x27, 0, 0, 0, 1, 0, 0, 1};
  private static final long HOUR = 1356998400L;
  private static final String APPENDED = "050000";

  private final PrintStream out;
  private final TSDB tsdb;
  private final Random random = new Random(7);

  private CompactionLines(PrintStream out) throws Exception {
    this.out = out;
    tsdb = Golden.tsdb(new HBaseClient(3));
  }

  static void print(PrintStream out) throws Exception {
    CompactionLines lines = new CompactionLines(out);
    lines.chosen();
    lines.drawn();
  }

  private void chosen() {
    line("0000:2a:10");
    line("0000:2a:10", "0010:07:11");
    line("0011:0100:10", "002b:3fc00000:11", "0037:0000000100000000:12", "004f:3ff8000000000000:13");
    // Milliseconds alone, mixed with seconds, and at the time of a second.
    line("f0000040:01:10", "f0000080:02:11");
    line("0010:01:10", "f0000040:02:11");
    line("0010:01:10", "f000fa00:02:11");
    line("0010:01:11", "f000fa00:02:10");
    // Written again with a value of another type or length.
    line("0010:01:10", "0011:0100:11");
    line("0010:01:11", "0011:0100:10");
    line("0010:01:10", "001b:3fc00000:11", "0020:05:12");
    // Compacted before, then written to.
    line("00100020:010200:20", "0010:07:30");
    line("00100020:010200:20", "0010:07:10");
    line("00100020:010200:20", "0030:03:30");
    line("00100020:010200:20", "0010:01:20", "0020:02:15");
    line("00100020:010200:20", "f00000400020:020301:25", "0030:03:30");
    // Appended.
    line(APPENDED + ":001001002002:10");
    line(APPENDED + ":001001002002:10", "0030:03:11");
    line(APPENDED + ":002002001001002005:10", "0030:03:11");
    line(APPENDED + ":001001002002001009:20", "0010:03:11", "0020:07:30");
    line(APPENDED + ":001001f000004007002002:20", "0010:03:11");
    // What old versions wrote: floats of 4 bytes after 4 zeros, and other lengths than those in the flags.
    line("000b:000000003fc00000:10");
    line("000b:000000003fc00000:10", "0010:01:11");
    line("000f:3fc00000:10", "0017:01:11");
    line("0007:0000000000000001:10", "0010:01:11");
    // Annotations stay.
    line("010000:7b7d:10", "0010:01:11", "0020:02:12");
    line("010000:7b7d:10", "0010:01:11");
    line("010000:7b7d:10");
  }

  /** Rows of several cells of every kind, with points at the same times. */
  private void drawn() {
    for (int row = 0; row < 300; row++) {
      List<String> cells = new ArrayList<>();
      int written = 10;
      for (int i = random.nextInt(3); i > 0; i--) {
        KeyValue compacted = compact(singles(2 + random.nextInt(6), 1));
        cells.add(Golden.hex(compacted.qualifier()) + ":" + Golden.hex(compacted.value()) + ":" + written++);
      }
      if (random.nextInt(3) == 0) {
        StringBuilder appended = new StringBuilder();
        for (String single : singles(1 + random.nextInt(5), 1)) {
          appended.append(single.split(":")[0]).append(single.split(":")[1]);
        }
        cells.add(APPENDED + ":" + appended + ":" + written++);
      }
      cells.addAll(Arrays.asList(singles(random.nextInt(6) + (cells.isEmpty() ? 2 : 0), written)));
      TreeMap<String, String> byQualifier = new TreeMap<>();
      cells.forEach(cell -> byQualifier.put(cell.split(":")[0], cell));
      // A row has a column once, and no two cells of the same time: of those OpenTSDB keeps any.
      line(byQualifier.values().toArray(new String[0]));
    }
  }

  private String[] singles(int count, int written) {
    TreeMap<String, String> cells = new TreeMap<>();
    while (cells.size() < count) {
      long time = random.nextInt(3) == 0 ? HOUR * 1000 + 500 * random.nextInt(20) : HOUR + random.nextInt(10);
      byte[] value = new byte[1 << random.nextInt(4)];
      random.nextBytes(value);
      boolean isFloat = value.length >= 4 && random.nextBoolean();
      short flags = (short) ((isFloat ? Const.FLAG_FLOAT : 0) | (value.length - 1));
      if (isFloat) {
        value[0] = 0x3f;
      }
      String qualifier = Golden.hex(Internal.buildQualifier(time, flags));
      cells.put(qualifier, qualifier + ":" + Golden.hex(value) + ":" + written++);
    }
    return cells.values().toArray(new String[0]);
  }

  private void line(String... cells) {
    KeyValue compacted = compact(cells);
    String result = compacted == null ? "-" : Golden.hex(compacted.qualifier()) + ":" + Golden.hex(compacted.value());
    out.println(String.join(",", cells) + "\t" + result);
  }

  private KeyValue compact(String... cells) {
    ArrayList<KeyValue> row = new ArrayList<>();
    for (String cell : cells) {
      String[] parts = cell.split(":");
      row.add(new KeyValue(ROW, TSDB.FAMILY(), bytes(parts[0]), Long.parseLong(parts[2]), bytes(parts[1])));
    }
    row.sort(Comparator.comparing(cell -> Golden.hex(cell.qualifier())));
    return tsdb.compact(row, new ArrayList<>(), new ArrayList<>());
  }

  private static byte[] bytes(String hex) {
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }
}
