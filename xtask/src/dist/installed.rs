//! The packages, made of a small program instead of ours, installed by pip and npm, and run.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;

use tempfile::TempDir;

use super::platform::{PLATFORMS, Platform};
use super::{DistArgs, VERSION, npm, run, wheel};

/// The files of a release for each platform whose programs run on this machine; `None` where no program can be built like one
/// that is released.
pub(super) struct Release {
    folder: TempDir,
    platforms: Vec<&'static Platform>,
}

impl Release {
    /// The directory of the files.
    pub(super) fn folder(&self) -> PathBuf {
        self.folder.path().join("release")
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder().join(name)
    }
}

pub(super) fn release() -> Option<&'static Release> {
    static RELEASE: OnceLock<Option<Release>> = OnceLock::new();
    RELEASE.get_or_init(make).as_ref()
}

fn make() -> Option<Release> {
    let folder = TempDir::new().expect("a directory");
    let platforms: Vec<_> = PLATFORMS.iter().filter(|platform| platform.runs_here().expect("a host")).collect();
    let binary = stub(folder.path(), VERSION, &["-Ctarget-feature=+crt-static"])?;
    let out = folder.path().join("release");
    for platform in &platforms {
        let target = Some(platform.triple.to_owned());
        run(&DistArgs { target, ..args(out.clone(), &binary) }).expect("a release");
    }
    Some(Release { folder, platforms })
}

/// For the platform of this machine.
fn args(out: PathBuf, binary: &Path) -> DistArgs {
    let binary = Some(binary.to_owned());
    DistArgs { target: None, out, binary, profile: None, host_binary: None, sums: false }
}

/// Builds the small program.
fn stub(folder: &Path, version: &str, options: &[&str]) -> Option<PathBuf> {
    let binary = folder.join("formwork");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dist/stub/main.rs");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-Copt-level=s", "-Cstrip=symbols"]).args(options);
    let built = rustc.env("STUB_VERSION", version).arg("-o").arg(&binary).arg(source).status();
    if built.is_ok_and(|status| status.success()) {
        return Some(binary);
    }
    skipped("rustc cannot build a static program");
    None
}

fn skipped(why: &str) {
    eprintln!("SKIPPED: {why}");
}

/// Whether a program is on the PATH. `FORMWORK_REQUIRE_INSTALLERS` requires all of them.
pub(super) fn has(program: &str) -> bool {
    if Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return true;
    }
    assert!(std::env::var_os("FORMWORK_REQUIRE_INSTALLERS").is_none(), "{program} is not on the PATH");
    skipped(&format!("{program} is not on the PATH"));
    false
}

