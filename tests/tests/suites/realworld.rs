//! Templates that people run, beside the shared suites (`../realworld`): each expands, or is rejected
//! with an error that has a place; the laws hold for each. What `check` finds in each is reviewed
//! (`tests/realworld/reviewed.txt`): nothing that its author would not want to know. The comments of that file have the
//! reasons.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::{Compilation, DiskHost, Goal, MemoryHost, Options, Session, Severity, Values};
use formwork_tests::data::{long_form, read};
use formwork_tests::project::{self, Shared};
use libtest_mimic::{Failed, Trial};

pub(crate) fn trials() -> Result<Vec<Trial>, String> {
    let folder = match project::realworld() {
        Shared::At(folder) => folder,
        absent => return Ok(project::without_shared("realworld", absent)),
    };
    let names = names(&folder)?;
    let mut trials: Vec<Trial> = names
        .iter()
        .map(|name| {
            let path = folder.join(name);
            Trial::test(format!("realworld::{name}"), move || hold(&path).map_err(Failed::from))
        })
        .collect();
    trials.extend(reviewed(&folder, &names)?);
    let rain = folder.join("rain-webapp");
    let after_rain = "realworld::rain-webapp after `migrate rain`";
    trials.push(Trial::test(after_rain, move || migrated(&rain).map_err(Failed::from)));
    Ok(trials)
}

/// Writes what `check` finds in each template into the list of reviewed findings.
pub(crate) fn update() -> Result<(), String> {
    let Shared::At(folder) = project::realworld() else { return Ok(()) };
    let (list, text) = list()?;
    let mut lines: Vec<String> = text.lines().filter(|line| line.starts_with('#')).map(str::to_owned).collect();
    for name in names(&folder)?.iter().filter(|name| is_template(name)) {
        lines.extend(Some(findings(&folder.join(name), name)?).filter(|line| !line.ends_with(": ")));
    }
    std::fs::write(&list, lines.join("\n") + "\n").map_err(|error| format!("{}: {error}", list.display()))
}

/// The files that the collection lists.
fn names(folder: &Path) -> Result<Vec<String>, String> {
    let index = std::fs::read(folder.join("INDEX.json")).map_err(|error| format!("INDEX.json: {error}"))?;
    let index: serde_json::Value = serde_json::from_slice(&index).map_err(|error| format!("INDEX.json: {error}"))?;
    let names = index.as_array().into_iter().flatten().filter_map(|entry| entry["file"].as_str());
    let names: Vec<String> = names.map(str::to_owned).collect();
    if names.is_empty() { Err("INDEX.json names no templates".into()) } else { Ok(names) }
}

/// The list of reviewed findings, and its text.
fn list() -> Result<(PathBuf, String), String> {
    let list = project::root().join("tests/realworld/reviewed.txt");
    let text = std::fs::read_to_string(&list).map_err(|error| format!("{}: {error}", list.display()))?;
    Ok((list, text))
}

/// Modules of rain are not templates.
fn is_template(name: &str) -> bool {
    !name.contains('/')
}

fn compile(path: &Path, text: &[u8], options: &Options, stage: Goal) -> Result<Arc<Compilation>, String> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Modules are two directories up, beside those of the tests.
    let root = folder.ancestors().nth(2).unwrap_or(folder);
    let host = DiskHost::new(folder, Some(root), options.limits.file_bytes).map_err(|error| error.to_string())?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Session::new(&host, options.clone()).compile_bytes(&formwork::VirtualPath::new(&name), text.into(), stage))
}

fn hold(path: &Path) -> Result<(), String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    for stage in [Goal::Expand, Goal::Resolve, Goal::Check] {
        let result = compile(path, &text, &Options::default(), stage)?;
        if let Some(found) =
            result.diagnostics().iter().find(|found| found.severity == Severity::Error && found.primary.is_none())
        {
            return Err(format!("{}: no place: {}", stage.name(), found.message));
        }
        if stage == Goal::Check || result.has_errors() {
            continue;
        }
        let output = result.output().map_err(|failed| failed.to_string())?;
        let own = output.render(None);
        if result.is_unchanged() && own.as_bytes() != text {
            return Err("there is nothing to do, and it comes out as something else".into());
        }
        let json = output.render(Some(formwork::Format::Json));
        let (a, b) = (read(&own)?, read(&json)?);
        if long_form(&a) != long_form(&b) {
            return Err(format!("{}: the author's format and JSON differ", stage.name()));
        }
        let again = compile(path, own.as_bytes(), &Options::default(), stage)?;
        if again.output().ok().is_none_or(|output| output.render(None) != own) {
            return Err(format!("{} twice is something else", stage.name()));
        }
        if let Some(fault) = result.verify_origins().first() {
            return Err(format!("{}: {fault}", stage.name()));
        }
    }
    in_two_steps(path, &text)
}

