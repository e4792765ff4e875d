import java.nio.file.Path;

/** Writes the golden files into a folder. */
public class Golden {
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    BytesLines.bytes().write(folder, "bytes");
    BytesLines.md5().write(folder, "md5");
    OrderedLines.all().write(folder, "ordered");
    TypesLines.all().write(folder, "types");
    StructLines.all().write(folder, "struct");
    SplitLines.regions().write(folder, "region-splitter");
    SplitLines.between().write(folder, "bytes-split");
    SplitLines.hex().write(folder, "hex-splits");
    PhoenixLines.all().write(folder, "phoenix");
    PhoenixLines.salts().write(folder, "phoenix-salt");
    PhoenixKeys.all().write(folder, "phoenix-keys");
  }
}
