//! A document in a directory of its own: its files are written and its commands run, in their order.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::blocks::{Block, blocks, sessions};
use super::command_lines;
use super::compare::{agrees, updated};
use super::moto::Moto;
use super::services::Service;

/// Returns the root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Holds a document, by its path in the repository, against what the program prints: returns what differs, or writes
/// it into the document with `FORMWORK_UPDATE`.
pub(crate) fn compare(name: &str) -> String {
    let path = repository().join(name);
    let text = std::fs::read_to_string(&path).expect("the document");
    let mut place = Place::new(name);
    let (mut wrong, mut updates) = (String::new(), Vec::new());
    for block in blocks(&text) {
        let is_run = matches!(block.language(), "console" | "sh");
        if let Some(file) = block.value("file") {
            place.write(file, &block.text);
        } else if let Some(reason) = block.value("skip").filter(|_| is_run) {
            assert!(REASONS.contains(&reason), "{name}: {reason} is not a reason to skip commands");
            wrong.push_str(&place.misspelt(&block));
        } else if is_run && place.is_ready(&block) {
            place.start(&block);
            if block.language() == "sh" {
                wrong.push_str(&place.run_script(&block));
            } else {
                updates.push((block.range.clone(), place.run(&block, &mut wrong)));
            }
            place.service.take().iter().for_each(Service::finish);
        }
    }
    if std::env::var_os("FORMWORK_UPDATE").is_some() {
        let mut text = text;
        updates.into_iter().rev().for_each(|(range, block)| text.replace_range(range, &block));
        std::fs::write(&path, text).expect("the document is written");
        return String::new();
    }
    wrong
}

/// Why commands of a page are not run by its test: they download from the Internet, build this repository, need a registry
/// of images, or are run by `xtask`, which makes the packages that they install.
const REASONS: [&str; 4] = ["network", "build", "images", "packages"];

/// A server that no command of a page may reach by accident: nothing listens there.
const NOWHERE: &str = "http://127.0.0.1:9";

/// The directory of a document, and what its commands can use.
struct Place {
    document: String,
    directory: PathBuf,
    moto: Option<Moto>,
    /// What answers to the block that runs.
    service: Option<Service>,
}

impl Place {
    fn new(document: &str) -> Place {
        let directory =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents").join(document.replace(['/', '.'], "-"));
        let _ = std::fs::remove_dir_all(&directory);
        // A repository of its own: paths in reports start at its root.
        std::fs::create_dir_all(directory.join(".git")).expect("a directory");
        copy_examples(&directory);
        Place { document: document.to_owned(), directory, moto: None, service: None }
    }

