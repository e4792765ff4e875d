//! Shows the sweep over the number of gets in flight, as a Markdown table and as an SVG chart.

use std::path::Path;

use plotters::prelude::*;

use crate::measured::Measured;

/// The numbers of gets in flight.
pub(crate) const IN_FLIGHT: [u64; 13] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096];

/// Prints the sweep as Markdown.
pub(crate) fn print(points: &[(u64, Measured)]) {
    println!(
        "| in flight | gets per s | CPU of the client in us | p50 in us | p99 in us |\n|---|---|---|---|---|"
    );
    for (in_flight, measured) in points {
        let field = |name| measured.median("get", name).unwrap_or(f64::NAN);
        let (rate, cpu) = (field("ops_s"), field("cpu_us_op"));
        println!(
            "| {in_flight} | {rate:.0} | {cpu:.2} | {:.0} | {:.0} |",
            field("p50_us"),
            field("p99_us")
        );
    }
}

/// Draws rate and CPU time over the number of gets in flight, each as a part of its largest value.
pub(crate) fn draw(
    file: &Path,
    points: &[(u64, Measured)],
) -> Result<(), Box<dyn std::error::Error>> {
    let series = |field: &str| -> Vec<(f64, f64)> {
        let of = |(in_flight, measured): &(u64, Measured)| {
            Some(((*in_flight as f64).log2(), measured.median("get", field)?))
        };
        points.iter().filter_map(of).collect()
    };
    let lines = [
        ("gets per s", "", series("ops_s"), RGBColor(0x1f, 0x6f, 0xb4)),
        ("CPU time a get", " us", series("cpu_us_op"), RGBColor(0xc4, 0x4e, 0x1c)),
    ];
    let area = SVGBackend::new(file, (760, 420)).into_drawing_area();
    area.fill(&WHITE)?;
    let last = points.last().map_or(0.0, |(in_flight, _)| (*in_flight as f64).log2());
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .x_label_area_size(40)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..last, 0.0..1.05)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(points.len())
        .x_desc("gets in flight")
        .y_desc("part of the largest")
        .x_label_formatter(&|power| format!("{:.0}", power.exp2()))
        .draw()?;
    for (name, unit, values, color) in lines {
        let largest = values.iter().map(|(_, value)| *value).fold(f64::MIN_POSITIVE, f64::max);
        let scaled = values.iter().map(|(x, value)| (*x, value / largest));
        chart
            .draw_series(LineSeries::new(scaled, color.stroke_width(2)).point_size(3))?
            .label(format!("{name}, largest {largest:.0}{unit}"))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .background_style(WHITE)
        .border_style(RGBColor(0xaa, 0xaa, 0xaa))
        .position(SeriesLabelPosition::MiddleRight)
        .draw()?;
    area.present()?;
    Ok(())
}
