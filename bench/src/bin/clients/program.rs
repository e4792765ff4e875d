//! The load program of each client: how it is built, how it is run, and what it prints.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::build::{go_build, run};
use crate::layer::{Layer, USER};
use crate::measured::Line;
use crate::options::Options;
use crate::server::{Address, CLUSTER, Server, script};

/// The load program of one client.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) client: String,
    command: PathBuf,
    first: Vec<String>,
}

impl Program {
    /// Compiles the load program, unless it is the one of this package.
    pub(crate) fn build(client: &str) -> Result<Self, String> {
        let target = std::env::current_exe().map_err(|e| format!("where this program is: {e}"))?;
        let folder = target.parent().ok_or("this program is in no folder")?;
        let (command, first) = match client {
            "tallrow" => (folder.join("load"), Vec::new()),
            "java" => {
                let jars = script(CLUSTER, "classpath")?;
                let classes = folder.join("java-load");
                let classes = classes.to_str().ok_or("the target folder's name is not text")?;
                run(Command::new("javac")
                    .args(["-XDsuppressNotes", "-cp", &jars, "-d", classes])
                    .arg("bench/clients/java/Load.java"))?;
                let path = format!("{classes}:{jars}");
                let log = "-Dlog4j2.level=ERROR";
                let quiet = "-Dlog4j.configuration=file:tests/servers/hbase/log4j-off.properties";
                // Hadoop asks the JDK's classes what the realm is.
                let realm = "--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED";
                let network = "-Djava.net.preferIPv4Stack=true";
                let words = [realm, log, quiet, network, "-cp", &path, "Load"];
                ("java".into(), words.map(str::to_owned).into())
            }
            "gohbase" => (go_build("bench/clients/go", ".", &folder.join("go-load"))?, Vec::new()),
            "google-go" => {
                let program = folder.join("google-go-load");
                (go_build("bench/clients/google-go", ".", &program)?, Vec::new())
            }
            other => return Err(format!("there is no client {other:?}; see --help")),
        };
        Ok(Self { client: client.to_owned(), command, first })
    }

    /// Runs the stages once, and returns their lines.
    pub(crate) fn run(
        &self,
        server: &Server,
        options: &Options,
        concurrency: u64,
        stages: &[String],
    ) -> Result<Vec<Line>, String> {
        // The clients for Go have no buffered writer.
        let known = |stage: &&String| !self.client.contains("go") || *stage != "writer";
        let stages: Vec<&str> = stages.iter().filter(known).map(String::as_str).collect();
        let ops = format!("warm,{}", stages.join(","));
        let (count, value) = (options.count.to_string(), options.value.to_string());
        let concurrency = concurrency.to_string();
        let mut command = Command::new(&self.command);
        command.args(&self.first);
        match (self.client.as_str(), &server.address) {
            ("java", Address::ZooKeeper(quorum) | Address::Secured(quorum, _)) => {
                let (host, port) = quorum.rsplit_once(':').unwrap_or((quorum, "2181"));
                let mut options = vec![
                    ("quorum", host),
                    ("port", port),
                    ("n", &count),
                    ("conc", &concurrency),
                    ("value", &value),
                    ("ops", &ops),
                ];
                if let Address::Secured(_, layer) = &server.address {
                    options.extend(layer.properties());
                    log_in(&mut command, *layer);
                }
                command.args(options.iter().map(|(name, value)| format!("{name}={value}")));
            }
            ("gohbase", Address::ZooKeeper(quorum)) => {
                command.args(["-quorum", quorum, "-flush", &options.flush, "-n", &count]);
                command.args(["-conc", &concurrency, "-value", &value, "-ops", &ops]);
            }
            ("google-go", Address::Bigtable(endpoint)) => {
                command.env("BIGTABLE_EMULATOR_HOST", endpoint).args(["-n", &count]);
                command.args(["-conc", &concurrency, "-value", &value, "-ops", &ops]);
            }
            ("tallrow", address) => {
                let url = address.url();
                command.args(["--url", &url, "--n", &count, "--conc", &concurrency]);
                command.args(["--value", &value, "--ops", &ops]);
            }
            (client, _) => return Err(format!("{client} is no client of {}", server.name)),
        }
        let failed = |what: &dyn std::fmt::Display| format!("{}: {what}", self.client);
        let mut child = command.stdout(Stdio::piped()).spawn().map_err(|e| failed(&e))?;
        let mut before = server.cpu_time();
        let mut lines = Vec::new();
        for text in child.stdout.take().map(BufReader::new).into_iter().flat_map(BufRead::lines) {
            let text = text.map_err(|e| failed(&e))?;
            let now = server.cpu_time();
            eprintln!("{text} server_cpu_ms={}", now.saturating_sub(before).as_millis());
            lines.extend(Line::parse(&text, now.saturating_sub(before)));
            before = now;
        }
        let status = child.wait().map_err(|e| failed(&e))?;
        if status.success() { Ok(lines) } else { Err(failed(&status)) }
    }
}

/// Tells Hadoop's classes, by the environment, who the client is.
fn log_in(command: &mut Command, layer: Layer) {
    if layer == Layer::Plain {
        command.env("HADOOP_USER_NAME", USER);
        return;
    }
    if let Ok(file) = std::env::var("KRB5_CONFIG") {
        command.env("JAVA_TOOL_OPTIONS", format!("-Djava.security.krb5.conf={file}"));
    }
    if let Ok(cache) = std::env::var("KRB5CCNAME") {
        command.env("KRB5CCNAME", cache.trim_start_matches("FILE:"));
    }
}
