import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Messages as text without what differs between any two runs. */
final class Plain {
  /** Fields whose value is random, a time or an address; only their presence is compared. */
  private static final Set<String> CHANCE = Set.of("scanner_id", "proc_id", "nonce", "nonce_group", "nonceGroup", "mvcc_read_point",
      "port", "start_code", "region_id", "cluster_id", "seq_num", "submitted_time", "last_update", "timeout", "encoded_region_name");
  /** Lines of the server's stack traces, and the metrics of its files and caches. */
  private static final Set<String> LEFT_OUT = Set.of("trace", "scan_metrics", "query_metrics");
  private static final Pattern ENCODED_NAME = Pattern.compile("\\b[0-9a-f]{32}\\b");
  private static final Pattern TIME = Pattern.compile("\\b1\\d{12}\\b");
  private static final Pattern SCANNER = Pattern.compile("\\b(?!9223372036854775807)\\d{17,20}\\b");
  private static final Pattern PORT = Pattern.compile("(port=|:|127\\.0\\.0\\.1,)\\d{4,5}\\b");
  private static final Pattern SEQUENCE = Pattern.compile("locationSeqNum=\\d+");

  /** One line, or for a Multi one for each region's part: their distribution over the calls depends on the servers. */
  static List<String> lines(Message message) {
    List<String> lines = new ArrayList<>();
    String name = message.getDescriptorForType().getName();
    boolean multi = name.equals("MultiRequest") || name.equals("MultiResponse");
    if (multi) {
      for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
        if (field.getKey().getName().startsWith("regionAction")) {
          ((List<?>) field.getValue()).forEach(part -> lines.add(field.getKey().getName() + " {" + fields((Message) part) + "}"));
        }
      }
      return lines;
    }
    lines.add("{" + fields(message) + "}");
    return lines;
  }

  /** The first line of a server's text. */
  static String text(String text) {
    String line = text.split("\n")[0];
    line = ENCODED_NAME.matcher(line).replaceAll("NAME");
    line = SCANNER.matcher(TIME.matcher(line).replaceAll("TIME")).replaceAll("ID");
    line = SEQUENCE.matcher(line).replaceAll("locationSeqNum=N");
    return PORT.matcher(line).replaceAll("$1PORT");
  }

  static String cell(byte[] row, byte[] family, byte[] qualifier, long timestamp, int type, byte[] value) {
    boolean meta = Bytes.equals(family, Bytes.toBytes("info"));
    return text(Bytes.toStringBinary(row)) + "/" + Bytes.toStringBinary(family) + ":" + Bytes.toStringBinary(qualifier) + "@"
        + (timestamp > 1_000_000_000_000L && timestamp < Long.MAX_VALUE ? "TIME" : timestamp) + "#" + type + "="
        + (meta ? "VALUE" : Bytes.toStringBinary(value));
  }

  private static String fields(Message message) {
    List<String> out = new ArrayList<>();
    boolean meta = message.getAllFields().entrySet().stream().anyMatch(f -> f.getKey().getName().equals("family")
        && f.getValue() instanceof ByteString && ((ByteString) f.getValue()).toStringUtf8().equals("info"));
    for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
      FieldDescriptor field = entry.getKey();
      if (LEFT_OUT.contains(field.getName())) {
        continue;
      }
      List<?> values = field.isRepeated() ? (List<?>) entry.getValue() : List.of(entry.getValue());
      for (Object value : values) {
        out.add(field.getName() + ": " + (CHANCE.contains(field.getName()) ? "#" : meta && field.getName().equals("value") ? "VALUE" : value(value)));
      }
    }
    return String.join(" ", out);
  }

  private static String value(Object value) {
    if (value instanceof Message) {
      return "{" + fields((Message) value) + "}";
    }
    if (value instanceof ByteString) {
      byte[] bytes = ((ByteString) value).toByteArray();
      return "'" + text(Bytes.toStringBinary(bytes).replace("\\x0A", "\n")) + "'";
    }
    return text(value.toString());
  }
}
