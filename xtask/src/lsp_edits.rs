//! `cargo xtask lsp-edits`: random edits against the language server, in templates that there are and in generated projects.

use std::path::PathBuf;
use std::process::Command;

use xtask_launcher::LspEditsArgs;

use crate::command::{finish, repository};

/// Where templates are, when nobody names directories.
const OVER: [&str; 4] = ["../shared/realworld", "../shared/conformance", "examples", "tests/fixtures"];

/// Runs the test `edits` of `formwork-lsp` with many edits: first in templates, then in generated projects. The program
/// checks some of the results, too.
pub(crate) fn run(args: &LspEditsArgs) -> Result<(), String> {
    let root = repository();
    if args.debug {
        // As the tests build them: `cargo build` would build every dependency again, with other features.
        finish(cargo("test", args, "").args(["--no-run", "--test", "it", "--example", "projects"]))?;
    } else {
        finish(cargo("build", args, "formwork-cli").args(["--bin", "formwork"]))?;
        finish(cargo("build", args, "formwork-tests").args(["--example", "projects"]))?;
    }
    let over: Vec<PathBuf> = if args.over.is_empty() {
        OVER.iter().map(|path| root.join(path)).filter(|path| path.is_dir()).collect()
    } else {
        args.over.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect()
    };
    let over: Vec<String> = over.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let in_projects = args.in_projects.min(args.edits);
    edits(args, args.edits - in_projects, "FORMWORK_EDITS_OVER", &over.join(":"))?;
    let directory = tempfile::tempdir().map_err(|error| format!("a temporary directory: {error}"))?;
    let numbers = [args.projects.to_string(), args.seed.to_string()];
    finish(Command::new(built(args, "examples/projects")?).arg(directory.path()).args(numbers))?;
    edits(args, in_projects, "FORMWORK_EDITS_PROJECTS", &directory.path().to_string_lossy())
}

/// Runs the test with a number of edits over what a variable names.
fn edits(args: &LspEditsArgs, count: u32, variable: &str, over: &str) -> Result<(), String> {
    if count == 0 {
        return Ok(());
    }
    let mut test = cargo("test", args, "formwork-lsp");
    test.args(["--test", "it", "--", "edits::random_edits", "--nocapture"]);
    test.env("FORMWORK_EDITS_PROGRAM", built(args, "formwork")?);
    test.env("FORMWORK_EDITS", count.to_string()).env("FORMWORK_EDITS_SEED", args.seed.to_string()).env(variable, over);
    let status = test.status().map_err(|error| format!("cargo: {error}"))?;
    if status.success() { Ok(()) } else { Err("some edits failed: their templates and seeds are above".to_owned()) }
}

/// Cargo, without link-time optimization: nothing is measured. What is there after the tests was built for the whole
/// workspace: for one package of it, dependencies have other features and are built again.
fn cargo(command: &str, args: &LspEditsArgs, package: &str) -> Command {
    let mut cargo = xtask_launcher::cargo();
    cargo.current_dir(repository()).arg(command);
    if args.debug {
        cargo.arg("--workspace");
    } else {
        cargo.args(["--package", package, "--release"]);
        cargo.env("CARGO_PROFILE_RELEASE_LTO", "off").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    }
    cargo
}

/// A program, such as the example that writes projects: where Cargo built this one, too.
fn built(args: &LspEditsArgs, name: &str) -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("the path of xtask: {error}"))?;
    let target = own.ancestors().nth(2).ok_or("xtask is not in a directory of Cargo")?;
    let program = target.join(if args.debug { "debug" } else { "release" }).join(name);
    Ok(program.with_extension(std::env::consts::EXE_EXTENSION))
}
