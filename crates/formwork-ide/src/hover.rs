//! Hovers: explanations of the name, key or value at a place.

mod attribute;
mod condition;
mod evaluated;
mod inputs;

use std::fmt::Write as _;

use formwork::display::MASK;
use formwork::query::{EnclosingLoop, FileIndex, Symbol, SymbolKind};
use formwork::tree::Kind;
use formwork::{FileRange, NodeId, VirtualPath};

pub(crate) use self::attribute::type_of_generated;
use self::evaluated::evaluated;
pub use self::inputs::passed;

use crate::Ide;
use crate::context::{Context, Step};
use crate::hints::{counted, first_of};
use crate::mapping_keys::{self, mapping_key_at};
use crate::markdown::{code, span, words as inert};
use crate::schema::{effect, in_resource, kinds, schemas};
use crate::sections::{PSEUDO, SECTIONS, attributes, function};
use crate::symbols::made_by;
use crate::values::shown;
use crate::visit::visit;

/// The explanation of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// The word that it explains.
    pub range: FileRange,
    /// The explanation as Markdown.
    pub markdown: String,
}

/// Returns the explanation of the name, key or function at an offset, with its current value.
pub fn hover(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Option<Hover> {
    let project = ide.project();
    if let Some((symbol, range)) = project.symbol_at(file, offset).zip(project.name_at(file, offset)) {
        let mut parts = describe(ide, &symbol, &range, offset);
        if !matches!(symbol.kind, SymbolKind::Parameter | SymbolKind::PseudoParameter | SymbolKind::Condition) {
            parts.extend(evaluated(ide, file, &range));
        }
        return Some(Hover { range, markdown: parts.join("\n\n") });
    }
    if let Some(key) = mapping_key_at(ide, file, offset) {
        let range = FileRange::new(file.clone(), key.range.start, key.range.end);
        return Some(Hover { range, markdown: mapping_keys::describe(ide, file, &key) });
    }
    let index = ide.file(file)?;
    let of_type = || type_at(index, offset).or_else(|| property_at(index, offset));
    attribute::attribute_at(ide, index, offset)
        .or_else(|| function_at(ide, index, offset))
        .or_else(|| key_at(index, offset))
        .or_else(of_type)
}

/// The type of a resource: its required properties, and its attributes.
fn type_at(index: &FileIndex, offset: u32) -> Option<Hover> {
    let tree = index.tree();
    let mut found = None;
    visit(tree, index.root()?, &mut |visited| {
        let range = index.range_of(tree.span(visited.node));
        let is_type =
            visited.key.is_some_and(|key| tree.text(key) == "Type") && tree.kind(visited.node) == Kind::String;
        if is_type && (range.start..=range.end).contains(&offset) {
            found = Some((range, tree.text(visited.node).to_owned()));
        }
    });
    let (range, name) = found?;
    let resource = schemas().resource_type(&name)?;
    let listed = |names: Vec<String>| names.iter().map(|name| span(name)).collect::<Vec<_>>().join(", ");
    let mut parts = vec![code(&format!("(resource type) {name}"))];
    let required: Vec<String> = resource.properties().required().map(str::to_owned).collect();
    if !required.is_empty() {
        parts.push(format!("required properties: {}", listed(required)));
    }
    let attributes: Vec<String> = resource.attributes().into_iter().map(|attribute| attribute.name).collect();
    if !attributes.is_empty() {
        parts.push(format!("attributes: {}", listed(attributes)));
    }
    Some(Hover { range: FileRange::new(index.path().clone(), range.start, range.end), markdown: parts.join("\n\n") })
}

/// A property of a resource: its kinds, allowed values, and the effect of a change.
fn property_at(index: &FileIndex, offset: u32) -> Option<Hover> {
    let tree = index.tree();
    let mut found = None;
    visit(tree, index.root()?, &mut |visited| {
        let range = visited.key.map(|key| index.range_of(tree.span(key)));
        if let Some(range) = range.filter(|range| (range.start..=range.end).contains(&offset)) {
            found = Some(range);
        }
    });
    let range = found?;
    let context = Context::new(index.text(), range.end as usize);
    let (key, mut path) = (index.text().get(range.start as usize..range.end as usize)?, context.path);
    path.push(Step::Key(key.trim_matches(['"', '\'']).to_owned()));
    let place = in_resource(index, &path)?;
    let (resource, node) = place.resource_type().zip(place.node())?;
    let names = place.names();
    let mut parts = vec![code(&format!("(property) {}: {}", names.join("."), kinds(node.kinds())))];
    parts.extend(
        node.values().map(|values| format!("Allowed values: {}", inert(&values.iter().collect::<Vec<_>>().join(", ")))),
    );
    let required = names.len() == 1 && resource.properties().required().any(|name| Some(&name) == names.first());
    parts.extend(required.then(|| "required".to_owned()));
    parts.extend(effect(resource.effect(&names)).map(str::to_owned));
    Some(Hover { range: FileRange::new(index.path().clone(), range.start, range.end), markdown: parts.join("\n\n") })
}

fn describe(ide: &Ide<'_>, symbol: &Symbol, range: &FileRange, offset: u32) -> Vec<String> {
    match symbol.kind {
        SymbolKind::Parameter => parameter(ide, symbol),
        SymbolKind::PseudoParameter => pseudo(ide, &symbol.name),
        SymbolKind::Condition => condition(ide, symbol),
        SymbolKind::LoopVariable => variable(ide, symbol, range, offset),
        SymbolKind::Loop => of_loop(ide, symbol),
        SymbolKind::Import => import(ide, symbol),
        SymbolKind::Resource => resource(ide, symbol, range),
        SymbolKind::Section => {
            let words =
                SECTIONS.iter().find(|(name, ..)| *name == symbol.name).map(|(_, words, _)| (*words).to_owned());
            std::iter::once(code(&format!("(section) {}", symbol.name))).chain(words).collect()
        }
        SymbolKind::File => vec![code(&format!("(module) {}", symbol.name))],
        kind => {
            let detail = symbol.detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default();
            let mut parts = vec![code(&format!("({}) {}{detail}", word(kind), symbol.name))];
            parts.extend(definition_text(ide, symbol));
            parts
        }
    }
}

fn word(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Mapping => "mapping",
        SymbolKind::Output => "output",
        SymbolKind::Rule => "rule",
        SymbolKind::Package => "package",
        SymbolKind::Constant => "constant",
        SymbolKind::SubVariable => "variable of Fn::Sub",
        _ => "name",
    }
}

