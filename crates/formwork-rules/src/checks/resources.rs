//! The Resources section (reference/structure.md#resources; reference/structure.md#resources).

use std::cell::OnceCell;

use formwork_base::{Diagnostic, Severities, Severity, codes, suggest};
use formwork_syntax::document::shown;
use formwork_syntax::{Entry, Kind, NodeId, Tree, function, symbol};
use formwork_template::template::SERVERLESS;
use formwork_template::{attribute, logical_id};

use super::foreign_names;
use super::sections::is_comment;
use crate::Context;

/// The section as written: it exists, and its entries are objects. False when it is missing.
pub(super) fn section(cx: &mut Context<'_>) -> bool {
    let root = cx.template.root;
    let Some(entry) = cx.tree.member(root, symbol::RESOURCES) else {
        // A misspelt section is reported as that.
        let is_slip = |entry: Entry| {
            let text = cx.tree.text(entry.key);
            is_misspelt(text, "Resources") || is_comment(text)
        };
        if cx.tree.kind(root) == Kind::Map && cx.tree.entries(root).any(is_slip) {
            return false;
        }
        let diagnostic = Diagnostic::new(
            codes::NO_RESOURCES,
            "the template has no Resources: `Template format error: At least one Resources member must be defined.`",
        )
        .at(cx.tree.span(root).at_start())
        .help("add `Resources: {Name: {Type: AWS::Service::Resource}}`");
        let severity = if cx.language_extensions { Severity::Error } else { cx.as_written() };
        cx.push(diagnostic, severity);
        return false;
    };
    match cx.tree.kind(entry.value) {
        Kind::Map => {}
        Kind::Call => return true,
        Kind::Null => {
            let diagnostic =
                Diagnostic::new(codes::NO_RESOURCES, "Resources is null: `The Resources section must not be null`")
                    .at(cx.tree.span(entry.key))
                    .quoting("`Template format error: At least one Resources member must be defined.`")
                    .help("add a resource: `Name: {Type: AWS::Service::Resource}`");
            cx.push(diagnostic, Severity::Error);
            return false;
        }
        _ => {
            let diagnostic = Diagnostic::new(
                codes::NOT_AN_OBJECT,
                "Resources is not a mapping: `Template format error: Any Resources member must be an object.`",
            )
            .at(cx.tree.span(entry.value))
            .help("write the names of resources below `Resources:`");
            cx.push(diagnostic, Severity::Error);
            return false;
        }
    }
    let members = cx.tree.entries(entry.value).collect::<Vec<_>>();
    if let Some(at) = members.windows(2).position(|pair| is_body_beside(cx.tree, pair)) {
        beside(cx, &members[at..]);
        return false;
    }
    for member in members {
        if cx.is_cancelled() {
            return false;
        }
        let is_loop = cx.tree.loop_name(member.key).is_some()
            || [symbol::FN_MAP, symbol::FN_MERGE].contains(&cx.tree.symbol(member.key));
        let kind = cx.tree.kind(member.value);
        if !is_loop && !matches!(kind, Kind::Map | Kind::Call) {
            malformed(cx, member);
        }
    }
    true
}

/// Whether an entry is empty, and the next one is `Type` with the name of a type: its body is not indented.
fn is_body_beside(tree: &Tree, pair: &[Entry]) -> bool {
    let &[resource, body] = pair else { return false };
    let is_type = tree.symbol(body.key) == symbol::TYPE && tree.string(body.value).is_some_and(attribute::is_type_name);
    is_type && tree.kind(resource.value) == Kind::Null && !tree.is_generated(resource.key)
}

/// Reports a resource whose body is at its own indentation.
fn beside(cx: &mut Context<'_>, members: &[Entry]) {
    let [resource, body, ..] = members else { return };
    let id = shown(cx.tree.text(resource.key));
    let sentence = format!("Template format error: [/Resources/{id}] resource definition is malformed");
    let diagnostic =
        Diagnostic::new(codes::NOT_AN_OBJECT, format!("resource {id} is empty: its body is at its own indentation"))
            .at(cx.tree.span(resource.key))
            .related(cx.tree.span(body.key), "the body begins here")
            .quoting(&sentence)
            .help("indent the lines of the body by two more spaces");
    cx.push(diagnostic, Severity::Error);
}

