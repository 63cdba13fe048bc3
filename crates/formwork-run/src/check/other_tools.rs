//! Other tools run on a template as CloudFormation receives it, for `check --with` (reference/map-back.md#with).

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use formwork::package::Output;
use formwork::{Compilation, Diagnostic, PackageOptions, Packaging, Report};
use formwork_map_back::diagnostic;
use formwork_map_back::report::Tool;
use formwork_map_back::{Locator, SourceMap, ToolFinding, is_suppressed, merged};

use crate::check::CheckArgs;

/// Returns the findings of the tools in a template as CloudFormation receives it, located on its authored lines, each
/// once per site: behind loops, modules and the serverless transform, with files as if they were stored. Empty for a
/// template with errors.
///
/// # Errors
/// When a tool is not installed, or prints no report.
pub fn run(args: &CheckArgs, template: &Path, report: &Report) -> Result<Vec<Diagnostic>, String> {
    let compilation = report.compilation();
    if report.has_errors() {
        return Ok(Vec::new());
    }
    let place = ToolDirectories::new(args.tools.with_config)?;
    let name = template.file_name().filter(|_| template != Path::new("-"));
    let name = name.map_or_else(|| "template.yaml".to_owned(), |name| name.to_string_lossy().into_owned());
    let path = place.expansion.join(&name);
    let mut bytes = Vec::new();
    let Some(map) = received(compilation, &name, &mut bytes) else { return Ok(Vec::new()) };
    std::fs::write(&path, &bytes).map_err(|error| crate::output::failed(&path, &error))?;
    let map = SourceMap::parse(&map).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let locator = Locator::new(&map, Some(&text));
    let mut located = Vec::new();
    for tool in &args.tools.with {
        let found = findings(*tool, &path, (args, &place))?;
        located.extend(found.into_iter().map(|finding| locator.locate(finding)));
    }
    let sources = compilation.sources();
    let authored = |file: &str| {
        let file = sources.find(&formwork::VirtualPath::new(file))?;
        Some(sources.text(file).to_string())
    };
    located.retain(|one| {
        let text = one.site.as_ref().and_then(|site| authored(&site.file));
        !text.is_some_and(|text| is_suppressed(one, &text))
    });
    Ok(merged(located, false).iter().map(|one| diagnostic(one, sources)).collect())
}

/// Writes the template, and returns its source map. Files stay where they are in a template that cannot be packaged.
fn received(compilation: &Arc<Compilation>, name: &str, bytes: &mut Vec<u8>) -> Option<String> {
    let options = PackageOptions { output: Some(Output::Expanded), is_checked: true, ..PackageOptions::default() };
    let mut packaging = Packaging::new(compilation, options);
    packaging.rewrite_as_stored();
    let mut sink = |part: &[u8]| bytes.extend_from_slice(part);
    match packaging.output() {
        Ok(packaged) => packaged.write_with_map(name, &mut sink),
        Err(_) => compilation.output().ok()?.write_with_map(None, name, &mut sink),
    }
}

struct ToolDirectories {
    /// The directory of the expansion, which has no other file.
    expansion: PathBuf,
    /// The empty working directory of the tools; `None` when they run in that of this process.
    empty: Option<PathBuf>,
    _directory: tempfile::TempDir,
}

impl ToolDirectories {
    fn new(with_config: bool) -> Result<ToolDirectories, String> {
        let failed = |error| format!("no temporary directory can be created: {error}");
        let directory = tempfile::tempdir().map_err(failed)?;
        let root = std::path::absolute(directory.path()).map_err(failed)?;
        let (expansion, empty) = (root.join("expansion"), root.join("empty"));
        std::fs::create_dir(&expansion).map_err(failed)?;
        std::fs::create_dir(&empty).map_err(failed)?;
        Ok(ToolDirectories { expansion, empty: (!with_config).then_some(empty), _directory: directory })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.stdin(Stdio::null());
        if let Some(empty) = &self.empty {
            // Wrappers that choose versions of a tool, and some tools, read the variable.
            command.current_dir(empty).env("PWD", empty).env_remove("OLDPWD");
        }
        command
    }

    /// The advice after an error of a tool; empty if it already runs in the working directory.
    fn help(&self) -> &'static str {
        if self.empty.is_none() {
            return "";
        }
        "\n  help: it ran in an empty directory; `--with-config` runs it in the working directory, with the configuration there"
    }
}

/// The files of the working directory that a tool would read, and that may start programs.
fn configuration_of(tool: Tool) -> &'static [&'static str] {
    match tool {
        Tool::CfnLint => &[".cfnlintrc", ".cfnlintrc.yaml", ".cfnlintrc.yml"],
        Tool::Checkov => &[".checkov.yaml", ".checkov.yml"],
        Tool::Validate | Tool::Guard => &[],
    }
}

pub(crate) fn unread_configuration(args: &CheckArgs) -> Vec<String> {
    let is_there = |name: &&str| std::fs::symlink_metadata(name).is_ok();
    let files = args.tools.with.iter().flat_map(|&tool| configuration_of(tool).iter().copied().filter(is_there));
    let files = files.filter(|_| !args.tools.with_config);
    files.map(|file| format!("note: {file} is not read; `--with-config` reads it, and runs what it names")).collect()
}

fn findings(
    tool: Tool,
    path: &Path,
    (args, place): (&CheckArgs, &ToolDirectories),
) -> Result<Vec<ToolFinding>, String> {
    let name = tool.name();
    if tool == Tool::Guard && args.tools.guard_rules.is_empty() {
        return Err(format!("{name} needs rules\n  help: pass them with `--guard-rules PATH`"));
    }
    // The tool has another working directory.
    let absolute = |path: &PathBuf| std::path::absolute(path).unwrap_or_else(|_| path.clone());
    let rules: Vec<String> =
        args.tools.guard_rules.iter().map(|path| absolute(path).to_string_lossy().into_owned()).collect();
    let shown = path.to_string_lossy().into_owned();
    let (program, words) = tool.command(&shown, &rules);
    let output = place.command(program).args(&words).output().map_err(|error| {
        if error.kind() == ErrorKind::NotFound {
            format!("{name} is not installed: {program} is not on the PATH\n  help: {}", install(tool))
        } else {
            format!("{program} cannot be started: {error}")
        }
    })?;
    let printed = String::from_utf8_lossy(&output.stdout);
    let words = String::from_utf8_lossy(&output.stderr);
    let last = words.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned();
    if tool == Tool::Validate && words.contains("ModuleNotFoundError") {
        return Err(format!("{name} is not installed for {program}\n  help: {}", install(tool)));
    }
    if printed.trim().is_empty() && !output.status.success() {
        return Err(format!("{name} printed no report ({}): {last}{}", output.status, place.help()));
    }
    tool.findings(&printed, &shown).map_err(|error| format!("{error}: {last}"))
}

fn install(tool: Tool) -> &'static str {
    match tool {
        Tool::CfnLint => "pip install cfn-lint",
        Tool::Validate => "pip install cloudformation-validate",
        Tool::Checkov => "pip install checkov",
        Tool::Guard => "https://github.com/aws-cloudformation/cloudformation-guard#installation",
    }
}
