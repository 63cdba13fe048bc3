//! Values passed to a run.

use formwork_base::{Diagnostic, Diagnostics, Span, codes};
use formwork_syntax::{Kind, NodeId, Symbol, Tree, View, scalar};

/// The source of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ValueSource {
    /// An option of the command line.
    CommandLine,
    /// A parameters file or samconfig.toml.
    File,
    /// The declaration's `Default`.
    Default,
    /// The account snapshot.
    Account,
}

impl ValueSource {
    /// Returns the name in reports (reference/provenance.md#frames).
    pub fn name(self) -> &'static str {
        match self {
            ValueSource::CommandLine => "command-line",
            ValueSource::File => "file",
            ValueSource::Default => "default",
            ValueSource::Account => "account",
        }
    }
}

/// A value for a parameter. Of several for one name the last one counts.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Name of the parameter.
    pub name: Symbol,
    /// String, number, Boolean, or a list of them.
    pub value: NodeId,
    /// Source of the value.
    pub given: ValueSource,
    /// Set when the value is ignored if no parameter has its name: it is from a file of defaults that templates share.
    pub is_optional: bool,
}

/// Reads the arguments of a parameters file, recognised by its shape (reference/command-line.md#parameter-values): a
/// plain map of names to values; a list of `{ParameterKey, ParameterValue}`; a list of `"K=V"`; `{Parameters: {...}}`;
/// `{parameters: {...}}`.
pub fn from_document(tree: &mut Tree, root: NodeId, diagnostics: &mut Diagnostics) -> Vec<Argument> {
    let mut found = Vec::new();
    if let Some(resources) = tree.get_text(root, "Resources").filter(|&node| tree.kind(node) == Kind::Map) {
        let diagnostic = Diagnostic::new(codes::ARGUMENTS, "this is a template, not a file of parameter values");
        diagnostics.push(
            diagnostic
                .at(tree.span(resources).at_start())
                .help("name the template without the option, and here a file such as `{\"Name\": \"value\"}`"),
        );
        return found;
    }
    let values = nested(tree, root).unwrap_or(root);
    match tree.kind(values) {
        Kind::Map => {
            for entry in tree.entries(values).collect::<Vec<_>>() {
                let name = tree.symbol(entry.key);
                add(tree, name, entry.value, &mut found, diagnostics);
            }
        }
        Kind::List => {
            for item in tree.items(values).to_vec() {
                list_item(tree, item, &mut found, diagnostics);
            }
        }
        _ => diagnostics.push(wrong_shape(tree.span(values))),
    }
    found
}

/// Returns the values of a file that has them under `Parameters` or `parameters`, beside tags for instance. A string or
/// number there is the value of a parameter of that name.
fn nested(tree: &Tree, root: NodeId) -> Option<NodeId> {
    if tree.kind(root) != Kind::Map {
        return None;
    }
    let mut names = ["Parameters", "parameters"].into_iter();
    names.find_map(|name| tree.get_text(root, name)).filter(|&node| !tree.is_scalar(node))
}

/// Returns the names for which a stack keeps its value: `{ParameterKey, UsePreviousValue: true}`. Such an entry
/// discards values of earlier files.
pub fn kept(tree: &Tree, root: NodeId) -> Vec<&str> {
    let values = nested(tree, root).unwrap_or(root);
    let items = if tree.kind(values) == Kind::List { tree.items(values) } else { &[] };
    let is_kept = |item: NodeId| {
        let flag = tree.get_text(item, "UsePreviousValue").filter(|&flag| tree.is_scalar(flag));
        flag.is_some_and(|flag| scalar::truth(tree.text(flag)) == Some(true))
            && tree.get_text(item, "ParameterValue").is_none()
    };
    let kept = items.iter().filter(|&&item| is_kept(item));
    kept.filter_map(|&item| tree.string(tree.get_text(item, "ParameterKey")?)).collect()
}

fn list_item(tree: &mut Tree, item: NodeId, found: &mut Vec<Argument>, diagnostics: &mut Diagnostics) {
    if let View::String(text) = tree.view(item) {
        let Some((name, value)) = text.split_once('=').map(|(n, v)| (n.to_owned(), v.to_owned())) else {
            return diagnostics.push(wrong_item(tree.span(item)));
        };
        let origin = formwork_syntax::Origin::Authored(tree.span(item));
        let name = tree.intern(&name);
        let value = tree.scalar(Kind::String, formwork_syntax::Style::Plain, &value, origin);
        return add(tree, name, value, found, diagnostics);
    }
    let key = tree.get_text(item, "ParameterKey").and_then(|key| tree.string(key)).map(str::to_owned);
    let Some(key) = key else {
        return diagnostics.push(wrong_item(tree.span(item)));
    };
    // An entry may request that the stack keeps its value; here there is no stack.
    if let Some(value) = tree.get_text(item, "ParameterValue") {
        let name = tree.intern(&key);
        add(tree, name, value, found, diagnostics);
    }
}

