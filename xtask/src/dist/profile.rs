//! Profile-guided optimization: the program that is released is laid out and inlined by what runs of one that counts executed.
//!
//! What is counted is the work of the examples, as their users run them, and of the shapes of `bench --growth`, which have every
//! part of the language and every kind of error. None of it is what the table of `bench` measures. Counts of two trainings
//! differ a little, for hashes that are seeded at random: they are published with the program, which is built again by them.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::failed;
use super::platform::host;
use crate::bench::{shapes, written};
use crate::command::{finish, output};

/// What is run for each example.
const COMMANDS: &[&[&str]] = &[
    &["expand"],
    &["expand", "--format", "json"],
    &["expand", "--values", "all", "--format", "json"],
    &["check"],
    &["resolve", "--format", "json"],
];

/// How often each example is run: they are small beside the shapes.
const TIMES: usize = 5;

/// Most repetitions of the parts of a shape: a program that counts is slow.
const MOST: u32 = 500;

/// The options of `rustc` for a program that writes what it counts into `folder`. zig does not know what it is linked with.
pub(super) fn counting(folder: &Path) -> Vec<String> {
    let linker = cfg!(target_os = "linux").then(|| "-Clinker=cc".to_owned());
    linker.into_iter().chain([format!("-Cprofile-generate={}", folder.display())]).collect()
}

/// Lets a program that counts work, and writes what it counted into `profile`, unless that is newer than the program: with
/// another profile everything is built again. The files that the work needs are written into `folder`.
///
/// # Errors
/// When the program or LLVM's tool cannot be run, or files cannot be written.
pub(super) fn train(root: &Path, program: &Path, folder: &Path, profile: &Path) -> Result<(), String> {
    if is_newer(profile, program) {
        return Ok(());
    }
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    let counts = folder.join("counts");
    fs::create_dir_all(&counts).map_err(|error| failed(&counts, &error))?;
    let run = |words: &[&str], template: &Path, inside: &Path| {
        let mut command = Command::new(program);
        command.args(words).arg(template).current_dir(inside);
        // All runs add to one file, which two threads of a run would count in at a time.
        command.env("LLVM_PROFILE_FILE", counts.join("%m.profraw")).env("RAYON_NUM_THREADS", "1");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Templates with errors are counted, too.
        command.status().map(drop).map_err(|error| failed(program, &error))
    };
    let examples = examples(root)?;
    for _ in 0..TIMES {
        for template in &examples {
            for words in COMMANDS {
                run(words, template, root)?;
            }
        }
        run(&["check"], &root.join("examples"), root)?;
    }
    for shape in shapes::all() {
        let template = written::write(shape, shape.n.min(MOST), folder)?;
        for words in shape.commands {
            run(words, &template, template.parent().unwrap_or(folder))?;
        }
    }
    // Without functions that were never called, which would be optimized for size: the work has no packaging and no servers.
    finish(Command::new(tool("llvm-profdata")?).args(["merge", "--sparse", "--output"]).arg(profile).arg(&counts))
}

/// The templates of the examples; what they expand to is a template, too.
fn examples(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = root.join("examples");
    let mut templates = Vec::new();
    for entry in fs::read_dir(&folder).map_err(|error| failed(&folder, &error))? {
        let inside = entry.map_err(|error| failed(&folder, &error))?.path();
        let named = ["template.yaml", "expanded.yaml"].map(|name| inside.join(name));
        templates.extend(named.into_iter().filter(|path| path.is_file()));
    }
    templates.sort();
    Ok(templates)
}

/// Whether a profile knows functions of a library. The compiler takes one that knows none, without a word.
///
/// # Errors
/// When LLVM's tools cannot be run, or cannot read the files.
pub(super) fn knows(profile: &Path, library: &Path) -> Result<bool, String> {
    let counted = output(Command::new(tool("llvm-profdata")?).args(["show", "--all-functions"]).arg(profile))?;
    let own = output(Command::new(tool("llvm-nm")?).args(["--defined-only", "--format=just-symbols"]).arg(library))?;
    let (counted, own) = (String::from_utf8_lossy(&counted), String::from_utf8_lossy(&own));
    let own: HashSet<&str> = own.lines().collect();
    Ok(counted.lines().filter_map(|line| line.trim().strip_suffix(':')).any(|name| own.contains(name)))
}

/// A tool of LLVM, of the version that the compiler has: `rustup` installs it beside the compiler.
///
/// # Errors
/// When it is not there.
pub(super) fn tool(name: &str) -> Result<PathBuf, String> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    let tools = Path::new(String::from_utf8_lossy(&sysroot).trim()).join("lib/rustlib").join(host()?).join("bin");
    let tool = tools.join(name).with_extension(std::env::consts::EXE_EXTENSION);
    if tool.is_file() { Ok(tool) } else { Err(format!("{name} is missing: run `rustup component add llvm-tools`")) }
}

/// Whether both files exist, and the first one was written after the second.
fn is_newer(file: &Path, other: &Path) -> bool {
    let written = |file: &Path| file.metadata().and_then(|metadata| metadata.modified()).ok();
    written(file).zip(written(other)).is_some_and(|(file, other)| file > other)
}
