//! The flags of the program: names, values, help, defaults, and what each of them sets.

use std::ffi::OsStr;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use super::run::Program;

/// A flag of the program.
#[derive(Debug)]
pub struct Flag {
    /// The name, without `--`.
    pub name: &'static str,
    /// What its value is, in capitals; none if it takes no value.
    pub value: Option<&'static str>,
    /// What it is for.
    pub help: &'static str,
    /// What is the case without it.
    pub default: &'static str,
    /// Whether it may be given several times.
    pub is_repeatable: bool,
    set: fn(&mut Program, &OsStr) -> Result<(), String>,
}

impl Flag {
    /// Sets what a value of the flag says; the value of a flag without one is empty.
    ///
    /// # Errors
    /// The value is not what was expected; the text says what was.
    pub fn set(&self, program: &mut Program, value: &OsStr) -> Result<(), String> {
        (self.set)(program, value)
    }
}

/// All flags, in the order in which the help shows them.
pub const FLAGS: [Flag; 15] = [
    Flag {
        name: "listen",
        value: Some("IP"),
        help: "Address to listen on",
        default: "127.0.0.1",
        is_repeatable: false,
        set: |program, value| {
            program.listen = listen(value)?;
            Ok(())
        },
    },
    Flag {
        name: "rpc-port",
        value: Some("PORT"),
        help: "Bootstrap port of HBase; 0 for any free one",
        default: "0",
        is_repeatable: false,
        set: |program, value| {
            program.rpc_port = port(value)?;
            Ok(())
        },
    },
    Flag {
        name: "zk-port",
        value: Some("PORT"),
        help: "Serve ZooKeeper too; 0 for any free port",
        default: "not served",
        is_repeatable: false,
        set: |program, value| {
            program.builder = program.builder.clone().zookeeper_port(port(value)?);
            Ok(())
        },
    },
    Flag {
        name: "bigtable-port",
        value: Some("PORT"),
        help: "Serve Bigtable too; 0 for any free port",
        default: "not served",
        is_repeatable: false,
        set: |program, value| {
            program.builder = program.builder.clone().bigtable_port(port(value)?);
            Ok(())
        },
    },
    Flag {
        name: "control-port",
        value: Some("PORT"),
        help: "Serve a status page, faults and changes by HTTP; 0 for any free port",
        default: "not served",
        is_repeatable: false,
        set: |program, value| {
            program.control_port = Some(port(value)?);
            Ok(())
        },
    },
    Flag {
        name: "data",
        value: Some("DIR"),
        help: "Keep the tables in this directory over restarts",
        default: "in memory",
        is_repeatable: false,
        set: |program, value| {
            program.data = Some(path(value, "a directory")?);
            Ok(())
        },
    },
    Flag {
        name: "load",
        value: Some("FILE"),
        help: "Create the tables of this file; may be repeated",
        default: "none",
        is_repeatable: true,
        set: |program, value| {
            program.load.push(path(value, "a file")?);
            Ok(())
        },
    },
    Flag {
        name: "dump",
        value: Some("FILE"),
        help: "Write all tables to this file at the end",
        default: "not written",
        is_repeatable: false,
        set: |program, value| {
            program.dump = Some(path(value, "a file")?);
            Ok(())
        },
    },
    Flag {
        name: "scenario",
        value: Some("FILE"),
        help: "Inject the faults and make the changes of this file",
        default: "none",
        is_repeatable: false,
        set: |program, value| {
            program.scenario = Some(path(value, "a file")?);
            Ok(())
        },
    },
    Flag {
        name: "transcript",
        value: Some("FILE"),
        help: "Write the transcript of all calls to this file at the end",
        default: "not written",
        is_repeatable: false,
        set: |program, value| {
            program.transcript = Some(path(value, "a file")?);
            Ok(())
        },
    },
    Flag {
        name: "torn-rows",
        value: None,
        help: "Send rows of Bigtable in pieces, by the seed",
        default: "in one piece",
        is_repeatable: false,
        set: |program, _| {
            program.builder = program.builder.clone().torn_rows();
            Ok(())
        },
    },
    Flag {
        name: "servers",
        value: Some("N"),
        help: "Region servers, 1 to 1000, on free ports",
        default: "2",
        is_repeatable: false,
        set: |program, value| {
            let expected = "a number from 1 to 1000";
            let servers: usize = parsed(value, expected)?;
            if !(1..=1000).contains(&servers) {
                return Err(format!("expected {expected}"));
            }
            program.builder = program.builder.clone().servers(servers);
            Ok(())
        },
    },
    Flag {
        name: "seed",
        value: Some("S"),
        help: "Seed of the random decisions",
        default: "0",
        is_repeatable: false,
        set: |program, value| {
            let seed = parsed(value, "a number from 0 to 2^64 - 1")?;
            program.builder = program.builder.clone().seed(seed);
            Ok(())
        },
    },
    Flag {
        name: "authorization",
        value: Some("USERS"),
        help: "Check permissions, except of these users: a,b",
        default: "not checked",
        is_repeatable: false,
        set: |program, value| {
            let names = value.to_str().unwrap_or_default().split(',').map(str::trim);
            let names: Vec<&str> = names.collect();
            if names.iter().any(|name| name.is_empty()) {
                return Err("expected names of users, separated by commas".to_owned());
            }
            program.builder = program.builder.clone().authorization(names);
            Ok(())
        },
    },
    Flag {
        name: "setting",
        value: Some("NAME=VALUE"),
        help: "A setting of the servers, as in hbase-site.xml; may be repeated",
        default: "none",
        is_repeatable: true,
        set: |program, value| {
            let (name, value) = value
                .to_str()
                .and_then(|text| text.split_once('='))
                .filter(|(name, _)| !name.is_empty())
                .ok_or("expected NAME=VALUE")?;
            program.builder = program.builder.clone().setting(name, value);
            Ok(())
        },
    },
];

