//! The report: a table in Markdown, so that it can be pasted into `docs/performance.md`.

use super::table::Bar;
use super::{Measured, Start, median};

const MEBIBYTE: f64 = 1024.0 * 1024.0;

/// Prints what was measured, a line for each bar, and returns how many are missed.
pub(super) fn table(measured: &[Measured], start: &Start) -> u32 {
    println!("start: {:.2} ms, {}\n", median(start.cpu_ms.iter().copied()), millions(start.instructions));
    println!(
        "| input                    |     ms |  ideal |  MiB | output MB |     M | figure                          |  bar |      |"
    );
    println!(
        "|--------------------------|-------:|-------:|-----:|----------:|------:|---------------------------------|-----:|------|"
    );
    let mut missed = 0;
    for row in measured {
        for (at, bar) in row.row.bars.iter().enumerate() {
            let (figure, limit, words) = judge(*bar, row, measured, start);
            let holds = figure <= limit;
            missed += u32::from(!holds);
            println!(
                "| {} | {:<31} | {limit:>4} | {:<4} |",
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
        "{:<24} | {:>6} | {:>6} | {:>4} | {:>9} | {:>5}",
        if is_first { row.row.name } else { "" },
        shown(median(row.cpu_ms.iter().copied()), 2),
        shown(median(row.ideal_ms.iter().copied()), 2),
        shown(median(row.memory.iter().copied()) / MEBIBYTE, 1),
        shown(row.output as f64 / 1e6, 2),
        shown(row.instructions.map_or(f64::NAN, |count| count as f64 / 1e6), 1)
    )
}

/// The figure that a bar is about, the bar, and what the figure is.
fn judge(bar: Bar, row: &Measured, all: &[Measured], start: &Start) -> (f64, f64, String) {
    let memory = || median(row.memory.iter().copied());
    match bar {
        Bar::Ideal(limit) => (start.net_ratio(row, &row.ideal_ms), limit, "x ideal".to_owned()),
        Bar::Reading(_, limit) => (start.net_ratio(row, &row.ideal_ms), limit, "x reading".to_owned()),
        Bar::Row(name, limit) => {
            let other = all.iter().find(|other| other.row.name == name);
            let figure = other.map_or(f64::NAN, |other| start.net_ratio(row, &start.net(&other.cpu_ms)));
            (figure, limit, format!("x {name}"))
        }
        Bar::Milliseconds(limit) => (median(row.cpu_ms.iter().copied()), limit, "ms".to_owned()),
        Bar::Mebibytes(limit) => (memory() / MEBIBYTE, limit, "MiB".to_owned()),
    }
}

/// Millions of instructions.
fn millions(count: Option<u64>) -> String {
    count.map_or_else(
        || "instructions not counted".to_owned(),
        |count| format!("{:.2} million instructions", count as f64 / 1e6),
    )
}
