package example;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Starts the program {@code tallrow-mock} on free ports before the tests of a class, and ends it
 * after them, whether they passed or failed:
 *
 * <pre>{@code
 * @RegisterExtension
 * static final TallrowMock mock = new TallrowMock("--seed", "7");
 * }</pre>
 *
 * The program is the one that the system property {@code tallrow.mock} or the environment variable
 * {@code TALLROW_MOCK} names, or {@code tallrow-mock} on the path.
 */
public final class TallrowMock implements BeforeAllCallback, AfterAllCallback {
  private static final long END_SECONDS = 10;

  private final List<String> flags;
  private final Thread atExit = new Thread(this::stop);
  private Process process;
  private String ready;

  /** With these flags, besides those for free ports. */
  public TallrowMock(String... flags) {
    this.flags = List.of(flags);
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    List<String> command = new ArrayList<>(List.of(program(), "--zk-port", "0", "--bigtable-port", "0"));
    command.addAll(List.of("--control-port", "0"));
    command.addAll(flags);
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    } catch (IOException e) {
      String advice = "; set the property tallrow.mock or the variable TALLROW_MOCK to its path";
      throw new IOException("start " + command.get(0) + ": " + e.getMessage() + advice, e);
    }
    // If the tests are interrupted, nothing is called after them.
    Runtime.getRuntime().addShutdownHook(atExit);
    InputStreamReader output = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
    ready = new BufferedReader(output).readLine();
    if (ready == null) {
      stop();
      throw new IOException(String.join(" ", command) + " ended before it was ready; its error is above");
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    stop();
    Runtime.getRuntime().removeShutdownHook(atExit);
  }

  private synchronized void stop() {
    if (process == null) {
      return;
    }
    process.destroy();
    try {
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static String program() {
    String named = System.getProperty("tallrow.mock", System.getenv("TALLROW_MOCK"));
    return named == null ? "tallrow-mock" : new File(named).getAbsolutePath();
  }

  /** HBase's configuration, in which nothing but ZooKeeper's address is set. */
  public Configuration configuration() {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", address("hbase_zk"));
    return configuration;
  }

  /** The value of BIGTABLE_EMULATOR_HOST for clients of Bigtable. */
  public String bigtableEmulatorHost() {
    return address("bigtable");
  }

  /** The process id of the program. */
  public long pid() {
    return process.pid();
  }

  /** Injects a fault, by its JSON: see docs/mock-program.md. */
  public void inject(String fault) throws IOException, InterruptedException {
    URI uri = URI.create("http://" + address("control") + "/faults");
    HttpRequest request = HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(fault)).build();
    HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("inject " + fault + ": " + answer.body());
    }
  }

  /** An address of the ready line. */
  private String address(String name) {
    Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(ready);
    if (!found.find()) {
      throw new IllegalStateException("no " + name + " in the ready line " + ready);
    }
    return found.group(1);
  }
}
