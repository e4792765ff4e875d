package upstream;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Runs test classes of HBase: `Upstream FILE` those of the file `classes`, and compares how many tests passed with what it says;
 * `Upstream FILE CLASS ..` all tests of these classes. Several classes run at a time, each in a process of its own.
 */
public final class Upstream {
  private static final int AT_ONCE = Integer.getInteger("at_once", 2);

  /** Where the lines of this program go; what tests print goes to the log. */
  static final PrintStream OUT = System.out;

  public static void main(String[] arguments) throws Exception {
    System.setOut(System.err);
    Path file = Path.of(arguments[0]);
    List<String> names = Arrays.asList(arguments).subList(1, arguments.length);
    Map<String, Expected> listed = Expected.read(file);
    boolean fine;
    if (Boolean.getBoolean("worker")) {
      fine = Worker.runOne(names.get(0), Boolean.getBoolean("all") ? null : listed.get(names.get(0)));
    } else {
      fine = run(file, names.isEmpty() ? listed.keySet() : names, !names.isEmpty());
    }
    OUT.flush();
    // Threads of HBase's own pools do not end.
    Runtime.getRuntime().halt(fine ? 0 : 1);
  }

  /** Runs classes: all of their tests, or those that the file lists. */
  private static boolean run(Path file, Collection<String> names, boolean all) throws InterruptedException {
    ConcurrentLinkedQueue<String> waiting = new ConcurrentLinkedQueue<>(names);
    Counts sum = new Counts();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Math.min(AT_ONCE, names.size()); i++) {
      Thread thread = new Thread(() -> {
        for (String name = waiting.poll(); name != null; name = waiting.poll()) {
          sum.add(Worker.start(file, name, all));
        }
      });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    OUT.printf("%d classes: %d tests ran, %d passed, %d failed; %d left out%n", names.size(), sum.passed + sum.failed, sum.passed,
        sum.failed, sum.leftOut);
    return sum.fine;
  }
}
