//! Warnings about placeholders that are not replaced, and about unused variables.

use formwork_base::display::shown;
use formwork_base::{Diagnostic, Fact, codes};
use formwork_syntax::NodeId;
use formwork_syntax::symbol;
use formwork_template::PseudoParameter;
use formwork_template::fill_in::{Around, fill_in};

use super::survey_state::Survey;

/// Returns the name in an identifier that is written as a placeholder: `N` of `${N}`.
pub(super) fn bare_identifier(text: &str) -> Option<&str> {
    text.strip_prefix("${").or_else(|| text.strip_prefix("&{"))?.strip_suffix('}').filter(|name| !name.is_empty())
}

/// Returns the intended key for one with `$Name`, `{Name}` or `<Name>` in place of `${Name}`.
pub(super) fn meant_placeholder(key: &str, name: &str) -> Option<String> {
    let whole = format!("${{{name}}}");
    if name.is_empty() || key.contains(&whole) {
        return None;
    }
    let wrong = [format!("{{{name}}}"), format!("<{name}>"), format!("${name}")];
    wrong.iter().find(|wrong| key.contains(wrong.as_str())).map(|wrong| key.replacen(wrong.as_str(), &whole, 1))
}

impl Survey<'_> {
    pub(super) fn warn_unused(&mut self, identifier: NodeId) {
        // A key with `${N}` is reported where the identifier is `${N}`.
        if bare_identifier(self.tree.text(identifier)).is_some() {
            return;
        }
        let text = self.tree.text(identifier);
        let name = shown(text);
        self.warnings.push(
            Diagnostic::new(codes::UNUSED_IDENTIFIER, format!("the identifier {name} is not used in its loop"))
                .at(self.tree.span(identifier))
                .label("never used")
                .fact(Fact::Name(text.to_owned()))
                .note("every iteration generates the same")
                .help(format!("put `${{{name}}}` into the key, or write the fragment without a loop")),
        );
    }

    /// Returns `true` when a key of a fragment has a variable without the marks of a placeholder, as in `$Name`: the
    /// key is reported.
    pub(super) fn is_misspelt_in_key(&self, fragment: NodeId, names: &[&str]) -> bool {
        let keys = self.tree.entries(fragment).map(|entry| self.tree.text(entry.key));
        keys.into_iter().any(|key| names.iter().any(|name| meant_placeholder(key, name).is_some()))
    }

    pub(super) fn warn_spelling(&mut self, call: NodeId) {
        self.warnings.push(
            Diagnostic::new(codes::REF_SPELLING, "Fn::Ref is read as Ref")
                .at(self.tree.span(self.tree.call_name(call)))
                .note("examples of the looping RFC use this spelling; CloudFormation does not have this function")
                .help("write `Ref`")
                .fix("write Ref", self.tree.span(self.tree.call_name(call)), "Ref"),
        );
    }

    pub(super) fn warn_member_name(&mut self, key: NodeId) {
        if !self.key(key) {
            return;
        }
        let text = self.tree.text(key);
        let Some(placeholder) = self.any_placeholder(text) else { return };
        self.warnings.push(
            Diagnostic::new(
                codes::PLACEHOLDER_LITERAL,
                format!("\"{}\" is kept literally: placeholders in this key are not replaced", shown(&placeholder)),
            )
            .at(self.tree.span(key))
            .label("a key nested in the fragment")
            .note(
                "CloudFormation replaces placeholders in the keys of the loop's fragment, not in the keys nested in it",
            )
            .help("generate the key with a loop of its own, whose fragment has this key"),
        );
    }

    /// Returns `true` for a name that `Fn::Sub` replaces: a variable of a loop, or a name that the file declares.
    fn is_filled_in(&self, name: &str) -> bool {
        let is_declared = |section| Some(self.tree.get_text(self.tree.get(self.root, section)?, name).is_some());
        self.scope.iter().any(|variable| variable.name == name)
            || PseudoParameter::from_name(name).is_some()
            || [symbol::PARAMETERS, symbol::RESOURCES].into_iter().any(|section| is_declared(section) == Some(true))
    }

    pub(super) fn warn_plain_text(&mut self, text: NodeId, placeholder: &str) {
        let mut diagnostic = Diagnostic::new(
            codes::PLACEHOLDER_LITERAL,
            format!("\"{}\" is kept literally: placeholders in plain strings are not replaced", shown(placeholder)),
        )
        .at(self.tree.span(text))
        .label("a plain string");
        if self.around == Around::Literal {
            diagnostic = diagnostic
                .note("CloudFormation allows only literal strings here")
                .help("write a string that is the same for every item, or expand the loop by hand");
        } else {
            diagnostic = diagnostic
                .note("CloudFormation replaces placeholders inside Fn::Sub, and in the keys of the loop's fragment");
            let advice = fill_in(self.tree, text, self.around, self.spelling(), &|name| self.is_filled_in(name));
            diagnostic = match advice {
                Some(advice) if !self.tree.text(text).contains("&{") => advice.add_to(diagnostic),
                Some(_) => diagnostic.help(
                    "look the name up in a mapping by the item, or choose alphanumeric items and use `${}` in `Fn::Sub`",
                ),
                None => diagnostic.help("put `Fn::Sub` around the string"),
            };
        }
        self.warnings.push(diagnostic);
    }

    pub(super) fn warn_ampersand(&mut self, text: NodeId, placeholder: &str) {
        self.warnings.push(
            Diagnostic::new(
                codes::AMPERSAND_LITERAL,
                format!("\"{}\" is kept literally: `&{{}}` is replaced only in keys", shown(placeholder)),
            )
            .at(self.tree.span(text))
            .note("CloudFormation does not replace `&{}` in the string of Fn::Sub")
            .help(format!(
                "look the name up in a mapping by the item, or choose alphanumeric items and write `{}`",
                shown(placeholder).replacen('&', "$", 1)
            )),
        );
    }
}
