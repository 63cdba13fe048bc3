//! `cargo xtask bench`: measures whole runs of the program against the floor, reading the input and
//! writing the output with nothing in between, and holds the ratios against their bars.
//!
//! A machine is fast at one moment and slow at the next, so single times are unreliable: the program and the
//! floor run in turns, and the median of their ratios is compared. The start of the process is measured in each
//! round, too (`formwork version`), and taken off. `docs/performance.md` keeps the figures.

mod growth;
mod inputs;
mod instructions;
mod peers;
mod process;
mod report;
pub(crate) mod shapes;
mod table;
pub(crate) mod written;

use inputs::Inputs;
use process::Run;
use table::{ROWS, Row};
use xtask_launcher::BenchArgs;

/// What was measured of a row: a figure a round, each the median of the round's runs.
struct Measured {
    row: &'static Row,
    /// Bytes that the program prints.
    output: u64,
    /// The program's user and system time, in milliseconds.
    cpu_ms: Vec<f64>,
    /// The floor's, when the row is compared with it.
    ideal_ms: Vec<f64>,
    /// Peak resident memory, in bytes.
    memory: Vec<f64>,
    /// Instructions of one run, when they are counted.
    instructions: Option<u64>,
}

/// What a process costs that only prints its version.
#[derive(Default)]
struct Start {
    /// A figure a round.
    cpu_ms: Vec<f64>,
    instructions: Option<u64>,
}

impl Start {
    /// Times without that of the start, round by round.
    fn net(&self, figures: &[f64]) -> Vec<f64> {
        figures.iter().zip(&self.cpu_ms).map(|(figure, start)| (figure - start).max(0.0)).collect()
    }

    /// The median of what a row costs, net of the start, as a multiple of other figures.
    fn net_ratio(&self, row: &Measured, of: &[f64]) -> f64 {
        median_ratio(&self.net(&row.cpu_ms), of)
    }
}

/// Does it.
pub(crate) fn run(args: &BenchArgs) -> Result<(), String> {
    if args.growth {
        let (program, folder) = inputs::program_and_folder(args.binary.as_deref())?;
        let choice =
            growth::Choice { only: args.only.as_deref(), rounds: args.rounds, instructions: args.instructions };
        let missed = growth::run(&program, &folder, choice)?;
        return judged(missed, args);
    }
    if args.peers {
        let (program, folder) = inputs::program_and_folder(args.binary.as_deref())?;
        return peers::run(&program, &folder, args.rounds);
    }
    let rows = chosen(args.only.as_deref());
    if rows.is_empty() {
        return Err("no row of the table has such a name".to_owned());
    }
    let inputs = Inputs::prepare(&args.bench, args.binary.as_deref())?;
    let mut measured = Vec::new();
    for row in rows {
        let output = inputs.output_bytes(row)?;
        let (cpu_ms, ideal_ms, memory) = Default::default();
        let instructions = if args.instructions { Some(inputs.instructions(row)?) } else { None };
        measured.push(Measured { row, output, cpu_ms, ideal_ms, memory, instructions });
    }
    let mut start = Start::default();
    if args.instructions {
        start.instructions = Some(inputs.start_instructions()?);
    }
    for round in 1..=args.rounds {
        eprintln!("round {round} of {}", args.rounds);
        start.cpu_ms.push(inputs.start_ms()?);
        for row in &mut measured {
            row.measure(&inputs)?;
        }
    }
    let missed = report::table(&measured, &start);
    measured.iter().try_for_each(|measured| inputs.clean(measured.row))?;
    judged(missed, args)
}

fn judged(missed: u32, args: &BenchArgs) -> Result<(), String> {
    if missed == 0 || args.no_fail { Ok(()) } else { Err(format!("{missed} figures are above their bars")) }
}

/// The rows to measure: those asked for, and those that they are compared with.
fn chosen(only: Option<&str>) -> Vec<&'static Row> {
    let wanted = |row: &Row| only.is_none_or(|text| row.name.contains(text));
    let named: Vec<&str> = ROWS.iter().filter(|row| wanted(row)).flat_map(Row::compared_with).collect();
    ROWS.iter().filter(|row| wanted(row) || named.contains(&row.name)).collect()
}

impl Measured {
    /// One round: half of the program's runs before the floor, half behind it, so that a machine that
    /// changes its speed changes both.
    fn measure(&mut self, inputs: &Inputs) -> Result<(), String> {
        let mut runs: Vec<Run> = Vec::new();
        for _ in 0..self.row.repeat {
            runs.push(inputs.run(self.row)?);
        }
        if let Some(sized) = self.row.floor_output() {
            self.ideal_ms.push(inputs.ideal_ms(self.row, &sized)?);
        }
        if !self.row.reads().is_empty() {
            self.ideal_ms.push(inputs.reading_ms(self.row.reads())?);
        }
        for _ in 0..self.row.repeat {
            runs.push(inputs.run(self.row)?);
        }
        self.cpu_ms.push(median(runs.iter().map(|run| run.cpu_ms)));
        self.memory.push(median(runs.iter().map(|run| run.memory as f64)));
        Ok(())
    }
}

/// The middle one of some figures, the upper of two.
pub(crate) fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.into_iter().collect();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// The median of what a figure is of another one, round by round.
fn median_ratio(figures: &[f64], of: &[f64]) -> f64 {
    median(figures.iter().zip(of).map(|(figure, of)| figure / of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_taken_round_by_round() {
        // The machine ran at half its speed in the second round.
        assert!((median_ratio(&[3.0, 6.0, 3.0], &[2.0, 4.0, 2.0]) - 1.5).abs() < 1e-9);
        assert!((median([5.0, 1.0, 3.0]) - 3.0).abs() < 1e-9);
        assert!(median([]).is_nan());
    }
}
