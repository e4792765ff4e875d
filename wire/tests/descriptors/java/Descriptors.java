import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.DescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import org.apache.hbase.thirdparty.com.google.protobuf.DescriptorProtos.FileDescriptorProto;

/**
 * Prints the messages and enums that several versions of HBase, or of Google's client of Bigtable, were compiled with, from
 * the descriptors in their classes. The first argument is hbase or bigtable, each other one VERSION=CLASSPATH, the newest
 * version first.
 */
public final class Descriptors {
  /** What is printed of the jars of a project. */
  private record Project(Pattern outerClass, Set<String> packages, Set<String> files) {}

  /** The .proto files that hold what clients, their servers and ZooKeeper say to each other. */
  private static final Project HBASE = new Project(
      Pattern.compile("(org/apache/hadoop/hbase/"
          + "(?:shaded/protobuf/generated/(?:\\w+Protos|TooSlowLog)|protobuf/generated/(?:Authentication|MultiRowMutation|VisibilityLabels)Protos))\\.class"),
      Set.of("hbase.pb"),
      Set.of("AccessControl.proto", "Admin.proto", "Authentication.proto", "Cell.proto", "Client.proto", "ClusterId.proto",
          "ClusterStatus.proto", "Comparator.proto", "ErrorHandling.proto", "FS.proto", "Filter.proto", "HBase.proto",
          "MapReduce.proto", "Master.proto", "MultiRowMutation.proto", "Procedure.proto", "Quota.proto", "RPC.proto",
          "Registry.proto", "Replication.proto", "Snapshot.proto", "TooSlowLog.proto", "Tracing.proto",
          "VisibilityLabels.proto", "ZooKeeper.proto"));

  private static final Project BIGTABLE = new Project(
      Pattern.compile("(com/google/(?:bigtable/(?:admin/)?v2|longrunning|protobuf|rpc|type)/"
          + "(?:(?:Bigtable|Data|FeatureFlags|Table|BigtableTableAdmin|RequestStats|Status|ErrorDetails|Wrappers|Any|Common|Date|Duration|Empty"
          + "|FieldMask|Operations|Timestamp|Types)Proto))\\.class"),
      Set.of("google.bigtable.v2", "google.bigtable.admin.v2", "google.longrunning", "google.rpc", "google.protobuf", "google.type"),
      Set.of("bigtable.proto", "data.proto", "feature_flags.proto", "table.proto", "bigtable_table_admin.proto",
          "request_stats.proto", "status.proto", "error_details.proto", "wrappers.proto", "any.proto", "common.proto", "date.proto",
          "duration.proto", "empty.proto", "field_mask.proto", "operations.proto", "timestamp.proto", "types.proto"));

  /** A message or an enum, with the versions that have it, and those that have each of its lines. */
  private static final class Type {
    final String file;
    final Set<String> versions = new TreeSet<>();
    final Map<String, Set<String>> lines = new LinkedHashMap<>();

    Type(String file) {
      this.file = file;
    }
  }

  /** By "message NAME" or "enum NAME". */
  private final Map<String, Type> types = new LinkedHashMap<>();

  private final Project project;

  private Descriptors(Project project) {
    this.project = project;
  }

  public static void main(String[] arguments) throws Exception {
    Descriptors all = new Descriptors(arguments[0].equals("hbase") ? HBASE : BIGTABLE);
    for (String version : Arrays.asList(arguments).subList(1, arguments.length)) {
      String[] parts = version.split("=", 2);
      for (FileDescriptorProto file : all.files(parts[1].split(File.pathSeparator))) {
        all.add(parts[0], file);
      }
    }
    all.print();
  }