/// The entry that a string such as `Type AWS::SNS::Topic` was to be: its colon, or the space behind it, is missing.
fn without_colon(text: &str) -> Option<String> {
    let (name, rest) = ATTRIBUTES.iter().find_map(|name| Some((*name, text.strip_prefix(name)?)))?;
    let is_mark = |c: char| c.is_whitespace() || matches!(c, ':' | '=' | '\u{ff1a}');
    let value = rest.trim_start_matches(is_mark);
    let is_entry = rest.starts_with(is_mark) && !value.is_empty() && !value.contains(['\n', '`']);
    is_entry.then(|| format!("{name}: {}", shown(value)))
}

/// Attributes whose value is on their line.
const ATTRIBUTES: [&str; 5] = ["Type", "Condition", "DependsOn", "DeletionPolicy", "UpdateReplacePolicy"];

/// Whether a key was reported as the second one of its name.
fn is_duplicate(cx: &Context<'_>, key: NodeId) -> bool {
    let place = cx.tree.span(key);
    let is_it = |found: &Diagnostic| {
        found.code == codes::DUPLICATE_KEY && found.primary.as_ref().is_some_and(|label| label.span == place)
    };
    cx.diagnostics.iter().any(is_it)
}

fn malformed(cx: &mut Context<'_>, member: Entry) {
    let id = shown(cx.tree.text(member.key));
    if let Some(entry) = cx.tree.string(member.value).and_then(without_colon) {
        let text = shown(cx.tree.text(member.value));
        let sentence = format!("Template format error: [/Resources/{id}] resource definition is malformed");
        let diagnostic =
            Diagnostic::titled(codes::NOT_AN_OBJECT, format!("`{text}` is not an entry: `:` and a space are missing"))
                .at(cx.tree.span(member.value))
                .quoting(&sentence)
                .help(format!("write `{entry}`"));
        return cx.push(diagnostic, Severity::Error);
    }
    let what = match cx.tree.kind(member.value) {
        Kind::Null => "null",
        Kind::List => "a list",
        _ => "a single value",
    };
    let sentence = format!("[/Resources/{id}] resource definition is malformed");
    let diagnostic =
        Diagnostic::new(codes::NOT_AN_OBJECT, format!("resource {id} is {what}, not an object: `{sentence}`"))
            .at(cx.tree.span(member.key))
            .quoting(&format!("Template format error: {sentence}"))
            .help(format!("write `{id}: {{Type: AWS::Service::Resource}}`"));
    cx.push(diagnostic, Severity::Error);
}

/// The entries after expansion.
pub(super) fn check(cx: &mut Context<'_>) {
    let Some(section) = cx.tree.get(cx.result, symbol::RESOURCES).filter(|&node| cx.tree.kind(node) == Kind::Map)
    else {
        return;
    };
    let is_rewritten = is_rewritten(cx, section);
    // After an error in a loop it is the error that emptied it.
    if cx.tree.is_empty(section) && cx.unchecked.is_empty() && !cx.diagnostics.has_errors() {
        let diagnostic = Diagnostic::new(
            codes::NO_RESOURCES,
            "no resource is left: `Template format error: At least one Resources member must be defined.`",
        )
        .at(cx.tree.span(section))
        .help(if cx.tree.is_generated(section) {
            "pass values to a loop or condition that generate at least one resource"
        } else {
            "add a resource: `Name: {Type: AWS::Service::Resource}`"
        });
        cx.push(diagnostic, cx.as_result());
    }
    let tree = cx.tree;
    // The last one in which nothing was found.
    let mut sound = None;
    for member in tree.entries(section) {
        if cx.is_cancelled() {
            return;
        }
        let name = tree.text(member.key);
        let is_opaque = [symbol::FN_TRANSFORM, symbol::FN_MAP, symbol::FN_MERGE].contains(&cx.tree.symbol(member.key))
            || cx.tree.loop_name(member.key).is_some();
        if is_opaque {
            continue;
        }
        if !logical_id::is_alphanumeric(name) {
            // That a type is in the place of the name is reported as that.
            let is_type = attribute::is_type_name(name) && !name.starts_with("Fn::");
            if !is_type || cx.tree.get(member.value, symbol::TYPE).is_some() {
                not_alphanumeric(cx, member.key, "Resource");
            }
        }
        if cx.tree.kind(member.value) == Kind::Map {
            let is_sound = sound.is_some_and(|sound| is_declared_like(cx.tree, member, sound));
            if is_sound || has_macro(cx.tree, member.value) {
                continue;
            }
            let severity = cx.severity_of(member.key);
            if is_rewritten {
                attributes(cx, member, severity, Known::Near);
                continue;
            }
            let is_sound = resource(cx, member, severity);
            sound = is_sound.then_some(member);
        } else if cx.strict.is_some_and(|strict| strict.contains(member.key))
            && cx.tree.kind(member.value) != Kind::Call
        {
            malformed(cx, member);
        }
    }
}

