//! The errors of suppressions themselves.

use formwork_base::codes::CodePattern;
use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, Diagnostics, Severity, Span, codes};

use super::{Suppression, Suppressions};

pub(super) fn errors(suppressions: &Suppressions, diagnostics: &mut Diagnostics) {
    for (one, used) in suppressions.all.iter().zip(&suppressions.uses) {
        let Some(code) = used.refused else { continue };
        diagnostics.push(
            Diagnostic::new(codes::NOT_SUPPRESSIBLE, format!("{code} is an error, which this does not suppress"))
                .at(one.span)
                .note("an error of FW00 to FW08 means that the output would be wrong")
                .help(format!(
                    "fix the error; or name the code in full, with a reason, for `check` and `validate`: \
                     `# formwork: allow {code} -- reason`"
                )),
        );
    }
}

pub(super) fn warnings(
    suppressions: &Suppressions,
    file: Span,
    omitted: Option<&[Code]>,
    diagnostics: &mut Diagnostics,
) {
    for (one, used) in suppressions.all.iter().zip(&suppressions.uses) {
        let is_unknown = one.pattern.is_none();
        let is_looked_for = omitted
            .is_some_and(|omitted| !omitted.iter().any(|&code| one.pattern.is_some_and(|own| own.matches(code))));
        let is_unused = is_looked_for && !used.is_used && used.refused.is_none();
        if !file.contains(one.span) || !(is_unknown || is_unused) {
            continue;
        }
        let diagnostic = match one.pattern {
            None => unknown(one),
            Some(_) => {
                Diagnostic::new(codes::UNUSED_SUPPRESSION, format!("suppressing {} has no effect", shown(&one.text)))
                    .at(one.span)
                    .note("nothing that it applies to is reported with this code")
                    .help("remove it")
            }
        };
        let diagnostic = match one.removal {
            Some(span) => diagnostic.fix("remove the suppression", span, ""),
            None => diagnostic,
        };
        diagnostics.push(diagnostic.severity(Severity::Warning));
    }
}

fn unknown(one: &Suppression) -> Diagnostic {
    let text = shown(&one.text);
    if let Some(instead) = &one.instead {
        return Diagnostic::new(codes::SUPPRESSION, format!("unknown word {text} in a comment for Formwork"))
            .at(one.span)
            .note("it suppresses nothing")
            .help(format!("write `{instead}`"));
    }
    let message = if one.text.starts_with('#') {
        "the suppression names no code".to_owned()
    } else {
        format!("unknown code {text} in a suppression")
    };
    let is_like_a_code = one.text.get(..2).is_some_and(|mark| mark.eq_ignore_ascii_case("FW"));
    let diagnostic = Diagnostic::new(codes::SUPPRESSION, message).at(one.span);
    if is_like_a_code {
        diagnostic.note(CodePattern::explain(&one.text)).help("correct the code, or remove it")
    } else {
        diagnostic.help("name the codes, and write ` -- ` before a reason: `# formwork: allow FW0307 -- reason`")
    }
}