/// How many findings of each code `check` has in a template, as a line: `NAME: FW0205 1, FW0208 2`.
fn findings(path: &Path, name: &str) -> Result<String, String> {
    let text = std::fs::read(path).map_err(|error| error.to_string())?;
    let result = compile(path, &text, &Options::default(), Goal::Check)?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for found in result.diagnostics() {
        *counts.entry(format!("{} {}", found.severity.name(), found.code)).or_default() += 1;
    }
    let counts: Vec<String> = counts.iter().map(|(code, count)| format!("{code} {count}")).collect();
    Ok(format!("{name}: {}", counts.join(", ")))
}

/// A trial for each template: its findings are those that were reviewed.
fn reviewed(folder: &Path, names: &[String]) -> Result<Vec<Trial>, String> {
    let text = list()?.1;
    let known: Vec<String> = text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
    let trials = names.iter().filter(|name| is_template(name)).map(|name| {
        let (path, name) = (folder.join(name), name.clone());
        let known = known.iter().find(|line| line.starts_with(&format!("{name}: "))).cloned();
        Trial::test(format!("realworld::findings in {name}"), move || {
            let found = findings(&path, &name)?;
            let known = known.unwrap_or_else(|| format!("{name}: "));
            if found == known { Ok(()) } else { Err(format!("found\n{found}\nreviewed\n{known}").into()) }
        })
    });
    Ok(trials.collect())
}

/// Rain's web application with its modules, brought over: it expands, and every reference leads
/// somewhere.
fn migrated(folder: &Path) -> Result<(), String> {
    const TEMPLATE: &str = "test/webapp/webapp.yaml";
    let read = |path: &str| -> Result<String, String> {
        let text = std::fs::read_to_string(folder.join(path)).map_err(|error| format!("{path}: {error}"))?;
        let beside = folder.join(path).parent().map(Path::to_owned).unwrap_or_default();
        let files = |name: &str| std::fs::read_to_string(beside.join(name)).ok();
        Ok(formwork::migrate::rain::migrate(&text, &files).map_err(|error| error.to_string())?.text)
    };
    let mut host = MemoryHost::new().with(TEMPLATE, read(TEMPLATE)?);
    for entry in std::fs::read_dir(folder.join("modules")).map_err(|error| error.to_string())? {
        let name = entry.map_err(|error| error.to_string())?.file_name();
        let path = format!("modules/{}", name.to_string_lossy());
        host = host.with(&path, read(&path)?);
    }
    for stage in [Goal::Expand, Goal::Check] {
        let result = Session::new(&host, Options::default()).compile(TEMPLATE, stage);
        if let Some(found) = result.diagnostics().iter().find(|found| found.severity == Severity::Error) {
            return Err(format!("{}: {} {}", stage.name(), found.code, found.message));
        }
        if let Some(fault) = result.verify_origins().first() {
            return Err(format!("{}: {fault}", stage.name()));
        }
    }
    Ok(())
}

/// The law of reference/values.md#laws.
fn in_two_steps(path: &Path, text: &[u8]) -> Result<(), String> {
    let kept = compile(path, text, &Options::default(), Goal::Expand)?;
    let Ok(output) = kept.output() else { return Ok(()) };
    let language_extensions = if kept.template().declares_language_extensions() {
        formwork::LanguageExtensions::Always
    } else {
        formwork::LanguageExtensions::Auto
    };
    let all = Options { values: Values::All, language_extensions, ..Options::default() };
    let whole = compile(path, text, &all, Goal::Expand)?;
    let step = compile(path, output.render(None).as_bytes(), &all, Goal::Expand)?;
    if whole.has_errors() {
        return Ok(());
    }
    let data = |result: &Compilation| -> Result<serde_json::Value, String> {
        let output = result.output().map_err(|failed| failed.to_string())?;
        let mut value = long_form(&read(&output.render(Some(formwork::Format::Json)))?);
        value.as_object_mut().map(|sections| sections.remove("Transform"));
        Ok(value)
    };
    if step.has_errors() || data(&step)? != data(&whole)? {
        return Err("expand, then --values all, is not --values all".into());
    }
    Ok(())
}
