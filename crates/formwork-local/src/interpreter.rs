//! Finds local programs that run functions (reference/local.md#runtimes).

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Interpreter {
    pub(crate) program: PathBuf,
    pub(crate) version: String,
    /// The AWS runtime client among the packages of the function.
    pub(crate) client: Option<PathBuf>,
    /// Python only: local package directories, of which a function sees the packages of Lambda's own runtime.
    pub(crate) packages: String,
    /// Python only: the directory of debugpy.
    pub(crate) debugpy: Option<PathBuf>,
}

const PYTHON_PROBE: &str = "import importlib.machinery, os, sys
find = importlib.machinery.PathFinder.find_spec
origin = lambda found: found.origin if found and found.origin else ''
print(sys.executable)
print('%d.%d' % sys.version_info[:2])
print(origin(find('awslambdaric', [os.getcwd()])))
print(os.pathsep.join(p for p in sys.path if os.path.basename(p) in ('site-packages', 'dist-packages')))
print(os.path.dirname(origin(find('debugpy', [os.getcwd()] + sys.path))))";

const NODE_PROBE: &str = "console.log(process.execPath); console.log(process.versions.node)";

/// Finds the Python of a version, otherwise any.
pub(crate) fn python(version: &str, task_root: &Path) -> Option<Interpreter> {
    let exact = format!("python{version}");
    [exact.as_str(), "python3", "python"].into_iter().find_map(|name| {
        let lines = probe(name, &["-E", "-c", PYTHON_PROBE], task_root)?;
        let [program, version, client, packages, debugpy] = lines.as_slice() else { return None };
        let path = |text: &String| Some(text).filter(|text| !text.is_empty()).map(PathBuf::from);
        Some(Interpreter {
            program: program.into(),
            version: version.clone(),
            client: path(client),
            packages: packages.clone(),
            debugpy: path(debugpy),
        })
    })
}

/// Finds Node. `modules` are directories of packages that the function sees.
pub(crate) fn node(task_root: &Path, modules: &[PathBuf]) -> Option<Interpreter> {
    let lines = probe("node", &["-e", NODE_PROBE], task_root)?;
    let (program, version) = (PathBuf::from(lines.first()?), lines.get(1)?);
    let beside = program.parent().map(|bin| bin.join("../lib/node_modules"));
    let global = [beside, Some(PathBuf::from("/usr/local/lib/node_modules"))];
    let client =
        modules.iter().cloned().chain(global.into_iter().flatten()).find_map(|directory| node_client(&directory));
    let version = version.split('.').next().unwrap_or_default().to_owned();
    Some(Interpreter { program, version, client, packages: String::new(), debugpy: None })
}

/// Returns the program of aws-lambda-ric in a directory of packages.
fn node_client(modules: &Path) -> Option<PathBuf> {
    let package = modules.join("aws-lambda-ric");
    let manifest: Value = serde_json::from_slice(&std::fs::read(package.join("package.json")).ok()?).ok()?;
    let bin = manifest.get("bin")?;
    let path = bin.as_str().or_else(|| bin.get("aws-lambda-ric")?.as_str())?;
    Some(package.join(path)).filter(|path| path.is_file())
}

/// Returns the lines that a program prints; `None` when it is missing or fails.
fn probe(program: &str, arguments: &[&str], directory: &Path) -> Option<Vec<String>> {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).stdin(Stdio::null()).stderr(Stdio::null());
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}
