//! Values given to a run.

use formwork_base::{Diagnostic, Diagnostics, Span, codes};
use formwork_syntax::{Kind, NodeId, Symbol, Tree, View, scalar};

/// Who gave a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Given {
    /// An option of the command line.
    CommandLine,
    /// A parameters file or samconfig.toml.
    File,
    /// The declaration's `Default`.
    Default,
    /// The account snapshot.
    Account,
}

impl Given {
    /// Its name in reports (spec insight.md, section 1.1).
    pub fn name(self) -> &'static str {
        match self {
            Given::CommandLine => "command-line",
            Given::File => "file",
            Given::Default => "default",
            Given::Account => "account",
        }
    }
}

/// A value for a parameter. Of several for one name the last one counts.
#[derive(Clone, Copy, Debug)]
pub struct Argument {
    /// Name of the parameter.
    pub name: Symbol,
    /// Text, number, truth value, or a list of them.
    pub value: NodeId,
    /// Who gave it.
    pub given: Given,
}

/// Reads the arguments of a parameters file, recognised by its shape (spec cli.md, "Inputs"): a
/// plain map of names to values; a list of `{ParameterKey, ParameterValue}`; a list of `"K=V"`;
/// `{Parameters: {...}}`; `{parameters: {...}}`.
pub fn from_document(tree: &mut Tree, root: NodeId, diagnostics: &mut Diagnostics) -> Vec<Argument> {
    let mut found = Vec::new();
    match tree.kind(root) {
        Kind::Map => {
            let nested = ["Parameters", "parameters"].into_iter().find_map(|name| tree.get_text(root, name));
            let map = nested.filter(|&node| tree.kind(node) == Kind::Map).unwrap_or(root);
            for entry in tree.entries(map).collect::<Vec<_>>() {
                let name = tree.symbol(entry.key);
                add(tree, name, entry.value, &mut found, diagnostics);
            }
        }
        Kind::List => {
            for item in tree.items(root).to_vec() {
                list_item(tree, item, &mut found, diagnostics);
            }
        }
        Kind::Null => {}
        _ => diagnostics.push(wrong_shape(tree.span(root))),
    }
    found
}

/// Names of a parameters file whose entry says that a stack keeps its value: `{ParameterKey,
/// UsePreviousValue: true}`. It takes values of earlier files back.
pub fn kept(tree: &Tree, root: NodeId) -> Vec<&str> {
    let nested = tree.get_text(root, "Parameters").filter(|_| tree.kind(root) == Kind::Map).unwrap_or(root);
    let items = if tree.kind(nested) == Kind::List { tree.items(nested) } else { &[] };
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
    // An entry may say that the stack keeps its value; here there is no stack.
    if let Some(value) = tree.get_text(item, "ParameterValue") {
        let name = tree.intern(&key);
        add(tree, name, value, found, diagnostics);
    }
}

fn add(tree: &Tree, name: Symbol, value: NodeId, found: &mut Vec<Argument>, diagnostics: &mut Diagnostics) {
    let is_value = tree.is_scalar(value)
        || tree.kind(value) == Kind::List && tree.items(value).iter().all(|&item| tree.is_scalar(item));
    if is_value {
        found.push(Argument { name, value, given: Given::File });
    } else {
        diagnostics.push(
            Diagnostic::new(
                codes::ARGUMENTS,
                format!(
                    "the value of parameter {} is no text and no list of texts",
                    formwork_syntax::document::shown(tree.name(name))
                ),
            )
            .at(tree.span(value))
            .help("write a text, or a list of texts: `[a, b]`"),
        );
    }
}

fn wrong_item(span: Span) -> Diagnostic {
    Diagnostic::new(codes::ARGUMENTS, "this item gives no value to a parameter")
        .at(span)
        .help("write `{ParameterKey: NAME, ParameterValue: VALUE}` or `NAME=VALUE`")
}

fn wrong_shape(span: Span) -> Diagnostic {
    Diagnostic::new(codes::ARGUMENTS, "this is no list of parameter values")
        .at(span)
        .note("a parameters file is a map of names to values, a list of {ParameterKey, ParameterValue}, a list of \"K=V\", or holds one of them under Parameters or parameters")
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
        for bad in ["5", "[5]", "A: {b: c}", "[{Key: A}]"] {
            assert_eq!(check(bad).1, 1, "{bad}");
        }
    }
}
