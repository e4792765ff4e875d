package upstream;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs a class that is written for JUnit 5, as a few of HBase's are, and tells its {@link TestClass}. */
final class JupiterListener implements TestExecutionListener {
  private final TestClass told;
  private final Set<String> leftOut;
  private final Set<String> unknown;

  JupiterListener(TestClass told, Set<String> leftOut, Set<String> unknown) {
    this.told = told;
    this.leftOut = leftOut;
    this.unknown = unknown;
  }

  static boolean isFor(Class<?> tests) {
    for (var method : tests.getMethods()) {
      if (method.isAnnotationPresent(BeforeAll.class)) {
        return true;
      }
    }
    return false;
  }

  void run(Class<?> tests) {
    PostDiscoveryFilter filter = test -> {
      String method = method(test.getSource().orElse(null));
      unknown.remove(method);
      if (leftOut.contains(method)) {
        told.hasLeftOut(method);
        return FilterResult.excluded("left out");
      }
      return FilterResult.included("not left out");
    };
    var request = LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).filters(filter).build();
    LauncherFactory.create().execute(request, this);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    String name = test.getSource().map(JupiterListener::method).orElse("");
    if (name.isEmpty()) {
      name = "null";
    }
    Throwable problem = result.getThrowable().orElse(null);
    switch (result.getStatus()) {
      case SUCCESSFUL:
        if (test.isTest()) {
          told.hasPassed(name);
        }
        break;
      case ABORTED:
        told.hasSkipped(name, String.valueOf(problem));
        break;
      default:
        told.hasFailed(name, problem);
    }
  }

  /** The name of a method; empty for a class. */
  private static String method(Object source) {
    return source instanceof MethodSource ? ((MethodSource) source).getMethodName() : "";
  }
}