/// The source of the declaration, at most 12 lines.
fn definition_text(ide: &Ide<'_>, symbol: &Symbol) -> Option<String> {
    let text = ide.text_of(symbol.declaration.as_ref()?);
    let lines: Vec<&str> = text.lines().collect();
    (lines.len() <= 12 && !text.is_empty()).then(|| code(text.trim_end()))
}

/// The node of the value that a symbol declares, with its file.
fn declared_node<'i>(ide: &'i Ide<'_>, symbol: &Symbol) -> Option<(&'i FileIndex, NodeId)> {
    let declared = symbol.declared.as_ref()?;
    let index = ide.file(&declared.file)?;
    let tree = index.tree();
    let mut found = None;
    visit(tree, index.root()?, &mut |visited| {
        let is_it = |key: NodeId| {
            let range = index.range_of(tree.span(key));
            range.start <= declared.start && declared.end <= range.end
        };
        if visited.key.is_some_and(is_it) {
            found.get_or_insert(visited.node);
        }
    });
    Some((index, found?))
}

fn member(index: &FileIndex, node: NodeId, name: &str) -> Option<String> {
    let tree = index.tree();
    let value = tree.get_text(node, name)?;
    match tree.kind(value) {
        Kind::List => {
            Some(tree.items(value).iter().map(|&item| tree.text_form(item).to_owned()).collect::<Vec<_>>().join(", "))
        }
        _ if tree.is_scalar(value) => Some(tree.text(value).to_owned()),
        _ => None,
    }
}

