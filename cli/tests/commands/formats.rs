//! Files that are not what they are read as.

use crate::import::fresh;
use crate::mistakes::orders;
use crate::program::{folder, has};

#[test]
fn files_of_another_kind() {
    let (cluster, _) = orders("mistakes_kinds");
    let import = |name: &str, bytes: &[u8], rest: &[&str]| {
        let path = fresh(name, "orders", "");
        std::fs::write(&path, bytes).unwrap();
        cluster.run(&[&["import", "orders", &path], rest].concat())
    };
    for (name, bytes, what, advice) in [
        ("kind.csv.gz", &b"\x1F\x8B\x08\x00\x00"[..], "compressed by gzip", "`gzip -dc FILE |"),
        ("kind.xlsx", b"PK\x03\x04aaaa", "it is a ZIP file, as spreadsheets", "as CSV, in UTF-8"),
        ("kind_16.csv", b"\xFF\xFEc\x00u\x00\n\x00", "it is written in UTF-16", "iconv -f UTF-16"),
        ("kind_json.csv", b"{\"customer\":1}\n", "it is JSON, and read as CSV", "--format json"),
    ] {
        let failed = import(name, bytes, &[]).failed(1);
        has(&failed, &format!("{name}, line 1: "));
        has(&failed, what);
        has(&failed, advice);
    }
    for (name, text, part) in [
        (
            "kind_pretty.json",
            "{\n\"customer\":1,\n\"placed\":1}\n",
            "line 1: expected a JSON object: EOF while parsing an object at character 1; is it \
             written over several lines? `jq -c . FILE` writes each in one\n",
        ),
        (
            "kind_csv.json",
            "customer,placed,d:n\n1,1,5\n",
            "line 1: expected a JSON object; is it CSV? Then give --format csv\n",
        ),
        (
            "kind_comma.csv",
            "customer,placed,d:n,\n1,1,5,\n",
            "line 1: a column has no name; is there a comma too many? The key has customer, \
             placed\n",
        ),
    ] {
        let failed = import(name, text.as_bytes(), &[]).failed(1);
        has(&failed, part);
    }
    import("kind_csv.json", b"customer,placed,d:n\n1,1,5\n", &["--format", "csv"]).done();

    let folder = folder().to_str().unwrap();
    let failed = cluster.run(&["import", "orders", folder]).failed(1);
    has(&failed, &format!("open {folder}\n  caused by: is a directory"));
    has(&failed, "next: give one of the files in it");
    let splits = ["table", "create", "new", "--family", "d", "--splits", folder];
    assert!(cluster.run(&splits).failed(1).contains("next: give one of the files in it"));
    let file = fresh("kind_order.csv", "orders", "customer,placed,d:n\n1,1,5\n");
    let failed = cluster.run(&["import", &file, "orders"]).failed(2);
    has(&failed, "it is a file, and orders is none");
    assert!(failed.contains(&format!("the table comes first: tallrow import orders {file}")));
}
