import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;

/**
 * Carries out the operations of a script ({@code rust/script.rs}) on two clusters and compares every answer: {@code Differ
 * SCRIPT HOST:PORT HOST:PORT}, the reference first.
 *
 * <p>After the first difference in a table, or the first mistake of the reference, the rest of its operations is left out: a
 * scanner that HBase forgets keeps old cells from compactions until its lease ends. Ends with 0 when nothing differs.
 */
public final class Differ {
  /** How many tables are in work at a time: the servers mostly wait. */
  private static final int TABLES = 8;

  /** How many operations had no difference, and the first that had one. */
  private record Outcome(int same, String difference) {}

  public static void main(String[] args) throws Exception {
    if (args.length != 3) {
      System.err.println("usage: Differ SCRIPT HOST:PORT HOST:PORT");
      System.exit(2);
    }
    List<List<JsonElement>> tables = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(args[0]))) {
      JsonElement operation = JsonParser.parseString(line);
      if (operation.isJsonObject() && operation.getAsJsonObject().has("table")) {
        tables.add(new ArrayList<>());
      }
      tables.get(tables.size() - 1).add(operation);
    }
    int same = 0;
    int different = 0;
    ExecutorService threads = Executors.newFixedThreadPool(TABLES);
    try (Connection expected = connect(args[1]); Connection found = connect(args[2])) {
      List<Future<Outcome>> outcomes = new ArrayList<>();
      for (List<JsonElement> operations : tables) {
        outcomes.add(threads.submit(() -> compare(operations, expected, found)));
      }
      for (Future<Outcome> outcome : outcomes) {
        same += outcome.get().same;
        if (outcome.get().difference != null) {
          different++;
          System.out.println(outcome.get().difference);
        }
      }
    } finally {
      threads.shutdownNow();
    }
    System.out.println(same + " operations without a difference, " + different + " with one, by the Java client");
    System.exit(different == 0 ? 0 : 1);
  }

  private static Connection connect(String address) throws Exception {
    Configuration conf = Interop.configuration(address);
    conf.setInt("hbase.client.retries.number", 1);
    return ConnectionFactory.createConnection(conf);
  }

  /** Carries out the operations of one table, up to the first that has different answers. */
  private static Outcome compare(List<JsonElement> operations, Connection reference, Connection mock) throws Exception {
    var options = operations.get(0).getAsJsonObject().getAsJsonObject("table");
    try (DifferSide expected = new DifferSide(reference, options); DifferSide found = new DifferSide(mock, options)) {
      for (int step = 0; step < operations.size(); step++) {
        String wanted = expected.answer(operations.get(step));
        String got = found.answer(operations.get(step));
        if (!wanted.equals(got) && isBug(wanted)) {
          return new Outcome(step, null);
        }
        if (!wanted.equals(got)) {
          return new Outcome(step, "FAIL " + options.get("name").getAsString() + " step " + step + ": " + operations.get(step)
              + "\n     expected " + wanted + "\n     got      " + got);
        }
      }
      return new Outcome(operations.size(), null);
    }
  }

  /** Whether the reference fails by a mistake of its own, which no one has to repeat. */
  private static boolean isBug(String answer) {
    return answer.matches("(?s).*(Cannot (invoke|read field) \"|out of bounds for length).*") || answer.startsWith("OutOfOrderScannerNextException")
        || answer.matches("(?s)(|.*; )RemoteWithExtrasException: java.io.IOException(; .*|)");
  }
}
