import org.apache.hbase.thirdparty.io.netty.buffer.ByteBuf;
import org.apache.hbase.thirdparty.io.netty.buffer.ByteBufUtil;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelDuplexHandler;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelHandlerContext;
import org.apache.hbase.thirdparty.io.netty.channel.ChannelPromise;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;

/** The client's socket; its first handler sees every byte as it goes to and comes from the network. */
public final class RecordingChannel extends NioSocketChannel {
  /** Netty makes channels by this constructor. */
  public RecordingChannel() {
    pipeline().addFirst(new Tap());
  }

  private static final class Tap extends ChannelDuplexHandler {
    private final Recording recording = Recording.open();

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      recording.sent(bytes(message));
      context.write(message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      recording.received(bytes(message));
      context.fireChannelRead(message);
    }

    private static byte[] bytes(Object message) {
      return ByteBufUtil.getBytes((ByteBuf) message);
    }
  }
}
