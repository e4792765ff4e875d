//! The pages of the book that name the programs.

use tallrow_examples::program::shown;

const CASES: &str = include_str!("../../../../docs/cases.md");
const CHOOSING: &str = include_str!("../../../../docs/choosing-a-row-key.md");

/// The programs of each technique, in their order.
fn techniques() -> Vec<Vec<&'static str>> {
    let rows = CASES.lines().filter_map(|line| line.strip_prefix("| "));
    let rows = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
    let rows: Vec<_> = rows.filter(|cells| cells[0].parse::<usize>().is_ok()).collect();
    for (cells, number) in rows.iter().zip(1..) {
        assert_eq!(cells[0], number.to_string());
        assert_eq!(cells.len(), 5, "{cells:?}");
        assert!(cells[4].starts_with("`tallrow "), "{cells:?}");
    }
    let programs = |cells: &Vec<&'static str>| -> Vec<&'static str> {
        cells[3].split(", ").map(|name| name.trim_matches('`')).collect()
    };
    rows.iter().map(programs).collect()
}

#[test]
fn each_technique_has_a_program_that_is_run_on_a_cluster() {
    let techniques = techniques();
    assert_eq!(techniques.len(), 22);
    let manifests = [include_str!("../../Cargo.toml"), include_str!("../../../Cargo.toml")];
    let compared =
        [include_str!("shown.rs"), include_str!("../../../tests/programs/shown.rs")].concat();
    for program in techniques.iter().flatten() {
        let name = format!("name = \"{program}\"");
        assert!(manifests.iter().any(|manifest| manifest.contains(&name)), "no example {program}");
    }
    for (programs, number) in techniques.iter().zip(1..) {
        // `.ci/run flights` runs it on a cluster.
        let is_run = |name: &&str| *name == "flights" || compared.contains(&format!(" {name}: \""));
        assert!(programs.iter().any(is_run), "{number}: {programs:?} run on no cluster");
    }
}

#[test]
fn the_table_of_patterns_is_what_the_program_prints() {
    let table = shown(include_str!("../../patterns.rs"));
    assert!(table.len() > 10 && CHOOSING.contains(&table.join("\n")));
}
