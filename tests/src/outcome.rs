//! The results of a run of the library, in the forms that suites compare.

use std::sync::Arc;

use formwork::nested::{Nested, PathErrors};
use formwork::{
    Code, Compilation, Diagnostic, FileBytes, Format, Goal, Host, Options, Report, Session, Severity, VirtualPath,
};
use formwork_base::display::escape_for_display;
use formwork_report::{Context, human, rules, short};

use crate::words::{Request, Rules};

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The template, unless there are errors or the command prints none.
    pub output: Option<Vec<u8>>,
    /// Whether there are errors.
    pub failed: bool,
    /// Every diagnostic for people, as on standard error.
    pub human: String,
    /// Every diagnostic, one a line.
    pub short: String,
    /// Codes of the diagnostics.
    pub codes: Vec<Code>,
    /// Words of the diagnostics, with how bad each is.
    pub messages: Vec<(Severity, String)>,
}

impl Outcome {
    /// The output as text; empty without one.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.output.as_deref().unwrap_or_default()).into_owned()
    }
}

/// Runs the library on the template `bytes`.
pub fn run(host: &dyn Host, path: &str, bytes: &[u8], request: &Request) -> Outcome {
    let bytes: FileBytes = bytes.into();
    let compiler = Session::new(host, request.options.clone());
    let path = VirtualPath::new(path);
    compiler.set_file(&path, bytes);
    // Files are united as one text, which is compiled; what is reported has its places in the files.
    let united = (!request.options.other_files.is_empty()).then(|| compiler.snapshot().unite(&path));
    let text = united.as_ref().and_then(|united| united.united_text(&|_, _| None)).map(|text| text.bytes);
    let result = match &united {
        Some(united) if request.merges => Arc::clone(united),
        _ => compiler.snapshot().compile(&path, request.stage),
    };
    let mut root = Report::from(Arc::clone(&result));
    let nested = match request.stage {
        Goal::Check => compiler.compile_nested(&result, request.stage, PathErrors::Reported),
        _ => Nested::default(),
    };
    root.add(nested.found);
    let all: Vec<&Report> = std::iter::once(&root).chain(&nested.reports).collect();
    let rendered = |render: &dyn Fn(&Diagnostic, &Context<'_>) -> String| {
        let of = |report: &&Report| {
            let result = report.compilation();
            let context = Context { sources: result.sources(), secrets: result.secrets(), color: false, width: None };
            report.diagnostics().iter().map(|diagnostic| render(diagnostic, &context)).collect::<String>()
        };
        all.iter().map(of).collect::<String>()
    };
    let found: Vec<&Diagnostic> = all.iter().flat_map(|result| result.diagnostics()).collect();
    let context = Context { sources: result.sources(), secrets: result.secrets(), color: false, width: None };
    let output = match &request.rules {
        Some(rules) => about_rules(&result, rules, request.format, &context).map(String::into_bytes),
        None if request.merges => text,
        None if united.is_some() => text.and_then(|text| {
            let options = Options { other_files: Vec::new(), ..request.options.clone() };
            let compiled = Session::new(host, options).compile_bytes(&path, text.into(), request.stage);
            let output = compiled.output().ok().filter(|_| !root.has_errors() && request.stage != Goal::Check)?;
            Some(output.render(request.format).into_bytes())
        }),
        None => result.output().ok().filter(|_| !root.has_errors() && request.stage != Goal::Check).map(|template| {
            let mut output = Vec::new();
            template.write_bytes(request.format, &mut |part| output.extend_from_slice(part));
            output
        }),
    };
    Outcome {
        output,
        failed: all.iter().any(|result| result.has_errors()),
        human: rendered(&human::render),
        short: rendered(&short),
        codes: found.iter().map(|diagnostic| diagnostic.code).collect(),
        messages: found.iter().map(|diagnostic| (diagnostic.severity, words(diagnostic))).collect(),
    }
}

/// A diagnostic on one line, and below it each sentence that it quotes.
pub(crate) fn short(diagnostic: &Diagnostic, context: &Context<'_>) -> String {
    let quotes = diagnostic.quotes().map(|sentence| format!("  `{}`\n", escape_for_display(sentence)));
    short::render(diagnostic, context) + &quotes.collect::<String>()
}

/// The title of a diagnostic and the sentences that it quotes.
pub(crate) fn words(diagnostic: &Diagnostic) -> String {
    let quotes = diagnostic.quotes().map(|sentence| format!(": `{sentence}`"));
    diagnostic.message.clone() + &quotes.collect::<String>()
}

/// What a command about rules prints; nothing when an error stopped it.
fn about_rules(result: &Compilation, command: &Rules, format: Option<Format>, context: &Context<'_>) -> Option<String> {
    let is_json = format == Some(Format::Json);
    match command {
        Rules::Check => {
            let report = result.rules()?;
            Some(if is_json { rules::check_json(report, result.sources()) } else { rules::check_text(report, context) })
        }
        _ if result.has_errors() => None,
        Rules::Solve(rule) => {
            let found = result.solve(rule.as_deref())?.ok()?;
            Some(if is_json { rules::solve_json(&found) } else { rules::solve_text(&found) })
        }
        Rules::Table(rule) => {
            let found = result.tabulate(rule.as_deref())?.ok()?;
            Some(if is_json { rules::table_json(&found) } else { rules::table_text(&found) })
        }
    }
}
