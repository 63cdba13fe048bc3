//! Laws that hold for every template, one a file. Property tests and fuzzers try them on templates at
//! random (see [`crate::generate`]). Each returns the violation, as a message.

pub mod advice;
pub mod broken;
pub mod building;
pub mod copies_agree;
pub mod copies_in_loops;
pub mod directories;
pub mod duplicates;
pub mod entries;
pub mod fixes;
pub mod found_in_loops;
pub mod fragments;
pub mod idempotent;
pub mod keep;
pub mod key_order;
pub mod layouts;
pub mod lines_agree;
pub mod loops_agree;
pub mod module_of_root;
pub mod modules_agree;
pub mod modules_compose;
pub mod names_agree;
pub mod never_milder;
pub mod once;
pub mod one_pass;
pub mod one_run;
pub mod origins;
pub mod packaging;
pub mod projects;
pub mod queries;
pub mod quiet;
pub mod readers;
pub mod reading;
pub mod refines;
pub mod round_trip;
pub mod secrets;
pub mod shared;
pub mod slips;
pub mod solved_rules;
pub mod spellings;
pub mod sub_text;
pub mod untouched;
pub mod wording;

use std::io::Write as _;
use std::sync::Arc;

use formwork::{Compilation, Format, Goal, MemoryHost, Options, ParameterValue, Session, VirtualPath};
use formwork_evaluate::ValueSource;

/// What a law found.
pub type Verdict = Result<(), String>;

/// A host with the files of a project. Those whose names begin with that of an archive, as `kit.zip/m.json`, are in it.
pub(crate) fn host<'f>(files: impl IntoIterator<Item = (&'f str, String)>) -> MemoryHost {
    let (mut host, mut archives) =
        (MemoryHost::new(), std::collections::BTreeMap::<String, Vec<(&str, String)>>::new());
    for (name, text) in files {
        match name.split_once(".zip/") {
            Some((archive, inner)) => archives.entry(format!("{archive}.zip")).or_default().push((inner, text)),
            None => host = host.with(name, text),
        }
    }
    for (name, entries) in archives {
        host = host.with(&name, archive(&entries).unwrap_or_default());
    }
    host
}

fn archive(entries: &[(&str, String)]) -> Option<Vec<u8>> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in entries {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).ok()?;
        writer.write_all(text.as_bytes()).ok()?;
    }
    Some(writer.finish().ok()?.into_inner())
}

/// Compiles a template.
pub fn compile(text: &str, options: &Options, stage: Goal) -> Arc<Compilation> {
    compile_named("template.yaml", text, options, stage)
}

/// The same of a file with this name.
pub fn compile_named(name: &str, text: &str, options: &Options, stage: Goal) -> Arc<Compilation> {
    let host = MemoryHost::new();
    Session::new(&host, options.clone()).compile_bytes(&VirtualPath::new(name), text.as_bytes().into(), stage)
}

/// The output of a template, when it has no errors.
pub fn output(text: &str, options: &Options, stage: Goal) -> Option<String> {
    let result = compile(text, options, stage);
    text_of(&result, None).ok()
}

/// The output of a compilation as text.
///
/// # Errors
/// Without a template: its errors.
pub(crate) fn text_of(result: &Compilation, format: Option<Format>) -> Result<String, String> {
    result.output().map(|output| output.render(format)).map_err(|failed| failed.to_string())
}

/// Options with a value for each of these parameters.
pub fn with_parameters(values: &[(&str, &str)]) -> Options {
    let parameters = values.iter().map(|&(name, value)| ParameterValue {
        name: name.to_owned(),
        value: value.to_owned(),
        given: ValueSource::CommandLine,
    });
    Options { parameters: parameters.collect(), ..Options::default() }
}

fn equal(what: &str, one: &str, other: &str) -> Verdict {
    if one == other { Ok(()) } else { Err(format!("{what}\n--- one\n{one}\n--- other\n{other}")) }
}

/// The same data, whatever the spelling.
fn same_data(what: &str, one: &str, other: &str) -> Verdict {
    let read = |text: &str| crate::data::read(text).map(|value| crate::data::long_form(&value));
    let (a, b) = (read(one), read(other));
    if a.is_ok() && a == b { Ok(()) } else { Err(format!("{what}\n--- one\n{one}\n--- other\n{other}")) }
}
