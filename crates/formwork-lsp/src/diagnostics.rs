//! What `check` finds, as the protocol has it.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
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

/// The diagnostics of a document; none of one that is not a template.
///
/// # Errors
/// When the state is outdated.
pub(crate) fn of_document(view: &View, path: &Path) -> Result<Vec<Value>, Failure> {
    let Some(at) = At::of(view, &uri::of_path(path))? else { return Ok(Vec::new()) };
    Ok(diagnostics(&at.ide).iter().map(|problem| diagnostic(&at, problem)).collect())
}

/// The problems of documents that were reported last, each with the document that they are of.
pub(crate) type Seen = BTreeMap<PathBuf, (Arc<Document>, Arc<Vec<Problem>>)>;

/// The diagnostics of a document that nobody has seen.
pub(crate) struct Unseen {
    pub(crate) path: PathBuf,
    pub(crate) document: Arc<Document>,
    /// `None` of what is not a template.
    pub(crate) problems: Option<Arc<Vec<Problem>>>,
    /// The same, as the protocol has them.
    pub(crate) items: Vec<Value>,
}

/// The diagnostics of a document; `None` when they are those that were seen.
///
/// # Errors
/// When the state is outdated.
pub(crate) fn unseen(
    view: &View,
    path: PathBuf,
    document: Arc<Document>,
    seen: &Seen,
) -> Result<Option<Unseen>, Failure> {
    let Some(at) = At::of(view, &uri::of_path(&path))? else {
        return Ok(Some(Unseen { path, document, problems: None, items: Vec::new() }));
    };
    let problems = diagnostics(&at.ide);
    let is_same =
        |(of, known): &(Arc<Document>, Arc<Vec<Problem>>)| Arc::ptr_eq(of, &document) && Arc::ptr_eq(known, problems);
    if seen.get(&path).is_some_and(is_same) {
        return Ok(None);
    }
    let items = problems.iter().map(|problem| diagnostic(&at, problem)).collect();
    Ok(Some(Unseen { path, document, problems: Some(Arc::clone(problems)), items }))
}

/// A diagnostic.
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

/// What identifies a list of diagnostics.
pub(crate) fn result_id(items: &[Value]) -> String {
    let mut hasher = DefaultHasher::new();
    for item in items {
        item.to_string().hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}
