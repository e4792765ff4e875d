//! `tallrow doctor`: for each cause of a failed connection, the step that finds it and the advice.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use serde_json::Value;

use crate::cluster::Cluster;
use crate::program::{begins, command, folder, has, tallrow};

/// A server on a free port that reads a little of each connection and sends what `answer` returns
/// for it. Returns its address.
fn server(answer: impl Fn(&[u8]) -> Vec<u8> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut bytes = [0; 64];
            let len = stream.read(&mut bytes).unwrap_or(0);
            // The program may have closed the connection.
            let _ = stream.write_all(&answer(&bytes[..len]));
        }
    });
    address
}

/// The step that failed, and what to do about it.
fn failed(url: &str) -> (String, String, String) {
    let run = tallrow(&["doctor", "--json", "--url", url]);
    assert_eq!(run.code, Some(3), "{}", run.errors);
    let report: Value = serde_json::from_str(&run.output).unwrap();
    let steps = report["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["ok"] == false).unwrap();
    let text = |name: &str| step[name].as_str().unwrap().to_owned();
    (text("step"), text("found"), text("next"))
}

#[test]
fn a_cluster_that_answers_is_fine() {
    let cluster = Cluster::mock();
    cluster.run(&["table", "create", "t", "--family", "d"]).done();
    let report = cluster.run(&["doctor", "--table", "t"]).done();
    has(&report, "\n\nSettings:\nprogram\n  operation_timeout = 20 s: used\n");
    for step in
        ["address", "name", "port", "protocol", "registry", "version", "table", "regions", "read"]
    {
        assert!(
            report.lines().any(|line| line.starts_with(&format!("ok      {step:8}  "))),
            "{step}:\n{report}"
        );
    }
    has(&report, "  HBase's RPC\n");
    let missing = cluster.run(&["doctor", "--table", "nowhere"]);
    assert_eq!(missing.errors, "tallrow: 1 of 11 steps failed\n", "{}", missing.output);
    has(&missing.output, "next: `tallrow table list` shows the tables");
}

#[test]
fn a_cluster_that_is_found_through_zookeeper_is_fine() {
    let cluster = Cluster::mock();
    let report = tallrow(&["doctor", "--url", &cluster.zookeeper]).done();
    has(&report, "Zookeeper version: ");
}

#[test]
fn a_cluster_is_fine_on_real() {
    let Some(cluster) = Cluster::real() else { return };
    let report = cluster.run(&["doctor", "--table", "hbase:meta"]).done();
    has(&report, "Zookeeper version: ");
    has(&report, "a row can be read");
    let url = cluster.url.replace("hbase+zk", "hbase+rpc").replace("/hbase", "");
    let (step, _, next) = failed(&url);
    assert_eq!(
        (step.as_str(), next.starts_with("this is ZooKeeper: use hbase+zk://")),
        ("protocol", true)
    );
}

/// By its files alone; the tickets are those of the environment.
#[test]
fn a_secured_cluster_is_fine_on_real() {
    let Some(_) = tallrow_tests::kerberos_folder() else { return };
    let Some(conf) = tallrow_tests::real("TALLROW_REAL_CONF") else { return };
    let report = tallrow(&["doctor", "--table", "hbase:meta", "--config", &conf]).done();
    has(&report, "login     tester@TALLROW.TEST  a ticket, which ends in ");
    has(&report, "realm     TALLROW.TEST  its KDC: 127.0.0.1:");
    has(&report, "user      tester  proved by KERBEROS");
    let (_, asked) = report.split_once("hbase.rpc.protection = ").unwrap();
    // Of several layers, the first is the one that both sides prefer.
    let (layer, found) = match asked {
        _ if asked.starts_with("privacy") => ("privacy", "messages are signed and encrypted"),
        _ if asked.starts_with("integrity") => {
            ("integrity", "messages are signed, anybody on the way can read them")
        }
        _ => ("authentication", "anybody on the way can read and change messages"),
    };
    has(&report, &format!("{layer}: {found}"));
    has(&report, "a row can be read");
    has(&report, "hbase.security.authentication = kerberos: used");

    let mut without = command();
    without.env("KRB5CCNAME", "/nowhere/krb5cc");
    let without = without.args(["doctor", "--config", &conf]).output().unwrap();
    assert_eq!(without.status.code(), Some(3));
    let report = String::from_utf8(without.stdout).unwrap();
    has(&report, "there is no ticket cache /nowhere/krb5cc; kinit makes one");
    has(&report, "next: log in: kinit gets a ticket");
}

/// For each part of a login that can be wrong, the step that finds it and the advice.
#[test]
fn a_secured_cluster_explains_a_login_that_fails_on_real() {
    let Some(kerberos) = tallrow_tests::kerberos_folder() else { return };
    let Some(conf) = tallrow_tests::real("TALLROW_REAL_CONF") else { return };
    let Some(servers) = tallrow_tests::real("TALLROW_REAL_RPC") else { return };
    let server = servers.split(',').next().unwrap();
    let failed = |settings: &str, variables: &[(&str, &str)]| {
        let mut doctor = command();
        doctor.envs(variables.iter().copied());
        let url = format!("{server}{settings}");
        let run = doctor.args(["doctor", "--json", "--config", &conf, "--url", &url]);
        let report: Value = serde_json::from_slice(&run.output().unwrap().stdout).unwrap();
        let steps = report["steps"].as_array().unwrap().clone();
        let text = |step: &Value, name: &str| step[name].as_str().unwrap().to_owned();
        let fine = |step: &&Value| step["ok"] == true;
        let done: Vec<_> = steps.iter().filter(fine).map(|step| text(step, "step")).collect();
        let wrong = steps.iter().find(|step| step["ok"] == false);
        (done, wrong.map(|step| ["step", "found", "next"].map(|name| text(step, name))))
    };
    let (done, wrong) = failed("", &[]);
    assert_eq!(wrong, None);
    for step in ["login", "realm", "service", "registry", "user", "layer"] {
        assert!(done.contains(&step.to_owned()), "{step}: {done:?}");
    }

    let closed = std::fs::read_to_string(kerberos.join("krb5.conf")).unwrap();
    let (_closed, free) = tallrow_tests::closed_port();
    let free = free.to_string();
    let kdc = |line: &str| match line.trim_start().starts_with("kdc =") {
        true => format!("kdc = {free}"),
        false => line.to_owned(),
    };
    let closed: Vec<String> = closed.lines().map(kdc).collect();
    let file = folder().join("krb5.conf");
    std::fs::write(&file, closed.join("\n")).unwrap();
    let file = file.display().to_string();
    // The servers of an address may be masters or region servers.
    let other = "?hbase.master.kerberos.principal=nobody/_HOST@TALLROW.TEST\
                 &hbase.regionserver.kerberos.principal=nobody/_HOST@TALLROW.TEST";
    let no_kdc = [("KRB5_CONFIG", file.as_str())];
    for (settings, variables, step, found, next) in [
        ("", &[("KRB5CCNAME", "/nowhere/krb5cc")][..], "login", "/nowhere/krb5cc", "log in: kinit"),
        ("", &[("KRB5_CONFIG", "/nowhere/krb5.conf")], "login", "/nowhere", "correct the setting"),
        (other, &[], "service", "nobody/localhost@TALLROW.TEST", "is it the principal of the"),
        ("", &no_kdc, "service", &free, "is the KDC running"),
    ] {
        let (_, wrong) = failed(settings, variables);
        let [of, text, advice] = wrong.unwrap_or_default();
        assert_eq!(of, step, "{text}");
        assert!(text.contains(found) && advice.starts_with(next), "{step}: {text}; {advice}");
    }
}

/// As a task of a job has it: a token in a file, and no tickets.
#[test]
fn a_secured_cluster_knows_the_token_of_a_job_on_real() {
    let Some(_) = tallrow_tests::kerberos_folder() else { return };
    let Some(conf) = tallrow_tests::real("TALLROW_REAL_CONF") else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let token = runtime.block_on(async {
        let client = tallrow::Client::connect(&format!("hbase-site:{conf}")).await.unwrap();
        client.admin().hbase().unwrap().delegation_token().await.unwrap()
    });
    // Hadoop's `Credentials`: one token, each part behind its length.
    let mut credentials = b"HDTS\x00\x01".to_vec();
    let kind = &b"HBASE_AUTH_TOKEN"[..];
    for part in [b"hbase", token.identifier(), token.password(), kind, token.service().as_bytes()] {
        assert!(part.len() < 128, "a length of one byte");
        credentials.push(part.len() as u8);
        credentials.extend_from_slice(part);
    }
    // No secrets of other kinds.
    credentials.push(0);
    let file = folder().join("container_tokens");
    std::fs::write(&file, credentials).unwrap();
    let mut job = command();
    job.env("HADOOP_TOKEN_FILE_LOCATION", &file).env("KRB5CCNAME", "/nowhere/krb5cc");
    let job = job.args(["doctor", "--config", &conf]).output().unwrap();
    let report = String::from_utf8(job.stdout).unwrap();
    has(&report, "user      tester  proved by TOKEN");
    has(&report, &format!("HADOOP_TOKEN_FILE_LOCATION = {}: used", file.display()));
}

#[test]
fn an_address_that_is_none_is_said() {
    let (step, found, _) = failed("foo");
    assert_eq!(step, "address");
    begins(&found, "address \"foo\": it has no scheme; write hbase+zk://");
    let (step, found, _) = failed("hbase+zk://a,,b");
    assert_eq!(step, "address");
    has(&found, "a host is missing (at character 3 of \"a,,b\")");
}

#[test]
fn a_name_that_does_not_resolve_is_said() {
    let (step, _, next) = failed("hbase+rpc://nowhere.invalid");
    assert_eq!(step, "name");
    has(&next, "check the spelling, DNS and /etc/hosts");
}

#[test]
fn a_port_at_which_nothing_listens_is_said() {
    let (_closed, free) = tallrow_tests::closed_port();
    let (step, found, next) = failed(&format!("hbase+zk://{free}"));
    assert_eq!(step, "port");
    assert!(
        found.contains("refused") && next.starts_with("nothing listens there"),
        "{found}; {next}"
    );
}

#[test]
fn what_answers_is_told_apart() {
    let http = server(|_| b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec());
    let tls = server(|bytes| match bytes.first() {
        Some(0x16) => vec![0x15, 3, 3, 0, 2, 2, 40],
        _ => Vec::new(),
    });
    let zookeeper = server(|bytes| match bytes {
        b"srvr" => b"Zookeeper version: 3.8.4\nMode: standalone\n".to_vec(),
        _ => Vec::new(),
    });
    let silent = server(|_| Vec::new());
    let other = server(|_| b"220 mail ready\r\n".to_vec());
    for (address, expected) in [
        (&http, ("HTTP", "this is a web page or a REST server")),
        (&tls, ("TLS", "if this is HBase with TLS, give --config")),
        (&zookeeper, ("Zookeeper version: 3.8.4", "this is ZooKeeper: use hbase+zk://")),
        (&silent, ("it accepts connections and answers nothing", "the server may be starting")),
        (&other, ("an unknown protocol, which starts with 220 mail", "check the port")),
    ] {
        let (step, found, next) = failed(&format!("hbase+rpc://{address}"));
        assert_eq!(step, "protocol");
        assert!(found.starts_with(expected.0) && next.starts_with(expected.1), "{found}; {next}");
    }
    let mock = Cluster::mock();
    let (_, found, next) = failed(&mock.url.replace("hbase+rpc", "hbase+zk"));
    assert_eq!(found, "HBase's RPC");
    begins(&next, "this is a server of HBase: use hbase+rpc://");
}

/// A directory with an hbase-site.xml that says where a mock is.
fn conf(cluster: &Cluster, test: &str, more: &str) -> String {
    let dir = folder().join(test);
    std::fs::create_dir_all(&dir).unwrap();
    let masters = cluster.url.strip_prefix("hbase+rpc://").unwrap();
    let text = format!(
        "<configuration>
        <property><name>hbase.client.registry.impl</name><value>RpcConnectionRegistry</value></property>
        <property><name>hbase.masters</name><value>{masters}</value></property>
        <property><name>hbase.client.operation.timeout</name><value>33s</value></property>
        {more}</configuration>"
    );
    std::fs::write(dir.join("hbase-site.xml"), text).unwrap();
    dir.to_str().unwrap().to_owned()
}

#[test]
fn files_of_hbase_say_where_the_cluster_is_and_how_to_talk_to_it() {
    let cluster = Cluster::mock();
    let conf = conf(&cluster, "doctor-conf", "");
    // Each command takes them; so does the environment.
    tallrow(&["table", "create", "t", "--family", "d", "--config", &conf]).done();
    let file = format!("{conf}/hbase-site.xml");
    assert_eq!(tallrow(&["table", "list", "--config", &file]).done(), "t\n");
    let listed = crate::program::command()
        .args(["table", "list"])
        .env("HBASE_CONF_DIR", &conf)
        .output()
        .unwrap();
    assert_eq!(listed.stdout, b"t\n");

    let report = tallrow(&["doctor", "--config", &conf]).done();
    let settings = report.split_once("\n\nSettings:\n").unwrap().1;
    let masters = cluster.url.strip_prefix("hbase+rpc://").unwrap();
    let expected = format!(
        "{file}
  line 2: hbase.client.registry.impl = RpcConnectionRegistry: used
  line 3: hbase.masters = {masters}: used
  line 4: hbase.client.operation.timeout = 33s: used
program
  attempt_timeout = 10 s: used
"
    );
    assert_eq!(settings, expected);
    let document = tallrow(&["doctor", "--json", "--config", &conf, "--timeout", "5"]).json();
    let status = document["settings"][2]["status"].as_str().unwrap();
    assert_eq!(status, "overridden by operation_timeout of the program");
}

#[test]
fn a_file_that_is_wrong_is_said() {
    let cluster = Cluster::mock();
    let wrong = "<property><name>hbase.rpc.timeout</name><value>60 parsecs</value></property>";
    let conf = conf(&cluster, "doctor-wrong", wrong);
    let errors = tallrow(&["table", "list", "--config", &conf]).failed(2);
    has(&errors, "hbase-site.xml:5: hbase.rpc.timeout is \"60 parsecs\"");
    let errors = tallrow(&["table", "list", "--config", "/nowhere/hbase-site.xml"]).failed(2);
    has(&errors, "/nowhere/hbase-site.xml: No such file");
    let report = tallrow(&["doctor", "--config", &conf]);
    assert_eq!(report.code, Some(3));
    has(&report.output, "wrong: it is not a time");
}
