//! Converts the diagnostics of `check` to the protocol.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

use formwork::Severity;
use formwork_ide::Problem;
use formwork_ide::diagnostics::diagnostics;
use serde_json::{Value, json};

use crate::at::At;
use crate::document::Document;
use crate::response::Failure;
use crate::uri;
use crate::view::View;

/// Returns the diagnostics of a document; empty if it is not a template.
///
/// # Errors
/// When the state is outdated.
pub(crate) fn of_document(view: &View, path: &Path) -> Result<Vec<Value>, Failure> {
    let Some(at) = At::of(view, &uri::of_path(path))? else { return Ok(Vec::new()) };
    Ok(diagnostics(&at.ide).iter().map(|problem| diagnostic(&at, problem)).collect())
}

/// The diagnostics of a document as it was when they were computed.
#[derive(Clone)]
pub(crate) struct Diagnosed {
    pub(crate) document: Arc<Document>,
    /// `None` if the document is not a template.
    problems: Option<Arc<Vec<Problem>>>,
    pub(crate) items: Arc<Vec<Value>>,
}

/// Returns the diagnostics of a document; `None` when they equal those that were published.
///
/// # Errors
/// When the state is outdated.
pub(crate) fn unpublished(
    view: &View,
    path: &Path,
    document: Arc<Document>,
    published: Option<&Diagnosed>,
) -> Result<Option<Diagnosed>, Failure> {
    let Some(at) = At::of(view, &uri::of_path(path))? else {
        return Ok(Some(Diagnosed { document, problems: None, items: Arc::default() }));
    };
    let problems = diagnostics(&at.ide);
    let is_same = |known: &Diagnosed| {
        Arc::ptr_eq(&known.document, &document)
            && known.problems.as_ref().is_some_and(|known| Arc::ptr_eq(known, problems))
    };
    if published.is_some_and(is_same) {
        return Ok(None);
    }
    let items = problems.iter().map(|problem| diagnostic(&at, problem)).collect();
    Ok(Some(Diagnosed { document, problems: Some(Arc::clone(problems)), items: Arc::new(items) }))
}

pub(crate) fn diagnostic(at: &At<'_>, problem: &Problem) -> Value {
    let finding = &problem.finding;
    let severity = match finding.severity {
        Severity::Error => 1,
        Severity::Warning => 2,
        Severity::Note => 3,
    };
    let mut made = json!({
        "range": at.range_in(&problem.range),
        "severity": severity,
        "code": finding.code.to_string(),
        "source": "formwork",
        "message": finding.message,
    });
    let client = &at.view.client;
    let pointer = if client.pulls() { "/textDocument/diagnostic" } else { "/textDocument/publishDiagnostics" };
    let can = |what: &str| {
        client.can(&format!("{pointer}/{what}")) || client.can(&format!("/textDocument/publishDiagnostics/{what}"))
    };
    if can("codeDescriptionSupport") {
        made["codeDescription"] = json!({"href": finding.url});
    }
    if can("relatedInformation") && !problem.related.is_empty() {
        let related = problem.related.iter();
        made["relatedInformation"] =
            related.map(|(range, words)| json!({"location": at.location(range), "message": words})).collect();
    }
    if can("tagSupport") && problem.is_unnecessary {
        made["tags"] = json!([1]);
    }
    if can("dataSupport") {
        let mut data = json!({"code": finding.code.to_string(), "count": finding.count});
        if let Some(fix) = &finding.fix {
            data["fix"] = json!(fix.message);
        }
        made["data"] = data;
    }
    made
}

pub(crate) fn result_id(items: &[Value]) -> String {
    let mut hasher = DefaultHasher::new();
    for item in items {
        item.to_string().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}
