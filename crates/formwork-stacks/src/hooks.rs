//! Reports rejections and advice of hooks (reference/deploy.md#hooks).

use formwork::{Diagnostic, Severity, codes};
use formwork_deploy::{Examination, HookAnnotation, HookFinding};
use serde_json::{Value, json};

use super::places::{self, Origin, Sources};
use super::reporter::DeployReporter;

/// Prints every hook that failed or warns.
pub fn print(examination: &Examination, reporter: &mut DeployReporter<'_>, sources: &mut Sources) {
    for hook in &examination.hooks {
        let origin = origin(hook, sources);
        let severity = if hook.fails(examination.has_failed) { Severity::Error } else { Severity::Warning };
        let mut diagnostic = diagnostic(hook, severity, reporter);
        if let Some(origin) = &origin {
            diagnostic = diagnostic.at(origin.span);
            if !origin.items.is_empty() {
                diagnostic = diagnostic.label(origin.items.clone());
            }
        }
        let about = sources.of_unit(origin.as_ref().and_then(|origin| origin.unit));
        reporter.checked(&diagnostic, about, &[json!({"hook": object_of(hook, origin.as_ref(), reporter)})]);
    }
}

/// Returns the hooks as JSON, in CloudFormation's order.
pub fn objects(
    examination: &Examination,
    reporter: &DeployReporter<'_>,
    mut sources: Option<&mut Sources>,
) -> Vec<Value> {
    let object = |hook| {
        let origin = sources.as_deref_mut().and_then(|sources| origin(hook, sources));
        object_of(hook, origin.as_ref(), reporter)
    };
    examination.hooks.iter().map(object).collect()
}

fn origin(hook: &HookFinding, sources: &mut Sources) -> Option<Origin> {
    sources.of(&hook.within, hook.logical_id.as_deref()?)
}

fn diagnostic(hook: &HookFinding, severity: Severity, reporter: &DeployReporter<'_>) -> Diagnostic {
    let result = &hook.result;
    let kind = reporter.clean(&result.kind);
    let verb = if severity == Severity::Error { "rejects" } else { "warns of" };
    let what = match &hook.logical_id {
        Some(id) => reporter.clean(&[&hook.within[..], std::slice::from_ref(id)].concat().join("/")),
        None => "the change set".to_owned(),
    };
    let mut found = Diagnostic::titled(codes::HOOK, format!("hook {kind} {verb} {what}")).severity(severity);
    let has_words = |one: &&HookAnnotation| one.status == "FAILED" && (!one.name.is_empty() || one.message.is_some());
    let failed: Vec<&HookAnnotation> = result.annotations.iter().filter(has_words).collect();
    for annotation in &failed {
        let message = reporter.clean(annotation.message.as_deref().unwrap_or("no message"));
        let severity = annotation.severity.as_deref().map(|severity| format!(" ({})", reporter.clean(severity)));
        let severity = severity.unwrap_or_default();
        let name = match annotation.name.as_str() {
            "" => String::new(),
            name => format!("[{}] ", reporter.clean(name)),
        };
        found = found.note(format!("{name}{message}{severity}"));
        for words in [&annotation.remediation, &annotation.link].into_iter().flatten() {
            found = found.help(reporter.clean(words));
        }
    }
    if failed.is_empty() {
        let reason = result
            .reason
            .as_deref()
            .map_or("it reports no reason".to_owned(), |why| format!("`{}`", reporter.clean(why)));
        found = found.note(reason);
    }
    let mode = result.mode.as_deref().map_or_else(String::new, |mode| format!(", mode {}", reporter.clean(mode)));
    found.note(format!("the hook ended with {}{mode}", reporter.clean(&result.status)))
}

fn object_of(hook: &HookFinding, origin: Option<&Origin>, reporter: &DeployReporter<'_>) -> Value {
    let result = &hook.result;
    let mask = |text: &Option<String>| text.as_deref().map(|text| reporter.mask(text));
    let annotation = |one: &HookAnnotation| {
        json!({
            "name": one.name,
            "status": one.status,
            "message": mask(&one.message),
            "remediation": mask(&one.remediation),
            "link": one.link,
            "severity": one.severity,
        })
    };
    let annotations: Vec<Value> = result.annotations.iter().map(annotation).collect();
    let object = json!({
        "type": result.kind,
        "mode": result.mode,
        "status": result.status,
        "reason": mask(&result.reason),
        "path": hook.within,
        "logical_id": hook.logical_id,
        "annotations": annotations,
    });
    places::with_source(object, origin)
}