/// Whether two resources are of one type, and have the same attributes: what iterations of a loop generate shares them.
fn is_declared_like(tree: &Tree, member: Entry, other: Entry) -> bool {
    let is_like = |(own, other): (Entry, Entry)| {
        let is_same = own.value == other.value;
        let are_values = || [own.value, other.value].iter().all(|&value| tree.kind(value) != Kind::Null);
        own.key == other.key && (is_same || tree.symbol(own.key) != symbol::TYPE && are_values())
    };
    tree.len(member.value) == tree.len(other.value)
        && tree.frame_of(member.key).is_none() == tree.frame_of(other.key).is_none()
        && tree.entries(member.value).zip(tree.entries(other.value)).all(is_like)
}

/// Functions that stand for declarations, besides loops, whose names have their own part.
const FUNCTIONS: [&str; 2] = ["Fn::Merge", "Fn::Transform"];

/// A name with other characters than letters and digits.
pub(super) fn not_alphanumeric(cx: &mut Context<'_>, key: NodeId, what: &str) {
    let name = shown(cx.tree.text(key));
    let diagnostic = Diagnostic::new(
        codes::NAME_NOT_ALPHANUMERIC,
        format!("{name} is not alphanumeric: `Template format error: {what} name {name} is non alphanumeric.`"),
    )
    .at(cx.tree.span(key));
    // What is under the name of a function is an argument, and no declaration under another name.
    let is_function = name.starts_with("Fn::");
    let near = suggest::nearest(&name, FUNCTIONS).filter(|_| is_function && !cx.tree.is_generated(key));
    let name = logical_id::stripped(cx.tree.text(key));
    let diagnostic = if let Some(near) = near {
        diagnostic.help(format!("did you mean `{near}`?")).fix("rename it", cx.tree.span(key), near)
    } else if is_function {
        diagnostic.help("write a function that generates declarations, or an alphanumeric name")
    } else if name.is_empty() {
        diagnostic.help("write an alphanumeric name")
    } else if cx.tree.is_generated(key) {
        diagnostic.help(format!("write `{name}`"))
    } else {
        diagnostic.help(format!("write `{name}`")).fix("rename it", cx.tree.span(key), name)
    };
    let severity = cx.severity_of(key);
    cx.push(diagnostic, severity);
}

/// Whether a macro decides what the resources of a section may look like: one of the whole template, or one
/// beside the resources (reference/structure.md#function-places).
fn is_rewritten(cx: &Context<'_>, section: NodeId) -> bool {
    cx.template.has_own_macros() || has_macro(cx.tree, section)
}

