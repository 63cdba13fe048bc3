//! Mistakes that authors make, each with the report of `check` and what follows from its advice (tests/mistakes/README.md).

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use formwork::schemas::Schemas;
use formwork::{Compilation, Diagnostic, Goal, MemoryHost, Options, Session, Severity, VirtualPath};
use formwork_tests::project;
use formwork_tests::properties::{advice, wording};

/// How many mistakes there are at least.
const LEAST: usize = 600;

/// Files whose templates are checked with the schemas of resource types.
const WITH_SCHEMAS: [&str; 1] = ["types.md"];

/// Files in which nothing but notes is left when the advice of all findings is followed.
const WHOLE: [&str; 5] = ["calls.md", "declared.md", "indentation.md", "pasted.md", "types.md"];

/// Directories of mistakes: in one template, and in imports of modules.
const FOLDERS: [&str; 2] = ["tests/mistakes", "tests/module_mistakes"];

/// A mistake: a template, the report about it, and the edits that its advice asks for.
struct Mistake {
    title: String,
    template: String,
    /// Files beside it, with their names.
    others: Vec<(String, String)>,
    report: String,
    edits: Vec<(String, String)>,
}

fn files() -> Vec<PathBuf> {
    let entries =
        FOLDERS.iter().flat_map(|folder| std::fs::read_dir(project::root().join(folder)).expect("a directory"));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> =
        paths.filter(|path| path.file_name().is_some_and(|name| name != "README.md")).collect();
    files.sort();
    files
}

/// The cases of a file: `## title`, a block of the template, one of the report, and perhaps one of edits.
fn read(text: &str) -> Vec<Mistake> {
    let case = |part: &str| {
        let (title, rest) = part.split_once('\n').expect("a line");
        let block = |languages: &[&str]| {
            rest.split("\n```").find_map(|block| {
                let (language, body) = block.split_once('\n')?;
                languages.contains(&language.trim()).then(|| format!("{body}\n"))
            })
        };
        Mistake {
            title: title.to_owned(),
            template: block(&["yaml", "json"]).unwrap_or_else(|| panic!("{title} has no template")),
            others: rest
                .split("\n```yaml file=")
                .skip(1)
                .filter_map(|block| block.split_once("\n```")?.0.split_once('\n'))
                .map(|(name, body)| (name.to_owned(), format!("{body}\n")))
                .collect(),
            report: block(&["report"]).unwrap_or_default(),
            edits: block(&["fix"]).map(|block| edits(&block)).unwrap_or_default(),
        }
    };
    text.split("\n## ").skip(1).map(case).collect()
}

/// Lines behind `-` become lines behind `+`. An empty line is between two edits.
fn edits(block: &str) -> Vec<(String, String)> {
    let mut edits: Vec<(String, String)> = Vec::new();
    let mut was_new = true;
    for line in block.lines() {
        if line.is_empty() {
            was_new = true;
            continue;
        }
        let (mark, text) = line.split_at(line.len().min(1));
        let text = text.strip_prefix(' ').unwrap_or(text);
        if mark == "-" && was_new {
            edits.push((String::new(), String::new()));
        }
        was_new = mark == "+";
        let (old, new) = edits.last_mut().expect("a line behind `-`");
        let side = if was_new { new } else { old };
        side.push_str(text);
        side.push('\n');
    }
    edits
}

/// Applies edits to the template and the files beside it.
fn apply(mistake: &Mistake, edits: &[(String, String)]) -> Result<(String, Vec<(String, String)>), String> {
    let (mut template, mut others) = (mistake.template.clone(), mistake.others.clone());
    for (old, new) in edits {
        let count: usize =
            others.iter().map(|(_, text)| text).chain([&template]).map(|text| text.matches(old).count()).sum();
        if count != 1 {
            return Err(format!("the lines of `fix` are {count} times in the files:\n{old}"));
        }
        for text in others.iter_mut().map(|(_, text)| text).chain([&mut template]) {
            *text = text.replacen(old.as_str(), new, 1);
        }
    }
    Ok((template, others))
}

/// Checks a template with the files beside it.
fn compile(template: &str, others: &[(String, String)], options: &Options) -> Arc<Compilation> {
    let host = others.iter().fold(MemoryHost::new(), |host, (name, text)| host.with(name, text.as_bytes()));
    let path = VirtualPath::new("template.yaml");
    Session::new(&host, options.clone()).compile_bytes(&path, template.as_bytes().into(), Goal::Check)
}

