//! `cargo xtask bench`: measures whole runs of the program against the floor, reading the input and
//! writing the output with nothing in between, and holds the ratios against their bars.
//!
//! A machine is fast on one day and slow on another, so times say little: the program and the floor
//! run in turns, in one sitting, and the ratio of their medians is judged. `docs/performance.md` keeps
//! the figures.

mod inputs;
mod process;
mod report;
mod table;

use std::path::PathBuf;

use inputs::Inputs;
use process::Run;
use table::{ROWS, Row};

/// Its options.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only rows whose name contains this text, and those that they are compared with.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Rounds; a round runs the program several times and the floor once.
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Measure this program instead of building one.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// The folder with generate.py and floor/.
    #[arg(long, value_name = "DIR", default_value = "../shared/bench")]
    bench: PathBuf,
    /// Print the figures and do not fail when one is above its bar.
    #[arg(long)]
    no_fail: bool,
}

/// What was measured of a row.
struct Measured {
    /// Median of the program's user and system time, in milliseconds.
    cpu_ms: f64,
    /// Median of the floor's, when the row is compared with it.
    ideal_ms: Option<f64>,
    /// Median of the peak resident memory, in bytes.
    memory: u64,
    /// Bytes that the program prints.
    output: u64,
}

/// Does it.
pub(crate) fn run(args: &Args) -> Result<(), String> {
    let rows = chosen(args.only.as_deref());
    if rows.is_empty() {
        return Err("no row of the table has such a name".to_owned());
    }
    let inputs = Inputs::prepare(&args.bench, args.binary.as_deref())?;
    report::heading();
    let (mut measured, mut missed) = (Vec::new(), 0);
    for row in rows {
        let found = measure(&inputs, row, args.rounds)?;
        missed += report::row(row, &found, &measured);
        measured.push((row.name, found));
    }
    report::end(missed);
    if missed == 0 || args.no_fail { Ok(()) } else { Err(format!("{missed} figures are above their bars")) }
}

/// The rows to measure: those asked for, and those that they are compared with.
fn chosen(only: Option<&str>) -> Vec<&'static Row> {
    let wanted = |row: &Row| only.is_none_or(|text| row.name.contains(text));
    let named: Vec<&str> = ROWS.iter().filter(|row| wanted(row)).flat_map(Row::compared_with).collect();
    ROWS.iter().filter(|row| wanted(row) || named.contains(&row.name)).collect()
}

fn measure(inputs: &Inputs, row: &Row, rounds: u32) -> Result<Measured, String> {
    let output = inputs.output_bytes(row)?;
    let (mut runs, mut floor): (Vec<Run>, Vec<f64>) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        for _ in 0..row.repeat {
            runs.push(inputs.run(row)?);
        }
        if let Some(sized) = row.floor_output() {
            floor.push(inputs.ideal_ms(row, &sized)?);
        }
    }
    Ok(Measured {
        cpu_ms: median(runs.iter().map(|run| run.cpu_ms)),
        ideal_ms: (!floor.is_empty()).then(|| median(floor)),
        memory: median(runs.iter().map(|run| run.memory as f64)) as u64,
        output,
    })
}

fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
