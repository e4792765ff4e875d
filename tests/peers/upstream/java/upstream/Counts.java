package upstream;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many tests did what, in one class or in several, and whether all that had to pass have passed. */
final class Counts {
  private static final Pattern LINE = Pattern.compile("counts (\\d+) (\\d+) (\\d+) (true|false)");

  int passed;
  int failed;
  int leftOut;
  boolean fine = true;

  /** Reads what {@link #line} made; null if the line is another one. */
  static Counts read(String line) {
    Matcher found = LINE.matcher(line);
    if (!found.matches()) {
      return null;
    }
    Counts counts = new Counts();
    counts.passed = Integer.parseInt(found.group(1));
    counts.failed = Integer.parseInt(found.group(2));
    counts.leftOut = Integer.parseInt(found.group(3));
    counts.fine = Boolean.parseBoolean(found.group(4));
    return counts;
  }

  /** A line for another process. */
  String line() {
    return "counts " + passed + " " + failed + " " + leftOut + " " + fine;
  }

  synchronized void add(Counts other) {
    passed += other.passed;
    failed += other.failed;
    leftOut += other.leftOut;
    fine &= other.fine;
  }
}
