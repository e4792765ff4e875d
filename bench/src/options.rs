//! Reads the command line of a benchmark: prints the help, or says what is wrong with the options.

use std::process::ExitCode;

/// Reads the options of a program. If help is requested, or if the options are not understood,
/// prints the help or the reason, and returns the exit code as the error.
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
