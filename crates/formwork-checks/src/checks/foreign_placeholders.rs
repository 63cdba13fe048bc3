//! Placeholders of other tools in plain strings, which CloudFormation keeps as they are
//! (reference/diagnostics.md#codes).

use formwork_template::Section;

use crate::Context;

pub(super) struct Foreign<'t> {
    /// The placeholder with its braces.
    pub(super) written: &'t str,
    pub(super) tool: &'static str,
    /// The last name in it: `stage` of `${self:provider.stage}`.
    name: &'t str,
}

const TERRAFORM: &str = "Terraform";
const SERVERLESS: &str = "the Serverless Framework";

/// Beginnings of placeholders that only one tool has.
const PREFIXES: [(&str, &str); 9] = [
    ("var.", TERRAFORM),
    ("local.", TERRAFORM),
    ("each.key", TERRAFORM),
    ("each.value", TERRAFORM),
    ("data.aws_", TERRAFORM),
    ("aws_", TERRAFORM),
    ("self:", SERVERLESS),
    ("opt:", SERVERLESS),
    ("sls:", SERVERLESS),
];

const CONTEXTS: [&str; 6] = ["github.", "env.", "vars.", "secrets.", "inputs.", "matrix."];

/// Returns the first placeholder of another tool in a string of one line. A longer string may be code for that tool.
pub(super) fn first(text: &str) -> Option<Foreign<'_>> {
    if text.contains('\n') {
        return None;
    }
    text.match_indices("${").find_map(|(at, _)| {
        let rest = text.get(at..)?;
        // Searches only up to the next placeholder, so that each byte is read once.
        let next = rest.get(2..)?.find("${").map_or(rest.len(), |next| next + 2);
        let rest = rest.get(..next)?;
        let (inside, close) = rest.strip_prefix("${{").map_or((rest.get(2..)?, "}"), |inside| (inside, "}}"));
        let inside = inside.split_once(close)?.0;
        let written = rest.get(..rest.find(close)? + close.len())?;
        let start = inside.trim_start();
        let tool = if close == "}}" {
            CONTEXTS.iter().any(|context| start.starts_with(context)).then_some("GitHub Actions")
        } else {
            let is_dotted = |prefix: &str| prefix != "aws_" || inside.contains('.');
            let known = PREFIXES.iter().find(|(prefix, _)| inside.starts_with(prefix) && is_dotted(prefix));
            known.map(|(_, tool)| *tool)
        }?;
        let first = inside.split(',').next().unwrap_or_default().trim();
        let name = first.rsplit(['.', ':']).next().unwrap_or_default();
        Some(Foreign { written, tool, name })
    })
}

impl Foreign<'_> {
    /// Returns the advice for a template without a parameter for it.
    pub(super) fn advice(&self) -> &'static str {
        let inside = self.written.trim_start_matches("${");
        match inside.split(['.', '_']).next() {
            Some("each") => "write `!Sub` in front of the string, with the variable of the loop in it: `${Name}`",
            Some("aws") => "refer to the resource: `!GetAtt Name.Attribute`",
            Some("data") => "use a pseudo parameter such as `AWS::Region`, or declare a parameter",
            _ => "declare it under `Parameters`, and write `!Sub` in front of the string, with `${Name}` in it",
        }
    }

    /// Returns the parameter of the template that has the same name in another spelling.
    pub(super) fn parameter<'c>(&self, cx: &'c Context<'_>) -> Option<&'c str> {
        let plain = |name: &str| name.replace(['_', '-'], "").to_ascii_lowercase();
        let section = cx.tree.get(cx.template.root, Section::Parameters.symbol())?;
        let mut names = cx.tree.entries(section).map(|entry| cx.tree.text(entry.key));
        names.find(|name| plain(name) == plain(self.name))
    }
}

#[test]
fn placeholders_of_other_tools_are_known_by_their_beginning() {
    let found = |text| first(text).map(|one| (one.written.to_owned(), one.tool, one.name.to_owned()));
    let is = |written: &str, tool, name: &str| Some((written.to_owned(), tool, name.to_owned()));
    assert_eq!(found("a-${var.stage}-b"), is("${var.stage}", TERRAFORM, "stage"));
    assert_eq!(found("${A}${self:provider.stage}"), is("${self:provider.stage}", SERVERLESS, "stage"));
    assert_eq!(found("${opt:stage, 'dev'}"), is("${opt:stage, 'dev'}", SERVERLESS, "stage"));
    assert_eq!(found("${{ github.ref_name }}"), is("${{ github.ref_name }}", "GitHub Actions", "ref_name"));
    assert_eq!(found("${aws_sqs_queue.Queue.arn}"), is("${aws_sqs_queue.Queue.arn}", TERRAFORM, "arn"));
    for own in [
        "${aws:username}",
        "${aws_user}",
        "${Stage}",
        "${env:STAGE}",
        "${var.stage",
        "x\n${var.stage}",
        "${{x}}",
        "é${",
        "${var.${Stage}}",
    ] {
        assert_eq!(found(own), None, "{own}");
    }
}
