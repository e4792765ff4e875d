//! Dependencies between the crates, and between the rooms of each, point one way. Each rule is a
//! line here.

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use tallrow_layers::{Graph, Package, Workspace, sources};

static HERE: LazyLock<Workspace> = LazyLock::new(|| Workspace::here().unwrap());

/// The crates that users depend on.
fn published() -> Vec<&'static Package> {
    let published: Vec<_> = HERE.packages.iter().filter(|package| package.published).collect();
    assert!(published.len() >= 5, "the reader of manifests is broken: {published:?}");
    published
}

/// The lines of code in `place` that contain `word`, without tests and comments.
fn lines_with(place: &str, word: &str) -> Vec<String> {
    let place = HERE.root.join(place);
    let files = if place.is_dir() { sources(&place).unwrap() } else { vec![place] };
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        for line in code.lines().map(str::trim).filter(|l| !l.starts_with("//")) {
            if line.contains(word) {
                found.push(format!("{}: {line}", file.strip_prefix(&HERE.root).unwrap().display()));
            }
        }
    }
    found
}

#[test]
fn crates_depend_downwards_only() {
    let allowed: [(&str, &[&str]); 9] = [
        (
            "cli",
            &[
                "bytes",
                "clap",
                "clap_complete",
                "csv",
                "fastrand",
                "fnv",
                "fs4",
                "indicatif",
                "serde",
                "serde_json",
                "strsim",
                "tallrow",
                // The doctor advises by the kinds of its errors.
                "tallrow-kerberos",
                "tallrow-mock",
                "tokio",
            ],
        ),
        (
            "kerberos",
            &[
                "aes",
                "cts",
                "der",
                "getrandom",
                "hmac",
                "pbkdf2",
                "rustix",
                "sha1",
                "sha2",
                "tokio",
                "zeroize",
            ],
        ),
        ("layout", &[]),
        ("sdk-derive", &["proc-macro2", "quote", "strsim", "syn", "tallrow-layout"]),
        (
            "codec/core",
            &[
                "assert_no_alloc",
                "base64",
                "chrono",
                "jiff",
                "md-5",
                "serde",
                "serde_json",
                "tallrow-layout",
                "time",
                "uuid",
            ],
        ),
        ("codec", &["tallrow-codec-core", "tallrow-derive"]),
        ("wire", &["bytes", "flate2", "lz4_flex", "md-5", "prost", "ruzstd", "snap"]),
        (
            "mock-server",
            &[
                "base64",
                "bytes",
                "crc32fast",
                "fastrand",
                "fs4",
                "h2",
                "http",
                "http-body-util",
                "hyper",
                "hyper-util",
                "lexopt",
                "prost",
                "regex",
                "regex-lite",
                "serde_json",
                "strsim",
                "tallrow-wire",
                "tokio",
            ],
        ),
        (
            "sdk",
            &[
                "aes",
                "base64",
                "bytes",
                "ciborium",
                "ctr",
                "fastrand",
                "futures-core",
                "futures-util",
                "gcp_auth",
                "gethostname",
                "getrandom",
                "h2",
                "hmac",
                "http",
                "md-5",
                "opentelemetry",
                "p12-keystore",
                "pkcs8",
                "prost",
                "quick_cache",
                "rc4",
                "roxmltree",
                "rustc-hash",
                "rustls",
                "rustls-native-certs",
                "serde",
                "serde_json",
                "sha1",
                "socket2",
                "strsim",
                "tallrow-codec",
                "tallrow-derive",
                "tallrow-kerberos",
                "tallrow-mock",
                "tallrow-wire",
                "tokio",
                "tokio-rustls",
                "tonic",
                "tracing",
            ],
        ),
    ];
    let published = published();
    let crates: Vec<_> = published.iter().map(|package| package.folder.as_str()).collect();
    let mut known = allowed.map(|(krate, _)| krate);
    known.sort_unstable();
    assert_eq!(crates, known, "a crate has no rule, or a rule has no crate");
    for (krate, allowed) in allowed {
        let package = published.iter().find(|package| package.folder == krate).unwrap();
        for name in &package.dependencies {
            assert!(
                allowed.contains(&name.as_str()),
                "{krate} must not depend on {name}; if the dependency is justified, allow it here"
            );
        }
    }
}