fn parameter(ide: &Ide<'_>, symbol: &Symbol) -> Vec<String> {
    let declared = declared_node(ide, symbol);
    let of = |name: &str| declared.and_then(|(index, node)| member(index, node, name));
    let is_secret = of("NoEcho").is_some_and(|text| text.eq_ignore_ascii_case("true"));
    let default = of("Default").map(|text| if is_secret { MASK.to_owned() } else { text });
    let default = default.map(|text| format!(" = \"{text}\"")).unwrap_or_default();
    let kind = symbol.detail.clone().or_else(|| of("Type")).unwrap_or_else(|| "String".to_owned());
    let mut parts = vec![code(&format!("(parameter) {}: {kind}{default}", symbol.name))];
    let in_root = symbol.declared.as_ref().is_some_and(|declared| declared.file == *ide.root());
    match ide.compilation().value_of_parameter(&symbol.name).filter(|_| in_root) {
        Some((value, given)) => parts.push(format!("**value** {} ({})", span(&shown(&value)), given.name())),
        None if in_root => {
            let option = span(&format!("--parameter-overrides {}=VALUE", symbol.name));
            parts.push(format!("**not known**: pass it with {option}"));
        }
        None => {}
    }
    parts.extend(of("Description").map(|text| inert(&text)));
    parts
        .extend(of("AllowedValues").filter(|_| !is_secret).map(|values| format!("Allowed values: {}", inert(&values))));
    parts.extend(of("AllowedPattern").map(|pattern| format!("Allowed pattern: {}", span(&pattern))));
    parts
}

fn pseudo(ide: &Ide<'_>, name: &str) -> Vec<String> {
    let mut parts = vec![code(&format!("(pseudo parameter) {name}"))];
    match ide.compilation().value_of_parameter(name) {
        Some((value, given)) => parts.push(format!("**value** {} ({})", span(&shown(&value)), given.name())),
        None if name != "AWS::NoValue" => parts.push("**not known** before the deployment".to_owned()),
        None => {}
    }
    parts.extend(PSEUDO.iter().find(|(known, _)| *known == name).map(|(_, words)| (*words).to_owned()));
    parts
}

fn condition(ide: &Ide<'_>, symbol: &Symbol) -> Vec<String> {
    let mut parts = vec![code(&format!("(condition) {}", symbol.name))];
    let outcome = ide.compilation().conditions().into_iter().find(|(name, _)| *name == symbol.name);
    parts.extend(outcome.map(|(_, holds)| match holds {
        Some(holds) => format!("**value** `{holds}`"),
        None => not_known(ide, symbol),
    }));
    parts.extend(definition_text(ide, symbol));
    if let Some((index, node)) = declared_node(ide, symbol).filter(|(index, _)| index.path() == ide.root()) {
        let filled = condition::filled(ide, index.tree(), node);
        parts.extend(filled.map(|text| format!("with the values in force: {}", span(&text))));
    }
    parts
}

/// The parameters on which an undecided condition depends.
fn not_known(ide: &Ide<'_>, symbol: &Symbol) -> String {
    let names = declared_node(ide, symbol).map(|(index, node)| condition::waits_for(ide, index, node));
    let hint = |name: &String| match name.strip_prefix("AWS::") {
        Some("Region") => format!("{} (`--region NAME`)", span(name)),
        Some(_) => format!("{} ({})", span(name), span(&format!("--pseudo {name}=VALUE"))),
        None => format!("{} ({})", span(name), span(&format!("--parameter-overrides {name}=VALUE"))),
    };
    let names: Vec<String> = names.unwrap_or_default().iter().map(hint).collect();
    if names.is_empty() {
        return "**not known** before the deployment".to_owned();
    }
    format!("**not known**: it waits for {}", names.join(", "))
}

