import java.io.DataInputStream;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;

/** The exceptions of HBase's jars that are IOExceptions, and which of them say that they are final. */
public final class Exceptions {
    private static final String FINAL = "org/apache/hadoop/hbase/DoNotRetryIOException";

    /** Arguments: VERSION=JAR:JAR.. of each version, the newest first. */
    public static void main(String[] versions) throws IOException {
        Map<String, String> kinds = new TreeMap<>();
        Map<String, TreeSet<String>> in = new TreeMap<>();
        for (String version : versions) {
            String[] parts = version.split("=", 2);
            Map<String, String> parents = new TreeMap<>();
            for (String jar : parts[1].split(":")) {
                read(jar, parents);
            }
            for (String name : parents.keySet()) {
                String kind = kind(name, parents);
                if (kind != null && name.startsWith("org/apache/hadoop/hbase/")) {
                    kinds.putIfAbsent(name, kind);
                    in.computeIfAbsent(name, n -> new TreeSet<>()).add(parts[0]);
                }
            }
        }
        kinds.forEach((name, kind) -> {
            boolean all = in.get(name).size() == versions.length;
            String only = all ? "" : " // " + String.join(", ", in.get(name));
            System.out.println(kind + " " + name.replace('/', '.') + only);
        });
    }

    private static String kind(String name, Map<String, String> parents) {
        for (String at = name; at != null; at = parents.get(at)) {
            if (at.equals(FINAL)) {
                return "final";
            }
            if (at.equals("java/io/IOException")) {
                return "plain";
            }
        }
        return null;
    }

    private static void read(String jar, Map<String, String> parents) throws IOException {
        try (JarFile file = new JarFile(jar)) {
            for (var entry : (Iterable<java.util.jar.JarEntry>) file.stream()::iterator) {
                boolean is_class = entry.getName().endsWith(".class") && !entry.getName().startsWith("META-INF");
                if (is_class && !entry.getName().endsWith("-info.class")) {
                    try (DataInputStream in = new DataInputStream(file.getInputStream(entry))) {
                        parent(in, parents);
                    }
                }
            }
        }
    }

    /** The name of a class and of its parent, from the head of its file: JVM specification, 4.1. */
    private static void parent(DataInputStream in, Map<String, String> parents) throws IOException {
        in.skipNBytes(8);
        int count = in.readUnsignedShort();
        String[] texts = new String[count];
        int[] names = new int[count];
        for (int i = 1; i < count; i++) {
            int tag = in.readUnsignedByte();
            switch (tag) {
                case 1 -> texts[i] = in.readUTF();
                case 7 -> names[i] = in.readUnsignedShort();
                case 8, 16, 19, 20 -> in.skipNBytes(2);
                case 15 -> in.skipNBytes(3);
                case 5, 6 -> {
                    in.skipNBytes(8);
                    i++;
                }
                default -> in.skipNBytes(4);
            }
        }
        in.skipNBytes(2);
        int self = in.readUnsignedShort();
        int parent = in.readUnsignedShort();
        if (parent != 0) {
            parents.put(texts[names[self]], texts[names[parent]]);
        }
    }
}
