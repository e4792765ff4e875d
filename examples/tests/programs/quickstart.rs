use tallrow_examples::program::{Program, shown};

const SOURCE: &str = include_str!("../../quickstart.rs");

#[test]
fn it_prints_what_its_head_shows() {
    let run = Program::named("quickstart").run(&[]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    assert_eq!(run.output.lines().collect::<Vec<_>>(), shown(SOURCE));
}

#[test]
fn it_fits_a_screen() {
    assert!(SOURCE.lines().count() < 60);
}
