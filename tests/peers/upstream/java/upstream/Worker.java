package upstream;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The process that runs one class. What a class leaves behind in its process, such as clocks that it has set and threads that it has
 * started, does not reach the others.
 */
final class Worker {
  private static final String PACKAGE = "org.apache.hadoop.hbase.client.";

  private Worker() {}

  /** Runs a class in a new process, and waits for its end. */
  static Counts start(Path file, String name, boolean all) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-Dworker=true", "-Dall=" + all, "-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Upstream.class.getName(), file.toString(), name));
    Counts counts = null;
    try {
      Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      process.getOutputStream().close();
      BufferedReader lines = process.inputReader();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Counts read = Counts.read(line);
        if (read == null) {
          Upstream.OUT.println(line);
        } else {
          counts = read;
        }
      }
    } catch (IOException e) {
      Upstream.OUT.println("FAIL " + name + ": " + e);
    }
    if (counts == null) {
      Upstream.OUT.println("FAIL " + name + ": its process ended before the class");
      counts = new Counts();
      counts.fine = false;
    }
    return counts;
  }

  /** Runs a class in this process. */
  static boolean runOne(String name, Expected expected) throws Exception {
    TestClass tests = new TestClass(Class.forName(PACKAGE + name), expected);
    Counts counts = tests.run();
    Upstream.OUT.println(counts.line());
    return counts.fine;
  }
}
