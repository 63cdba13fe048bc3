//! Writes generated projects, one directory each: templates alone, with modules, with files that they include.
//!
//! ```sh
//! cargo run -p formwork-tests --example projects -- DIRECTORY [COUNT] [SEED]
//! ```
#![allow(clippy::disallowed_methods, reason = "a program for developers: files are its work")]

use std::path::Path;

use formwork_tests::generate::{
    Choices, Project, Random, includes, json, loops, modules, names, rooted, sound, template, yaml,
};

/// Bytes to decide by, for one project.
const BYTES: usize = 600;

/// A project of the kind that its number selects.
fn project(number: u64, choices: &mut Choices<'_>) -> Project {
    let alone = |template| vec![("template.yaml".to_owned(), template)];
    match number % 10 {
        0..4 => modules(choices),
        4 | 5 => rooted(choices),
        6 => includes(choices),
        7 => alone(sound(choices)),
        8 => alone(template(choices)),
        _ if choices.one_in(2) => alone(loops(choices).for_each),
        _ if choices.one_in(2) => alone(loops(choices).map),
        _ => alone(names(choices).for_each),
    }
}

fn write(directory: &Path, project: &Project, choices: &mut Choices<'_>) -> std::io::Result<()> {
    for (name, content) in project {
        let path = directory.join(name);
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        std::fs::create_dir_all(path.parent().unwrap_or(directory))?;
        std::fs::write(path, if is_json { json(content) } else { yaml(content, choices) })?;
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let mut words = std::env::args().skip(1);
    let directory = words.next().unwrap_or_else(|| "target/projects".to_owned());
    let mut number = || words.next().and_then(|word| word.parse::<u64>().ok());
    let (count, seed) = (number().unwrap_or(1000), number().unwrap_or_default());
    for at in 0..count {
        let mut random = Random::new(seed.wrapping_mul(1_000_003).wrapping_add(at).wrapping_add(1));
        let bytes: Vec<u8> = (0..BYTES).map(|_| u8::try_from(random.below(256)).unwrap_or_default()).collect();
        let mut choices = Choices::new(&bytes);
        let project = project(at, &mut choices);
        write(&Path::new(&directory).join(format!("{at:05}")), &project, &mut choices)?;
    }
    Ok(())
}
