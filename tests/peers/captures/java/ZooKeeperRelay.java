import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A relay between the client and ZooKeeper, for which the client opens its own socket; it keeps each frame. */
final class ZooKeeperRelay implements Closeable {
  private final ServerSocket listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
  private final List<List<String>> connections = new ArrayList<>();
  private final List<Thread> copies = new ArrayList<>();

  ZooKeeperRelay(InetSocketAddress server) throws IOException {
    start(() -> {
      while (true) {
        Socket client = listener.accept();
        Socket upstream = new Socket(server.getAddress(), server.getPort());
        List<String> lines = new ArrayList<>();
        synchronized (this) {
          connections.add(lines);
        }
        copy('>', client, upstream, lines);
        copy('<', upstream, client, lines);
      }
    });
  }

  int port() {
    return listener.getLocalPort();
  }

  /** Waits for the end of every connection, then writes {@code NAME-NN-ZooKeeper.txt} for each. */
  void write(Path folder, String name, String origin) throws Exception {
    listener.close();
    for (Thread copy : List.copyOf(copies)) {
      copy.join(30_000);
    }
    Files.createDirectories(folder);
    int n = 0;
    for (List<String> lines : connections) {
      n++;
      lines.add(0, "# " + origin + "; connection " + n + " of '" + name + "': ZooKeeper");
      Files.write(folder.resolve(String.format("%s-%02d-ZooKeeper.txt", name, n)), lines);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private void copy(char direction, Socket from, Socket to, List<String> lines) {
    start(() -> {
      try (from; to) {
        DataInputStream in = new DataInputStream(from.getInputStream());
        OutputStream out = to.getOutputStream();
        boolean first = true;
        while (true) {
          byte[] body = new byte[in.readInt()];
          in.readFully(body);
          byte[] frame = ByteBuffer.allocate(4 + body.length).putInt(body.length).put(body).array();
          synchronized (lines) {
            lines.add("# " + describe(direction, first, ByteBuffer.wrap(body)));
            lines.add(direction + " " + HexFormat.of().formatHex(frame));
          }
          first = false;
          out.write(frame);
        }
      }
    });
  }

  private static String describe(char direction, boolean first, ByteBuffer body) {
    if (first) {
      return direction == '>' ? "connect request" : "connect response";
    }
    return direction == '>' ? "request xid=" + body.getInt() + " type=" + body.getInt()
        : "response xid=" + body.getInt() + " zxid=" + body.getLong() + " error=" + body.getInt();
  }

  private interface Work {
    void run() throws IOException;
  }

  private synchronized void start(Work work) {
    Thread thread = new Thread(() -> {
      try {
        work.run();
      } catch (EOFException | SocketException end) {
        // The peer or the listener has closed: this direction is complete.
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }, "zookeeper-relay");
    thread.setDaemon(true);
    copies.add(thread);
    thread.start();
  }
}