  private List<FileDescriptorProto> files(String[] classpath) throws Exception {
    URL[] urls = new URL[classpath.length];
    List<String> classes = new ArrayList<>();
    for (int i = 0; i < classpath.length; i++) {
      urls[i] = new File(classpath[i]).toURI().toURL();
      try (JarFile jar = new JarFile(classpath[i])) {
        jar.stream().map(entry -> project.outerClass().matcher(entry.getName())).filter(m -> m.matches())
            .forEach(m -> classes.add(m.group(1).replace('/', '.')));
      }
    }
    List<FileDescriptorProto> files = new ArrayList<>();
    // Each version with its own protobuf; what crosses over is bytes.
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      for (String name : classes) {
        Object descriptor = loader.loadClass(name).getMethod("getDescriptor").invoke(null);
        Object proto = descriptor.getClass().getMethod("toProto").invoke(descriptor);
        files.add(FileDescriptorProto.parseFrom((byte[]) proto.getClass().getMethod("toByteArray").invoke(proto)));
      }
    }
    return files;
  }

  private void add(String version, FileDescriptorProto file) throws IOException {
    String name = new File(file.getName()).getName();
    if (!project.packages().contains(file.getPackage()) || !project.files().contains(name)) {
      return;
    }
    String outer = scope(file.getPackage() + ".");
    file.getMessageTypeList().forEach(message -> add(version, name, outer, message));
    file.getEnumTypeList().forEach(type -> add(version, name, outer, type));
  }

  /** Without the package of the project's own messages. */
  private static String scope(String name) {
    return name.replaceFirst("^(hbase\\.pb|google\\.bigtable(\\.admin)?\\.v2)\\.", "");
  }

  private void add(String version, String file, String outer, DescriptorProto message) {
    String name = outer + message.getName();
    Type type = type(version, file, "message " + name);
    for (FieldDescriptorProto field : message.getFieldList()) {
      line(version, type, line(message, field));
    }
    message.getNestedTypeList().forEach(nested -> add(version, file, name + ".", nested));
    message.getEnumTypeList().forEach(nested -> add(version, file, name + ".", nested));
  }

  private void add(String version, String file, String outer, EnumDescriptorProto values) {
    Type type = type(version, file, "enum " + outer + values.getName());
    values.getValueList().forEach(value -> line(version, type, value.getName() + " = " + value.getNumber()));
  }

  private Type type(String version, String file, String head) {
    Type type = types.computeIfAbsent(head, h -> new Type(file));
    type.versions.add(version);
    return type;
  }

  private static void line(String version, Type type, String line) {
    type.lines.computeIfAbsent(line, l -> new TreeSet<>()).add(version);
  }

  private static String type(FieldDescriptorProto field) {
    String type = field.getType().name().replace("TYPE_", "").toLowerCase();
    return field.hasTypeName() ? type + " " + scope(field.getTypeName().substring(1)) : type;
  }

  private static String line(DescriptorProto message, FieldDescriptorProto field) {
    String type = type(field);
    for (DescriptorProto nested : message.getNestedTypeList()) {
      if (nested.getOptions().getMapEntry() && field.getTypeName().endsWith("." + message.getName() + "." + nested.getName())) {
        type = "map<" + type(nested.getField(0)) + ", " + type(nested.getField(1)) + ">";
      }
    }
    String label = field.getLabel().name().replace("LABEL_", "").toLowerCase();
    String line = label + " " + type + " " + field.getName() + " = " + field.getNumber();
    if (field.hasDefaultValue()) {
      line += " [default = " + field.getDefaultValue() + "]";
    }
    if (field.getOptions().getPacked()) {
      line += " [packed = true]";
    }
    if (field.hasOneofIndex()) {
      line += " [oneof = " + message.getOneofDecl(field.getOneofIndex()).getName() + "]";
    }
    return line;
  }

  private void print() {
    Set<String> all = new TreeSet<>();
    types.values().forEach(type -> all.addAll(type.versions));
    Map<String, List<String>> byFile = new TreeMap<>();
    types.forEach((head, type) -> byFile.computeIfAbsent(type.file, f -> new ArrayList<>()).add(head));
    byFile.forEach((file, heads) -> {
      System.out.println("\nfile " + file);
      for (String head : heads) {
        Type type = types.get(head);
        System.out.println(head + only(type.versions, all));
        type.lines.forEach((line, versions) -> System.out.println("  " + line + only(versions, type.versions)));
      }
    });
  }

  private static String only(Set<String> versions, Set<String> all) {
    return versions.equals(all) ? "" : " // " + String.join(" ", versions);
  }
}
