use tallrow_examples::program::Program;

#[test]
fn the_spread_of_each_design_is_as_published() {
    let run = Program::named("spread").run(&["100000"]);
    assert_eq!(run.code, Some(0), "{}", run.errors);
    assert!(run.output.contains("9 regions without one"), "{}", run.output);
    assert!(run.output.ends_with("split by bytes: 6 regions without a row; by digits: none\n"));
}

#[test]
fn what_is_no_number_is_an_error() {
    let run = Program::named("spread").run(&["many"]);
    assert_eq!(run.code, Some(1));
    assert!(run.errors.contains("is no number of keys"), "{}", run.errors);
}
