//! What somebody new writes, and what is said about it.

use crate::cluster::Cluster;
use crate::import::fresh;
use crate::program::{begins, command, fed, file, has, tallrow, words};

const ORDER: &str = "row key Order\ntable orders\nsalt of customer: buckets = 8, width = 1, hash \
                     = fnv1a\n\
                     customer: u32\nplaced: i64, rev_ts, display_time = ms\n";

/// A cluster with a table `orders` and a row in it, and a file with its schema.
pub(crate) fn orders(test: &str) -> (Cluster, String) {
    let cluster = Cluster::mock();
    let schema = file(&format!("{test}.key"), ORDER);
    cluster.run(&["table", "create", "orders", "--family", "d", "--schema", &schema]).done();
    cluster.run(&["table", "put", "orders", "customer=7, placed=1000", "d:what=lamp"]).done();
    (cluster, schema)
}

/// A command line, the exit code, and parts of what is said. What is in no text: calls of Rust, and
/// descriptors in Java's form.
type Mistake<'a> = (&'a str, i32, &'a [&'a str]);

#[track_caller]
fn said(cluster: &Cluster, mistakes: &[Mistake<'_>]) {
    for (line, code, parts) in mistakes {
        let errors = cluster.run(&words(line)).failed(*code);
        for part in *parts {
            assert!(errors.contains(part), "{line}: {part:?} is not in:\n{errors}");
        }
        for no in ["::", "TABLE_ATTRIBUTES", "`with_", "Exception\n"] {
            assert!(!errors.contains(no), "{line}: {no:?} is in:\n{errors}");
        }
        assert!(errors.lines().count() <= 8, "{line}:\n{errors}");
    }
}

#[test]
fn fields_and_their_values() {
    let (cluster, schema) = orders("mistakes_fields");
    let like = "the key has no field custmer; is it customer? Its fields are customer, placed";
    let form = "customer=.., placed=..";
    said(
        &cluster,
        &[
            ("table put orders 'custmer=7, placed=1' d:q=1", 2, &[like, form]),
            ("table get orders 'custmer=7, placed=1'", 2, &[like]),
            ("table scan orders --where custmer=7", 2, &["--where", like, form]),
            (
                "table count orders --where colour=7",
                2,
                &["the key has no field colour; its fields are customer"],
            ),
            (&format!("key ranges --schema {schema} custmer=7"), 1, &[like]),
            (&format!("key encode --schema {schema} 'custmer=7, placed=1'"), 1, &[like]),
            ("table put orders customer=7 d:q=1", 2, &["field placed: it has no value", form]),
            ("table get orders 7", 2, &[form, "give bytes with --key-format shell"]),
            // The shell has made two arguments of it.
            ("table get orders customer=7, placed=1", 2, &["write them in quotes"]),
            ("table put orders customer=7, placed=1 d:q=1", 2, &["no colon"]),
            (
                "table put orders customer=7, d:q=1",
                2,
                &["it ends with a comma", "in quotes, as one argument"],
            ),
            // Values where bytes are taken.
            (
                "table scan orders --start customer=7",
                2,
                &["it takes the bytes of keys", "next: give --where \"customer=7\""],
            ),
            ("table count orders --prefix 'customer: 7'", 2, &["next: give --where"]),
            (
                "import orders x.csv --key custmer=c",
                2,
                &["the key has no field custmer; is it customer?"],
            ),
        ],
    );
    let none = cluster.run(&["table", "scan", "orders", "--prefix", "7"]);
    begins(&none.errors, "0 rows\n--prefix, --start and --stop take bytes");
    let hex = "07000000077ffffffffffffffe";
    let decoded = tallrow(&["key", "decode", "--schema", &schema, hex]).failed(1);
    has(&decoded, "is it hex? Then give --key-format hex");
}

#[test]
fn columns_and_types() {
    let (cluster, _) = orders("mistakes_columns");
    let key = "customer=7, placed=1000";
    let no_type = "\"int\" is no type here; is it i32? The types are shell, text, hex,";
    let csv = fresh("mistakes_columns.csv", "orders", "customer,placed,amount\n1,1,5\n");
    let typed = fresh("mistakes_typed.csv", "orders", "customer,placed,d:amount:int\n1,1,5\n");
    said(
        &cluster,
        &[
            (
                &format!("table put orders '{key}' amount=3"),
                2,
                &["it has no colon", "FAMILY:QUALIFIER"],
            ),
            (&format!("table put orders '{key}' d:amount:int=3"), 2, &[no_type]),
            (
                &format!("table put orders '{key}' d:amount:i16=70000"),
                2,
                &["is not a number of 16 bits", "f64, bool"],
            ),
            (
                &format!("table put orders '{key}' e:amount=3"),
                3,
                &["cell e:amount: orders has no family e; it has d"],
            ),
            (
                &format!("table put orders '{key}' :amount=3"),
                2,
                &["it has no family before the colon"],
            ),
            (&format!("table incr orders '{key}' amount"), 2, &["it has no colon"]),
            (
                &format!("table incr orders '{key}' e:n"),
                3,
                &["counter e:n: orders has no family e"],
            ),
            (
                &format!("table get orders '{key}' --column amount"),
                3,
                &[
                    "orders has no family amount; it has d",
                    "FAMILY:QUALIFIER for a column, as d:amount",
                ],
            ),
            ("table scan orders --column amount", 3, &["--column amount: orders has no family"]),
            (
                "table count orders --column x:amount",
                3,
                &["`tallrow table diff` prints the command"],
            ),
            (
                &format!("table delete orders '{key}' amount --yes"),
                3,
                &["column amount: orders has no family"],
            ),
            (
                &format!("table get orders '{key}' --column d:amount:i32"),
                2,
                &["no type can follow it here", "as \\x3A"],
            ),
            ("export orders --column amount --format csv", 2, &["it has no colon"]),
            ("export orders --column d:amount:int --format csv", 2, &[no_type]),
            (
                "export orders --column e:amount --format csv",
                3,
                &["--column e:amount: orders has no family e"],
            ),
            (
                &format!("import orders {csv} --column d:amount=amount:int"),
                1,
                &["there is no column amount:int", no_type],
            ),
            (&format!("import orders {csv} --column d:amount:int"), 2, &[no_type]),
            (
                &format!("import orders {csv} --column d:amount=amout"),
                1,
                &["there is no column amout; is it amount?"],
            ),
            (
                &format!("import orders {csv} --count amount"),
                2,
                &["--count amount: column \"amount\": it has no colon"],
            ),
            (&format!("import orders {typed}"), 1, &["column d:amount:int is no field", no_type]),
        ],
    );
    // Without a look at the table, the server says it.
    let by_server = "table get orders a --key-format shell --column amount";
    said(
        &cluster,
        &[(
            by_server,
            3,
            &[
                "the table has no family \"amount\", but d",
                "`tallrow table diff` prints the command",
            ],
        )],
    );
    cluster.run(&["table", "put", "orders", key, "d:n:i32=70000"]).done();
    let row =
        cluster.run(&["table", "get", "orders", key, "--column", "d:n", "--value-format", "i32"]);
    assert!(row.done().trim_end().ends_with("  70000"));
}

#[test]
fn tables_and_their_names() {
    let (cluster, schema) = orders("mistakes_tables");
    let is_it: &[&str] = &["there is no table order", "next: is it orders? `tallrow table list`"];
    let copy = file("mistakes.copy", "");
    std::fs::remove_file(&copy).unwrap();
    let to = Cluster::mock();
    said(
        &cluster,
        &[
            ("table scan order", 3, is_it),
            ("table count order", 3, is_it),
            ("table get order 'customer=7, placed=1'", 3, is_it),
            ("table put order 'customer=7, placed=1' d:q=1", 3, is_it),
            ("table incr order 'customer=7, placed=1' d:q", 3, is_it),
            ("table delete order 'customer=7, placed=1' --yes", 3, is_it),
            ("table describe order", 3, is_it),
            ("table diff order --family d", 3, is_it),
            ("table drop order --yes", 3, is_it),
            ("table sample order", 3, is_it),
            ("export order", 3, is_it),
            ("import order nowhere.csv", 3, is_it),
            ("splits sample --table order -n 2", 3, is_it),
            (&format!("splits check --schema {schema} --table order"), 3, is_it),
            (&format!("simulate --schema {schema} --table order"), 3, is_it),
            (
                &format!(
                    "simulate --schema {schema} --table order --field customer=random --field \
                     placed=sequence"
                ),
                3,
                is_it,
            ),
            ("key schema --table order", 3, is_it),
            ("lookup list order", 3, is_it),
            ("lookup resolve order --kind host a", 3, is_it),
            ("lookup fsck order --kind host", 3, is_it),
            (&format!("copy order --to {} --state {copy}", to.url), 3, is_it),
            (
                "table put order a d:q=1 --key-format shell",
                3,
                &["the table does not exist", "`tallrow table list`"],
            ),
            ("table scan unlike", 3, &["names have their namespace, as in ns:table"]),
            (
                "table create orders --family d",
                1,
                &["a table of this name already", "`tallrow table diff`"],
            ),
            (
                "table create shop:o --family d",
                3,
                &["there is no namespace shop", "create_namespace 'NAME'"],
            ),
            (
                "table create new --family d --regions 4",
                2,
                &["--regions 4: where to split is not known", "`tallrow splits uniform`"],
            ),
            (
                "table create new --family d --schema orders",
                1,
                &["--schema names a file", "--table TABLE"],
            ),
            ("table diff orders", 2, &["there is nothing to compare orders with", "--family NAME"]),
            ("table scan orders --limit -1", 2, &["it is not a number of rows; 0 is all of them"]),
            ("table list --timeout fast", 2, &["a number of seconds between 1 and 86400, as 20"]),
            ("scan orders", 2, &["tip: it is `tallrow table scan`"]),
            ("describe orders", 2, &["tip: it is `tallrow table describe`"]),
        ],
    );
    cluster.run(&["table", "list", "--timeout", "9s"]).done();
}

#[test]
fn files_of_spreadsheets() {
    let (cluster, _) = orders("mistakes_files");
    let import = |name: &str, text: &str, rest: &[&str]| {
        let path = fresh(name, "orders", text);
        cluster.run(&[&["import", "orders", &path, "--column", "d:n=n"], rest].concat())
    };
    let semicolons = "customer;placed;n\n1;1;5\n";
    let failed = import("mistakes_semicolons.csv", semicolons, &[]).failed(1);
    has(&failed, "the file has one column, customer;placed;n; is ';' between");
    has(&failed, "Then give --delimiter ';'\n");
    import("mistakes_semicolons.csv", semicolons, &["--delimiter", ";"]).done();
    let tabs = "customer\tplaced\tn\n1\t2\t5\n";
    let failed = import("mistakes_tabs.csv", tabs, &[]).failed(1);
    has(&failed, "Then give --delimiter '\\t'\n");
    import("mistakes_tabs.csv", tabs, &["--delimiter", "\\t"]).done();
    // With the mark that spreadsheets begin files with.
    import("mistakes_mark.csv", "\u{feff}customer,placed,n\n1,3,5\n", &[]).done();
    let list = "[{\"customer\":1,\"placed\":1,\"n\":5}]\n";
    let failed = import("mistakes_list.json", list, &[]).failed(1);
    has(&failed, "line 1: expected a JSON object on each line, found a list; `jq -c '.[]' FILE`");
    assert_eq!(cluster.run(&["table", "count", "orders"]).done(), "4\n");
    let piped =
        fed(&["import", "orders", "-", "--url", &cluster.url, "--column", "d:n=n"], semicolons)
            .failed(1);
    has(&piped, "--delimiter ';'");
}

#[test]
fn ranges_and_numbers() {
    let (cluster, _) = orders("mistakes_ranges");
    let one_value = "a field has one value here; --start and --stop take ranges, as bytes of keys";
    said(
        &cluster,
        &[
            (
                "table scan orders --start b --stop a",
                2,
                &["--start \"b\" is after --stop \"a\": no key is", "next: exchange them"],
            ),
            ("export orders --start b --stop a", 2, &["is after --stop \"a\""]),
            ("table scan orders --where customer=7..9", 2, &[one_value]),
            ("table count orders --where customer>7", 2, &[one_value]),
            (
                "table scan orders --versions all",
                2,
                &["it is not a number of versions; the least is 1"],
            ),
            (
                "table get orders 'customer=7, placed=1000' --versions 0",
                2,
                &["it is not a number of versions; the least is 1"],
            ),
            (
                "table create new --family d,e",
                2,
                &["\"e\" is not OPTION=VALUE", "give --family once for each family"],
            ),
        ],
    );
    // No row is between two keys that are the same, which is no mistake of a program that pages.
    let none = cluster.run(&["table", "scan", "orders", "--start", "a", "--stop", "a"]);
    begins(&none.errors, "0 rows");
}

#[test]
fn addresses_and_settings() {
    let listed = |url: &str| tallrow(&["table", "list", "--url", url]).failed(2);
    for (url, part) in [
        ("hbase+zk:zk1", "`//` is missing after `hbase+zk:`; is it hbase+zk://zk1?\n"),
        ("zk1:2181", "is it hbase+zk://zk1:2181?\n"),
        ("master:16000", "is it hbase+rpc://master:16000?\n"),
        ("hbase+zk://a/x,b/y", "is it hbase+zk://a,b/y?\n"),
        ("http://master:16010", "that of web pages and REST servers, which have other ports"),
        (
            "mock:?timeout=5s",
            "timeout is \"5s\": unknown setting; is it one of operation_timeout, attempt_timeout,",
        ),
        ("mock:?operation_timeot=5s", "is it operation_timeout?"),
        ("mock:?operation_timeout=5x", "operation_timeout is \"5x\""),
        ("/etc/hbase/conf", "it has no scheme; is it hbase-site:/etc/hbase/conf?\n"),
        ("mock", "it has no scheme; is it mock:?\n"),
        ("jdbc:phoenix:zk1,zk2:2181:/hbase", "is it hbase+zk://zk1:2181,zk2:2181/hbase?\n"),
        ("zookeeper://zk1/hbase", "is it hbase+zk://zk1/hbase?\n"),
        ("hbase+zk://zk1/hbase&pause=5ms", "is it hbase+zk://zk1/hbase?pause=5ms?\n"),
        ("mock:?hbase.zookeeper.quorum=zk1", "an address says before its `?` where the cluster is"),
        ("mock:?calls_per_server=0", "no call could be made; the least is 1\n"),
        ("mock:?user=", "servers refuse a user without a name; leave it out for $USER\n"),
        ("hbase-site:/nowhere", "give hbase-site.xml, or the directory that has it\n"),
        ("mock:?compression=snapy", "write gzip, lz4, snappy or zstd"),
        (
            "mock:?compression=com.example.Own",
            "class com.example.Own is not known; use gzip, lz4, snappy or zstd",
        ),
    ] {
        let errors = listed(url);
        assert!(errors.contains(part), "{url}: {errors}");
        assert!(!errors.contains("::") && !errors.contains("org.apache"), "{url}: {errors}");
    }
    // Quotes that were copied with a space.
    assert_eq!(tallrow(&["table", "list", "--url", " mock: "]).done(), "");
    let dir = crate::program::folder().join("mistakes_conf");
    std::fs::create_dir_all(&dir).unwrap();
    let text = "<configuration>\n<property><name>hbase.zookeper.quorum</name><value>zk1</value></property>\n</configuration>";
    std::fs::write(dir.join("hbase-site.xml"), text).unwrap();
    let run = command().args(["table", "list"]).env("HBASE_CONF_DIR", &dir).output().unwrap();
    let errors = String::from_utf8(run.stderr).unwrap();
    has(
        &errors,
        "hbase-site.xml:2 has hbase.zookeper.quorum: unknown; is it hbase.zookeeper.quorum?",
    );
    for (listen, part) in [
        ("localhost", "write 127.0.0.1, or ::1"),
        ("127.0.0.1:16000", "it has a port: write --listen 127.0.0.1 --rpc-port 16000"),
        ("[::1]:5", "it has a port: write --listen ::1 --rpc-port 5"),
        ("my host", "it is not an IP address"),
    ] {
        let errors = tallrow(&["mock", "--listen", listen]).failed(2);
        assert!(errors.contains(part), "{listen}: {errors}");
    }
}

#[test]
fn what_works_on_hbase_is_tried_on_bigtable() {
    let cluster = Cluster::mock();
    let run = |arguments: &[&str]| tallrow(&[arguments, &["--url", &cluster.bigtable]].concat());
    let splits = file("mistakes_bigtable.splits", "m\n");
    run(&["table", "create", "t", "--family", "d", "--splits", &splits]).done();
    let exists = run(&["table", "create", "t", "--family", "d"]).failed(1);
    has(&exists, "there is a table of this name already; `tallrow table describe` shows it");
    run(&["table", "put", "t", "a", "d:q=1"]).done();
    let described = run(&["table", "describe", "t"]).done();
    has(&described, "families: d");
    has(&described, "2 regions:");
    let doctor = run(&["doctor", "--table", "t"]).done();
    has(&doctor, "an instance of Bigtable");
    has(&doctor, "a row can be read");
    let check = run(&["splits", "check", "--layout", "hash_uuid", "--table", "t"]);
    assert!(!check.errors.contains("::"), "{}", check.errors);
    let near = run(&["table", "drop", "tt", "--yes"]).failed(3);
    has(&near, "there is no table tt");
    run(&["table", "drop", "t", "--yes"]).done();
    assert_eq!(run(&["table", "list"]).done(), "");
}
