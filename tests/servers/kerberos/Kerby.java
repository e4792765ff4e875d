import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.apache.kerby.KOptions;
import org.apache.kerby.kerberos.kerb.KrbException;
import org.apache.kerby.kerberos.kerb.client.KrbClient;
import org.apache.kerby.kerberos.kerb.client.KrbOption;
import org.apache.kerby.kerberos.kerb.crypto.EncryptionHandler;
import org.apache.kerby.kerberos.kerb.keytab.Keytab;
import org.apache.kerby.kerberos.kerb.keytab.KeytabEntry;
import org.apache.kerby.kerberos.kerb.server.KdcConfigKey;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;
import org.apache.kerby.kerberos.kerb.type.KerberosTime;
import org.apache.kerby.kerberos.kerb.type.base.EncryptionType;
import org.apache.kerby.kerberos.kerb.type.base.PrincipalName;
import org.apache.kerby.kerberos.kerb.type.ticket.TgtTicket;

/** A KDC of Apache Kerby: {@code serve FOLDER PORT}, or a client of it: {@code cache FOLDER PRINCIPAL FILE [SECONDS]}. */
public final class Kerby {
  private static final String REALM = "TALLROW.TEST";
  private static final String TYPES = "aes256-cts-hmac-sha1-96 aes128-cts-hmac-sha1-96";

  private final SimpleKdcServer kdc = new SimpleKdcServer();
  private final File folder;
  private final String seed;

  private Kerby(File folder) throws Exception {
    this.folder = folder;
    // Kerby forgets its keys when it ends. They are made of passwords, which are the same ones when it starts again, and others
    // in another folder.
    Path file = new File(folder, "seed").toPath();
    if (!Files.exists(file)) {
      Files.writeString(file, UUID.randomUUID().toString());
    }
    seed = Files.readString(file);
  }

  public static void main(String[] args) throws Exception {
    File folder = new File(args[1]);
    try {
      if (args[0].equals("serve")) {
        new Kerby(folder).serve(Integer.parseInt(args[2]));
      } else {
        cache(folder, args[2], new File(args[3]), args.length > 4 ? args[4] : null);
      }
    } catch (KrbException e) {
      System.err.println("kdc: " + e.getMessage());
      System.exit(1);
    }
  }

  private void serve(int port) throws Exception {
    File work = new File(folder, "kerby");
    Files.createDirectories(work.toPath());
    kdc.setWorkDir(work);
    kdc.setKdcRealm(REALM);
    kdc.setKdcHost("127.0.0.1");
    kdc.setKdcTcpPort(port);
    kdc.setKdcUdpPort(port);
    kdc.setAllowTcp(true);
    kdc.setAllowUdp(true);
    kdc.getKdcConfig().setString(KdcConfigKey.ENCRYPTION_TYPES, TYPES);
    // Tests have tickets that end soon.
    kdc.getKdcConfig().setLong(KdcConfigKey.MINIMUM_TICKET_LIFETIME, 1L);
    kdc.init();
    // So the tickets of before stay valid too.
    String ticketGranting = "krbtgt/" + REALM + "@" + REALM;
    kdc.getKadmin().deletePrincipal(ticketGranting);
    kdc.getKadmin().addPrincipal(ticketGranting, seed + ticketGranting);
    keys("hbase.keytab", List.of("hbase/localhost"));
    keys("user.keytab", List.of("tester", "alice", "bob"));
    kdc.createPrincipal("carol", "secret");
    wrong();
    kdc.start();
    // Whoever waits for it finds all of the above.
    Files.createFile(new File(folder, "ready").toPath());
    new CountDownLatch(1).await();
  }

  private void keys(String name, List<String> principals) throws Exception {
    File keytab = new File(folder, name);
    File made = new File(folder, name + ".new");
    Files.deleteIfExists(made.toPath());
    for (String principal : principals) {
      kdc.createPrincipal(principal, seed + principal);
      kdc.exportPrincipal(principal, made);
    }
    replace(made, keytab);
  }

  /** A keytab with another key than the KDC's. */
  private void wrong() throws Exception {
    Keytab keytab = new Keytab();
    PrincipalName tester = new PrincipalName("tester@" + REALM);
    for (EncryptionType type : List.of(EncryptionType.AES256_CTS_HMAC_SHA1_96, EncryptionType.AES128_CTS_HMAC_SHA1_96)) {
      var key = EncryptionHandler.string2Key("tester@" + REALM, "another", type);
      keytab.addEntry(new KeytabEntry(tester, KerberosTime.now(), 1, key));
    }
    keytab.store(new File(folder, "wrong.keytab"));
  }

  private static void cache(File folder, String principal, File file, String seconds) throws Exception {
    KrbClient client = new KrbClient(new File(folder, "kerby"));
    client.init();
    KOptions options = new KOptions();
    options.add(KrbOption.CLIENT_PRINCIPAL, principal + "@" + REALM);
    options.add(KrbOption.USE_KEYTAB, true);
    options.add(KrbOption.KEYTAB_FILE, new File(folder, "user.keytab"));
    if (seconds != null) {
      options.add(KrbOption.LIFE_TIME, Integer.parseInt(seconds));
    }
    File made = new File(file + ".new");
    Files.deleteIfExists(made.toPath());
    client.storeTicket(ticket(client, options), made);
    replace(made, file);
  }

  private static TgtTicket ticket(KrbClient client, KOptions options) throws KrbException {
    for (int left = 5; ; left--) {
      try {
        return client.requestTgt(options);
      } catch (KrbException e) {
        // The KDC waits 3 s for what a client has to say, and on a busy machine a new JVM may need longer to find the words.
        if (left == 0 || !(e.getCause() instanceof IOException)) {
          throw e;
        }
      }
    }
  }

  /** Whoever reads the file at this time finds all of the old one or all of the new one. */
  private static void replace(File by, File file) throws IOException {
    Files.move(by.toPath(), file.toPath(), StandardCopyOption.ATOMIC_MOVE);
  }
}
