package org.hbase.async;

import com.stumbleupon.async.Deferred;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** In place of the client: keeps the cells that OpenTSDB writes, and gives the name m7, k7 or v7 the id 7. */
public final class HBaseClient {
  /** The id of a name in as many bytes. */
  private final int idWidth;

  /** What was written: row, qualifier, value. */
  public final List<byte[][]> written = new ArrayList<>();

  public HBaseClient(int idWidth) {
    this.idWidth = idWidth;
  }

  public Deferred<Object> put(PutRequest put) {
    written.add(new byte[][] {put.key(), put.qualifier(), put.value()});
    return Deferred.fromResult(null);
  }

  public Deferred<Object> append(AppendRequest append) {
    written.add(new byte[][] {append.key(), append.qualifier(), append.value()});
    return Deferred.fromResult(null);
  }

  public Deferred<ArrayList<KeyValue>> get(GetRequest get) {
    String name = new String(get.key(), StandardCharsets.ISO_8859_1);
    long number = Long.parseLong(name.substring(1));
    byte[] id = new byte[idWidth];
    for (int i = 0; i < idWidth; i++) {
      id[idWidth - 1 - i] = (byte) (number >>> 8 * i);
    }
    byte[] family = "id".getBytes(StandardCharsets.ISO_8859_1);
    ArrayList<KeyValue> row = new ArrayList<>();
    row.add(new KeyValue(get.key(), family, family, id));
    return Deferred.fromResult(row);
  }
}