/// Whether a macro is in an object, and so changes what is beside it. An include adds entries and
/// leaves the others as they are.
fn has_macro(tree: &Tree, object: NodeId) -> bool {
    let names = tree.get(object, symbol::FN_TRANSFORM).map(|node| match tree.kind(node) {
        Kind::List => tree.items(node).to_vec(),
        _ => vec![node],
    });
    names.into_iter().flatten().any(|node| {
        let name = tree.get(node, symbol::NAME).unwrap_or(node);
        tree.string(name) != Some("AWS::Include")
    })
}

/// A replica of a registry module (reference/for-each.md#places).
fn module_in_loop(cx: &Context<'_>, member: Entry, kind: NodeId) -> Option<(Diagnostic, Severity)> {
    let frame = cx.tree.frame_of(member.key);
    let name = cx.tree.text(kind);
    let severity = cx.severity_of_code(codes::OTHERWISE_AT_SERVICE)?;
    if frame.is_none() || !attribute::is_registry_module(name) {
        return None;
    }
    let id = shown(cx.tree.text(member.key));
    let message = format!("resource {id} is a registry module in a loop: CloudFormation resolves modules before loops");
    let diagnostic = Diagnostic::new(codes::OTHERWISE_AT_SERVICE, message)
        .at(cx.tree.span(kind))
        .frames(cx.tree.frame_chain(frame))
        .note("CloudFormation does not find the module in a template that still contains its loop")
        .help("deploy the expanded template, or expand the loop by hand");
    Some((diagnostic, severity))
}

/// A type of the serverless transform in a template that does not declare it
/// (reference/structure.md#resources).
fn serverless(cx: &Context<'_>, member: Entry, kind: NodeId) -> Option<(Diagnostic, Severity)> {
    let name = cx.tree.text(kind);
    let severity = Severities::Undeployable.at(cx.goal)?;
    // The template that imports a module declares the transform.
    if !name.starts_with("AWS::Serverless::") || cx.template.has_other_transforms() || cx.is_imported {
        return None;
    }
    let (id, name) = (shown(cx.tree.text(member.key)), shown(name));
    let sentence = format!("Template format error: Unrecognized resource types: [{name}]");
    let diagnostic = Diagnostic::new(
        codes::TRANSFORM,
        format!("resource {id} needs the serverless transform, which the template does not declare: `{sentence}`"),
    )
    .at(cx.tree.span(kind))
    .frames(cx.tree.frame_chain(cx.tree.frame_of(member.key)))
    .help(match cx.template.transforms.first() {
        Some(first) => format!("write `Transform: [{}, {SERVERLESS}]`", shown(&first.name)),
        None => format!("add `Transform: {SERVERLESS}` to the template"),
    });
    Some((diagnostic, if cx.for_service { Severity::Error } else { severity }))
}

