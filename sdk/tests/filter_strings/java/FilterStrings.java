import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.util.Bytes;

/** Prints each line of a file with what ParseFilter makes of it: the message that a client sends, in hex, or `!`. */
public class FilterStrings {
  public static void main(String[] args) throws Exception {
    for (String line : Files.readAllLines(Path.of(args[0]), StandardCharsets.UTF_8)) {
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      String result;
      try {
        byte[] text = unescaped(line.substring(line.indexOf(' ') + 1));
        result = Bytes.toHex(ProtobufUtil.toFilter(new ParseFilter().parseFilterString(text)).toByteArray());
      } catch (Exception refused) {
        result = "!";
      }
      System.out.println(line + " => " + result);
    }
  }

  /** `\xNN` is a byte. */
  private static byte[] unescaped(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      if (text.startsWith("\\x", i)) {
        bytes.write(Integer.parseInt(text.substring(i + 2, i + 4), 16));
        i += 3;
      } else {
        bytes.writeBytes(text.substring(i, i + 1).getBytes(StandardCharsets.UTF_8));
      }
    }
    return bytes.toByteArray();
  }
}
