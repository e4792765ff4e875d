//! Shows what the protections of a secured cluster cost the clients, as Markdown tables: one for
//! each stage, with a line for each protection.

use crate::measured::Measured;
use crate::options::Options;

/// Prints the CPU time of the first client and of the second one with each protection. `clients`
/// has the values of all clients with the first protection, then those with the next one.
pub(crate) fn print(
    options: &Options,
    concurrency: u64,
    layers: &[&str],
    clients: &[(String, Measured)],
) {
    let names: Vec<&str> = options.clients.iter().map(String::as_str).collect();
    println!("## {concurrency} in flight, n={}, {} rounds\n", options.count, options.rounds);
    println!(
        "CPU of the client in us for an operation: all of it, and what is more than with {}; medians.\n",
        layers.first().unwrap_or(&"")
    );
    for stage in &options.stages {
        let rows: Vec<Vec<Option<f64>>> = clients
            .chunks(names.len().max(1))
            .map(|row| row.iter().map(|(_, m)| m.median(stage, "cpu_us_op")).collect())
            .collect();
        let columns = names.join(" | ");
        println!("| {stage} | {columns} | ratio | more: {columns} | ratio |");
        println!("|---|{}", "---|".repeat(2 * names.len() + 2));
        for (layer, row) in layers.iter().zip(&rows) {
            let base = rows.first().into_iter().flatten();
            let more: Vec<Option<f64>> =
                row.iter().zip(base).map(|(own, base)| Some((*own)? - (*base)?)).collect();
            println!("| {layer} | {} | {} |", cells(row), cells(&more));
        }
        println!();
    }
    let failed: f64 = clients.iter().map(|(_, measured)| measured.failed()).sum();
    println!("failed operations: {failed:.0}\n");
}

/// Returns the values, and the ratio of the first to the second.
fn cells(values: &[Option<f64>]) -> String {
    let show =
        |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
    let ratio = match values {
        // The difference of two measurements may be nothing.
        [Some(first), Some(second), ..] if *second > 0.1 => Some(first / second),
        _ => None,
    };
    let all: Vec<String> = values.iter().copied().chain([ratio]).map(show).collect();
    all.join(" | ")
}
