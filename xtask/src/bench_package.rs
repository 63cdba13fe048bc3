//! `cargo xtask bench-package`: measures `formwork package` against the floor: reading the files and
//! deflating their bytes once, or reading and hashing them when everything is uploaded already.
//!
//! Both are processes of their own with as many threads; processor time is judged, round by round, and
//! the time of the clock is shown. `docs/performance.md` keeps the figures.

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rayon::prelude::*;
use sha2::{Digest, Sha256};
use wait4::Wait4;
use xtask_launcher::{BenchPackageArgs, Floor};

const FUNCTIONS: usize = 200;
const SHARED: usize = 37;
const BYTES: usize = 1_000_000;
/// Threads of the program and of the floor.
const THREADS: usize = 2;

/// One run of a process, in milliseconds.
#[derive(Clone, Copy, Debug)]
struct Cost {
    cpu: f64,
    wall: f64,
}

/// Does it.
pub(crate) fn run(args: &BenchPackageArgs) -> Result<(), String> {
    if let (Some(floor), Some(folder)) = (args.floor, &args.folder) {
        return work(floor, folder);
    }
    let binary = args.binary.canonicalize().map_err(|error| format!("{}: {error}", args.binary.display()))?;
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let folder = std::env::temp_dir().join(format!("formwork-bench-{}", std::process::id()));
    let result = measure(&binary, &this, &folder, args.rounds);
    let _ = fs::remove_dir_all(&folder);
    result
}

fn measure(binary: &Path, this: &Path, folder: &Path, rounds: u32) -> Result<(), String> {
    generate(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let package = |template: &str| {
        let mut command = Command::new(binary);
        command.args(["package", template, "--s3-bucket", "file:store", "--bucket-name", "bucket"]);
        command.args(["--concurrency", &THREADS.to_string()]);
        cost(command.current_dir(folder))
    };
    let floor = |work: &str, files: &str| {
        let mut command = Command::new(this);
        command.args(["bench-package", "--floor", work, "--folder", files]).current_dir(folder);
        cost(&mut command)
    };
    let clear = || {
        let _ = fs::remove_dir_all(folder.join("store"));
    };
    let mut rows: [(&str, Vec<(Cost, Cost)>); 4] = [
        ("200 functions of 1 MB, first run / read and deflate", Vec::new()),
        ("the same, second run / read and hash", Vec::new()),
        ("one function of 1 MB / read and deflate", Vec::new()),
        ("37 functions on that directory / read and deflate", Vec::new()),
    ];
    for round in 1..=rounds {
        eprintln!("round {round} of {rounds}");
        clear();
        rows[0].1.push((package("many.yaml")?, floor("deflate", "src")?));
        rows[1].1.push((package("many.yaml")?, floor("hash", "src")?));
        clear();
        rows[2].1.push((package("one.yaml")?, floor("deflate", "src/f0")?));
        clear();
        rows[3].1.push((package("shared.yaml")?, floor("deflate", "src/f0")?));
    }
    println!("| {:<52} | cpu ms | floor | ratio | clock ms | floor |", "work");
    for (name, costs) in &rows {
        let of = |figure: &dyn Fn(&(Cost, Cost)) -> f64| crate::bench::median(costs.iter().map(figure));
        println!(
            "| {name:<52} | {:6.0} | {:5.0} | {:5.2} | {:8.0} | {:5.0} |",
            of(&|(one, _)| one.cpu),
            of(&|(_, floor)| floor.cpu),
            of(&|(one, floor)| one.cpu / floor.cpu),
            of(&|(one, _)| one.wall),
            of(&|(_, floor)| floor.wall),
        );
    }
    Ok(())
}

/// Functions with a file each, of text that deflates as source code does.
fn generate(folder: &Path) -> std::io::Result<()> {
    let mut state = 1_u64;
    let mut random = |count: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % count
    };
    let words: Vec<String> =
        (0..3000).map(|_| (0..2 + random(8)).map(|_| char::from(b'a' + random(26) as u8)).collect()).collect();
    let function = |number: usize, code: usize| {
        format!("  F{number}: {{Type: AWS::Lambda::Function, Properties: {{Code: src/f{code}}}}}\n")
    };
    for number in 0..FUNCTIONS {
        let mut text = String::with_capacity(BYTES + 16);
        while text.len() < BYTES {
            text.push_str(&words[random(words.len())]);
            text.push(' ');
        }
        let path = folder.join(format!("src/f{number}"));
        fs::create_dir_all(&path)?;
        fs::write(path.join("code.txt"), text)?;
    }
    let write = |name: &str, resources: String| fs::write(folder.join(name), format!("Resources:\n{resources}"));
    write("many.yaml", (0..FUNCTIONS).map(|number| function(number, number)).collect())?;
    write("one.yaml", function(0, 0))?;
    write("shared.yaml", (0..SHARED).map(|number| function(number, 0)).collect())
}

fn cost(command: &mut Command) -> Result<Cost, String> {
    let started = Instant::now();
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn();
    let mut child = child.map_err(|error| format!("{command:?} cannot be run: {error}"))?;
    let used = child.wait4().map_err(|error| error.to_string())?;
    if !used.status.success() {
        return Err(format!("{command:?} ended with {}", used.status));
    }
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Cost { cpu: cpu.as_secs_f64() * 1e3, wall: started.elapsed().as_secs_f64() * 1e3 })
}

/// The floor: every file of a directory, by several threads.
fn work(floor: Floor, folder: &Path) -> Result<(), String> {
    let mut files = Vec::new();
    find(folder, &mut files).map_err(|error| format!("{}: {error}", folder.display()))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(THREADS).build().map_err(|error| error.to_string())?;
    let one = |path: &PathBuf| -> std::io::Result<usize> {
        let bytes = fs::read(path)?;
        Ok(match floor {
            Floor::Deflate => {
                let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
                encoder.write_all(&bytes)?;
                encoder.finish()?.len()
            }
            Floor::Hash => usize::from(Sha256::digest(&bytes)[0]),
        })
    };
    let sum: std::io::Result<usize> = pool.install(|| files.par_iter().map(one).sum());
    black_box(sum.map_err(|error| error.to_string())?);
    Ok(())
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
