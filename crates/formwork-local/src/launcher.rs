//! Prepares the start of processes of a function.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::artifact;
use crate::credentials::Credentials;
use crate::descriptors;
use crate::environment::{Parts, environment};
use crate::error::LocalError;
use crate::function::{CodeSource, Function};
use crate::interpreter;
use crate::runtime::{Family, Runtime};
use crate::scratch::Scratch;
use crate::variables::VariablesFile;

/// A debugger that a process waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Debugger {
    /// The loopback port that it listens on.
    pub port: u16,
    /// Additional arguments of the debugger.
    pub arguments: Vec<String>,
    /// ID of the only function that is debugged; `None` for any.
    pub function: Option<String>,
}

impl Debugger {
    pub(crate) fn is_for(&self, id: &str) -> bool {
        self.function.as_deref().is_none_or(|function| function == id)
    }
}

/// The settings that all functions share.
#[derive(Clone, Debug)]
pub struct LaunchSettings {
    /// The Region that functions see.
    pub region: String,
    /// The account in the ARNs of functions.
    pub account: String,
    /// Credentials of functions.
    pub credentials: Option<Credentials>,
    /// `PATH` of the caller.
    pub path: String,
    /// Environment variables that override those of the template.
    pub variables: VariablesFile,
    /// Factor for time limits.
    pub timeout_scale: f64,
    /// Kills processes that exceed the `MemorySize` of their function.
    pub limits_memory: bool,
    /// A debugger; with one, limits do not apply.
    pub debugger: Option<Debugger>,
}

impl LaunchSettings {
    pub(crate) fn debugger_of(&self, id: &str) -> Option<&Debugger> {
        self.debugger.as_ref().filter(|debugger| debugger.is_for(id))
    }
}

/// A function that is ready to be started, any number of times. Its temporary files live as long as it does.
#[derive(Debug)]
pub struct Launcher {
    pub(crate) function: Arc<Function>,
    pub(crate) program: PathBuf,
    pub(crate) arguments: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) task_root: PathBuf,
    /// The time limit of an invocation; `None` while it is debugged.
    pub(crate) limit: Option<Duration>,
    /// The time limit until the runtime asks for its first event.
    pub(crate) init_limit: Option<Duration>,
    /// The megabytes that the processes of an instance may use together; `None` while it is debugged.
    pub(crate) memory_limit: Option<u64>,
    pub(crate) arn: String,
    /// Warnings about features without which the function runs, as clauses.
    pub warnings: Vec<String>,
    scratch: Scratch,
}

/// Lambda's time limit for loading a function.
const INIT_LIMIT: Duration = Duration::from_secs(10);

const PYTHON_LOADER: &str = include_str!("loaders/python.py");
const NODE_LOADER: &str = include_str!("loaders/node.mjs");
const NODE_PRELUDE: &str = include_str!("loaders/unbuffered.cjs");

impl Launcher {
    pub(crate) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Finds the program that runs a function, and prepares directories with its code and layers.
    ///
    /// # Errors
    /// When something is missing; the error contains the function or runtime.
    pub fn prepare(function: &Arc<Function>, settings: &LaunchSettings) -> Result<Launcher, LocalError> {
        let scratch = Scratch::new();
        let scratch = scratch.map_err(LocalError::system("a temporary directory cannot be made"))?;
        let mut warnings = Vec::new();
        let code = Code::put_in_place(function, scratch.path(), &mut warnings)?;
        let (program, arguments) = code.program(function, settings.debugger_of(&function.id), &mut warnings)?;
        let (program, arguments) = without_inherited(function, program, arguments, &mut warnings);
        let variables = settings.variables.applied(function);
        let environment = environment(Parts {
            function,
            runtime: &code.runtime,
            handler: &code.handler,
            task_root: &code.task_root,
            runtime_dir: &code.runtime_dir,
            layers: code.layers.as_deref(),
            region: &settings.region,
            credentials: settings.credentials.as_ref(),
            path: &settings.path,
            variables,
        });
        let scaled = |limit: Duration| match settings.debugger_of(&function.id) {
            None => Some(limit.mul_f64(settings.timeout_scale)),
            Some(_) => None,
        };
        let name = function.lambda_name();
        Ok(Launcher {
            program,
            arguments,
            environment,
            task_root: code.task_root,
            limit: scaled(Duration::from_secs(function.timeout)),
            init_limit: scaled(INIT_LIMIT),
            memory_limit: Some(function.memory)
                .filter(|_| settings.limits_memory && settings.debugger_of(&function.id).is_none()),
            arn: format!("arn:aws:lambda:{}:{}:function:{name}", settings.region, settings.account),
            warnings,
            function: Arc::clone(function),
            scratch,
        })
    }

    /// Returns the function.
    pub fn function(&self) -> &Arc<Function> {
        &self.function
    }
}

struct Code {
    runtime: Runtime,
    /// Empty for `provided` runtimes without a handler.
    handler: String,
    task_root: PathBuf,
    /// The directory of the loader that starts the code.
    runtime_dir: PathBuf,
    layers: Option<PathBuf>,
}

