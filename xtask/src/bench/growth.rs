//! Growth: what a shape costs at n and at 10 n, net of what a process costs by itself.

use std::fs;
use std::path::{Path, PathBuf};

use super::shapes::{Part, Shape, all};
use super::{median, process};

/// Most that ten times the input may cost.
const BAR: f64 = 13.0;

/// Least time that is reliable, in milliseconds; shorter ones count as so much.
const LEAST_MS: f64 = 1.0;

/// Measures every shape whose name contains a string, prints a table and returns how many grow too fast.
pub(super) fn run(program: &Path, folder: &Path, only: Option<&str>, rounds: u32) -> Result<u32, String> {
    let folder = folder.join("growth");
    let start = median_ms(program, &["--version"], &folder, None, rounds)?;
    println!("\n| shape                                   |      n |     ms | at 10 n |   growth | bar |      |");
    println!("|-----------------------------------------|-------:|-------:|--------:|---------:|----:|------|");
    let mut missed = 0;
    for shape in all().filter(|shape| only.is_none_or(|text| shape.name.contains(text))) {
        for words in shape.commands {
            let time = |n: u32| {
                let input = write(shape, n, &folder)?;
                Ok::<f64, String>((median_ms(program, words, &folder, Some(&input), rounds)? - start).max(LEAST_MS))
            };
            let (once, tenfold) = (time(shape.n)?, time(10 * shape.n)?);
            let growth = tenfold / once;
            let holds = growth <= BAR;
            missed += u32::from(!holds);
            println!(
                "| {:<39} | {:>6} | {once:>6.1} | {tenfold:>7.1} | {growth:>8.1} | {BAR:>3} | {} |",
                format!("{}, {}", shape.name, words.join(" ")),
                shape.n,
                if holds { "pass" } else { "FAIL" }
            );
        }
    }
    Ok(missed)
}

fn median_ms(program: &Path, words: &[&str], folder: &Path, input: Option<&Path>, rounds: u32) -> Result<f64, String> {
    fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let folder = input.and_then(Path::parent).unwrap_or(folder);
    let mut times = Vec::new();
    for _ in 0..rounds {
        times.push(process::run_to_any_end(program, words, input, folder)?.cpu_ms);
    }
    Ok(median(times))
}

/// Writes the files of a shape; returns the template.
fn write(shape: &Shape, n: u32, folder: &Path) -> Result<PathBuf, String> {
    let folder = folder.join(shape.name);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let put = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok::<PathBuf, String>(path)
    };
    if let Some((name, parts)) = shape.beside {
        put(name, &text(parts, n))?;
    }
    put(&format!("template.{}", shape.extension), &text(shape.parts, n))
}

/// The text of a shape for n: `@` is the number of a repetition, `^` the one before it, and `~` a comma
/// between two of them.
fn text(parts: &[Part], n: u32) -> String {
    let mut text = String::new();
    for part in parts {
        match part {
            Part::Once(once) => text.push_str(once),
            Part::Each(each) => {
                for number in 1..=n {
                    let comma = if number > 1 { "," } else { "" };
                    let one = each.replace('@', &number.to_string()).replace('^', &(number - 1).to_string());
                    text.push_str(&one.replace('~', comma));
                }
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_repeated_and_numbered() {
        let parts = [Part::Once("["), Part::Each("~@-^"), Part::Once("]")];
        assert_eq!(text(&parts, 3), "[1-0,2-1,3-2]");
    }

    #[test]
    fn every_shape_grows() {
        for (at, shape) in all().enumerate() {
            assert!(!shape.commands.is_empty(), "{}", shape.name);
            assert!(!all().take(at).any(|other| other.name == shape.name), "{} is a duplicate", shape.name);
            let size = |n| text(shape.parts, n).len() + shape.beside.map_or(0, |(_, parts)| text(parts, n).len());
            assert!(size(10_000) > 5 * size(1000), "{} does not grow", shape.name);
        }
    }
}
