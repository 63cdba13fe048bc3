//! Growth: what a shape costs at n and at 10 n, net of what a process costs by itself.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::process::{self, Run};
use super::shapes::{Part, Shape, all};

/// Most that ten times the input may cost, in time and in memory.
const BAR: f64 = 13.0;

/// Least time that is reliable, in milliseconds: a shape that takes less is repeated more often at first.
const ENOUGH_MS: f64 = 5.0;

/// How many times more often it is repeated at most.
const MOST_TIMES: u32 = 32;

/// Memory below which its growth does not count: pages of the program, of which more are touched.
const LEAST_BYTES: f64 = 4e6;

/// What a run costs, net of what a process costs by itself, and what it reads.
#[derive(Clone, Copy)]
struct Cost {
    ms: f64,
    memory: f64,
    input: f64,
}

/// Measures every shape whose name contains a string, prints a table and returns how many grow too fast.
pub(super) fn run(program: &Path, folder: &Path, only: Option<&str>, rounds: u32) -> Result<u32, String> {
    let folder = folder.join("growth");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let start = least(program, &["--version"], &folder, rounds, || Ok(None))?;
    println!(
        "\n| shape                                         |      n |     ms | at 10 n | growth |   MiB | x input | growth |"
    );
    println!(
        "|-----------------------------------------------|-------:|-------:|--------:|-------:|------:|--------:|-------:|"
    );
    let mut missed = 0;
    for shape in all().filter(|shape| only.is_none_or(|text| shape.name.contains(text))) {
        for words in shape.commands {
            let cost = |n: u32| cost(program, words, shape, n, &folder, rounds, start);
            let mut n = shape.n;
            let mut once = cost(n)?;
            while once.ms < ENOUGH_MS && n < MOST_TIMES * shape.n {
                n *= 2;
                once = cost(n)?;
            }
            let tenfold = cost(10 * n)?;
            let time = tenfold.ms / once.ms.max(1.0);
            let memory = tenfold.memory.max(LEAST_BYTES) / once.memory.max(LEAST_BYTES);
            let holds = time <= BAR && memory <= BAR;
            missed += u32::from(!holds);
            println!(
                "| {:<45} | {n:>6} | {:>6.1} | {:>7.1} | {time:>6.1} | {:>5.1} | {:>7.1} | {memory:>6.1} |{}",
                format!("{}, {}", shape.name, words.join(" ")),
                once.ms,
                tenfold.ms,
                tenfold.memory / f64::from(1 << 20),
                tenfold.memory / tenfold.input,
                if holds { "" } else { " FAIL" }
            );
        }
    }
    Ok(missed)
}

/// What a shape costs for n.
fn cost(
    program: &Path,
    words: &[&str],
    shape: &Shape,
    n: u32,
    folder: &Path,
    rounds: u32,
    start: Run,
) -> Result<Cost, String> {
    let input = write(shape, n, folder)?;
    let inside = input.parent().unwrap_or(folder);
    let files = fs::read_dir(inside).map_err(|error| format!("{}: {error}", inside.display()))?;
    let files = files.filter_map(Result::ok).filter(|file| !file.file_name().to_string_lossy().ends_with(".map"));
    let bytes: u64 = files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum();
    // A command may write the template.
    let again = || write(shape, n, folder).map(Some);
    let run = least(program, words, inside, rounds, again)?;
    let memory = run.memory.saturating_sub(start.memory) as f64;
    Ok(Cost { ms: (run.cpu_ms - start.cpu_ms).max(0.0), memory, input: bytes as f64 })
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

/// Writes the files of a shape; returns the template.
fn write(shape: &Shape, n: u32, folder: &Path) -> Result<PathBuf, String> {
    let folder = folder.join(shape.name);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    // Written as it is made: what this program holds counts as memory of those that it starts.
    let put = |name: &str, parts: &[Part]| {
        let path = folder.join(name);
        let written = File::create(&path).and_then(|file| {
            let mut file = BufWriter::new(file);
            text(parts, n, &mut file)?;
            file.flush()
        });
        written.map(|()| path.clone()).map_err(|error| format!("{}: {error}", path.display()))
    };
    if let Some((name, parts)) = shape.beside {
        put(name, parts)?;
    }
    put(&format!("template.{}", shape.extension), shape.parts)
}

/// Writes the text of a shape for n: `@` is the number of a repetition, `^` the one before it, and `~` a comma
/// between two of them.
fn text(parts: &[Part], n: u32, out: &mut impl Write) -> io::Result<()> {
    for part in parts {
        match part {
            Part::Once(once) => out.write_all(once.as_bytes())?,
            Part::Each(each) => {
                for number in 1..=n {
                    let comma = if number > 1 { "," } else { "" };
                    let one = each.replace('@', &number.to_string()).replace('^', &(number - 1).to_string());
                    out.write_all(one.replace('~', comma).as_bytes())?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_repeated_and_numbered() {
        let parts = [Part::Once("["), Part::Each("~@-^"), Part::Once("]")];
        let mut out = Vec::new();
        text(&parts, 3, &mut out).expect("a vector takes all");
        assert_eq!(out, b"[1-0,2-1,3-2]");
    }

    #[test]
    fn every_shape_grows() {
        for (at, shape) in all().enumerate() {
            assert!(!shape.commands.is_empty(), "{}", shape.name);
            assert!(!all().take(at).any(|other| other.name == shape.name), "{} is a duplicate", shape.name);
            let size = |n| {
                let mut out = Vec::new();
                for parts in [shape.parts].into_iter().chain(shape.beside.map(|(_, parts)| parts)) {
                    text(parts, n, &mut out).expect("a vector takes all");
                }
                out.len()
            };
            assert!(size(10_000) > 5 * size(1000), "{} does not grow", shape.name);
        }
    }
}