#[test]
fn no_files_of_a_crate_are_in_a_circle() {
    for package in published() {
        let graph = Graph::of_library(package.library.as_ref().unwrap()).unwrap();
        let circles = graph.circles();
        let circles: String = circles.iter().map(ToString::to_string).collect();
        assert!(circles.is_empty(), "{}: {circles}", package.folder);
    }
}

/// The rooms of each crate from the top to the bottom: the files and folders of its sources, each
/// of which uses only those after it.
const ROOMS: [(&str, &[&str]); 8] = [
    (
        "cli",
        &[
            "arguments",
            "commands",
            "rows",
            "keys",
            "cells",
            "cluster",
            "files",
            "terminal",
            "failure",
        ],
    ),
    (
        "codec/core",
        &[
            "testing",
            "schema",
            "__private",
            "scan",
            "key",
            "compat",
            "key_prefix",
            "encoding",
            "row",
            "const_schema",
            "split",
            "show",
            "error",
        ],
    ),
    (
        "kerberos",
        &[
            "fuzz",
            "login",
            "gss",
            "exchange",
            "kdc",
            "config",
            "cache",
            "keytab",
            "message",
            "ticket",
            "principal",
            "crypto",
            "bytes",
            "error",
        ],
    ),
    (
        "layout",
        &[
            "plan",
            "compat",
            "check",
            "lint",
            "text",
            "encoding",
            "model",
            "key_prefix",
            "violation",
            "field",
            "tags",
            "attributes",
            "order",
            "fingerprint",
        ],
    ),
    (
        "mock-server",
        &[
            "fuzz",
            "program",
            "control",
            "mock_cluster",
            "transport",
            "faults",
            "bigtable",
            "hbase",
            "zookeeper",
            "recovery",
            "dumps",
            "procedures",
            "state",
            "regions",
            "journal",
            "filters",
            "schema",
            "cells",
            "base",
        ],
    ),
    (
        "sdk",
        &[
            "fuzz",
            "sizing",
            "patterns",
            "client",
            "admin",
            "table",
            "raw_table",
            "backend",
            "reading",
            "config",
            "authentication",
            "request",
            "runtime",
            "observe",
            "model",
            "key",
        ],
    ),
    ("sdk-derive", &["table", "sql_row", "row_key", "testing", "kernel"]),
    (
        "wire",
        &[
            "fuzz",
            "bigtable",
            "multi",
            "meta",
            "region",
            "cell_block",
            "cell",
            "exception",
            "preamble",
            "frame",
            "zookeeper",
            "proto",
            "compression",
            "jenkins",
            "error",
        ],
    ),
];

#[test]
fn rooms_use_only_those_below_them() {
    for (krate, rooms) in ROOMS {
        let package = published().into_iter().find(|package| package.folder == krate).unwrap();
        let graph = Graph::of_library(package.library.as_ref().unwrap()).unwrap();
        let room = |file: usize| graph.names[file].split('/').next().unwrap();
        let floor = |room: &str| rooms.iter().position(|known| *known == room);
        let found: BTreeSet<_> = (0..graph.names.len()).map(room).filter(|r| *r != "lib").collect();
        assert_eq!(found, rooms.iter().copied().collect(), "{krate}: a room is new or gone");
        for ((from, to), paths) in &graph.arrows {
            let (Some(above), Some(below)) = (floor(room(*from)), floor(room(*to))) else {
                // Only the root is on no floor; what it defines is for all.
                continue;
            };
            let (from, to) = (&graph.names[*from], &graph.names[*to]);
            assert!(above <= below, "{krate}: {from} must not use {to}, but names {paths:?}");
        }
    }
    let docs = fs::read_to_string(HERE.root.join("mock-server/src/lib.rs")).unwrap();
    let named = docs.lines().filter_map(|line| line.strip_prefix("//! - `")?.split('`').next());
    let (_, of_mock) = ROOMS.iter().find(|(krate, _)| *krate == "mock-server").unwrap();
    assert_eq!(&named.collect::<Vec<_>>(), of_mock, "the list of rooms in lib.rs of the mock");
}

