//! The files of a shape.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::shapes::{Part, Shape};

/// Writes the files of a shape, with n repetitions, into a directory of its name; returns the template.
pub(crate) fn write(shape: &Shape, n: u32, folder: &Path) -> Result<PathBuf, String> {
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
    use super::super::shapes::all;
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
