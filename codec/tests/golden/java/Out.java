import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.hbase.util.Bytes;

/** One golden file: codec, type, direction, input, then the bytes in hex or the exception. */
class Out {
  interface Encoding {
    byte[] bytes() throws Exception;
  }

  private final String codec;
  private final Set<String> lines = new LinkedHashSet<>();

  Out(String codec) {
    this.codec = codec;
  }

  void line(String type, String direction, String input, Encoding encoding) {
    String result;
    try {
      result = Bytes.toHex(encoding.bytes());
    } catch (Throwable thrown) {
      result = "!" + thrown.getClass().getSimpleName();
    }
    lines.add(String.join("\t", codec, type, direction, input, result));
  }

  void write(Path folder, String file) throws IOException {
    Files.write(folder.resolve(file + ".tsv"), lines, StandardCharsets.UTF_8);
    System.err.println(file + ": " + lines.size() + " lines");
  }
}