/// Returns whether nothing was found in the declaration of a resource.
fn resource(cx: &mut Context<'_>, member: Entry, severity: Severity) -> bool {
    let id = || shown(cx.tree.text(member.key));
    let frames = || cx.tree.frame_chain(cx.tree.frame_of(member.key));
    let found = match cx.tree.get(member.value, symbol::TYPE) {
        None if cx.tree.get(member.value, symbol::FN_TRANSFORM).is_some() => None,
        // A misspelt `Type` is reported as that.
        None if cx.tree.entries(member.value).any(|entry| is_misspelt(cx.tree.text(entry.key), "Type")) => None,
        // The other one of two entries of this name may have it.
        None if is_duplicate(cx, member.key) => None,
        None => {
            let sentence = format!(
                "Template format error: [/Resources/{}] Every Resources object must contain a Type member.",
                id()
            );
            let name = cx.tree.text(member.key);
            let help = match name.rsplit("::").next().filter(|_| name.contains("::") && attribute::is_type_name(name)) {
                Some(last) => format!("write a name, and the type below it: `{last}: {{Type: {}}}`", shown(name)),
                None => "add `Type: AWS::Service::Resource`".to_owned(),
            };
            let diagnostic = Diagnostic::new(codes::NO_TYPE, format!("resource {} has no Type: `{sentence}`", id()))
                .at(cx.tree.span(member.key))
                .frames(frames())
                .help(help);
            Some((diagnostic, severity))
        }
        // A macro makes a literal of it.
        Some(kind) if cx.tree.argument_of(kind, function::Known::Transform).is_some() => None,
        Some(kind) if is_import(cx.tree, member.value, kind) => {
            import_among_resources(cx, member, kind);
            return false;
        }
        Some(kind) if cx.tree.kind(kind) != Kind::String => {
            let sentence = format!("Template format error: [/Resources/{}] Every Type member must be a string.", id());
            let diagnostic = Diagnostic::new(
                codes::WRONG_KIND,
                format!("the Type of resource {} is not a string: `{sentence}`", id()),
            )
            .at(cx.tree.span(kind))
            .frames(frames())
            .help(match type_inside(cx, kind) {
                Some(name) => format!("write `Type: {}`", shown(&name)),
                None => "write a literal type, such as `AWS::S3::Bucket`".to_owned(),
            });
            Some((diagnostic, severity))
        }
        Some(kind)
            if !attribute::is_type_name(cx.tree.text(kind))
                || cx.goal.is_thorough() && attribute::is_cut_short(cx.tree.text(kind)) =>
        {
            let sentence =
                format!("Template format error: Unrecognized resource types: [{}]", shown(cx.tree.text(kind)));
            let diagnostic = Diagnostic::new(
                codes::WRONG_KIND,
                format!("the Type of resource {} is not a type name: `{sentence}`", id()),
            )
            .at(cx.tree.span(kind))
            .frames(frames())
            .help(match meant_type(cx.tree.text(kind)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None if is_path(cx.tree.text(kind)) => format!(
                    "a module is imported in the section Modules: `{}: {{Source: {}}}`",
                    id(),
                    shown(cx.tree.text(kind))
                ),
                None => "type names have the form `AWS::S3::Bucket`".to_owned(),
            });
            Some((diagnostic, Severity::Error))
        }
        Some(kind) => module_in_loop(cx, member, kind).or_else(|| serverless(cx, member, kind)),
    };
    let mut is_sound = found.is_none();
    if let Some((diagnostic, severity)) = found {
        cx.push(diagnostic, severity);
    }
    is_sound &= attributes(cx, member, severity, Known::All);
    is_sound
}

/// Whether a resource is meant to be a module: the word, and the key of an import.
fn is_import(tree: &Tree, resource: NodeId, kind: NodeId) -> bool {
    let is_word = tree.string(kind).is_some_and(|word| word.eq_ignore_ascii_case("Module"));
    is_word && tree.entries(resource).any(|entry| tree.text(entry.key) == "Source")
}

fn import_among_resources(cx: &mut Context<'_>, member: Entry, kind: NodeId) {
    let tree = cx.tree;
    let (id, word) = (shown(tree.text(member.key)), shown(tree.text(kind)));
    let source = tree.entries(member.value).find(|entry| tree.text(entry.key) == "Source");
    let source = source.and_then(|entry| tree.string(entry.value)).map_or_else(|| "...".to_owned(), shown);
    let sentence = format!("Template format error: Unrecognized resource types: [{word}]");
    let diagnostic = Diagnostic::new(codes::WRONG_KIND, format!("{id} is a module, not a resource: `{sentence}`"))
        .at(tree.span(kind))
        .frames(tree.frame_chain(tree.frame_of(member.key)))
        .help(format!("move it below the section Modules, without its Type: `{id}: {{Source: {source}}}`"));
    cx.push(diagnostic, Severity::Error);
}

/// Whether a key is a name with a slip in it, such as `type` or `Tpye`.
pub(super) fn is_misspelt(key: &str, name: &str) -> bool {
    key != name && suggest::nearest(key, [name]).is_some()
}

/// The type name that a list or an object has in the place of a type.
fn type_inside(cx: &Context<'_>, node: NodeId) -> Option<String> {
    let name = match cx.tree.kind(node) {
        Kind::List => cx.tree.items(node).first().and_then(|&item| cx.tree.string(item)),
        Kind::Map => cx.tree.entries(node).next().map(|entry| cx.tree.text(entry.key)),
        _ => None,
    };
    name.filter(|name| attribute::is_type_name(name)).map(str::to_owned)
}