impl Code {
    /// Prepares directories with the code and the layers of a function. Missing layers are a warning.
    fn put_in_place(function: &Function, scratch: &Path, warnings: &mut Vec<String>) -> Result<Code, LocalError> {
        if function.code == CodeSource::Image {
            return Err(LocalError::Image(function.id.clone()));
        }
        let name = function.runtime.as_deref().ok_or_else(|| LocalError::MissingRuntime(function.id.clone()))?;
        let runtime = Runtime::parse(name).ok_or_else(|| LocalError::UnsupportedRuntime(name.to_owned()))?;
        let task_root = artifact::code(function, runtime.inline_file(), scratch)?;
        let mut missing = Vec::new();
        let layers = artifact::layers(&function.layers, scratch, &mut missing)?;
        warnings.extend(missing.iter().map(|name| {
            format!("layer {name} of {} is not on this machine: the function runs without it", function.id)
        }));
        let handler = match (&function.handler, runtime.family) {
            (Some(handler), _) => handler.clone(),
            (None, Family::Provided) => String::new(),
            (None, _) => return Err(LocalError::MissingHandler(function.id.clone())),
        };
        Ok(Code { runtime, handler, task_root, runtime_dir: scratch.join("runtime"), layers })
    }

    /// Returns the program that runs the code, and its arguments. An interpreter of another version is a warning.
    fn program(
        &self,
        function: &Function,
        debugger: Option<&Debugger>,
        warnings: &mut Vec<String>,
    ) -> Result<(PathBuf, Vec<String>), LocalError> {
        let layers = self.layers.as_deref();
        let (found, program) = match self.runtime.family {
            Family::Provided => return Ok((bootstrap(&self.task_root, layers)?, Vec::new())),
            Family::Python => (interpreter::python(&self.runtime.version, &self.task_root), "python3"),
            Family::Node => (interpreter::node(&self.task_root, &node_modules(&self.task_root, layers)), "node"),
        };
        write_loaders(&self.runtime_dir)?;
        let missing = || LocalError::MissingInterpreter { runtime: self.runtime.name.clone(), program };
        let found = found.ok_or_else(missing)?;
        if found.version != self.runtime.version {
            warnings.push(format!(
                "{} has the runtime {}, and {} is version {}: results may differ",
                function.id,
                self.runtime.name,
                found.program.display(),
                found.version
            ));
        }
        let arguments = match self.runtime.family {
            Family::Python => python_arguments(&found, &self.runtime_dir, &self.handler, debugger),
            _ => node_arguments(&found, &self.runtime_dir, &self.handler, debugger),
        };
        Ok((found.program, arguments))
    }
}

/// Wraps the program in a shell that closes inherited descriptors. Without such a shell there is a warning.
fn without_inherited(
    function: &Function,
    program: PathBuf,
    arguments: Vec<String>,
    warnings: &mut Vec<String>,
) -> (PathBuf, Vec<String>) {
    let inherited = descriptors::inherited();
    if let Some(closing) = descriptors::closing(&inherited, &program, &arguments) {
        return closing;
    }
    if !inherited.is_empty() {
        warnings.push(format!("{} inherits the open descriptors {inherited:?}: no shell closes them", function.id));
    }
    (program, arguments)
}

fn write_loaders(directory: &Path) -> Result<(), LocalError> {
    let write = || {
        fs::create_dir_all(directory)?;
        fs::write(directory.join("python.py"), PYTHON_LOADER)?;
        fs::write(directory.join("node.mjs"), NODE_LOADER)?;
        fs::write(directory.join("unbuffered.cjs"), NODE_PRELUDE)
    };
    write().map_err(LocalError::system("the loader of the function cannot be written"))
}

fn bootstrap(task_root: &Path, layers: Option<&Path>) -> Result<PathBuf, LocalError> {
    let own = task_root.join("bootstrap");
    let all = [Some(own.clone()), layers.map(|layers| layers.join("bootstrap"))];
    all.into_iter().flatten().find(|path| is_executable(path)).ok_or(LocalError::MissingBootstrap(own))
}

fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

fn node_modules(task_root: &Path, layers: Option<&Path>) -> Vec<PathBuf> {
    let own = Some(task_root.join("node_modules"));
    own.into_iter().chain(layers.map(|layers| layers.join("nodejs/node_modules"))).collect()
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Python writes no bytecode beside the author's files, and `-S` and `-s` hide local packages from the function.
fn python_arguments(
    found: &interpreter::Interpreter,
    runtime_dir: &Path,
    handler: &str,
    debugger: Option<&Debugger>,
) -> Vec<String> {
    let mut arguments: Vec<String> = ["-B", "-u", "-S", "-s"].map(str::to_owned).into();
    if let Some(debugger) = debugger {
        let listen = format!("127.0.0.1:{}", debugger.port);
        match &found.debugpy {
            // debugpy finds its own parts from there.
            Some(directory) => arguments.push(text(directory)),
            None => arguments.extend(["-m".to_owned(), "debugpy".to_owned()]),
        }
        arguments.extend(["--listen".into(), listen, "--wait-for-client".into()]);
        arguments.extend(debugger.arguments.iter().cloned());
    }
    match &found.client {
        Some(_) => arguments.extend(["-m".to_owned(), "awslambdaric".to_owned()]),
        None => arguments.push(text(&runtime_dir.join("python.py"))),
    }
    arguments.push(handler.to_owned());
    if found.client.is_none() {
        arguments.push(found.packages.clone());
    }
    arguments
}

fn node_arguments(
    found: &interpreter::Interpreter,
    runtime_dir: &Path,
    handler: &str,
    debugger: Option<&Debugger>,
) -> Vec<String> {
    let mut arguments = Vec::new();
    if let Some(debugger) = debugger {
        arguments.push(format!("--inspect-brk=127.0.0.1:{}", debugger.port));
        arguments.extend(debugger.arguments.iter().cloned());
    }
    match &found.client {
        Some(client) => {
            arguments.extend(["--require".to_owned(), text(&runtime_dir.join("unbuffered.cjs")), text(client)]);
        }
        None => arguments.push(text(&runtime_dir.join("node.mjs"))),
    }
    arguments.push(handler.to_owned());
    arguments
}
