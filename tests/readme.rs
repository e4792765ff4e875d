//! The README shows what is run: its first program is the quickstart, and its output that of the quickstart.

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
fn the_files_that_it_links_to_exist() {
    let readme = read("README.md");
    for link in readme.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
        read(link);
    }
}
