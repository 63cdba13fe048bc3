//! Growth: what a shape costs at n and at 10 n, net of what a process costs by itself.

use std::fs;
use std::path::{Path, PathBuf};

use super::instructions;
use super::process::{self, Run};
use super::shapes::{Shape, all};
use super::written::write;

/// Most that ten times the input may cost, in time and in memory.
const BAR: f64 = 13.0;

/// Least time that is reliable, in milliseconds: a shape that takes less is repeated more often at first.
const ENOUGH_MS: f64 = 5.0;

/// How many times more often it is repeated at most.
const MOST_TIMES: u32 = 32;

/// How many times both are measured again where time is above the bar: the least of few runs is too high, and more so
/// for the longer one.
const AGAIN: u32 = 4;

/// Messages of runs that end at a limit, and do not do the work of ten times the input.
const LIMITS: [&str; 3] = ["FW0006", "FW0712", "larger than the limit"];

/// Memory below which its growth does not count: pages of the program, of which more are touched.
const LEAST_BYTES: f64 = 4e6;

/// How shapes are measured.
struct Measuring<'a> {
    program: &'a Path,
    folder: PathBuf,
    rounds: u32,
    /// What a process costs by itself.
    start: Run,
    /// Its instructions, when they are counted.
    start_instructions: Option<u64>,
}

/// What a run costs, net of what a process costs by itself, and what it reads.
#[derive(Clone, Copy)]
struct Cost {
    ms: f64,
    memory: f64,
    input: f64,
}

impl Cost {
    /// The least of two measurements.
    fn least(self, other: Cost) -> Cost {
        Cost { ms: self.ms.min(other.ms), memory: self.memory.min(other.memory), ..self }
    }
}

/// Options of `bench` that matter here.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    /// Only shapes whose name contains this text.
    pub(super) only: Option<&'a str>,
    /// Runs of which the least counts.
    pub(super) rounds: u32,
    /// Count instructions, too.
    pub(super) instructions: bool,
}

/// Measures every shape that is chosen, prints a table and returns how many grow too fast.
pub(super) fn run(program: &Path, folder: &Path, choice: Choice<'_>) -> Result<u32, String> {
    let folder = folder.join("growth");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let start = least(program, &["version"], &folder, choice.rounds, || Ok(None))?;
    let count = || instructions::count(program, &["version"], None, &folder);
    let start_instructions = choice.instructions.then(count).transpose()?;
    let measuring = Measuring { program, folder, rounds: choice.rounds, start, start_instructions };
    println!(
        "\n| shape                                         |      n |     ms | at 10 n | growth |   MiB | x input | growth |      M | at 10 n | growth |"
    );
    println!(
        "|-----------------------------------------------|-------:|-------:|--------:|-------:|------:|--------:|-------:|-------:|--------:|-------:|"
    );
    let mut missed = 0;
    for shape in all().filter(|shape| choice.only.is_none_or(|text| shape.name.contains(text))) {
        for words in shape.commands {
            missed += u32::from(!measuring.holds(shape, words)?);
        }
    }
    Ok(missed)
}