/// The items of a loop, ten at most.
fn items(one: &EnclosingLoop) -> Option<String> {
    let mut text = one.items.iter().take(10).map(|item| span(item)).collect::<Vec<_>>().join(", ");
    if one.items.len() > 10 {
        let _ = write!(text, " and {} more", one.items.len() - 10);
    }
    (!text.is_empty()).then(|| format!("**per iteration** {text}"))
}

fn variable(ide: &Ide<'_>, symbol: &Symbol, range: &FileRange, offset: u32) -> Vec<String> {
    let mut parts = vec![code(&format!("(loop variable) {}", symbol.name))];
    let around = ide.project().enclosing_loops(&range.file, offset);
    let of_name = |one: &&EnclosingLoop| one.variables.contains(&symbol.name);
    let declared = || {
        let loops = ide.project().loops(&range.file);
        loops
            .into_iter()
            .find(|one| of_name(&one) && symbol.declaration.as_ref().is_some_and(|at| at.start >= one.declared.start))
    };
    let own = around.iter().rev().find(of_name).cloned().or_else(declared);
    let Some(own) = own else { return parts };
    let before = ide.file(&range.file).and_then(|index| index.text().get(..range.start as usize)).unwrap_or_default();
    if before.ends_with("&{") {
        let plain = |item: &String| item.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
        let pairs = own.items.iter().take(10).map(|item| format!("{} becomes {}", span(item), span(&plain(item))));
        parts.push(pairs.collect::<Vec<_>>().join(", "));
    } else {
        parts.extend(items(&own));
    }
    if let Some(name) = &own.name {
        parts.push(format!("of loop {}", inert(name)));
    }
    parts
}

fn of_loop(ide: &Ide<'_>, symbol: &Symbol) -> Vec<String> {
    let mut parts = vec![code(&format!("(loop) {}", symbol.name))];
    let Some(declared) = &symbol.declared else { return parts };
    let touches = |one: &&EnclosingLoop| one.declared.file == declared.file && one.declared.touches(declared.start);
    if let Some(own) = ide.project().loops(&declared.file).iter().find(touches) {
        parts.extend(items(own));
    }
    let ids: Vec<String> = made_by(ide, declared).map(|made| format!("- {}", inert(&made.id))).collect();
    if !ids.is_empty() {
        parts.push(format!("generates\n{}", first_of(&ids)));
    }
    parts
}

fn import(ide: &Ide<'_>, symbol: &Symbol) -> Vec<String> {
    let source = symbol.detail.as_deref().map(|source| format!(": {source}")).unwrap_or_default();
    let mut parts = vec![code(&format!("(import) {}{source}", symbol.name))];
    let Some(declared) = &symbol.declared else { return parts };
    let imports = ide.project().imports(&declared.file);
    let Some(import) = imports.into_iter().find(|import| import.declared == *declared) else { return parts };
    let listed = |names: &[String]| names.iter().map(|name| span(name)).collect::<Vec<_>>().join(", ");
    let inputs = inputs::inputs(ide, &import);
    if !inputs.is_empty() {
        parts.push(format!("inputs\n{}", inputs.join("\n")));
    }
    if !import.outputs.is_empty() {
        parts.push(format!("outputs: {}", listed(&import.outputs)));
    }
    if !import.ids.is_empty() {
        let ids: Vec<String> = import.ids.iter().map(|id| format!("- {}", inert(id))).collect();
        parts.push(format!("{}\n{}", counted(ids.len(), "resource"), first_of(&ids)));
    }
    parts
}

