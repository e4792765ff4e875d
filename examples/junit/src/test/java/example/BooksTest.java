package example;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a program does with HBase, on a cluster that is there for this class only. */
class BooksTest {
  private static final TableName BOOKS = TableName.valueOf("books");
  private static final byte[] FAMILY = Bytes.toBytes("b");
  private static final byte[] TITLE = Bytes.toBytes("title");
  private static final byte[] LOANS = Bytes.toBytes("loans");

  @RegisterExtension
  static final TallrowMock mock = new TallrowMock("--seed", "7");

  private Connection connection;

  @BeforeEach
  void createTable() throws IOException {
    connection = ConnectionFactory.createConnection(mock.configuration());
    try (Admin admin = connection.getAdmin()) {
      byte[][] splits = {Bytes.toBytes("m")};
      admin.createTable(
          TableDescriptorBuilder.newBuilder(BOOKS)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          splits);
    }
  }

  @AfterEach
  void dropTable() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(BOOKS);
      admin.deleteTable(BOOKS);
    }
    connection.close();
  }

  private static Put book(String row, String title) {
    return new Put(Bytes.toBytes(row)).addColumn(FAMILY, TITLE, Bytes.toBytes(title));
  }

  @Test
  void rowsAreReadBackInTheirOrder() throws IOException {
    try (Table books = connection.getTable(BOOKS)) {
      books.put(List.of(book("stevenson", "Kidnapped"), book("austen", "Emma")));
      Result emma = books.get(new Get(Bytes.toBytes("austen")));
      assertArrayEquals(Bytes.toBytes("Emma"), emma.getValue(FAMILY, TITLE));
      List<String> titles = new ArrayList<>();
      try (ResultScanner scanner = books.getScanner(new Scan())) {
        scanner.forEach(row -> titles.add(Bytes.toString(row.getValue(FAMILY, TITLE))));
      }
      assertEquals(List.of("Emma", "Kidnapped"), titles);
    }
  }

  @Test
  void aMovedRegionIsFoundAgain() throws Exception {
    try (Table books = connection.getTable(BOOKS)) {
      books.put(book("austen", "Emma"));
      mock.inject("{\"on\": \"Mutate\", \"table\": \"books\", \"nth\": 1, \"effect\": \"not_serving\"}");
      books.put(book("austen", "Persuasion"));
      Result row = books.get(new Get(Bytes.toBytes("austen")));
      assertArrayEquals(Bytes.toBytes("Persuasion"), row.getValue(FAMILY, TITLE));
    }
  }

  /** Adds 1 to a new counter while the first reply is lost; returns the value of the counter. */
  private static long loansAfterALostReply(Connection connection, String book) throws Exception {
    byte[] row = Bytes.toBytes(book);
    try (Table books = connection.getTable(BOOKS)) {
      // The connection closes after the increment was made and before it is answered.
      mock.inject("{\"on\": \"Mutate\", \"table\": \"books\", \"nth\": 1, \"effect\": \"close_after\"}");
      books.incrementColumnValue(row, FAMILY, LOANS, 1);
      return Bytes.toLong(books.get(new Get(row)).getValue(FAMILY, LOANS));
    }
  }

  /** In this order: in the client, the switch of nonces is off for all connections that follow. */
  @Test
  void anIncrementWhoseReplyIsLostCountsOnceUnlessNoncesAreOff() throws Exception {
    assertEquals(1, loansAfterALostReply(connection, "austen"));
    Configuration configuration = mock.configuration();
    configuration.setBoolean("hbase.client.nonces.enabled", false);
    try (Connection careless = ConnectionFactory.createConnection(configuration)) {
      assertEquals(2, loansAfterALostReply(careless, "stevenson"));
    }
  }

  @Test
  void bigtableIsServedToo() {
    assertTrue(mock.bigtableEmulatorHost().matches("127\\.0\\.0\\.1:[0-9]+"));
  }
}
