package example;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.testkit.engine.EngineTestKit;

/** The extension itself: the program ends with the tests, even if one fails. */
class TallrowMockTest {
  private static ProcessHandle program;

  /** Run by the test below only: its name is not one that Surefire looks for. */
  static class Failing {
    @RegisterExtension
    static final TallrowMock mock = new TallrowMock("--servers", "1");

    @Test
    void fails() {
      program = ProcessHandle.of(mock.pid()).orElseThrow();
      assertTrue(program.isAlive());
      fail("as it should");
    }
  }

  /** A flag that the program refuses. */
  static class Refused {
    @RegisterExtension
    static final TallrowMock mock = new TallrowMock("--no-such-flag");

    @Test
    void isNotReached() {}
  }

  @Test
  void theProgramEndsAfterATestThatFails() {
    EngineTestKit.engine("junit-jupiter").selectors(selectClass(Failing.class)).execute()
        .testEvents().assertStatistics(statistics -> statistics.started(1).failed(1));
    assertFalse(program.isAlive());
  }

  @Test
  void aProgramThatDoesNotStartFailsTheTests() {
    EngineTestKit.engine("junit-jupiter").selectors(selectClass(Refused.class)).execute()
        .containerEvents().assertStatistics(statistics -> statistics.failed(1));
  }
}
