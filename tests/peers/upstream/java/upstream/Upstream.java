package upstream;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Runs test classes of HBase: `Upstream FILE` those of the file `classes`, and compares how many tests passed with what it says;
 * `Upstream FILE CLASS ..` all tests of these classes.
 */
public final class Upstream {
  /** Where the lines of this program go; what tests print goes to the log. */
  static final PrintStream OUT = System.out;

  private static final String PACKAGE = "org.apache.hadoop.hbase.client.";

  public static void main(String[] arguments) throws Exception {
    System.setOut(System.err);
    int status = run(Path.of(arguments[0]), Arrays.asList(arguments).subList(1, arguments.length)) ? 0 : 1;
    OUT.flush();
    // Threads of HBase's own pools do not end.
    Runtime.getRuntime().halt(status);
  }

  private static boolean run(Path file, List<String> names) throws Exception {
    Map<String, Expected> listed = Expected.read(file);
    List<TestClass> classes = new ArrayList<>();
    if (names.isEmpty()) {
      for (Expected expected : listed.values()) {
        classes.add(new TestClass(Class.forName(PACKAGE + expected.name()), expected));
      }
    }
    for (String name : names) {
      classes.add(new TestClass(Class.forName(PACKAGE + name), null));
    }
    boolean fine = true;
    int passed = 0;
    int failed = 0;
    int leftOut = 0;
    for (TestClass one : classes) {
      fine &= one.run();
      passed += one.passed();
      failed += one.failed();
      leftOut += one.leftOut();
    }
    OUT.printf(
        "%d classes: %d tests ran, %d passed, %d failed; %d left out%n", classes.size(), passed + failed, passed, failed, leftOut);
    return fine;
  }
}
