import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ClientService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.MethodDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors.ServiceDescriptor;
import org.apache.hbase.thirdparty.com.google.protobuf.DynamicMessage;

/**
 * Compares two recordings of the same parts, message by message: {@code Compare EXPECTED FOUND PART ..}.
 *
 * <p>Every request, response and cell is decoded by HBase's own classes; what differs between any two runs (times, ports,
 * ids, the server of a region) is left out by {@link Plain}. Prints a line for each step and the lines that only one
 * side has; ends with 0 when all steps agree.
 */
public final class Compare {
  private static final Map<String, ServiceDescriptor> SERVICES = Map.of("ClientService", ClientService.getDescriptor(),
      "MasterService", MasterService.getDescriptor(), "ClientMetaService", ClientMetaService.getDescriptor());
  private static final Pattern NAME = Pattern.compile("(.+)-\\d\\d-(\\w+)\\.txt");
  private static final Pattern CELL = Pattern.compile(
      "# cell row=(\\w*) family=(\\w*) qualifier=(\\w*) timestamp=(\\d+) type=(\\d+) value=(\\w*)");

  public static void main(String[] args) throws Exception {
    int passed = 0;
    int failed = 0;
    for (String part : List.of(args).subList(2, args.length)) {
      if (files(Path.of(args[1]), part).isEmpty()) {
        failed++;
        System.out.println("FAIL  " + part + ": not recorded");
        continue;
      }
      Map<String, List<String>> expected = steps(Path.of(args[0]), part);
      Map<String, List<String>> found = steps(Path.of(args[1]), part);
      for (String step : expected.keySet()) {
        List<String> missing = minus(expected.get(step), found.getOrDefault(step, List.of()));
        List<String> extra = minus(found.getOrDefault(step, List.of()), expected.get(step));
        if (missing.isEmpty() && extra.isEmpty()) {
          passed++;
          System.out.println("ok    " + part + ": " + step);
        } else {
          failed++;
          System.out.println("FAIL  " + part + ": " + step);
          missing.forEach(line -> System.out.println("        only expected: " + line));
          extra.forEach(line -> System.out.println("        only found:    " + line));
        }
      }
      for (String step : new TreeSet<>(found.keySet())) {
        if (!expected.containsKey(step)) {
          failed++;
          System.out.println("FAIL  " + part + ": " + step + ": not among the expected steps");
        }
      }
    }
    System.out.println(passed + " passed, " + failed + " failed");
    System.exit(failed == 0 ? 0 : 1);
  }

  private static List<String> minus(List<String> a, List<String> b) {
    List<String> left = new ArrayList<>(a);
    b.forEach(left::remove);
    return left;
  }

  /** All connections of a part, grouped by step: the server of a message is random. */
  private static Map<String, List<String>> steps(Path folder, String part) throws IOException {
    Map<String, List<String>> steps = new LinkedHashMap<>();
    for (Path file : files(folder, part)) {
      Matcher name = NAME.matcher(file.getFileName().toString());
      if (name.matches() && SERVICES.containsKey(name.group(2))) {
        connection(Files.readAllLines(file), SERVICES.get(name.group(2)), steps);
      }
    }
    steps.values().forEach(Collections::sort);
    steps.values().removeIf(List::isEmpty);
    return steps;
  }

  private static List<Path> files(Path folder, String part) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(f -> {
        Matcher name = NAME.matcher(f.getFileName().toString());
        return name.matches() && name.group(1).equals(part);
      }).sorted().collect(Collectors.toList());
    }
  }

  private static void connection(List<String> lines, ServiceDescriptor service, Map<String, List<String>> steps) throws IOException {
    Map<Integer, MethodDescriptor> asked = new HashMap<>();
    List<String> step = new ArrayList<>();
    int sent = 0;
    for (String line : lines) {
      Matcher cell = CELL.matcher(line);
      if (line.startsWith("# step ")) {
        step = steps.computeIfAbsent(line.substring(7), s -> new ArrayList<>());
      } else if (cell.matches()) {
        step.add("cell " + Plain.cell(bytes(cell.group(1)), bytes(cell.group(2)), bytes(cell.group(3)),
            Long.parseLong(cell.group(4)), Integer.parseInt(cell.group(5)), bytes(cell.group(6))));
      } else if (line.startsWith("> ")) {
        // The preamble and the connection header come first, and come from the client.
        if (++sent > 2) {
          request(CodedInputStream.newInstance(bytes(line.substring(10))), service, asked, step);
        }
      } else if (line.startsWith("< ")) {
        response(CodedInputStream.newInstance(bytes(line.substring(10))), asked, step);
      }
    }
  }

  private static void request(CodedInputStream in, ServiceDescriptor service, Map<Integer, MethodDescriptor> asked, List<String> step)
      throws IOException {
    RequestHeader header = RequestHeader.parseFrom(in.readByteArray());
    MethodDescriptor method = service.findMethodByName(header.getMethodName());
    asked.put(header.getCallId(), method);
    if (!polled(method)) {
      for (String line : Plain.lines(DynamicMessage.parseFrom(method.getInputType(), in.readByteArray()))) {
        step.add("> " + method.getName() + " priority " + header.getPriority() + " " + line);
      }
    }
  }

  private static void response(CodedInputStream in, Map<Integer, MethodDescriptor> asked, List<String> step) throws IOException {
    ResponseHeader header = ResponseHeader.parseFrom(in.readByteArray());
    MethodDescriptor method = asked.get(header.getCallId());
    if (header.hasException()) {
      ExceptionResponse e = header.getException();
      step.add("< " + method.getName() + " refused, do_not_retry " + e.getDoNotRetry() + (e.hasHostname() ? ", names a server" : "")
          + ": " + e.getExceptionClassName() + " | " + Plain.text(e.getStackTrace()));
      return;
    }
    DynamicMessage message = DynamicMessage.parseFrom(method.getOutputType(), in.readByteArray());
    boolean running = method.getName().equals("getProcedureResult") && message.toString().contains("state: RUNNING");
    if (!running && !method.getName().equals("IsMasterRunning")) {
      for (String line : Plain.lines(message)) {
        step.add("< " + method.getName() + " " + line);
      }
    }
  }

  /** How often the client sends these depends only on time. */
  private static boolean polled(MethodDescriptor method) {
    return method.getName().equals("getProcedureResult") || method.getName().equals("IsMasterRunning");
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

}