fn resource(ide: &Ide<'_>, symbol: &Symbol, range: &FileRange) -> Vec<String> {
    let kind = symbol.detail.as_deref().map(|kind| format!(": {kind}")).unwrap_or_default();
    let written = ide.text_of(range);
    let made = ide.expansion().and_then(|expansion| expansion.id(written));
    if let Some((made, kind)) = made.and_then(|made| Some((made, made.made.as_deref()?))) {
        return vec![
            code(&format!("(resource) {}: {kind}", made.id)),
            format!("the serverless transform makes it of {}", span(&symbol.name)),
        ];
    }
    let mut parts = vec![code(&format!("(resource) {}{kind}", symbol.name))];
    if written != symbol.name
        && let Some(made) = ide.expansion().and_then(|expansion| expansion.id(written))
        && !made.items.is_empty()
    {
        let iteration = made.items.join(", ").replace('=', " = ");
        parts.push(format!("{} of the iteration {}", span(&made.id), inert(&iteration)));
    }
    if let Some(declared) = &symbol.declared {
        let line = ide.file(&declared.file).map_or(0, |index| index.lines().line(declared.start) + 1);
        parts.push(format!("declared in {}", inert(&format!("{}:{line}", declared.file))));
        let ids: Vec<String> = ide
            .expansion()
            .map_or(&[][..], |expansion| expansion.ids())
            .iter()
            .filter(|made| made.declared.file == declared.file && made.declared.touches(declared.start))
            .map(|made| format!("- {}", inert(&made.id)))
            .collect();
        if !ids.is_empty() && written == symbol.name {
            parts.push(format!("generates\n{}", first_of(&ids)));
        }
    }
    parts
}

/// The function whose name is at an offset, with the value of its call.
fn function_at(ide: &Ide<'_>, index: &FileIndex, offset: u32) -> Option<Hover> {
    let tree = index.tree();
    let mut found = None;
    visit(tree, index.root()?, &mut |visited| {
        if tree.kind(visited.node) == Kind::Call && !tree.is_alias(visited.node) {
            let range = index.range_of(tree.span(tree.call_name(visited.node)));
            if (range.start..=range.end).contains(&offset) {
                found.get_or_insert((visited.node, range));
            }
        }
        if let Some(key) = visited.key.filter(|&key| tree.loop_name(key).is_some()) {
            let range = index.range_of(tree.span(key));
            if (range.start..=range.end).contains(&offset) {
                found.get_or_insert((visited.node, range));
            }
        }
    });
    let (node, range) = found?;
    let range = FileRange::new(index.path().clone(), range.start, range.end);
    if tree.kind(node) != Kind::Call {
        let words = "A fragment for each item of a collection.";
        let form = "Fn::ForEach::Name:\n  - Variable\n  - [item, item]\n  - Id${Variable}: ...";
        return Some(Hover { range, markdown: format!("{}\n\n{words}", code(form)) });
    }
    let name = tree.function_name(tree.call(node).0);
    let (form, words) = function(name)?;
    let mut parts = vec![code(form), words.to_owned()];
    let site = index.range_of(tree.span(node));
    let site = FileRange::new(index.path().clone(), site.start, site.end);
    parts.extend(condition::branch(ide, index, node));
    parts.extend(evaluated(ide, index.path(), &site));
    Some(Hover { range, markdown: parts.join("\n\n") })
}

/// A key that is an attribute of an entry of a section.
fn key_at(index: &FileIndex, offset: u32) -> Option<Hover> {
    let tree = index.tree();
    let mut found = None;
    visit(tree, index.root()?, &mut |visited| {
        let Some(key) = visited.key else { return };
        let range = index.range_of(tree.span(key));
        if !(range.start..=range.end).contains(&offset) {
            return;
        }
        let [section, .., name] = visited.path else { return };
        let own = visited.path.iter().filter(|part| !part.starts_with("Fn::")).count();
        let known = attributes(section).iter().find(|(known, ..)| known == name && own == 3);
        if let Some((name, words, _)) = known {
            found = Some((range, format!("{}\n\n{words}", code(&format!("(attribute) {name}")))));
        }
    });
    let (range, markdown) = found?;
    Some(Hover { range: FileRange::new(index.path().clone(), range.start, range.end), markdown })
}
