import org.apache.hadoop.hbase.types.*;
import org.apache.hadoop.hbase.util.Order;

/** The one instance of each type and order. */
class Types {
  static OrderedInt8 int8(Order order) {
    return (OrderedInt8) (order == Order.ASCENDING ? OrderedInt8.ASCENDING : OrderedInt8.DESCENDING);
  }

  static OrderedInt16 int16(Order order) {
    return (OrderedInt16) (order == Order.ASCENDING ? OrderedInt16.ASCENDING : OrderedInt16.DESCENDING);
  }

  static OrderedInt32 int32(Order order) {
    return (OrderedInt32) (order == Order.ASCENDING ? OrderedInt32.ASCENDING : OrderedInt32.DESCENDING);
  }

  static OrderedInt64 int64(Order order) {
    return (OrderedInt64) (order == Order.ASCENDING ? OrderedInt64.ASCENDING : OrderedInt64.DESCENDING);
  }

  static OrderedFloat32 float32(Order order) {
    return (OrderedFloat32) (order == Order.ASCENDING ? OrderedFloat32.ASCENDING : OrderedFloat32.DESCENDING);
  }

  static OrderedFloat64 float64(Order order) {
    return (OrderedFloat64) (order == Order.ASCENDING ? OrderedFloat64.ASCENDING : OrderedFloat64.DESCENDING);
  }

  static OrderedNumeric numeric(Order order) {
    return (OrderedNumeric) (order == Order.ASCENDING ? OrderedNumeric.ASCENDING : OrderedNumeric.DESCENDING);
  }

  static OrderedString string(Order order) {
    return (OrderedString) (order == Order.ASCENDING ? OrderedString.ASCENDING : OrderedString.DESCENDING);
  }

  static OrderedBlob blob(Order order) {
    return (OrderedBlob) (order == Order.ASCENDING ? OrderedBlob.ASCENDING : OrderedBlob.DESCENDING);
  }

  static OrderedBlobVar blobVar(Order order) {
    return (OrderedBlobVar) (order == Order.ASCENDING ? OrderedBlobVar.ASCENDING : OrderedBlobVar.DESCENDING);
  }

  static RawString rawString(Order order) {
    return (RawString) (order == Order.ASCENDING ? RawString.ASCENDING : RawString.DESCENDING);
  }

  static RawBytes rawBytes(Order order) {
    return (RawBytes) (order == Order.ASCENDING ? RawBytes.ASCENDING : RawBytes.DESCENDING);
  }
}