/// The only files that may name the backend.
const HANDLES: &[&str] = &[
    "sdk/src/backend/",
    "sdk/src/backend/bigtable/tests/",
    "sdk/src/client/",
    "sdk/src/raw_table/",
    "sdk/src/table/typed_table.rs",
    "sdk/src/admin.rs",
    "sdk/src/fuzz.rs",
    "sdk/src/raw_table/regions/locator.rs",
];

#[test]
fn the_modules_of_the_client_depend_only_on_those_below() {
    let rules: &[(&str, &str, &[&str])] = &[
        // A place, a word that must not be used there, and the files or folders where it may be
        // used nevertheless.
        ("sdk/src", "tallrow_wire", &["sdk/src/lib.rs"]),
        (
            "sdk/src",
            "crate::wire",
            &["sdk/src/backend/hbase/", "sdk/src/backend/bigtable/", "sdk/src/model/cell.rs"],
        ),
        ("sdk/src/model/cell.rs", "proto", &[]),
        ("sdk/src", "backend::hbase", &["sdk/src/backend/", "sdk/src/admin.rs", "sdk/src/fuzz.rs"]),
        (
            "sdk/src",
            "backend::bigtable",
            &["sdk/src/backend/", "sdk/src/admin.rs", "sdk/src/client/", "sdk/src/fuzz.rs"],
        ),
        ("sdk/src/backend/bigtable", "backend::hbase", &[]),
        ("sdk/src/backend/hbase", "backend::bigtable", &[]),
        ("sdk/src", "crate::backend", HANDLES),
        ("sdk/src", "tallrow_codec", &["sdk/src/lib.rs", "sdk/src/key.rs"]),
        ("sdk/src", "tallrow_mock", &["sdk/src/client/", "sdk/src/backend/bigtable/tests/"]),
        (
            "sdk/src",
            "sleep(",
            &[
                "sdk/src/backend/hbase/rpc/op_queue/tests.rs",
                "sdk/src/backend/hbase/admin/master.rs",
                "sdk/src/backend/bigtable/",
                "sdk/src/backend/attempts.rs",
                "sdk/src/patterns/index/write.rs",
                "sdk/src/patterns/key_migration/lease.rs",
            ],
        ),
        // Of files and tokens: what is said in calls is in `wire`.
        (
            "sdk/src",
            "#[prost(",
            &[
                "sdk/src/authentication/credentials_file.rs",
                "sdk/src/authentication/token.rs",
                "sdk/src/backend/region_map.rs",
                "sdk/src/model/changes/position.rs",
            ],
        ),
        ("sdk/src", "TcpStream::", &["sdk/src/config/connector.rs"]),
        ("sdk/src/backend/hbase", "crate::table", &[]),
        ("sdk/src/backend/hbase/rpc", "region::", &[]),
        ("sdk/src/backend/hbase/rpc", "TableName", &[]),
        ("sdk/src/backend/hbase/rpc", "retry", &[]),
        ("sdk/src/request/op", ".await", &[]),
        ("sdk/src/request/filter", ".await", &[]),
        ("sdk/src/backend/hbase/lower", ".await", &[]),
        ("sdk/src/backend/hbase/region", "tokio::net", &[]),
        ("cli/src", "tallrow_mock", &["cli/src/commands/mock.rs"]),
        ("cli/src", "TcpStream", &["cli/src/commands/doctor/"]),
        ("mock-server/src", "tallrow::", &[]),
        ("mock-server/src", "tallrow_codec", &[]),
    ];
    for (place, word, except) in rules {
        let found = lines_with(place, word);
        let wrong: Vec<_> =
            found.iter().filter(|line| !except.iter().any(|e| line.starts_with(e))).collect();
        assert!(wrong.is_empty(), "{place} must not use {word}:\n{wrong:#?}");
    }
    assert!(
        !lines_with("sdk/src/backend/attempts.rs", "sleep(").is_empty(),
        "the reader of sources is broken"
    );
}

#[test]
fn nothing_is_generated_while_users_build() {
    for package in published() {
        let script = HERE.root.join(&package.folder).join("build.rs");
        assert!(!script.exists(), "{} has a build script", package.folder);
    }
}
