//! The report: a table in Markdown, so that it can be pasted into `docs/performance.md`.

use super::table::Bar;
use super::{Measured, median, median_ratio};

const MEBIBYTE: f64 = 1024.0 * 1024.0;

/// Prints what was measured, a line for each bar, and returns how many are missed.
pub(super) fn table(measured: &[Measured]) -> u32 {
    println!(
        "| input                  |     ms |  ideal |  MiB | output MB | figure                     |  bar |      |"
    );
    println!(
        "|------------------------|-------:|-------:|-----:|----------:|----------------------------|-----:|------|"
    );
    let mut missed = 0;
    for row in measured {
        for (at, bar) in row.row.bars.iter().enumerate() {
            let (figure, limit, words) = judge(*bar, row, measured);
            let holds = figure <= limit;
            missed += u32::from(!holds);
            println!(
                "| {} | {:<26} | {limit:>4} | {:<4} |",
                costs(row, at == 0),
                format!("{figure:.2} {words}"),
                if holds { "pass" } else { "FAIL" }
            );
        }
    }
    if missed == 0 {
        println!("\nall figures are within their bars");
    }
    missed
}

/// The first cells of a line: what a row cost, shown once.
fn costs(row: &Measured, is_first: bool) -> String {
    let shown = |figure: f64, digits: usize| {
        if is_first && !figure.is_nan() { format!("{figure:.digits$}") } else { String::new() }
    };
    format!(
        "{:<22} | {:>6} | {:>6} | {:>4} | {:>9}",
        if is_first { row.row.name } else { "" },
        shown(median(row.cpu_ms.iter().copied()), 2),
        shown(median(row.ideal_ms.iter().copied()), 2),
        shown(median(row.memory.iter().copied()) / MEBIBYTE, 1),
        shown(row.output as f64 / 1e6, 2)
    )
}

/// The figure that a bar is about, the bar, and what the figure is.
fn judge(bar: Bar, row: &Measured, all: &[Measured]) -> (f64, f64, String) {
    let memory = || median(row.memory.iter().copied());
    match bar {
        Bar::Ideal(limit) => (median_ratio(&row.cpu_ms, &row.ideal_ms), limit, "x ideal".to_owned()),
        Bar::Reading(_, limit) => (median_ratio(&row.cpu_ms, &row.ideal_ms), limit, "x reading".to_owned()),
        Bar::Row(name, limit) => {
            let other = all.iter().find(|other| other.row.name == name);
            let figure = other.map_or(f64::NAN, |other| median_ratio(&row.cpu_ms, &other.cpu_ms));
            (figure, limit, format!("x {name}"))
        }
        Bar::Milliseconds(limit) => (median(row.cpu_ms.iter().copied()), limit, "ms".to_owned()),
        Bar::MemoryOfOutput(limit) => (memory() / row.output as f64, limit, "x output, in memory".to_owned()),
        Bar::Mebibytes(limit) => (memory() / MEBIBYTE, limit, "MiB".to_owned()),
    }
}
