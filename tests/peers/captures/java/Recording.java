import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.codec.Codec;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ConnectionHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;

/**
 * One connection as lines of text: a line for each frame, after a line with its contents as decoded by HBase's classes.
 *
 * <p>The state of all connections is guarded by the class, so that the name of a step and its frames stay in order.
 */
final class Recording {
  private static final int PREAMBLE = 6;
  private static final List<Recording> ALL = new ArrayList<>();
  private static String step = "start";

  private final List<String> lines = new ArrayList<>();
  private final Map<Integer, String> outstanding = new TreeMap<>();
  private final Map<Integer, String> asked = new HashMap<>();
  private byte[] toServer = new byte[0];
  private byte[] toClient = new byte[0];
  private String preamble;
  private ConnectionHeader header;
  private String lastStep;

  static synchronized Recording open() {
    Recording recording = new Recording();
    ALL.add(recording);
    return recording;
  }

  static synchronized void step(String name) {
    step = name;
  }

  /** Forgets all connections, so that the next client writes new files. */
  static synchronized void reset() {
    ALL.clear();
  }

  /** Waits until every call has its response and one connection satisfies {@code seen}. */
  static void settle(Predicate<Recording> seen) throws InterruptedException {
    long end = System.nanoTime() + 600_000_000_000L;
    while (true) {
      synchronized (Recording.class) {
        if (ALL.stream().allMatch(r -> r.outstanding.isEmpty()) && (ALL.isEmpty() || ALL.stream().anyMatch(seen))) {
          return;
        }
        if (System.nanoTime() > end) {
          throw new IllegalStateException("step '" + step + "': no answer to " + ALL.stream().map(r -> r.outstanding).toList());
        }
      }
      Thread.sleep(2);
    }
  }

  /** Returns whether a call of this method has been sent. */
  boolean asked(String method) {
    return asked.containsValue(method);
  }

  /** Writes {@code NAME-NN-Service.txt} for each connection, in the order they were opened. */
  static synchronized void write(Path folder, String name, String origin) throws IOException {
    Files.createDirectories(folder);
    int n = 0;
    for (Recording recording : ALL) {
      if (recording.preamble == null) {
        continue;
      }
      n++;
      String service = recording.header == null ? recording.preamble : recording.header.getServiceName();
      List<String> out = new ArrayList<>(List.of("# " + origin + "; connection " + n + " of '" + name + "': " + service));
      out.addAll(recording.lines);
      Files.write(folder.resolve(String.format("%s-%02d-%s.txt", name, n, service)), out);
    }
  }

  void sent(byte[] bytes) {
    synchronized (Recording.class) {
      toServer = join(toServer, bytes);
      if (preamble == null && toServer.length >= PREAMBLE) {
        preamble = new String(toServer, 0, 4, StandardCharsets.US_ASCII).equals("HBas") ? "HBas"
            : new String(toServer, 0, PREAMBLE, StandardCharsets.US_ASCII);
        note("preamble " + preamble);
        toServer = emit('>', toServer, PREAMBLE);
      }
      while (preamble != null && complete(toServer)) {
        ByteBuffer frame = frame(toServer);
        if (header == null) {
          header = parse(() -> ConnectionHeader.parseFrom(frame));
          note("connection header, service " + header.getServiceName());
        } else {
          request(frame);
        }
        toServer = emit('>', toServer, 4 + length(toServer));
      }
    }
  }

  void received(byte[] bytes) {
    synchronized (Recording.class) {
      toClient = join(toClient, bytes);
      while (complete(toClient)) {
        response(frame(toClient));
        toClient = emit('<', toClient, 4 + length(toClient));
      }
    }
  }

  private void request(ByteBuffer frame) {
    RequestHeader call = parse(() -> RequestHeader.parseFrom(delimited(frame)));
    int param = delimited(frame).remaining();
    outstanding.put(call.getCallId(), call.getMethodName());
    asked.put(call.getCallId(), call.getMethodName());
    note("request call=" + call.getCallId() + " method=" + call.getMethodName() + " priority=" + call.getPriority()
        + " timeout=" + call.getTimeout() + " param=" + param + " block=" + frame.remaining());
    cells(call.hasCellBlockMeta(), frame);
  }

  private void response(ByteBuffer frame) {
    ResponseHeader answer = parse(() -> ResponseHeader.parseFrom(delimited(frame)));
    outstanding.remove(answer.getCallId());
    if (answer.hasException()) {
      ExceptionResponse e = answer.getException();
      note("response call=" + Integer.toUnsignedString(answer.getCallId()) + " exception=" + e.getExceptionClassName()
          + " do_not_retry=" + e.getDoNotRetry() + (e.hasHostname() ? " moved_to=" + e.getHostname() + ":" + e.getPort() : ""));
      return;
    }
    int param = delimited(frame).remaining();
    note("response call=" + Integer.toUnsignedString(answer.getCallId()) + " param=" + param + " block=" + frame.remaining());
    cells(answer.hasCellBlockMeta(), frame);
  }

  /** The cells of a plain block, as HBase's codec reads them; a compressed block is not decoded. */
  private void cells(boolean present, ByteBuffer block) {
    if (!present || !header.getCellBlockCodecClass().equals(KeyValueCodec.class.getName())
        || header.hasCellBlockCompressorClass()) {
      return;
    }
    byte[] bytes = new byte[block.remaining()];
    block.get(bytes);
    HexFormat hex = HexFormat.of();
    try {
      Codec.Decoder decoder = new KeyValueCodec().getDecoder(new ByteArrayInputStream(bytes));
      while (decoder.advance()) {
        Cell c = decoder.current();
        note("cell row=" + hex.formatHex(CellUtil.cloneRow(c)) + " family=" + hex.formatHex(CellUtil.cloneFamily(c))
            + " qualifier=" + hex.formatHex(CellUtil.cloneQualifier(c)) + " timestamp=" + c.getTimestamp() + " type="
            + Byte.toUnsignedInt(c.getTypeByte()) + " value=" + hex.formatHex(CellUtil.cloneValue(c)));
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void note(String text) {
    if (!step.equals(lastStep)) {
      lines.add("# step " + step);
      lastStep = step;
    }
    lines.add("# " + text);
  }

  private byte[] emit(char direction, byte[] bytes, int length) {
    lines.add(direction + " " + HexFormat.of().formatHex(bytes, 0, length));
    return java.util.Arrays.copyOfRange(bytes, length, bytes.length);
  }

  private static byte[] join(byte[] a, byte[] b) {
    return ByteBuffer.allocate(a.length + b.length).put(a).put(b).array();
  }

  private static int length(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt();
  }

  private static boolean complete(byte[] bytes) {
    return bytes.length >= 4 && bytes.length - 4 >= length(bytes);
  }

  private static ByteBuffer frame(byte[] bytes) {
    return ByteBuffer.wrap(bytes, 4, length(bytes));
  }

  /** Removes a length-prefixed message from the frame. */
  private static ByteBuffer delimited(ByteBuffer frame) {
    return parse(() -> {
      CodedInputStream in = CodedInputStream.newInstance(frame.slice());
      int length = in.readRawVarint32();
      int start = frame.position() + in.getTotalBytesRead();
      ByteBuffer message = frame.slice(start, length);
      frame.position(start + length);
      return message;
    });
  }

  private interface Read<T> {
    T run() throws IOException;
  }

  private static <T> T parse(Read<T> read) {
    try {
      return read.run();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
