package upstream;

import javassist.ClassPool;
import javassist.CtClass;
import javassist.CtMethod;

/**
 * Writes an HBaseTestingUtility that starts nothing: earlier on the class path than HBase's own, it lets its test classes run
 * unchanged on a cluster that runs already. All other methods stay what they are.
 */
public final class Shadow {
  private static final String RUNNING = "org.apache.hadoop.hbase.RunningCluster";
  private static final String OBJECTS = "org.apache.hadoop.hbase.ServerObjects";

  private static final String CATEGORIES = "ClientTests CoprocessorTests FilterTests FlakeyTests IOTests IntegrationTests LargeTests "
      + "MapReduceTests MasterTests MediumTests MetricsTests MiscTests RPCTests RegionServerTests ReplicationTests RestTests "
      + "RSGroupTests SecurityTests SmallTests VerySlowMapReduceTests VerySlowRegionServerTests ZKTests";

  public static void main(String[] arguments) throws Exception {
    CtClass utility = ClassPool.getDefault().get("org.apache.hadoop.hbase.HBaseTestingUtility");
    int changed = 0;
    for (CtMethod method : utility.getDeclaredMethods()) {
      String name = method.getName();
      boolean takesOption = method.getSignature().startsWith("(Lorg/apache/hadoop/hbase/StartMiniClusterOption;)");
      String body;
      switch (name) {
        case "startMiniCluster":
        case "startMiniHBaseCluster":
          // The other forms call this one.
          if (!takesOption) {
            continue;
          }
          body = RUNNING + ".use(this, $1); return " + OBJECTS + ".of(this);";
          break;
        case "shutdownMiniCluster":
        case "shutdownMiniHBaseCluster":
          body = RUNNING + ".leave(this);";
          break;
        case "flush":
        case "compact":
        case "waitUntilNoRegionsInTransition":
          // Those of the servers, which an administrator can call too.
          body = RUNNING + "." + name + "(this, $$);";
          break;
        case "getMiniHBaseCluster":
        case "getHBaseCluster":
          body = "return " + OBJECTS + ".of(this);";
          break;
        case "getRSForFirstRegionInTable":
          body = "return " + OBJECTS + ".ofFirstRegion(this, $1);";
          break;
        case "restartHBaseCluster":
        case "killMiniHBaseCluster":
        case "startMiniDFSCluster":
        case "getDFSCluster":
          body = "throw " + RUNNING + ".inProcess(\"" + name + "\");";
          break;
        default:
          continue;
      }
      method.setBody("{ " + body + " }");
      changed++;
    }
    if (changed < 14) {
      throw new IllegalStateException("HBaseTestingUtility has other methods than expected: " + changed + " were replaced");
    }
    utility.writeFile(arguments[0]);
    // Whether the files of a snapshot are complete, which the master can be asked for.
    CtClass snapshots = ClassPool.getDefault().get("org.apache.hadoop.hbase.snapshot.SnapshotTestingUtils");
    for (CtMethod method : snapshots.getDeclaredMethods("confirmSnapshotValid")) {
      // The other forms call this one.
      if (method.getParameterTypes().length == 7) {
        method.setBody("{ " + RUNNING + ".confirmSnapshot($1.getName(), $2, $6); }");
      }
    }
    snapshots.writeFile(arguments[0]);
    // The categories of JUnit that the classes name are in a jar that is not published for this version.
    for (String category : CATEGORIES.split(" ")) {
      ClassPool.getDefault().makeInterface("org.apache.hadoop.hbase.testclassification." + category).writeFile(arguments[0]);
    }
  }
}