/// Whether a text is the path of a template.
fn is_path(text: &str) -> bool {
    let is_template = [".yaml", ".yml", ".json", ".template"].iter().any(|end| text.ends_with(end));
    is_template && !text.contains([' ', '`', '\n'])
}

/// The type name that is meant where only the colons are wrong: `AWS:S3:Bucket`, `AWS.S3.Bucket`.
fn meant_type(text: &str) -> Option<String> {
    // Quotes of a word processor, spaces that are not shown, and what ends a line in other languages.
    let text = text.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    let parts: Vec<&str> = text.split([':', '.', '/', '-']).filter(|part| !part.is_empty()).collect();
    let is_word = |part: &&str| part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let [head, rest @ ..] = parts.as_slice() else { return None };
    let is_meant = head.eq_ignore_ascii_case("AWS") && matches!(rest.len(), 2 | 3) && rest.iter().all(is_word);
    is_meant.then(|| format!("AWS::{}", rest.join("::"))).filter(|meant| attribute::is_type_name(meant))
}

/// The key `Properties` without a value, and the first key below it that is in its column: the properties are not
/// indented.
pub(super) fn unindented(tree: &Tree, resource: NodeId) -> Option<(NodeId, NodeId)> {
    let mut entries = tree.entries(resource);
    let properties = entries.find(|entry| tree.symbol(entry.key) == symbol::PROPERTIES)?;
    let first = entries.next()?;
    let is_attribute = attribute::RESOURCE.contains(&tree.symbol(first.key));
    let is_empty = tree.kind(properties.value) == Kind::Null;
    (is_empty && !is_attribute && !tree.is_generated(first.key)).then_some((properties.key, first.key))
}

/// Which attributes are known.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// All that there are.
    All,
    /// A macro may take others: only what is near to a known one is a slip.
    Near,
}

/// Returns whether all attributes of a resource are known.
fn attributes(cx: &mut Context<'_>, member: Entry, severity: Severity, known: Known) -> bool {
    let mut is_sound = true;
    let frames = || cx.tree.frame_chain(cx.tree.frame_of(member.key));
    let tree = cx.tree;
    let kind = tree.get(member.value, symbol::TYPE).map_or("", |kind| tree.text(kind));
    let is_unindented = OnceCell::new();
    for entry in tree.entries(member.value) {
        let name = tree.symbol(entry.key);
        if attribute::RESOURCE.contains(&name) {
            continue;
        }
        let text = tree.text(entry.key);
        let is_null = cx.tree.kind(entry.value) == Kind::Null && cx.language_extensions;
        if name == symbol::FN_TRANSFORM
            || function::loop_name(text).is_some()
            || attribute::is_of_type(kind, text)
            || is_null
            || cx.template.is_serverless() && attribute::SERVERLESS.contains(&text)
        {
            continue;
        }
        let (id, text) = (shown(cx.tree.text(member.key)), shown(text));
        let names = attribute::RESOURCE.iter().map(|&name| cx.tree.name(name));
        let near = suggest::nearest(&text, names).map(str::to_owned);
        if near.is_none() && known == Known::Near {
            continue;
        }
        is_sound = false;
        // The properties are not indented: one mistake, which is reported at their key.
        if near.is_none() && *is_unindented.get_or_init(|| unindented(tree, member.value).is_some()) {
            continue;
        }
        let mut diagnostic = Diagnostic::new(
            codes::UNKNOWN_ATTRIBUTE,
            format!("resource {id} has the unknown attribute {text}: `Invalid template resource property '{text}'`"),
        )
        .at(cx.tree.span(entry.key))
        .frames(frames());
        diagnostic = match near {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")).fix(
                "rename the attribute",
                cx.tree.span(entry.key),
                near,
            ),
            None => diagnostic.help(
                foreign_names::resource_attribute(&text).unwrap_or("write properties of the resource under Properties"),
            ),
        };
        cx.push(diagnostic, severity);
    }
    is_sound
}
