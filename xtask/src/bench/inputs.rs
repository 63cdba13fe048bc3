//! What is measured: generated inputs, the floor, the program itself. All of it is made below
//! `target/bench` when it is missing.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::process::{self, Run};
use super::table::Row;
use super::{instructions, median};
use crate::command::{finish, repository};
use crate::dist;

/// Runs of each of the floor's parts for one figure.
const FLOOR_RUNS: &str = "5";

/// Where everything is.
pub(super) struct Inputs {
    folder: PathBuf,
    floor: PathBuf,
    program: PathBuf,
}

impl Inputs {
    /// Generates what is missing. `bench` is the directory with the generator and the floor, relative to the
    /// repository; `program` is measured, or else the build that is shipped.
    pub(super) fn prepare(bench: &Path, program: Option<&Path>) -> Result<Inputs, String> {
        let repository = repository();
        let bench = repository.join(bench);
        let target = repository.join("target");
        let folder = target.join("bench/inputs");
        if !folder.join("manifest.json").is_file() {
            eprintln!("writing inputs to {}", folder.display());
            finish(Command::new("python3").arg(bench.join("generate.py")).arg("--out").arg(&folder))?;
        }
        let floor = target.join("bench/floor");
        let manifest = bench.join("floor/Cargo.toml");
        let mut build = Command::new("cargo");
        build.args(["build", "--quiet", "--release", "--locked", "--manifest-path"]).arg(manifest);
        finish(build.arg("--target-dir").arg(&floor))?;
        let program = program_to_measure(program)?;
        Ok(Inputs { folder, floor: floor.join("release/formwork-floor"), program })
    }

    /// Runs the program once; what it prints goes nowhere.
    pub(super) fn run(&self, row: &Row) -> Result<Run, String> {
        if let Some(made) = row.makes.map(|name| self.folder.join(name)).filter(|path| path.exists()) {
            // Not removed: new files take longer where others were removed less than a minute before (ext4).
            let aside =
                (0..=u16::MAX).map(|number| made.with_extension(number.to_string())).find(|path| !path.exists());
            let moved = aside.map_or(Ok(()), |aside| fs::rename(&made, aside));
            moved.map_err(|error| format!("{}: {error}", made.display()))?;
        }
        process::run(&self.program, row.words, &self.folder.join(row.input), &self.folder, Stdio::null())
    }

    /// Removes the directories that runs of a row made.
    pub(super) fn clean(&self, row: &Row) -> Result<(), String> {
        let Some(name) = row.makes else { return Ok(()) };
        let failed = |error| format!("{}: {error}", self.folder.display());
        for entry in fs::read_dir(&self.folder).map_err(failed)?.flatten() {
            if entry.path().file_stem().is_some_and(|stem| stem == name) {
                fs::remove_dir_all(entry.path()).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Processor time of a process that only prints its version, the median of some.
    pub(super) fn start_ms(&self) -> Result<f64, String> {
        const RUNS: u32 = 9;
        let mut runs = Vec::new();
        for _ in 0..RUNS {
            runs.push(process::run_to_any_end(&self.program, &["version"], None, &self.folder)?.cpu_ms);
        }
        Ok(median(runs))
    }

    /// Instructions of one run of a row.
    pub(super) fn instructions(&self, row: &Row) -> Result<u64, String> {
        instructions::count(&self.program, row.words, Some(&self.folder.join(row.input)), &self.folder)
    }

    /// Instructions of a process that only prints its version.
    pub(super) fn start_instructions(&self) -> Result<u64, String> {
        instructions::count(&self.program, &["version"], None, &self.folder)
    }

    /// Bytes that the program prints for a row.
    pub(super) fn output_bytes(&self, row: &Row) -> Result<u64, String> {
        let path = self.folder.join("output");
        let error = |error: std::io::Error| format!("{}: {error}", path.display());
        let file = File::create(&path).map_err(error)?;
        process::run(&self.program, row.words, &self.folder.join(row.input), &self.folder, file.into())?;
        let bytes = fs::metadata(&path).map_err(error)?.len();
        fs::remove_file(&path).map_err(error)?;
        Ok(bytes)
    }

    /// The floor's figure for a row: processor time of reading its input and of writing `sized`.
    pub(super) fn ideal_ms(&self, row: &Row, sized: &str) -> Result<f64, String> {
        let report = self.floor_report(row.input, sized)?;
        report["ideal_ms"].as_f64().ok_or_else(|| "the floor reports no ideal_ms".to_owned())
    }

    /// Processor time of the floor's fastest way of reading files, one behind the other.
    pub(super) fn reading_ms(&self, files: &[(&str, &str)]) -> Result<f64, String> {
        let mut total = 0.0;
        for (file, data) in files {
            let report = self.floor_report(file, data)?;
            let ways = report["parse_ms"].as_object().into_iter().flatten();
            let fastest = ways.filter_map(|(_, time)| time.as_f64()).fold(f64::INFINITY, f64::min);
            total += fastest;
        }
        if total.is_finite() { Ok(total) } else { Err("the floor reports no parse_ms".to_owned()) }
    }

    fn floor_report(&self, input: &str, sized: &str) -> Result<serde_json::Value, String> {
        let mut command = Command::new(&self.floor);
        command.arg(self.folder.join(input)).arg(self.folder.join(sized)).arg(FLOOR_RUNS);
        let output = command.output().map_err(|error| format!("{}: {error}", self.floor.display()))?;
        serde_json::from_slice(&output.stdout).map_err(|error| format!("the floor's report: {error}"))
    }
}

/// The program to measure, and where inputs go.
pub(super) fn program_and_folder(program: Option<&Path>) -> Result<(PathBuf, PathBuf), String> {
    let repository = repository();
    Ok((program_to_measure(program)?, repository.join("target/bench")))
}

fn program_to_measure(program: Option<&Path>) -> Result<PathBuf, String> {
    let absolute = |program: &Path| program.canonicalize().map_err(|error| format!("{}: {error}", program.display()));
    if let Some(program) = program {
        return absolute(program);
    }
    absolute(&dist::build_for_this_machine()?)
}
