package upstream;

import java.util.Collections;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.RunningCluster;
import org.junit.TestCouldNotBeSkippedException;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Result;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** A run of one class. A line for each test that fails, and one for the class. */
final class TestClass {
  /** No class keeps the others from running. */
  private static final long LIMIT_S = Long.getLong("limit", 120);

  private final Class<?> tests;
  /** What must pass; null if all of its tests are tried. */
  private final Expected expected;
  private final Set<String> passed = Collections.synchronizedSet(new HashSet<>());
  private final Set<String> failed = Collections.synchronizedSet(new HashSet<>());
  private final Set<String> leftOut = Collections.synchronizedSet(new HashSet<>());
  private boolean fine = true;

  TestClass(Class<?> tests, Expected expected) {
    this.tests = tests;
    this.expected = expected;
  }

  /** Runs the tests. */
  Counts run() throws InterruptedException {
    long start = System.nanoTime();
    Thread thread = new Thread(this::runTests, tests.getSimpleName());
    thread.setDaemon(true);
    thread.start();
    thread.join(LIMIT_S * 1000);
    if (thread.isAlive()) {
      complain(tests.getSimpleName(), "not done after " + LIMIT_S + " s, at " + place(thread.getStackTrace()));
    }
    if (!RunningCluster.endAll()) {
      complain(tests.getSimpleName(), "a mock ended before it was stopped");
    }
    if (expected != null && expected.passed() != passed.size()) {
      complain(tests.getSimpleName(), passed.size() + " tests passed, and " + expected.passed() + " are expected");
    }
    if (passed.isEmpty()) {
      complain(tests.getSimpleName(), "none of its tests has passed");
    }
    Counts counts = new Counts();
    counts.passed = passed.size();
    counts.failed = failed.size();
    counts.leftOut = leftOut.size();
    counts.fine = fine && failed.isEmpty();
    Upstream.OUT.printf("%s: %d tests ran, %d passed; %d left out; %.1f s%n", tests.getSimpleName(), counts.passed + counts.failed,
        counts.passed, counts.leftOut, (System.nanoTime() - start) / 1e9);
    return counts;
  }

  private void runTests() {
    Map<String, String> reasons = expected == null ? Map.of() : expected.leftOut();
    Set<String> unknown = new HashSet<>(reasons.keySet());
    if (JupiterListener.isFor(tests)) {
      new JupiterListener(this, reasons.keySet(), unknown).run(tests);
    } else {
      runTests(reasons, unknown);
    }
    for (String method : unknown) {
      complain(method, "is left out, and the class has no such test");
    }
  }

  private void runTests(Map<String, String> reasons, Set<String> unknown) {
    JUnitCore core = new JUnitCore();
    core.addListener(new Listener());
    Result result = core.run(Request.aClass(tests).filterWith(new Filter() {
      @Override
      public boolean shouldRun(Description description) {
        if (!description.isTest()) {
          return description.getChildren().stream().anyMatch(this::shouldRun);
        }
        String method = method(description);
        unknown.remove(method);
        if (reasons.containsKey(method)) {
          leftOut.add(name(description));
          return false;
        }
        return true;
      }

      @Override
      public String describe() {
        return "not left out";
      }
    }));
    fine &= result.getFailureCount() == 0;
  }

  void hasPassed(String name) {
    passed.add(name);
  }

  void hasFailed(String name, Throwable problem) {
    failed.add(name);
    String text = String.valueOf(problem).replaceAll("\\s+", " ");
    text = text.substring(0, Math.min(text.length(), 400));
    Upstream.OUT.println("FAIL " + tests.getSimpleName() + "." + name + ": " + text + " at " + place(problem.getStackTrace()));
    problem.printStackTrace();
  }

  /** Notes a test that found that it does not apply. */
  void hasSkipped(String name, String why) {
    if (expected == null) {
      leftOut.add(name);
      Upstream.OUT.println("skip " + tests.getSimpleName() + "." + name + ": " + why);
    } else {
      // The file lists everything that is left out.
      failed.add(name);
      complain(tests.getSimpleName() + "." + name, why);
    }
  }

  void hasLeftOut(String name) {
    leftOut.add(name);
  }

  private void complain(String what, String text) {
    Upstream.OUT.println("FAIL " + what + ": " + text);
    fine = false;
  }

  private static String name(Description description) {
    return String.valueOf(description.getMethodName());
  }

  /** The name of a method, without the parameters with which the class is run several times. */
  private static String method(Description description) {
    return name(description).replaceFirst("\\[.*", "");
  }

  /** The first line of a stack that is one of HBase's tests. */
  private static String place(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      if (frame.getClassName().contains(".Test") || frame.getClassName().contains("TestBase")) {
        return frame.toString();
      }
    }
    return stack.length > 0 ? stack[0].toString() : "an unknown place";
  }

  private final class Listener extends RunListener {
    @Override
    public void testFailure(Failure failure) {
      if (failure.getException() instanceof TestCouldNotBeSkippedException) {
        // What the test does at its end has failed because it did not begin.
        testAssumptionFailure(failure);
        return;
      }
      hasFailed(name(failure.getDescription()), failure.getException());
    }

    @Override
    public void testAssumptionFailure(Failure failure) {
      hasSkipped(name(failure.getDescription()), failure.getMessage());
    }

    @Override
    public void testIgnored(Description description) {
      leftOut.add(name(description));
    }

    @Override
    public void testFinished(Description description) {
      String name = name(description);
      if (!failed.contains(name) && !leftOut.contains(name)) {
        passed.add(name);
      }
    }
  }
}
