//! Functions in directories of their own.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock};

use formwork_local::{
    Answer, CodeSource, Credentials, Function, Invocation, LaunchSettings, Log, PoolSettings, VariablesFile,
};

/// What functions logged.
#[derive(Clone, Default)]
pub(crate) struct Written(Arc<Mutex<Vec<u8>>>);

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("a log").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Written {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().expect("a log")).into_owned()
    }

    /// The lines that name a request.
    pub(crate) fn lines_of(&self, id: &str) -> Vec<&'static str> {
        let text: &'static str = Box::leak(self.text().into_boxed_str());
        text.lines().filter(|line| line.contains(id)).collect()
    }
}

pub(crate) struct Folder {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) log: Written,
}

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder { folder: tempfile::tempdir().expect("a directory"), log: Written::default() }
    }

    pub(crate) fn with(self, name: &str, text: &str) -> Folder {
        self.write(name, text);
        self
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    pub(crate) fn with_program(self, name: &str, text: &str) -> Folder {
        use std::os::unix::fs::PermissionsExt;
        let folder = self.with(name, text);
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.folder.path().join(name), mode).expect("a mode");
        folder
    }

    pub(crate) fn log(&self) -> String {
        self.log.text()
    }

    pub(crate) fn function(&self, runtime: &str, handler: &str) -> Arc<Function> {
        Arc::new(Function {
            id: "F".into(),
            name: None,
            runtime: Some(runtime.into()),
            handler: Some(handler.into()),
            code: CodeSource::Path(self.folder.path().to_owned()),
            layers: Vec::new(),
            memory: 128,
            timeout: 1,
            variables: Vec::new(),
            is_durable: false,
            place: None,
        })
    }

    pub(crate) fn invoke(&self, runtime: &str, handler: &str, event: &str) -> Answer {
        self.invoke_scaled(runtime, handler, event, 1.0)
    }

    pub(crate) fn invoke_scaled(&self, runtime: &str, handler: &str, event: &str, scale: f64) -> Answer {
        self.invoke_with(runtime, handler, event, scale, None)
    }

    /// `packages` is a directory of Python packages that the function sees.
    pub(crate) fn invoke_with(
        &self,
        runtime: &str,
        handler: &str,
        event: &str,
        scale: f64,
        packages: Option<&Path>,
    ) -> Answer {
        let mut function = Function::clone(&self.function(runtime, handler));
        if let Some(packages) = packages {
            let link = |name: &std::ffi::OsStr| self.folder.path().join(name);
            for entry in std::fs::read_dir(packages).expect("packages").flatten() {
                let _ = std::os::unix::fs::symlink(entry.path(), link(&entry.file_name()));
            }
            function.variables.push(("PYTHONPATH".into(), packages.display().to_string()));
        }
        let settings = PoolSettings { is_warm: false, concurrency: 1, warn: Arc::new(|_| {}) };
        let log = Log::new(vec![Box::new(self.log.clone())]);
        let invocation = Invocation::new(event.as_bytes().to_vec());
        let answer = formwork_local::invoke_once(launch(scale), &Arc::new(function), invocation, settings, log);
        answer.expect("a process").expect("no signal")
    }
}

pub(crate) fn launch(timeout_scale: f64) -> LaunchSettings {
    LaunchSettings {
        region: "us-east-1".into(),
        account: "123456789012".into(),
        credentials: Some(Credentials::placeholder()),
        path: std::env::var("PATH").unwrap_or_default(),
        variables: VariablesFile::default(),
        timeout_scale,
        limits_memory: true,
        debugger: None,
    }
}

pub(crate) fn has_program(name: &str) -> bool {
    Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Waits until a process is gone: a signal that was sent has ended nothing yet. What has ended and was not waited for has no
/// command line.
pub(crate) fn await_end(process: &str) {
    for _ in 0..500 {
        if std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default().is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    panic!("{process} is still running");
}

/// A directory with awslambdaric and what it needs, installed once; `None` where pip finds none.
pub(crate) fn awslambdaric() -> Option<PathBuf> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let install = || {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("awslambdaric");
        if !folder.join("awslambdaric").is_dir() {
            let mut pip = Command::new("python3");
            pip.args(["-m", "pip", "install", "--quiet", "--timeout", "10", "--retries", "1", "--target"]);
            let status = pip.arg(&folder).arg("awslambdaric").stdin(Stdio::null()).stderr(Stdio::null()).status();
            status.ok().filter(std::process::ExitStatus::success)?;
        }
        Some(folder)
    };
    FOLDER.get_or_init(install).clone()
}
