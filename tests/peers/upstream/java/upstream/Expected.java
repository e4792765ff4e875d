package upstream;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the file `classes` says of one class: how many of its tests pass, and which are left out, with the reasons. */
record Expected(String name, int passed, Map<String, String> leftOut) {
  /** Reads the file: `CLASS NUMBER`, then a line `- METHOD: reason` for each test that is left out. */
  static Map<String, Expected> read(Path file) throws IOException {
    Map<String, Expected> all = new LinkedHashMap<>();
    Expected last = null;
    int at = 0;
    for (String line : Files.readAllLines(file)) {
      at++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("- ") && last != null && line.contains(": ")) {
        int colon = line.indexOf(": ");
        if (last.leftOut.put(line.substring(2, colon), line.substring(colon + 2)) != null) {
          throw new IOException(file + " line " + at + ": " + line.substring(2, colon) + " is left out twice");
        }
      } else if (line.matches("[\\w.]+ \\d+")) {
        String[] words = line.split(" ");
        last = new Expected(words[0], Integer.parseInt(words[1]), new LinkedHashMap<>());
        if (all.put(last.name, last) != null) {
          throw new IOException(file + " line " + at + ": " + last.name + " is there twice");
        }
      } else {
        throw new IOException(file + " line " + at + ": expected `CLASS NUMBER` or `- METHOD: reason`, got " + line);
      }
    }
    return all;
  }
}
