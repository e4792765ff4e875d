//! What every benchmark does with its command line: print the help, or say what is wrong with it.

use std::process::ExitCode;

/// Reads the options of a program, or prints its help, or why they are not understood, and returns
/// how it exits.
///
/// ```
/// let parse = |arguments: &mut dyn Iterator<Item = String>| Ok(arguments.count());
/// assert_eq!(tallrow_bench::options("load", "load: ..", parse), Ok(0));
/// ```
pub fn options<O>(
    program: &str,
    help: &str,
    parse: impl FnOnce(&mut dyn Iterator<Item = String>) -> Result<O, String>,
) -> Result<O, ExitCode> {
    if std::env::args().any(|a| a == "--help" || a == "-h") {
        println!("{help}");
        return Err(ExitCode::SUCCESS);
    }
    parse(&mut std::env::args().skip(1)).map_err(|why| {
        eprintln!("{program}: {why}");
        ExitCode::from(2)
    })
}
