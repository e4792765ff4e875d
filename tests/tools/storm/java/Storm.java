import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** The load of `../load.rs` by the Java client: Storm TABLE, until a line is read from the input. */
public final class Storm {
  private static final int PREFIXES = 16;
  private static final int FIXED = 20;
  private static final int SCAN_EVERY = 25;
  private static final int SCANNED = 100;
  private static final long PACE_MS = 10;
  private static final long GAP_MS = 300;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] VALUE = Bytes.toBytes("v");
  private static final byte[] COUNTER = Bytes.toBytes("n");
  private static final byte[] STATIC = Bytes.toBytes("s");

  private static volatile boolean stop;
  private static Connection connection;
  private static TableName name;

  private interface Operation<T> {
    T run(Table table) throws Exception;
  }

  /** What a task did, and what was wrong. */
  private abstract static class Task extends Thread {
    long acknowledged, failed, scans, scansWrong, readsWrong;
    final int prefix;
    int[] times = new int[1024];
    int timed;
    List<long[]> outages = new ArrayList<>();

    Task(int prefix) {
      this.prefix = prefix;
    }

    abstract void step() throws Exception;

    @Override
    public void run() {
      try {
        while (!stop) {
          step();
          Thread.sleep(PACE_MS);
        }
      } catch (Exception e) {
        e.printStackTrace();
        System.exit(3);
      }
    }

    <T> T take(Operation<T> operation) {
      long since = System.nanoTime();
      T done = null;
      try (Table table = connection.getTable(name)) {
        done = operation.run(table);
        acknowledged++;
      } catch (Exception e) {
        failed++;
      }
      if (timed == times.length) {
        times = Arrays.copyOf(times, 2 * timed);
      }
      times[timed++] = (int) ((System.nanoTime() - since) / 1000);
      return done;
    }
  }

  private static byte[] row(String kind, int prefix, int n) {
    return Bytes.toBytes(
        kind.equals("a") ? String.format("%02d-a-%02d", prefix, n)
            : kind.equals("c") ? String.format("%02d-c", prefix) : String.format("%02d-p-%07d", prefix, n));
  }

  private static int number(Result row) {
    String key = Bytes.toString(row.getRow());
    String text = key.substring(key.lastIndexOf('-') + 1);
    byte[] value = row.getValue(FAMILY, VALUE);
    return value != null && text.equals(Bytes.toString(value)) ? Integer.parseInt(text) : -1;
  }

  private static final class Writer extends Task {
    final BitSet known = new BitSet();
    final Random random = new Random(prefix);
    int written;
    int turn;

    Writer(int prefix) {
      super(prefix);
    }

    @Override
    void step() {
      turn++;
      if (turn % SCAN_EVERY == 0 && written > 0) {
        scan();
      } else if (turn % 2 == 0 && written > 0) {
        int n = random.nextInt(written);
        Result found = take(table -> table.get(new Get(row("p", prefix, n))));
        if (found != null && known.get(n) && (found.isEmpty() || number(found) != n)) {
          readsWrong++;
        }
      } else {
        int n = written++;
        Put put = new Put(row("p", prefix, n)).addColumn(FAMILY, VALUE, Bytes.toBytes(String.format("%07d", n)));
        Boolean done = take(table -> {
          table.put(put);
          return true;
        });
        known.set(n, done != null);
      }
    }

    void scan() {
      int from = Math.max(0, written - SCANNED);
      List<Integer> found = take(table -> {
        List<Integer> numbers = new ArrayList<>();
        Scan scan = new Scan().withStartRow(row("p", prefix, from)).withStopRow(row("p", prefix, written));
        try (ResultScanner rows = table.getScanner(scan)) {
          for (Result row : rows) {
            numbers.add(number(row));
          }
        }
        return numbers;
      });
      if (found == null) {
        return;
      }
      scans++;
      boolean right = true;
      for (int i = 0; i < found.size(); i++) {
        right &= found.get(i) >= 0 && (i == 0 || found.get(i - 1) < found.get(i));
      }
      for (int n = known.nextSetBit(from); n >= 0; n = known.nextSetBit(n + 1)) {
        right &= found.contains(n);
      }
      scansWrong += right ? 0 : 1;
    }
  }

  private static final class Counter extends Task {
    Counter(int prefix) {
      super(prefix);
    }

    @Override
    void step() {
      take(table -> table.incrementColumnValue(row("c", prefix, 0), FAMILY, COUNTER, 1));
    }
  }

  private static final class Reader extends Task {
    long latest;

    Reader(int prefix) {
      super(prefix);
    }

    @Override
    void step() {
      Result found = take(table -> table.get(new Get(row("a", prefix, 0))));
      if (found == null) {
        return;
      }
      readsWrong += found.isEmpty() ? 1 : 0;
      long now = System.currentTimeMillis();
      if (latest > 0 && now - latest >= GAP_MS) {
        outages.add(new long[] {latest, now});
      }
      latest = now;
    }
  }

  private static final class Scanner extends Task {
    Scanner() {
      super(0);
    }

    @Override
    void step() throws Exception {
      List<String> found = take(table -> {
        List<String> keys = new ArrayList<>();
        try (ResultScanner rows = table.getScanner(new Scan().addColumn(FAMILY, STATIC))) {
          for (Result row : rows) {
            keys.add(Bytes.toString(row.getRow()));
          }
        }
        return keys;
      });
      if (found != null) {
        scans++;
        List<String> all = new ArrayList<>();
        for (int prefix = 0; prefix < PREFIXES; prefix++) {
          for (int n = 0; n < FIXED; n++) {
            all.add(Bytes.toString(row("a", prefix, n)));
          }
        }
        scansWrong += found.equals(all) ? 0 : 1;
      }
      Thread.sleep(49 * PACE_MS);
    }
  }

  public static void main(String[] arguments) throws Exception {
    name = TableName.valueOf(arguments[0]);
    Configuration configuration = HBaseConfiguration.create();
    // As Tallrow's defaults; all else is Java's.
    configuration.setInt("hbase.client.operation.timeout", 10_000);
    configuration.setInt("hbase.rpc.timeout", 5_000);
    configuration.setInt("hbase.client.scanner.timeout.period", 30_000);
    configuration.setInt("hbase.client.meta.operation.timeout", 10_000);
    configuration.setInt("hbase.client.pause", 50);
    connection = ConnectionFactory.createConnection(configuration);
    List<Task> tasks = new ArrayList<>();
    for (int prefix = 0; prefix < PREFIXES; prefix++) {
      tasks.add(new Writer(prefix));
      tasks.add(new Counter(prefix));
      tasks.add(new Reader(prefix));
    }
    tasks.add(new Scanner());
    tasks.forEach(Thread::start);
    new BufferedReader(new InputStreamReader(System.in)).readLine();
    stop = true;
    long acknowledged = 0, failed = 0, missing = 0, off = 0, readsWrong = 0, scansWrong = 0, scans = 0;
    int[] times = new int[0];
    try (Table table = connection.getTable(name)) {
      for (Task task : tasks) {
        task.join();
        if (task instanceof Counter) {
          long found = Bytes.toLong(table.get(new Get(row("c", task.prefix, 0))).getValue(FAMILY, COUNTER));
          off += Math.max(0, Math.max(task.acknowledged - found, found - task.acknowledged - task.failed));
        }
        if (task instanceof Writer) {
          BitSet there = new BitSet();
          Scan scan = new Scan().withStartRow(row("p", task.prefix, 0)).withStopRow(row("p", task.prefix, 9_999_999));
          try (ResultScanner rows = table.getScanner(scan)) {
            for (Result row : rows) {
              there.set(number(row));
            }
          }
          BitSet lost = (BitSet) ((Writer) task).known.clone();
          lost.andNot(there);
          missing += lost.cardinality();
        }
        acknowledged += task.acknowledged;
        failed += task.failed;
        readsWrong += task.readsWrong;
        scansWrong += task.scansWrong;
        scans += task.scans;
        int before = times.length;
        times = Arrays.copyOf(times, before + task.timed);
        System.arraycopy(task.times, 0, times, before, task.timed);
        for (long[] outage : task.outages) {
          System.out.println("outage " + task.prefix + " " + outage[0] + " " + outage[1]);
        }
      }
    }
    Arrays.sort(times);
    int n = times.length;
    System.out.printf(
        "%d acknowledged, %d unknown or failed; missing %d, counters off by %d, reads wrong %d, scans wrong %d of %d%n",
        acknowledged, failed, missing, off, readsWrong, scansWrong, scans);
    System.out.printf(
        "p50 %.1f ms, p99 %.1f ms, p999 %.1f ms, worst %.0f ms%n",
        times[n / 2] / 1e3, times[(int) (n * 0.99)] / 1e3, times[(int) (n * 0.999)] / 1e3, times[n - 1] / 1e3);
    System.exit(0);
  }
}
