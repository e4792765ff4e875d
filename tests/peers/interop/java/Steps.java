import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.ipc.RemoteException;

/** Runs named steps one by one, prints a line for each, counts. A step that fails does not stop the later ones. */
final class Steps {
  interface Step {
    void run() throws Exception;
  }

  /** A result that differs from the expected one. */
  static final class Mismatch extends Exception {
    Mismatch(String message) {
      super(message);
    }
  }

  private String group = "";
  private int passed;
  private int failed;

  /** Runs a group; an exception outside of its steps counts as one failed step. */
  void group(String name, Step body) {
    group = name;
    try {
      body.run();
    } catch (Throwable e) {
      fail("the rest of the group", "unexpected " + describe(e) + at(e));
    }
  }

  void step(String name, Step step) {
    try {
      step.run();
      passed++;
      System.out.println("ok    " + group + ": " + name);
    } catch (Mismatch e) {
      fail(name, e.getMessage());
    } catch (Throwable e) {
      fail(name, "unexpected " + describe(e) + at(e));
    }
  }

  /** The step must throw {@code exception} (its simple name) with a message that contains {@code text}. */
  void refused(String name, String exception, String text, Step step) {
    step(name, () -> {
      String expected = "expected " + exception + " with '" + text + "'";
      try {
        step.run();
      } catch (Mismatch e) {
        throw e;
      } catch (Throwable e) {
        for (String found : chain(e)) {
          int colon = found.indexOf(": ");
          String name2 = found.substring(0, colon);
          if (name2.substring(Math.max(name2.lastIndexOf('.'), name2.lastIndexOf('$')) + 1).equals(exception)
              && found.substring(colon).contains(text)) {
            return;
          }
        }
        throw new Mismatch(expected + "; got " + describe(e));
      }
      throw new Mismatch(expected + "; got no exception");
    });
  }

  /** Prints the closing line; returns whether all passed. */
  boolean report() {
    System.out.println(passed + " passed, " + failed + " failed");
    return failed == 0;
  }

  private void fail(String name, String why) {
    failed++;
    System.out.println("FAIL  " + group + ": " + name + ": " + why.replace("\n", " | "));
  }

  static void equal(String what, Object expected, Object actual) throws Mismatch {
    if (!Objects.equals(expected, actual)) {
      throw new Mismatch(what + ": expected " + expected + "; got " + actual);
    }
  }

  static void isTrue(String what, boolean held) throws Mismatch {
    equal(what, true, held);
  }

  static byte[] b(String text) {
    return Bytes.toBytesBinary(text);
  }

  /** One cell as {@code row/family:qualifier=value}. */
  static String text(Cell cell) {
    return Bytes.toStringBinary(CellUtil.cloneRow(cell)) + "/" + Bytes.toStringBinary(CellUtil.cloneFamily(cell)) + ":"
        + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)) + "=" + Bytes.toStringBinary(CellUtil.cloneValue(cell));
  }

  /** One cell as {@code row/family:qualifier@timestamp#type=value}. */
  static String full(Cell cell) {
    return Bytes.toStringBinary(CellUtil.cloneRow(cell)) + "/" + Bytes.toStringBinary(CellUtil.cloneFamily(cell)) + ":"
        + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)) + "@" + cell.getTimestamp() + "#" + cell.getType() + "="
        + Bytes.toStringBinary(CellUtil.cloneValue(cell));
  }

  static String cells(Result result) {
    return String.join(" ", Arrays.stream(result.rawCells()).map(Steps::text).toList());
  }

  static String fullCells(Result result) {
    return String.join(" ", Arrays.stream(result.rawCells()).map(Steps::full).toList());
  }

  static String rows(Iterable<Result> results) {
    List<String> rows = new ArrayList<>();
    for (Result result : results) {
      rows.add(Bytes.toStringBinary(result.getRow()));
    }
    return String.join(" ", rows);
  }

  /** Each cause, outermost first, as {@code class: message}, the servers' own names unwrapped. */
  private static List<String> chain(Throwable e) {
    List<String> found = new ArrayList<>();
    for (Throwable t = e; t != null && found.size() < 32; t = t.getCause()) {
      found.add(t.getClass().getName() + ": " + t.getMessage());
      if (t instanceof RemoteException) {
        found.add(((RemoteException) t).getClassName() + ": " + t.getMessage());
      }
      if (t instanceof RetriesExhaustedWithDetailsException) {
        ((RetriesExhaustedWithDetailsException) t).getCauses().forEach(cause -> found.addAll(chain(cause)));
      }
    }
    return found;
  }

  private static String describe(Throwable e) {
    Throwable t = e;
    while ((t instanceof ExecutionException || t instanceof CompletionException) && t.getCause() != null) {
      t = t.getCause();
    }
    List<String> lines = new ArrayList<>();
    for (String found : chain(t)) {
      String line = found.split("\n")[0];
      String message = line.substring(line.lastIndexOf(": ") + 1);
      if (lines.stream().noneMatch(l -> l.endsWith(message))) {
        lines.add(line.length() > 300 ? line.substring(0, 300) + ".." : line);
      }
    }
    return String.join(" <- ", lines);
  }

  private static String at(Throwable e) {
    for (StackTraceElement frame : e.getStackTrace()) {
      if (frame.getFileName() != null && frame.getClassName().endsWith("Steps") && !frame.getClassName().equals("Steps")) {
        return " (" + frame.getFileName() + ":" + frame.getLineNumber() + ")";
      }
    }
    return "";
  }
}