fn add(tree: &Tree, name: Symbol, value: NodeId, found: &mut Vec<Argument>, diagnostics: &mut Diagnostics) {
    let is_value = tree.is_scalar(value)
        || tree.kind(value) == Kind::List && tree.items(value).iter().all(|&item| tree.is_scalar(item));
    if is_value {
        found.push(Argument { name, value, given: ValueSource::File, is_optional: false });
    } else if tree.kind(value) == Kind::Null {
        // The part at the position of the name may be a value whose quotes or colon are missing.
        diagnostics.push(
            Diagnostic::new(codes::ARGUMENTS, "a parameter has no value")
                .at(tree.span(value))
                .help("write a string, or a list of strings: `[a, b]`"),
        );
    } else {
        diagnostics.push(
            Diagnostic::new(
                codes::ARGUMENTS,
                format!(
                    "the value of parameter {} is neither a string nor a list of strings",
                    formwork_base::display::shown(tree.name(name))
                ),
            )
            .at(tree.span(value))
            .help("write a string, or a list of strings: `[a, b]`"),
        );
    }
}

fn wrong_item(span: Span) -> Diagnostic {
    Diagnostic::new(codes::ARGUMENTS, "this element does not set a parameter")
        .at(span)
        .help("write `{ParameterKey: NAME, ParameterValue: VALUE}` or `NAME=VALUE`")
}

fn wrong_shape(span: Span) -> Diagnostic {
    Diagnostic::new(codes::ARGUMENTS, "this is not a list of parameter values")
        .at(span)
        .note("a parameters file maps names to values, or lists {ParameterKey, ParameterValue} or \"K=V\", also under Parameters or parameters")
        .help("write `{\"Name\": \"value\"}`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_base::{Limits, SourceMap, VirtualPath};

    fn check(text: &str) -> (Vec<(String, String)>, usize) {
        let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
        let file = sources.add(VirtualPath::new("p.yaml"), text).expect("room");
        let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics);
        let found = from_document(&mut tree, document.root, &mut diagnostics);
        let value = |node| match tree.kind(node) {
            Kind::List => tree.items(node).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join("|"),
            _ => tree.text_form(node).to_owned(),
        };
        (found.iter().map(|a| (tree.name(a.name).to_owned(), value(a.value))).collect(), diagnostics.error_count())
    }

    #[test]
    fn every_shape_is_recognised() {
        let want = || vec![("A".to_owned(), "1".to_owned()), ("B".to_owned(), "x=y".to_owned())];
        for text in [
            "{\"A\": 1, \"B\": \"x=y\"}",
            "- {ParameterKey: A, ParameterValue: 1}\n- {ParameterKey: B, ParameterValue: x=y}\n- {ParameterKey: C, UsePreviousValue: true}",
            "[A=1, B=x=y]",
            "Parameters: {A: 1, B: x=y}\nTags: {t: u}",
            "template-file-path: t.yaml\nparameters: {A: 1, B: x=y}",
        ] {
            assert_eq!(check(text), (want(), 0), "{text}");
        }
        assert_eq!(check("A: [1, 2]").0[0].1, "1|2");
        for (bad, errors) in [
            ("5", 1),
            ("[5]", 1),
            ("A: {b: c}", 1),
            ("[{Key: A}]", 1),
            ("null", 1),
            ("{\"Parameters\": [1,2]}", 2),
            ("{\"Parameters\": null}", 1),
            ("parameters: [[A]]", 1),
            ("Parameters: {A: {Type: String}, B: {Type: String}}\nResources: {T: {Type: 'AWS::SNS::Topic'}}", 1),
        ] {
            assert_eq!(check(bad).1, errors, "{bad}");
        }
        let nested = "Parameters: [{ParameterKey: A, ParameterValue: 1}, B=x=y]\nTags: {t: u}";
        assert_eq!(check(nested), (want(), 0));
        assert_eq!(check("Parameters: x"), (vec![("Parameters".into(), "x".into())], 0));
    }
}