/// What is printed when the cluster is ready, and how the program ends.
pub const READY: &str = "\
When the cluster is ready, one line of JSON is printed on standard output. It has the addresses of
what is served, and their URLs for programs that use tallrow:
  {\"ready\":true,\"hbase_rpc\":\"127.0.0.1:40002\",\"hbase_zk\":\"127.0.0.1:40004\",..
Clients of HBase find it by hbase_zk as hbase.zookeeper.quorum, or by hbase_rpc as
hbase.client.bootstrap.servers; clients of Bigtable by bigtable as BIGTABLE_EMULATOR_HOST. Any
project and instance are the same tables. Whoever reaches control controls the mock: control_url
in a browser, and docs/mock-program.md for its JSON.
Exit code: 0 after SIGTERM or SIGINT (Ctrl-C), 1 if a port cannot be bound or a file cannot be read
or written, 2 for a bad flag.";

/// Invocations, without the name of the program.
pub const EXAMPLES: [&str; 8] = [
    "",
    "--rpc-port 16000 --servers 3 --seed 7",
    "--zk-port 2181",
    "--bigtable-port 8086",
    "--authorization admin",
    "--load fixture.txt --dump after.txt",
    "--data tables --rpc-port 16000",
    "--control-port 8090 --scenario faults.json --transcript calls.txt",
];

/// Reads the IP address of this machine on which the servers listen, with or without brackets.
fn listen(value: &OsStr) -> Result<IpAddr, String> {
    let text = value.to_str().unwrap_or_default();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    if let Ok(ip) = bare.parse() {
        return Ok(ip);
    }
    Err(match text.parse::<SocketAddr>() {
        Ok(address) => {
            format!("it has a port: write --listen {} --rpc-port {}", address.ip(), address.port())
        }
        Err(_) if text == "localhost" => "write 127.0.0.1, or ::1".to_owned(),
        Err(_) => "it is not an IP address; write one of this machine, as 127.0.0.1, ::1, or \
                   0.0.0.0 for all"
            .to_owned(),
    })
}

fn port(value: &OsStr) -> Result<u16, String> {
    parsed(value, "a port, 0 to 65535")
}

fn path(value: &OsStr, expected: &str) -> Result<PathBuf, String> {
    if value.is_empty() { Err(format!("expected {expected}")) } else { Ok(value.into()) }
}

fn parsed<T: FromStr>(value: &OsStr, expected: &str) -> Result<T, String> {
    let value = value.to_str().and_then(|text| text.parse().ok());
    value.ok_or_else(|| format!("expected {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A value of each flag that differs from its default.
    const VALUES: [(&str, &str); 15] = [
        ("listen", "::1"),
        ("rpc-port", "16000"),
        ("zk-port", "0"),
        ("bigtable-port", "0"),
        ("control-port", "0"),
        ("data", "d"),
        ("load", "l"),
        ("dump", "d"),
        ("scenario", "s.json"),
        ("transcript", "t"),
        ("torn-rows", ""),
        ("servers", "3"),
        ("seed", "7"),
        ("authorization", "admin, hbase"),
        ("setting", "a=b=c"),
    ];

    fn set(name: &str, value: &str) -> Result<Program, String> {
        let mut program = Program::default();
        let flag = FLAGS.iter().find(|flag| flag.name == name).unwrap();
        flag.set(&mut program, OsStr::new(value)).map(|()| program)
    }

    #[test]
    fn each_flag_sets_something_and_another_thing_than_the_others() {
        let shown = |program: Program| format!("{program:?}");
        let mut all = vec![shown(Program::default())];
        for (flag, (name, value)) in FLAGS.iter().zip(VALUES) {
            assert_eq!(flag.name, name, "a flag has no value here");
            all.push(shown(set(name, value).unwrap()));
        }
        for (n, one) in all.iter().enumerate() {
            assert_eq!(all.iter().position(|other| other == one), Some(n), "{one}");
        }
        // A default that is a value is what the program does without the flag.
        for flag in FLAGS
            .iter()
            .filter(|flag| ["listen", "rpc-port", "servers", "seed"].contains(&flag.name))
        {
            assert_eq!(shown(set(flag.name, flag.default).unwrap()), all[0], "{}", flag.name);
        }
    }

    #[test]
    fn a_bad_value_is_refused_with_what_was_expected() {
        for (name, value, error) in [
            ("listen", "localhost", "write 127.0.0.1, or ::1"),
            ("listen", "[::1]:5", "it has a port: write --listen ::1 --rpc-port 5"),
            ("rpc-port", "70000", "expected a port, 0 to 65535"),
            ("bigtable-port", "none", "expected a port, 0 to 65535"),
            ("zk-port", "", "expected a port, 0 to 65535"),
            ("data", "", "expected a directory"),
            ("dump", "", "expected a file"),
            ("servers", "0", "expected a number from 1 to 1000"),
            ("servers", "1001", "expected a number from 1 to 1000"),
            ("seed", "-1", "expected a number from 0 to 2^64 - 1"),
            ("authorization", "a,,b", "expected names of users, separated by commas"),
            ("setting", "a", "expected NAME=VALUE"),
            ("setting", "=a", "expected NAME=VALUE"),
        ] {
            assert_eq!(set(name, value).unwrap_err(), error, "--{name} {value}");
        }
        assert!(set("listen", "my host").unwrap_err().starts_with("it is not an IP address"));
        assert_eq!(set("listen", "[::1]").unwrap().listen, IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]));
    }
}
