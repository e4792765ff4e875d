import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The stages of `load` through the official asynchronous client: Load quorum=HOST port=N n=N conc=N value=BYTES ops=..
 * Options whose names have dots are properties of the client.
 */
public final class Load {
  private static final int BATCH = 100;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final byte[] COUNTER = Bytes.toBytes("c");

  private final AsyncTable<?> table;
  private final AsyncConnection connection;
  private final TableName name;
  private final int count;
  private final int concurrency;
  private final byte[] value;

  private Load(AsyncConnection connection, TableName name, int count, int concurrency, byte[] value) {
    this.connection = connection;
    this.table = connection.getTable(name);
    this.name = name;
    this.count = count;
    this.concurrency = concurrency;
    this.value = value;
  }

  public static void main(String[] arguments) throws Exception {
    Map<String, String> options =
        Stream.of(arguments).map(a -> a.split("=", 2)).collect(Collectors.toMap(a -> a[0], a -> a[1]));
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", options.get("quorum"));
    configuration.set("hbase.zookeeper.property.clientPort", options.get("port"));
    options.forEach((name, value) -> {
      if (name.contains(".")) {
        configuration.set(name, value);
      }
    });
    // Hadoop's classes have a property of their own for it.
    String authentication = configuration.get("hbase.security.authentication", "simple");
    configuration.set("hadoop.security.authentication", authentication);
    UserGroupInformation.setConfiguration(configuration);
    byte[] value = new byte[Integer.parseInt(options.get("value"))];
    new Random(1).nextBytes(value);
    TableName name = TableName.valueOf("bench_java");
    try (AsyncConnection connection = ConnectionFactory.createAsyncConnection(configuration).get()) {
      create(connection.getAdmin(), name);
      int count = Integer.parseInt(options.get("n"));
      Load load = new Load(connection, name, count, Integer.parseInt(options.get("conc")), value);
      for (String stage : options.get("ops").split(",")) {
        load.run(stage);
      }
    }
    String peak;
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
      peak = lines.filter(line -> line.startsWith("VmHWM")).findFirst().orElse("0").replaceAll("\\D+", "");
    }
    System.out.printf("client=java op=rss peak_mb=%d%n", Long.parseLong(peak) / 1024);
  }

  private static void create(AsyncAdmin admin, TableName name) throws Exception {
    if (admin.tableExists(name).get()) {
      if (admin.isTableEnabled(name).get()) {
        admin.disableTable(name).get();
      }
      admin.deleteTable(name).get();
    }
    byte[][] splits = {{64}, {(byte) 128}, {(byte) 192}};
    var family = ColumnFamilyDescriptorBuilder.of(FAMILY);
    admin.createTable(TableDescriptorBuilder.newBuilder(name).setColumnFamily(family).build(), splits).get();
  }

  private void run(String stage) throws Exception {
    switch (stage) {
      case "warm" -> {
        stage("warm", count / 4, concurrency, i -> table.put(put(i)));
        stage("warmget", count / 4, concurrency, i -> table.get(get(i)));
      }
      case "put" -> stage(stage, count, concurrency, i -> table.put(put(i)));
      case "get" -> stage(stage, count, concurrency, i -> table.get(get(i)));
      case "get1" -> stage(stage, count / 10, 1, i -> table.get(get(i)));
      case "inc" ->
          stage(stage, count / 2, concurrency, i -> table.increment(new Increment(key(i % 1000)).addColumn(FAMILY, COUNTER, 1)));
      case "batchput" -> stage(stage, count / BATCH, 8, i -> table.putAll(batch(i, this::put)));
      case "batchget" -> stage(stage, count / BATCH, 8, i -> table.getAll(batch(i, this::get)));
      case "writer" -> write();
      case "scan" -> {
        for (int k = 0; k < 3; k++) {
          scan();
        }
      }
      default -> throw new IllegalArgumentException("there is no stage " + stage);
    }
  }

  private void stage(String stage, int count, int concurrency, LongFunction<CompletableFuture<?>> operation)
      throws Exception {
    long[] took = new long[count];
    Semaphore slots = new Semaphore(concurrency);
    AtomicLong failed = new AtomicLong();
    long cpu = cpuTime(), start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      slots.acquire();
      int index = i;
      long begin = System.nanoTime();
      operation.apply(i).whenComplete((result, error) -> {
        took[index] = System.nanoTime() - begin;
        failed(failed, error);
        slots.release();
      });
    }
    slots.acquire(concurrency);
    report(stage, count, System.nanoTime() - start, cpuTime() - cpu, took, failed.get());
  }

  /** All rows through a buffered mutator, which sets no bound of its own: as many as the others have in their buffers. */
  private void write() throws Exception {
    AtomicLong failed = new AtomicLong();
    Semaphore slots = new Semaphore(20_000);
    long cpu = cpuTime(), start = System.nanoTime();
    try (AsyncBufferedMutator mutator = connection.getBufferedMutator(name)) {
      for (int i = 0; i < count; i++) {
        if (!slots.tryAcquire()) {
          mutator.flush();
          slots.acquire();
        }
        mutator.mutate(put(i)).whenComplete((result, error) -> {
          failed(failed, error);
          slots.release();
        });
      }
      mutator.flush();
      slots.acquire(20_000);
    }
    report("writer", count, System.nanoTime() - start, cpuTime() - cpu, null, failed.get());
  }

  private void scan() throws Exception {
    long cpu = cpuTime(), start = System.nanoTime(), rows = 0, wrong = 0;
    try (ResultScanner scanner = table.getScanner(new Scan().addColumn(FAMILY, QUALIFIER))) {
      for (Result row : scanner) {
        rows++;
        wrong += row.value().length == value.length ? 0 : 1;
      }
    }
    report("scan", rows, System.nanoTime() - start, cpuTime() - cpu, null, wrong);
  }

  private static <T> List<T> batch(long number, LongFunction<T> operation) {
    List<T> batch = new ArrayList<>(BATCH);
    for (long i = number * BATCH; i < (number + 1) * BATCH; i++) {
      batch.add(operation.apply(i));
    }
    return batch;
  }

  private Put put(long i) {
    return new Put(key(i)).addColumn(FAMILY, QUALIFIER, value);
  }

  private Get get(long i) {
    return new Get(key(i * 7919 % count));
  }

  private static byte[] key(long i) {
    return Bytes.add(Bytes.toBytes(i * 0x9E3779B97F4A7C15L), Bytes.toBytes(i));
  }

  private static void failed(AtomicLong failed, Throwable error) {
    if (error != null && failed.getAndIncrement() == 0) {
      error.printStackTrace();
    }
  }

  private static long cpuTime() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
  }

  private static void report(String stage, long count, long wall, long cpu, long[] took, long failed) {
    String times = "";
    if (took != null) {
      Arrays.sort(took);
      times = String.format(" p50_us=%.0f p99_us=%.0f p999_us=%.0f", at(took, 0.5), at(took, 0.99), at(took, 0.999));
    }
    System.out.printf("client=java op=%s n=%d ops_s=%.0f cpu_us_op=%.2f%s err=%d%n",
        stage, count, count / (wall / 1e9), cpu / 1e3 / Math.max(1, count), times, failed);
  }

  private static double at(long[] took, double part) {
    return took[Math.min(took.length - 1, (int) (took.length * part))] / 1e3;
  }
}
