//! The README and the book show what is run.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read_to_string(root.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The blocks of this language, in order.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence)
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_first_program_is_the_quickstart() {
    let (readme, quickstart) = (read("README.md"), read("examples/quickstart.rs"));
    let program = &blocks(&readme, "rust")[0];
    assert!(quickstart.ends_with(program.as_str()), "copy examples/quickstart.rs into README.md");
    let shown = blocks(&readme, "text")[0].clone();
    let head: String = quickstart
        .lines()
        .map_while(|l| l.strip_prefix("//! ").or(l.strip_prefix("//!")))
        .flat_map(|l| [l, "\n"])
        .collect();
    assert_eq!(
        blocks(&head, "text")[0],
        shown,
        "the output must be that in the head of examples/quickstart.rs, which a test compares with a run"
    );
    assert!(
        readme.lines().take_while(|l| *l != "```rust").count() < 20,
        "the first program must be on the first screen"
    );
}

#[test]
fn every_page_is_in_the_book_and_its_programs_are_run() {
    let (contents, run) = (read("docs/SUMMARY.md"), read("tests/src/book.rs"));
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut pages = 0;
    for page in fs::read_dir(docs).unwrap() {
        let name = page.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".md") || name == "SUMMARY.md" {
            continue;
        }
        pages += 1;
        assert!(contents.contains(&format!("({name})")), "{name} is not in docs/SUMMARY.md");
        let text = read(&format!("docs/{name}"));
        let is_run = run.contains(&format!("\"docs/{name}\""));
        assert!(is_run || blocks(&text, "rust").is_empty(), "{name} is not in tests/src/book.rs");
    }
    assert!(pages > 10, "{pages}");
}

#[test]
fn the_report_of_a_configuration_is_that_of_the_file_above_it() {
    const PAGE: &str = "docs/configuration.md";
    let page = read(PAGE);
    let dir = tallrow_tests::scratch_dir();
    let file = dir.join("hbase-site.xml");
    fs::write(&file, &blocks(&page, "xml")[0]).unwrap();
    let config =
        tallrow::Config::new().user("ada").attempt_timeout(std::time::Duration::from_secs(2));
    let report = config.hbase_site(&dir).unwrap().config_report();
    let report = report.to_string().replace(file.to_str().unwrap(), "conf/hbase-site.xml");
    assert_eq!(blocks(&page, "text")[0], report, "copy the report into {PAGE}:\n{report}");
}

#[test]
fn the_versions_are_those_of_the_manifest_and_of_the_tests() {
    let (readme, manifest) = (read("README.md"), read("Cargo.toml"));
    let oldest = manifest.lines().find_map(|line| line.strip_prefix("rust-version = "));
    let oldest = oldest.unwrap().trim_matches('"');
    assert!(readme.contains(&format!("Rust {oldest} ")), "the oldest compiler is {oldest}");
    let cluster = read("tests/servers/hbase/cluster");
    let usage = cluster.lines().find_map(|line| line.strip_prefix("  TALLROW_REAL_VERSION "));
    let versions: Vec<_> = usage.unwrap().split(", ").map(str::trim).collect();
    assert!(versions.len() > 1, "{versions:?}");
    for version in versions {
        let version = version.split(['-', ' ']).next().unwrap();
        assert!(readme.contains(version), "the suites run on HBase {version}");
    }
}

/// The table of features as Markdown, from the comments in the manifest: one line for all features
/// below a comment.
fn features() -> String {
    let manifest = read("sdk/Cargo.toml");
    let section = manifest.split("[features]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let default = section.lines().find_map(|line| line.strip_prefix("default = ")).unwrap();
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    // The first comment is about the table.
    for line in section.split_once("\n\n").unwrap().1.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            rows.push((comment.into(), Vec::new()));
        } else if let Some((name, _)) = line.split_once(" = ") {
            let mark = if default.contains(&format!("\"{name}\"")) { " (default)" } else { "" };
            rows.last_mut()
                .expect("a comment before the first feature")
                .1
                .push(format!("`{name}`{mark}"));
        }
    }
    let line = |(text, names): (String, Vec<String>)| {
        assert!(!names.is_empty(), "no feature below {text:?}");
        format!("| {} | {text} |\n", names.join(", "))
    };
    let rows: String = rows.into_iter().map(line).collect();
    format!("| feature | what it adds |\n|---|---|\n{rows}")
}

#[test]
fn the_features_are_those_of_the_manifest() {
    const START: &str = "<!-- features: from sdk/Cargo.toml -->\n";
    const END: &str = "<!-- end of features -->";
    let table = features();
    for (path, indent) in
        [("README.md", ""), ("docs/getting-started.md", ""), ("sdk/src/lib.rs", "//! ")]
    {
        let text = read(path);
        let (before, rest) =
            text.split_once(START).unwrap_or_else(|| panic!("{path} has no {START}"));
        let (found, after) = rest.split_once(&format!("{indent}{END}")).unwrap();
        let wanted: String = table.lines().flat_map(|line| [indent, line, "\n"]).collect();
        if found == wanted {
            continue;
        }
        let overwrite = std::env::var("TALLROW_DOCS").is_ok_and(|value| value == "overwrite");
        assert!(
            overwrite,
            "{path} differs from sdk/Cargo.toml; run this with TALLROW_DOCS=overwrite"
        );
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let new = format!("{before}{START}{wanted}{indent}{END}{after}");
        fs::write(root.join(path), new).unwrap();
    }
}
