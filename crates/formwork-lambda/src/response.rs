//! The response to CloudFormation.

use formwork::display::escape_for_display;
use formwork::finding::FindingPlace;
use formwork::query::node_at;
use formwork::{Compilation, Diagnostic, Severity, codes};
use serde_json::json;

/// Maximum size of the response of a Lambda function, in bytes.
pub(crate) const MOST_BYTES: usize = 6 * 1024 * 1024 + 100;

/// Maximum number of errors in a message: CloudFormation truncates long ones.
const MOST_ERRORS: usize = 20;

/// The response of a macro, with the lines for the log of its function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Response {
    /// The response, a JSON object.
    pub body: String,
    /// Warnings, one per line; a macro cannot pass them on.
    pub log: Vec<String>,
}

impl Response {
    /// Returns a response with the processed template; a failure if Lambda would reject it.
    pub(crate) fn success(request_id: &str, fragment: &str, log: Vec<String>) -> Response {
        let body = format!(r#"{{"requestId":{request_id},"status":"success","fragment":{fragment}}}"#);
        if body.len() > MOST_BYTES {
            let message = format!(
                "the processed template is too large: its response has {} bytes, and a Lambda function returns at most \
                 {MOST_BYTES}; run `formwork package` before the template is uploaded, or split it",
                body.len()
            );
            return Response { log, ..Response::failure(request_id, &message) };
        }
        Response { body, log }
    }

    /// Returns a response that ends the deployment with a message.
    pub(crate) fn failure(request_id: &str, message: &str) -> Response {
        let message = json!(message);
        let body = format!(r#"{{"requestId":{request_id},"status":"failure","errorMessage":{message}}}"#);
        Response { body, log: Vec::new() }
    }
}

/// Returns errors and warnings of a run in the short form, with paths in the template as locations: lines of a template
/// that CloudFormation has converted to JSON are not its author's.
pub(crate) fn report(compilation: &Compilation) -> (Vec<String>, Vec<String>) {
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    for found in compilation.diagnostics() {
        match found.severity {
            // The command line leaves a missing include to the deployment; here it can never be found.
            _ if found.code == codes::UNREADABLE_FILE => errors.push(line(compilation, found, Severity::Error)),
            Severity::Error => errors.push(line(compilation, found, Severity::Error)),
            // The values of a deployment are not fixed: the next one computes its own.
            Severity::Warning if found.code == codes::VALUE_FIXED => {}
            Severity::Warning => warnings.push(line(compilation, found, Severity::Warning)),
            Severity::Note => {}
        }
    }
    (errors, warnings)
}

fn line(compilation: &Compilation, found: &Diagnostic, severity: Severity) -> String {
    let mut finding = found.resolve(compilation.sources());
    finding.severity = severity;
    let span = found.primary.as_ref().map(|label| label.span);
    let in_template = |at: u32| node_at(compilation.tree(), compilation.sources(), compilation.document().root, at);
    let path = span.filter(|span| !span.is_none()).and_then(|span| in_template(span.start())).map(|node| node.path);
    // The location is the path alone.
    finding.place = FindingPlace::default();
    match path.filter(|path| !path.is_empty()) {
        Some(path) => format!("{}: {finding}", escape_for_display(&path)),
        None => finding.to_string(),
    }
}

/// Returns the message of a failure: its errors, one per line.
pub(crate) fn message(errors: &[String]) -> String {
    let shown = errors.iter().take(MOST_ERRORS).cloned();
    let more = errors.len().saturating_sub(MOST_ERRORS);
    let rest = (more > 0).then(|| format!("and {more} more {}", if more == 1 { "error" } else { "errors" }));
    shown.chain(rest).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_lists_the_first_errors_and_counts_the_rest() {
        let errors: Vec<String> = (0..MOST_ERRORS + 2).map(|number| format!("error {number}")).collect();
        let text = message(&errors);
        assert_eq!(text.lines().count(), MOST_ERRORS + 1);
        assert!(text.ends_with("error 19\nand 2 more errors"), "{text}");
        assert_eq!(message(&errors[..1]), "error 0");
    }

    #[test]
    fn a_response_that_lambda_refuses_is_a_failure() {
        let fits = format!(r#"{{"A":"{}"}}"#, "x".repeat(MOST_BYTES - 200));
        assert!(Response::success(r#""1""#, &fits, Vec::new()).body.contains(r#""status":"success""#));
        let large = format!(r#"{{"A":"{}"}}"#, "x".repeat(MOST_BYTES));
        let refused = Response::success(r#""1""#, &large, vec!["a warning".to_owned()]);
        assert!(refused.body.len() < 1000 && refused.body.contains("too large"), "{}", refused.body);
        assert_eq!(refused.log, ["a warning"]);
    }
}
