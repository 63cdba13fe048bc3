//! `AWS::Include` of local files (spec packaging.md, section 1, rule 5). Handled before loops and
//! functions, anywhere in the tree: the content of the file takes the call's place as the service
//! does it, an included key replacing a sibling of the same name.

use formwork_base::{Diagnostic, Diagnostics, Host, Limits, ReadError, Severity, SourceMap, VirtualPath, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, FrameId, Kind, NodeId, Origin, Tree, decode, symbol};

/// What reading includes needs.
pub struct Context<'c> {
    /// The tree, which grows.
    pub tree: &'c mut Tree,
    /// Files, which grow.
    pub sources: &'c mut SourceMap,
    /// Where files come from.
    pub host: &'c dyn Host,
    /// Bounds on the work.
    pub limits: &'c Limits,
    /// What was found wrong.
    pub diagnostics: &'c mut Diagnostics,
    /// Whether a missing file is an error; in `expand` it is a warning and the call stays.
    pub missing_is_error: bool,
}

/// The document with this root and its local includes in place. `file` is its path.
pub fn include(context: &mut Context<'_>, root: NodeId, file: &VirtualPath) -> NodeId {
    let mut chain = vec![file.clone()];
    walk(context, root, &mut chain)
}

fn walk(cx: &mut Context<'_>, node: NodeId, chain: &mut Vec<VirtualPath>) -> NodeId {
    match cx.tree.kind(node) {
        Kind::List => {
            let items = cx.tree.items(node).to_vec();
            let made: Vec<NodeId> = items.iter().map(|&item| walk(cx, item, chain)).collect();
            if made == items {
                return node;
            }
            let style = cx.tree.style(node);
            cx.tree.list(&made, style, Origin::Made(node, FrameId::NONE))
        }
        Kind::Map => map(cx, node, chain),
        Kind::Call => {
            let (_, argument) = cx.tree.call(node);
            if let Some(argument) = cx.tree.argument_of(node, Known::Transform)
                && let Some(content) = content(cx, argument, chain)
            {
                return cx.tree.stand_in(content, node, FrameId::NONE);
            }
            let made = walk(cx, argument, chain);
            if made == argument { node } else { cx.tree.call_like(node, made, FrameId::NONE) }
        }
        _ => node,
    }
}

fn map(cx: &mut Context<'_>, node: NodeId, chain: &mut Vec<VirtualPath>) -> NodeId {
    let entries: Vec<Entry> = cx.tree.entries(node).collect();
    let mut made: Vec<Entry> = Vec::with_capacity(entries.len());
    for &entry in &entries {
        if cx.tree.symbol(entry.key) == symbol::FN_TRANSFORM
            && let Some(content) = content(cx, entry.value, chain)
        {
            if cx.tree.kind(content) == Kind::Map {
                let included: Vec<Entry> = cx.tree.entries(content).collect();
                made.extend(included);
                continue;
            }
            cx.diagnostics.push(
                Diagnostic::new(
                    codes::WRONG_KIND,
                    "the included file is no mapping, and there are other members beside it",
                )
                .at(cx.tree.span(entry.key))
                .help("write the file as names with their values, or leave `Fn::Transform` alone in its place"),
            );
        }
        let value = walk(cx, entry.value, chain);
        made.push(Entry { key: entry.key, value });
    }
    if made == entries {
        return node;
    }
    // An included key replaces a sibling of the same name.
    let is_own = |entry: &Entry| entries.iter().any(|own| own.key == entry.key);
    let included: Vec<_> = made.iter().filter(|entry| !is_own(entry)).map(|entry| cx.tree.symbol(entry.key)).collect();
    made.retain(|entry| !is_own(entry) || !included.contains(&cx.tree.symbol(entry.key)));
    let style = cx.tree.style(node);
    cx.tree.map(&made, style, Origin::Made(node, FrameId::NONE))
}

/// The content of the local file that an `Fn::Transform` includes; `None` when it stays.
fn content(cx: &mut Context<'_>, argument: NodeId, chain: &mut Vec<VirtualPath>) -> Option<NodeId> {
    let name = cx.tree.get(argument, symbol::NAME)?;
    if cx.tree.string(name) != Some("AWS::Include") {
        return None;
    }
    let location = cx.tree.get(cx.tree.get(argument, symbol::PARAMETERS)?, symbol::LOCATION)?;
    let text = cx.tree.string(location)?.to_owned();
    if text.contains("://") {
        return None;
    }
    let span = cx.tree.span(location);
    let path = chain.last()?.sibling(&text);
    if chain.contains(&path) {
        let names: Vec<&str> = chain.iter().chain([&path]).map(VirtualPath::as_str).collect();
        cx.diagnostics.push(
            Diagnostic::new(
                codes::UNREADABLE_FILE,
                format!("files include each other in a circle: {}", shown(&names.join(" -> "))),
            )
            .at(span)
            .help("take one of the includes out"),
        );
        return None;
    }
    let bytes = match cx.host.read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let severity = if cx.missing_is_error { Severity::Error } else { Severity::Warning };
            cx.diagnostics.push(
                Diagnostic::new(
                    codes::UNREADABLE_FILE,
                    format!("the included file {} cannot be read: {error}", shown(&text)),
                )
                .severity(severity)
                .at(span)
                .note(format!("looked for {path}, relative to the file that includes it"))
                .help(match error {
                    ReadError::OutsideRoot => {
                        "name a folder that holds the file and the template with `--project-root DIR`"
                    }
                    _ => "correct the path, or add the file",
                }),
            );
            return None;
        }
    };
    let (text, _, error) = decode::decode(&bytes);
    cx.diagnostics.extend(error.map(|error| error.at(span)));
    let file = cx.sources.add(path.clone(), text)?;
    let document = formwork_syntax::read(cx.tree, cx.sources, file, cx.limits, cx.diagnostics);
    chain.push(path);
    let content = walk(cx, document.root, chain);
    chain.pop();
    Some(content)
}
