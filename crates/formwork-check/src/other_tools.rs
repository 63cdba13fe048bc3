//! Other tools run on the expansion of a template, for `check --with` (reference/map-back.md#with).

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use formwork::{Diagnostic, Report};
use formwork_map_back::diagnostic;
use formwork_map_back::report::Tool;
use formwork_map_back::{Locator, SourceMap, ToolFinding, is_suppressed, merged};

use crate::CheckChoices;

/// What the tools find in the expansion of a template, on its authored lines, each once per site. Nothing without an
/// expansion.
///
/// # Errors
/// When a tool is not installed, or prints no report.
pub fn run(args: &CheckChoices, template: &Path, report: &Report) -> Result<Vec<Diagnostic>, String> {
    let (compilation, Ok(output)) = (report.compilation(), report.compilation().output()) else {
        return Ok(Vec::new());
    };
    if report.has_errors() {
        return Ok(Vec::new());
    }
    let folder = tempfile::tempdir().map_err(|error| format!("no temporary directory can be created: {error}"))?;
    let name = template.file_name().filter(|_| template != Path::new("-"));
    let name = name.map_or_else(|| "template.yaml".to_owned(), |name| name.to_string_lossy().into_owned());
    let path = folder.path().join(&name);
    let mut bytes = Vec::new();
    let map = output.write_with_map(None, &name, &mut |part| bytes.extend_from_slice(part));
    std::fs::write(&path, &bytes).map_err(|error| formwork_run::output::failed(&path, &error))?;
    let map = SourceMap::parse(&map.unwrap_or_default()).map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&bytes);
    let locator = Locator::new(&map, Some(&text));
    let mut located = Vec::new();
    for tool in &args.with {
        let found = findings(*tool, &path, args)?;
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

/// Runs a tool.
fn findings(tool: Tool, path: &Path, args: &CheckChoices) -> Result<Vec<ToolFinding>, String> {
    let name = tool.name();
    if tool == Tool::Guard && args.guard_rules.is_empty() {
        return Err(format!("{name} needs rules\n  help: pass them with `--guard-rules PATH`"));
    }
    let rules: Vec<String> = args.guard_rules.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let shown = path.to_string_lossy().into_owned();
    let (program, words) = tool.command(&shown, &rules);
    let output = Command::new(program).args(&words).stdin(Stdio::null()).output().map_err(|error| {
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
        return Err(format!("{name} printed no report ({}): {last}", output.status));
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
