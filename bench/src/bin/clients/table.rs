//! Shows the comparison of all clients at one concurrency, as a Markdown table with ratios.

use crate::measured::Measured;
use crate::options::Options;

/// Prints the results of the clients at one number of operations in flight, as Markdown.
pub(crate) fn print(options: &Options, concurrency: u64, clients: &[(String, Measured)]) {
    println!("## {concurrency} in flight, n={}, {} rounds\n", options.count, options.rounds);
    let names: Vec<&str> = clients.iter().map(|(name, _)| name.as_str()).collect();
    println!(
        "Operations per s / CPU of the client in us / of the servers in us / p50 in us, for one operation; of the"
    );
    println!("medians, the ratios of {} to the best other client.\n", names.first().unwrap_or(&""));
    println!("| stage | {} | rate | CPU | p50 |", names.join(" | "));
    println!("|---|{}---|---|---|", "---|".repeat(names.len()));
    for stage in &options.stages {
        let cell = |(_, measured): &(String, Measured)| {
            let field = |name, digits| {
                let value = measured.median(stage, name);
                value.map_or_else(|| "-".to_owned(), |value: f64| format!("{value:.digits$}"))
            };
            let (rate, cpu) = (field("ops_s", 0), field("cpu_us_op", 2));
            format!("{rate} / {cpu} / {} / {}", field("server_us_op", 1), field("p50_us", 0))
        };
        let cells: Vec<String> = clients.iter().map(cell).collect();
        let ratio = |field: &str, best: fn(f64, f64) -> f64| {
            let of = |(_, measured): &(String, Measured)| measured.median(stage, field);
            let ours = clients.first().and_then(of)?;
            Some(ours / clients.iter().skip(1).filter_map(of).reduce(best)?)
        };
        let show = |value: Option<f64>| value.map_or_else(|| "-".into(), |v| format!("{v:.2}"));
        let (rate, cpu) = (ratio("ops_s", f64::max), ratio("cpu_us_op", f64::min));
        let p50 = ratio("p50_us", f64::min);
        println!(
            "| {stage} | {} | {} | {} | {} |",
            cells.join(" | "),
            show(rate),
            show(cpu),
            show(p50)
        );
    }
    let peak = |(_, measured): &(String, Measured)| {
        measured
            .largest("rss", "peak_mb")
            .map_or_else(|| "-".into(), |peak| format!("{peak:.0} MB"))
    };
    println!(
        "| peak memory | {} | | | |",
        clients.iter().map(peak).collect::<Vec<_>>().join(" | ")
    );
    let failed = |(_, measured): &(String, Measured)| format!("{:.0}", measured.failed());
    println!("| failed | {} | | | |\n", clients.iter().map(failed).collect::<Vec<_>>().join(" | "));
}