    /// Writes a file of the document. One of the examples must be what the repository has.
    fn write(&self, name: &str, text: &str) {
        if name.starts_with("examples/") {
            let there = std::fs::read_to_string(repository().join(name)).expect("the example");
            assert_eq!(text, there, "{} shows another {name}", self.document);
            return;
        }
        let path = self.directory.join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    /// Starts what answers to a block alone.
    fn start(&mut self, block: &Block) {
        self.service = block.value("scripted").map(Service::scripted);
        if block.has("remote") {
            self.service = Some(Service::web(&self.directory));
        }
    }

    /// Whether a block can run here. Otherwise prints what is skipped, and why.
    fn is_ready(&mut self, block: &Block) -> bool {
        let skipped = |document: &str, why: &str| {
            // The macros are caught by the test runner.
            let _ = writeln!(std::io::stderr(), "SKIPPED: commands of {document}: {why}");
            false
        };
        if let Some(tool) = block.value("needs").filter(|tool| !tool_is_there(tool)) {
            let why = format!("{tool} is neither in the directories of FORMWORK_TOOLS nor in /usr/bin");
            let required = std::env::var("FORMWORK_REQUIRE_TOOLS").unwrap_or_default();
            assert!(!required.split(',').any(|name| name == tool), "{}: {why}", self.document);
            return skipped(&self.document, &why);
        }
        if block.has("moto") && self.moto.is_none() {
            match Moto::start() {
                Ok(moto) => self.moto = Some(moto),
                Err(why) => return skipped(&self.document, &why),
            }
        }
        true
    }

    /// Runs the commands of a block. Returns the block with what they print; what differs is added to `wrong`.
    fn run(&self, block: &Block, wrong: &mut String) -> String {
        let mut text = String::new();
        for session in sessions(&block.text) {
            let printed = self.printed(&session.command, block);
            write!(text, "$ {}", session.command).expect("a string");
            // `head` ends before the program has written everything, and then the program reports that, or does not.
            assert!(!session.command.contains("| head"), "{}: use `sed -n 1,5p`", session.command);
            let misused = printed.contains("try '--help'");
            if misused {
                writeln!(wrong, "{}: $ {} is not a command", self.document, session.command).expect("a string");
            }
            if agrees(&session.shown, &printed) {
                text.push_str(&session.shown);
            } else {
                writeln!(wrong, "{}: $ {}{printed}\nit shows:\n{}", self.document, session.command, session.shown)
                    .expect("a string");
                text.push_str(&updated(&session.shown, &printed));
            }
        }
        text
    }

    /// Runs a command line and returns what it prints, standard error first.
    fn printed(&self, command: &str, block: &Block) -> String {
        let output = self.shell(&format!("{}{command}", prepared(block)), block);
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        text(output.stderr) + &text(output.stdout)
    }

    /// Runs a block without output. Each of its commands must succeed; returns what it prints if one does not.
    fn run_script(&self, block: &Block) -> String {
        let output = self.shell(&format!("set -e\n{}{}", prepared(block), block.text), block);
        if output.status.success() {
            return String::new();
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let printed = text(&output.stderr) + &text(&output.stdout);
        format!("{}: a command fails\n{}{printed}\n", self.document, block.text)
    }

    /// Returns what is not well-formed in the calls of the program in a block that is not run: with `--help` behind the
    /// words of each, the program reads them and calls nothing.
    fn misspelt(&self, block: &Block) -> String {
        let mut wrong = String::new();
        for line in command_lines::of_program(&block.text) {
            let output = self.shell(&format!("{line} --help"), block);
            if !output.status.success() {
                let printed = String::from_utf8_lossy(&output.stderr).into_owned();
                writeln!(wrong, "{}: {line}\n{printed}", self.document).expect("a string");
            }
        }
        wrong
    }

    /// Runs commands by bash in the directory of the document.
    fn shell(&self, command: &str, block: &Block) -> Output {
        let mut shell = Command::new("bash");
        shell.args(["-c", command]).current_dir(&self.directory).stdin(Stdio::null()).env_clear();
        shell.env("PATH", search_path()).env("HOME", &self.directory).env("LANG", "C.UTF-8");
        if let Some(moto) = self.moto.as_ref().filter(|_| block.has("moto")) {
            shell.envs(moto.environment());
        } else if let Some(service) = &self.service {
            shell.envs(service.environment());
        } else {
            shell.env("AWS_ENDPOINT_URL", NOWHERE);
        }
        shell.output().expect("bash runs")
    }
}

/// Returns the script that runs in front of the commands of a block: what their reader has, such as a bucket.
fn prepared(block: &Block) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/documents/before");
    let read = |name| std::fs::read_to_string(directory.join(format!("{name}.sh"))).expect("a script");
    block.value("before").map(read).unwrap_or_default()
}

/// Returns the directories of programs: the one of this program, those that `FORMWORK_TOOLS` names, the system's.
fn search_path() -> String {
    let own = Path::new(env!("CARGO_BIN_EXE_formwork")).parent().expect("a directory");
    let tools = std::env::var("FORMWORK_TOOLS").unwrap_or_default();
    [own.to_str().expect("UTF-8"), &tools, "/usr/bin", "/bin"]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(":")
}

fn tool_is_there(tool: &str) -> bool {
    search_path().split(':').any(|directory| Path::new(directory).join(tool).is_file())
}

/// Copies the examples' templates, so that no command can change the repository.
fn copy_examples(to: &Path) {
    for entry in std::fs::read_dir(repository().join("examples")).expect("the examples") {
        let from = entry.expect("an entry").path().join("template.yaml");
        if let (true, Some(name)) = (from.is_file(), from.parent().and_then(Path::file_name)) {
            let directory = to.join("examples").join(name);
            std::fs::create_dir_all(&directory).expect("a directory");
            std::fs::copy(from, directory.join("template.yaml")).expect("a copy");
        }
    }
}
