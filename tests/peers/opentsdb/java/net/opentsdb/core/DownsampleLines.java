package net.opentsdb.core;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What Downsampler makes of points: the start, the interval and the function, the points, then time=bits of each number. */
class DownsampleLines {
  private static final String[] FUNCTIONS = {"sum", "min", "max", "avg", "count", "first", "last"};
  private static final long[] INTERVALS = {1000, 7000, 60000, 300000, 3600000, 86400000};

  @SuppressWarnings("deprecation")
  static void print(PrintStream out) {
    Random random = new Random(7);
    for (int list = 0; list < 3; list++) {
      List<DataPoint> points = new ArrayList<>();
      StringBuilder shown = new StringBuilder();
      long time = 1356998400000L + random.nextInt(3600000);
      for (int i = 0; i < 24; i++) {
        time += 1 + random.nextInt(1 << random.nextInt(20));
        double value = random.nextBoolean() ? random.nextInt(1000) - 500 : random.nextGaussian();
        points.add(MutableDataPoint.ofDoubleValue(time, value));
        shown.append(i == 0 ? "" : ",").append(time).append('=').append(Long.toHexString(Double.doubleToRawLongBits(value)));
      }
      for (long interval : INTERVALS) {
        for (String function : FUNCTIONS) {
          long start = points.get(random.nextInt(5)).timestamp();
          Downsampler downsampler = new Downsampler(new View(points), interval, Aggregators.get(function));
          downsampler.seek(start);
          StringBuilder results = new StringBuilder();
          while (downsampler.hasNext()) {
            DataPoint number = downsampler.next();
            results.append(results.isEmpty() ? "" : ",").append(number.timestamp()).append('=')
                .append(Long.toHexString(Double.doubleToRawLongBits(number.toDouble())));
          }
          out.println(start + "\t" + interval + "\t" + function + "\t" + shown + "\t" + results);
        }
      }
    }
  }

  /** Points in memory. */
  private static class View implements SeekableView {
    private final List<DataPoint> points;
    private int next = 0;

    View(List<DataPoint> points) {
      this.points = points;
    }

    @Override
    public boolean hasNext() {
      return next < points.size();
    }

    @Override
    public DataPoint next() {
      return points.get(next++);
    }

    @Override
    public void remove() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void seek(long timestamp) {
      while (hasNext() && points.get(next).timestamp() < timestamp) {
        next++;
      }
    }
  }
}