pub(super) fn done(command: &mut Command) -> Output {
    let output = command.output().expect("it runs");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

pub(super) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Runs an installed program under a name: words arrive as they are, and its status is the status.
fn behaves(program: &Path) {
    let words = ["expand", "a b", "--", "*", ""];
    assert_eq!(text(&done(Command::new(program).args(words))), format!("{words:?}\n"), "{program:?}");
    assert_eq!(text(&done(Command::new(program).arg("version"))), format!("formwork {VERSION} (stub)\n"));
    let status = Command::new(program).args(["status", "2"]).status().expect("it runs");
    assert_eq!(status.code(), Some(2), "{}", program.display());
}

/// A signal that is sent to the installed program ends it, and the program behind it.
fn ends_by_a_signal(program: &Path) {
    let mut child = Command::new(program).arg("wait").stdout(Stdio::piped()).spawn().expect("it runs");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    lines.read_line(&mut line).expect("the number of the process");
    assert!(line.trim().parse::<u32>().is_ok(), "{line}");
    done(Command::new("kill").args(["-TERM", &child.id().to_string()]));
    let status = child.wait().expect("it ends");
    assert_eq!(status.signal(), Some(15), "{}: {status}", program.display());
    // The pipe is closed when no process holds it.
    lines.read_to_string(&mut line).expect("an end");
}

#[test]
fn the_wheel_is_installed_and_has_two_names() {
    let Some(release) = release().filter(|_| has("python3")) else { return };
    let place = release.folder.path().join("venv");
    done(Command::new("python3").args(["-m", "venv"]).arg(&place));
    let pip = place.join("bin/pip");
    // The one that pip prefers on this machine.
    let platform = Platform::of_this_machine().expect("a platform");
    let wheel = release.file(&wheel::file_name(platform));
    done(Command::new(&pip).args(["install", "--quiet", "--disable-pip-version-check", "--no-index"]).arg(&wheel));
    for name in ["formwork", "formwork-cfn"] {
        behaves(&place.join("bin").join(name));
        ends_by_a_signal(&place.join("bin").join(name));
    }
    let module = ["-m", "formwork_cfn", "version"];
    assert!(text(&done(Command::new(place.join("bin/python")).args(module))).contains(VERSION));
    for file in [
        "man/man1/formwork.1",
        "bash-completion/completions/formwork",
        "zsh/site-functions/_formwork",
        "fish/vendor_completions.d/formwork.fish",
    ] {
        assert!(place.join("share").join(file).is_file(), "{file}");
    }
    // pip moves the scripts of `--target` to another place than it records.
    let target = release.folder.path().join("target");
    let options = ["install", "--quiet", "--disable-pip-version-check", "--no-index", "--target"];
    done(Command::new(&pip).args(options).arg(&target).arg(&wheel));
    done(Command::new(&pip).args(["uninstall", "--quiet", "--yes", "formwork-cfn"]));
    assert!(!place.join("bin/formwork").exists() && !place.join("share/man/man1/formwork.1").exists());
    let printed = done(Command::new(place.join("bin/python")).args(module).env("PYTHONPATH", &target));
    assert!(text(&printed).contains(VERSION));
}

#[test]
fn the_npm_packages_are_installed_without_a_network_and_run() {
    let Some(release) = release().filter(|_| has("npm")) else { return };
    let place = release.folder.path().join("npm");
    std::fs::create_dir_all(&place).expect("a directory");
    let install = |files: &[String]| {
        let mut npm = Command::new("npm");
        npm.args(["install", "--silent", "--no-audit", "--no-fund", "--offline"]).current_dir(&place);
        done(npm.env("npm_config_cache", place.join("cache")).args(files.iter().map(|file| release.file(file))));
    };
    let named = release.platforms.iter().copied().find_map(npm::Named::of).expect("a package for this machine");
    let (own, main) = (named.file_name(), npm::file_name());
    install(&[own, main.clone()]);
    for name in ["formwork", "formwork-cfn"] {
        behaves(&place.join("node_modules/.bin").join(name));
        ends_by_a_signal(&place.join("node_modules/.bin").join(name));
    }
    // Without the package of the platform the launcher names it.
    std::fs::remove_dir_all(place.join("node_modules/@formwork-cfn")).expect("the package of the platform");
    let output = Command::new(place.join("node_modules/.bin/formwork")).output().expect("it runs");
    let printed = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.starts_with(&format!("error: the package {} is not installed\n", named.name())), "{printed}");
    assert!(printed.contains("\n  help: "), "{printed}");
}

#[test]
fn a_program_of_another_version_is_refused() {
    let folder = TempDir::new().expect("a directory");
    let Some(binary) = stub(folder.path(), "0.0.9", &["-Ctarget-feature=+crt-static"]) else { return };
    let out = folder.path().join("release");
    let error = run(&args(out.clone(), &binary)).expect_err("another version");
    assert!(error.contains("prints `formwork 0.0.9 (stub)` as its version"), "{error}");
    let error =
        run(&args(out.clone(), Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")))).expect_err("a text");
    assert!(error.contains("is not a program"), "{error}");
    assert!(!out.exists(), "nothing is written");
}
