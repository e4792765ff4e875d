use crate::program::{Program, shown};

#[test]
fn each_design_has_the_bytes_its_head_shows() {
    let run = Program::named("keys").run(&[]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    assert_eq!(
        run.output.lines().map(str::trim).collect::<Vec<_>>(),
        shown(include_str!("../../keys/main.rs"))
    );
}
