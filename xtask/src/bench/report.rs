//! The report: a table in Markdown, so that it can be pasted into `docs/performance.md`.

use super::Measured;
use super::table::{Bar, Row};

const MEBIBYTE: f64 = 1024.0 * 1024.0;

pub(super) fn heading() {
    println!(
        "| input                  |      ms |   ideal |  MiB | output MB | figure                         |  bar |      |"
    );
    println!(
        "|------------------------|--------:|--------:|-----:|----------:|--------------------------------|-----:|------|"
    );
}

/// Prints a row, a line for each of its bars, and says how many are missed. `above` holds the rows
/// measured before.
pub(super) fn row(row: &Row, measured: &Measured, above: &[(&str, Measured)]) -> u32 {
    let mut missed = 0;
    for (at, bar) in row.bars.iter().enumerate() {
        let (figure, limit, words) = judge(*bar, measured, above);
        let holds = figure <= limit;
        missed += u32::from(!holds);
        let first = at == 0;
        println!(
            "| {:<22} | {:>7} | {:>7} | {:>4} | {:>9} | {:<30} | {limit:>4} | {:<4} |",
            if first { row.name } else { "" },
            shown(first, measured.cpu_ms, 2),
            measured.ideal_ms.map_or(String::new(), |ideal| shown(first, ideal, 2)),
            shown(first, measured.memory as f64 / MEBIBYTE, 1),
            shown(first, measured.output as f64 / 1e6, 2),
            format!("{figure:.2} {words}"),
            if holds { "pass" } else { "FAIL" },
        );
    }
    missed
}

pub(super) fn end(missed: u32) {
    if missed == 0 {
        println!("\nall figures are within their bars");
    }
}

/// The figure that a bar is about, the bar, and what the figure is.
fn judge(bar: Bar, measured: &Measured, above: &[(&str, Measured)]) -> (f64, f64, String) {
    match bar {
        Bar::Ideal(limit) => (measured.cpu_ms / measured.ideal_ms.unwrap_or(f64::NAN), limit, "x ideal".to_owned()),
        Bar::Row(name, limit) => {
            let other = above.iter().find(|(row, _)| *row == name).map_or(f64::NAN, |(_, other)| other.cpu_ms);
            (measured.cpu_ms / other, limit, format!("x {name}"))
        }
        Bar::Milliseconds(limit) => (measured.cpu_ms, limit, "ms".to_owned()),
        Bar::MemoryOfOutput(limit) => {
            (measured.memory as f64 / measured.output as f64, limit, "x output, in memory".to_owned())
        }
        Bar::Mebibytes(limit) => (measured.memory as f64 / MEBIBYTE, limit, "MiB".to_owned()),
    }
}

/// A figure in the first line of a row, nothing in the others.
fn shown(first: bool, figure: f64, digits: usize) -> String {
    if first { format!("{figure:.digits$}") } else { String::new() }
}
