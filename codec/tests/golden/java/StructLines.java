import java.math.BigDecimal;
import org.apache.hadoop.hbase.types.*;
import org.apache.hadoop.hbase.util.Order;

/** org.apache.hadoop.hbase.types.Struct. */
class StructLines {
  static final Order ASC = Order.ASCENDING;
  static final Order DESC = Order.DESCENDING;
  private final Out out = new Out("types.Struct");

  private void rows(String name, Struct struct, Object[]... rows) {
    for (Object[] row : rows) {
      out.line(name, "-", Values.ofAll(row), () -> TypesLines.bytes(struct, row));
    }
  }

  private static Object[] row(Object... fields) {
    return fields;
  }

  private static Struct of(DataType<?>... fields) {
    StructBuilder builder = new StructBuilder();
    for (DataType<?> field : fields) {
      builder.add(field);
    }
    return builder.toStruct();
  }

  static Out all() {
    StructLines lines = new StructLines();
    lines.ordered();
    lines.raw();
    return lines.out;
  }

  private void ordered() {
    Object[][] pairs = {
      row("", 0L), row("a", 1L), row("ab", -1L), row("é", Long.MAX_VALUE), row("日本", Long.MIN_VALUE), row("a\u0000b", 1L), row(null, 7L),
      row("a", null), row(null, null), row("a"), row(), row("user10", 1700000000000L), row("user1", 1700000000000L),
      row("a", 1L, 2L)};
    rows("{OrderedString asc,OrderedInt64 desc}", of(Types.string(ASC), Types.int64(DESC)), pairs);
    rows("{OrderedString desc,OrderedInt64 asc}", of(Types.string(DESC), Types.int64(ASC)), pairs);
    rows("{OrderedString asc,OrderedInt64 asc}", of(Types.string(ASC), Types.int64(ASC)), pairs);
    Object[][] texts = {
      row("", ""), row("a", ""), row("", "a"), row("a", "b"), row("ab", "c"), row(null, "b"), row("a", null), row(null, null), row("a")};
    rows("{OrderedString asc,OrderedString desc}", of(Types.string(ASC), Types.string(DESC)), texts);
    rows("{OrderedString desc,OrderedString desc}", of(Types.string(DESC), Types.string(DESC)), texts);
    Object[][] triples = {
      row((byte) 1, "a", new BigDecimal("1.5")), row((byte) -1, null, new BigDecimal("-1e30")), row((byte) 0, "", null),
      row((byte) 127, null, null), row((byte) -128, "z", new BigDecimal("0")), row((byte) 5, "x", new BigDecimal("1e-30"))};
    rows("{OrderedInt8 asc,OrderedString asc,OrderedNumeric asc}",
        of(Types.int8(ASC), Types.string(ASC), Types.numeric(ASC)), triples);
    rows("{OrderedInt8 desc,OrderedString asc,OrderedNumeric desc}",
        of(Types.int8(DESC), Types.string(ASC), Types.numeric(DESC)), triples);
    Object[][] blobs = {
      row(new byte[] {}, 1, new byte[] {}), row(new byte[] {0}, -1, new byte[] {0, -1}), row(new byte[] {-1, 0}, 0, new byte[] {1}),
      row(null, 0, null), row(new byte[] {1, 2, 3}, Integer.MAX_VALUE, null), row(null, Integer.MIN_VALUE, new byte[] {-1})};
    rows("{OrderedBlobVar asc,OrderedInt32 desc,OrderedBlob asc}",
        of(Types.blobVar(ASC), Types.int32(DESC), Types.blob(ASC)), blobs);
    rows("{OrderedBlobVar desc,OrderedInt32 asc,OrderedBlob desc}",
        of(Types.blobVar(DESC), Types.int32(ASC), Types.blob(DESC)), blobs);
    Object[][] numbers = {row((short) 1, 1.5f, 1.5d), row((short) -1, -0f, Double.NaN), row((short) 0, Float.NaN, -1e300)};
    rows("{OrderedInt16 asc,OrderedFloat32 asc,OrderedFloat64 desc}",
        of(Types.int16(ASC), Types.float32(ASC), Types.float64(DESC)), numbers);
  }

  private void raw() {
    Object[][] pairs = {row("a", 1L), row("ab", -1L), row("", 0L), row("a/b", 1L), row("user10", 5L), row(null, 5L), row("a", null), row("a")};
    rows("{RawStringTerminated(\"/\") asc,RawLong -}", of(new RawStringTerminated(ASC, "/"), new RawLong()), pairs);
    rows("{RawStringTerminated(0x00) desc,OrderedInt64 desc}",
        of(new RawStringTerminated(DESC, new byte[] {0}), Types.int64(DESC)), pairs);
    rows("{RawStringFixedLength(6) asc,RawLong -}", of(new RawStringFixedLength(ASC, 6), new RawLong()), pairs);
    rows("{RawStringFixedLength(6) desc,RawLong -}", of(new RawStringFixedLength(DESC, 6), new RawLong()), pairs);
    rows("{TerminatedWrapper(OrderedString,\"/\") asc,OrderedInt64 asc}",
        of(new TerminatedWrapper<>(Types.string(ASC), "/"), Types.int64(ASC)), pairs);
    rows("{RawString asc,RawLong -}", of(RawString.ASCENDING, new RawLong()), pairs);
    Object[][] longs = {row(1L, "a"), row(-1L, ""), row(Long.MAX_VALUE, "é"), row(0L, null), row(0L)};
    rows("{RawLong -,RawString asc}", of(new RawLong(), RawString.ASCENDING), longs);
    rows("{OrderedInt64 desc,RawString desc}", of(Types.int64(DESC), RawString.DESCENDING), longs);
    Object[][] numbers = {
      row((byte) 1, (short) 2, 3, 4f, 5d, new byte[] {6}), row((byte) -1, (short) -2, -3, -4f, -5d, new byte[] {})};
    rows("{RawByte -,RawShort -,RawInteger -,RawFloat -,RawDouble -,RawBytes asc}",
        of(new RawByte(), new RawShort(), new RawInteger(), new RawFloat(), new RawDouble(), RawBytes.ASCENDING), numbers);
  }
}