/// What is reported: code, place and title of each finding, and its helps.
fn report(result: &Compilation) -> String {
    let mut text = String::new();
    for found in result.diagnostics() {
        let place = found.resolve(result.sources()).place;
        let (line, column) = (place.line.unwrap_or_default(), place.column.unwrap_or_default());
        let file = if place.file.as_deref() == Some("template.yaml") {
            String::new()
        } else {
            format!("{}:", place.file.unwrap_or_default())
        };
        let _ = writeln!(text, "{} {} {file}{line}:{column} {}", found.severity.name(), found.code, found.message);
        for help in &found.help {
            let _ = writeln!(text, "  help: {help}");
        }
    }
    text
}

/// The code that a help has in backquotes.
fn codes(found: &Diagnostic) -> Vec<&str> {
    found.help.first().map(|help| help.split('`').skip(1).step_by(2).collect()).unwrap_or_default()
}

/// Follows the advice: by the edits of the case, or as the law of advice does it.
fn follow(mistake: &Mistake, result: &Compilation, (options, is_whole): (&Options, bool)) -> Result<(), String> {
    let findings = result.diagnostics();
    findings.iter().try_for_each(wording::of)?;
    if mistake.edits.is_empty() {
        advice::works(&mistake.template, options)?;
        let fixed = advice::followed(&mistake.template, options);
        return match fixed {
            Some(fixed) if is_whole => nothing_is_left(&fixed, &[], options),
            Some(_) => Ok(()),
            None if !is_whole && !advice::applied(&mistake.template).is_empty() => Ok(()),
            None => Err("no advice is applied: add a block `fix`".to_owned()),
        };
    }
    let (fixed, others) = apply(mistake, &mistake.edits)?;
    nothing_is_left(&fixed, &others, options)?;
    // The edits are those that the first advice asks for: one of its alternatives.
    let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = others.iter().map(|(_, text)| text).chain([&fixed]).map(|text| squeezed(text)).collect::<String>();
    let codes = findings.first().map(codes).unwrap_or_default();
    if codes.is_empty() || codes.iter().any(|code| is_form(code) || is_in(&text, &squeezed(code))) {
        return Ok(());
    }
    Err(format!("the help advises `{}`, which is not in\n{fixed}", codes.join("` or `")))
}

fn nothing_is_left(fixed: &str, others: &[(String, String)], options: &Options) -> Result<(), String> {
    let after = compile(fixed, others, options);
    match after.diagnostics().iter().find(|found| found.severity != Severity::Note) {
        Some(left) => Err(format!("{} {} is left in\n{fixed}", left.code, left.message)),
        None => Ok(()),
    }
}

/// Whether a code, or the short form of the function that it is, is in a text.
fn is_in(text: &str, code: &str) -> bool {
    text.contains(code) || code.starts_with("Fn::") && text.contains(&code.replacen("Fn::", "!", 1))
}

/// Whether a code shows where values belong, in words of its own.
fn is_form(code: &str) -> bool {
    let words = ["...", "value", "Name", "Service", "condition", "string", "TopKey", "index", "count", "Attribute"];
    code.len() == 1 || words.iter().any(|word| code.contains(word))
}

#[test]
fn mistakes_are_reported_once_with_advice_that_works() {
    let (mut count, mut wrong) = (0, Vec::new());
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("a file");
        let is_in = |names: &[&str]| names.iter().any(|name| path.ends_with(name));
        let schemas = is_in(&WITH_SCHEMAS).then(|| Arc::new(Schemas::embedded()));
        let options = Options { schemas, ..Options::default() };
        for mistake in read(&text) {
            count += 1;
            let result = compile(&mistake.template, &mistake.others, &options);
            let found = report(&result);
            if std::env::var_os("FORMWORK_UPDATE").is_some() {
                update(&path, &mistake, &found);
            } else if found != mistake.report {
                wrong.push(format!("{}: expected\n{}found\n{found}", mistake.title, mistake.report));
            }
            if let Err(what) = follow(&mistake, &result, (&options, is_in(&WHOLE))) {
                wrong.push(format!("{}: {what}\n{found}", mistake.title));
            }
        }
    }
    assert!(wrong.is_empty(), "{} mistakes\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(count >= LEAST, "there are {count} mistakes");
}

/// Writes the report of a case into its file.
fn update(path: &Path, mistake: &Mistake, found: &str) {
    let text = std::fs::read_to_string(path).expect("a file");
    let start = text.find(&format!("\n## {}\n", mistake.title)).expect("the case");
    let at = start + text[start..].find("\n```report\n").expect("a block `report`") + "\n```report\n".len();
    let end = at + text[at..].find("```").expect("the end of the block");
    std::fs::write(path, format!("{}{found}{}", &text[..at], &text[end..])).expect("written");
}