impl Measuring<'_> {
    /// Measures a shape for n and 10 n, and prints the row: whether it grows as it may.
    fn holds(&self, shape: &Shape, words: &[&str]) -> Result<bool, String> {
        let mut n = shape.n;
        // Inputs that a limit rejects show no growth, but for shapes that are about limits.
        let is_about_limits = self.ends_at_limit(words, shape, n)?;
        let is_rejected = |n: u32| Ok::<_, String>(!is_about_limits && self.ends_at_limit(words, shape, 10 * n)?);
        while n > 1 && is_rejected(n)? {
            n /= 2;
        }
        let mut once = self.cost(words, shape, n)?;
        while once.ms < ENOUGH_MS && n < MOST_TIMES * shape.n && !is_rejected(2 * n)? {
            n *= 2;
            once = self.cost(words, shape, n)?;
        }
        let mut tenfold = self.cost(words, shape, 10 * n)?;
        for _ in 0..AGAIN {
            if tenfold.ms / once.ms.max(1.0) <= BAR {
                break;
            }
            once = once.least(self.cost(words, shape, n)?);
            tenfold = tenfold.least(self.cost(words, shape, 10 * n)?);
        }
        let time = tenfold.ms / once.ms.max(1.0);
        let memory = tenfold.memory.max(LEAST_BYTES) / once.memory.max(LEAST_BYTES);
        let counts = match self.start_instructions {
            Some(start) => Some((self.millions(words, shape, n, start)?, self.millions(words, shape, 10 * n, start)?)),
            None => None,
        };
        let work = counts.map_or(0.0, |(once, tenfold)| tenfold / once.max(1.0));
        let holds = time <= BAR && memory <= BAR && work <= BAR;
        let counts = counts.map_or_else(
            || "       |         |        ".to_owned(),
            |(once, tenfold)| format!(" {once:>6.1} | {tenfold:>7.1} | {work:>6.1}"),
        );
        println!(
            "| {:<45} | {n:>6} | {:>6.1} | {:>7.1} | {time:>6.1} | {:>5.1} | {:>7.1} | {memory:>6.1} |{counts} |{}",
            format!("{}, {}", shape.name, words.join(" ")),
            once.ms,
            tenfold.ms,
            tenfold.memory / f64::from(1 << 20),
            tenfold.memory / tenfold.input,
            if holds { "" } else { " FAIL" }
        );
        Ok(holds)
    }

    /// What a shape costs for n.
    fn cost(&self, words: &[&str], shape: &Shape, n: u32) -> Result<Cost, String> {
        let input = write(shape, n, &self.folder)?;
        let inside = input.parent().unwrap_or(&self.folder);
        let files = fs::read_dir(inside).map_err(|error| format!("{}: {error}", inside.display()))?;
        let files = files.filter_map(Result::ok).filter(|file| !file.file_name().to_string_lossy().ends_with(".map"));
        let bytes: u64 = files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum();
        // A command may write the template.
        let again = || write(shape, n, &self.folder).map(Some);
        let run = least(self.program, words, inside, self.rounds, again)?;
        let memory = run.memory.saturating_sub(self.start.memory) as f64;
        Ok(Cost { ms: (run.cpu_ms - self.start.cpu_ms).max(0.0), memory, input: bytes as f64 })
    }

    /// Whether a run for n ends at a limit.
    fn ends_at_limit(&self, words: &[&str], shape: &Shape, n: u32) -> Result<bool, String> {
        let input = write(shape, n, &self.folder)?;
        let inside = input.parent().unwrap_or(&self.folder);
        process::prints(self.program, words, &input, inside, &LIMITS)
    }

    /// Millions of instructions of a shape for n, less those of a process by itself.
    fn millions(&self, words: &[&str], shape: &Shape, n: u32, start: u64) -> Result<f64, String> {
        let input = write(shape, n, &self.folder)?;
        let inside = input.parent().unwrap_or(&self.folder);
        let count = instructions::count(self.program, words, Some(&input), inside)?;
        Ok(count.saturating_sub(start) as f64 / 1e6)
    }
}

/// The least that some runs cost: what else the machine does only adds to it.
fn least(
    program: &Path,
    words: &[&str],
    folder: &Path,
    rounds: u32,
    input: impl Fn() -> Result<Option<PathBuf>, String>,
) -> Result<Run, String> {
    let mut least: Option<Run> = None;
    for _ in 0..rounds {
        let run = process::run_to_any_end(program, words, input()?.as_deref(), folder)?;
        least = Some(match least {
            None => run,
            Some(known) => Run { cpu_ms: known.cpu_ms.min(run.cpu_ms), memory: known.memory.min(run.memory) },
        });
    }
    least.ok_or_else(|| "no rounds".to_owned())
}
