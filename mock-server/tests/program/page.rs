//! The table of flags in `docs/mock-program.md`.

use tallrow_mock::program::FLAGS;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/mock-program.md");
const MARKS: [&str; 2] = ["<!-- flags: from the program -->\n", "<!-- end -->\n"];

/// With `TALLROW_WRITE`, it writes the page instead.
#[test]
fn the_page_has_all_flags() {
    let mut expected = "| flag | meaning | default |\n|---|---|---|\n".to_owned();
    for flag in &FLAGS {
        let value = flag.value.map_or_else(String::new, |value| format!(" {value}"));
        let mut help = flag.help.to_owned();
        help[..1].make_ascii_lowercase();
        expected += &format!("| `--{}{value}` | {help} | {} |\n", flag.name, flag.default);
    }
    let page = std::fs::read_to_string(PAGE).unwrap();
    let (before, rest) = page.split_once(MARKS[0]).unwrap();
    let (found, after) = rest.split_once(MARKS[1]).unwrap();
    if std::env::var_os("TALLROW_WRITE").is_some() {
        std::fs::write(PAGE, [before, MARKS[0], &expected, MARKS[1], after].concat()).unwrap();
    } else {
        assert_eq!(found, expected, "run this test with TALLROW_WRITE=1");
    }
}
