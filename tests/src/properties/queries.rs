//! What an editor receives for places in files is consistent: the name at a place, its declaration, its uses and
//! the loops around it agree with each other, wherever somebody asks.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwork::query::{FileIndex, Project, Symbol, SymbolKind};
use formwork::{ColumnUnit, FileRange, Limits, LineIndex, VirtualPath};

use formwork_syntax::SourceContent;

use super::Verdict;

/// The law for the files of a project, by path; the first is the template.
///
/// # Errors
/// In words.
pub fn queries(files: &[(String, String)]) -> Verdict {
    let mut indexes = BTreeMap::new();
    for (path, text) in files {
        columns(text)?;
        let path = VirtualPath::new(path);
        indexes.insert(
            path.clone(),
            Arc::new(FileIndex::new(path, &SourceContent::new(text.as_str().into()), &Limits::default())),
        );
    }
    let Some((root, _)) = files.first() else { return Ok(()) };
    let project = Project::new(&VirtualPath::new(root), |path| indexes.get(path).cloned());
    for index in project.files() {
        let text = index.text();
        // An offset that is not the start of a character, and places after the end.
        for offset in 0..text.len() as u32 + 2 {
            place(&project, index.path(), offset).map_err(|why| format!("{}:{offset} {why}\n{text}", index.path()))?;
        }
    }
    Ok(())
}

fn place(project: &Project, file: &VirtualPath, offset: u32) -> Verdict {
    if let Some(node) = project.node_at(file, offset) {
        within(project, &node.range, "the node")?;
        expect(node.range.file == *file && touches(&node.range, offset), || {
            format!("is not in its node {:?}", node.range)
        })?;
    }
    let loops = project.enclosing_loops(file, offset);
    for around in &loops {
        within(project, &around.declared, "the loop")?;
        if let Some(collection) = &around.collection {
            within(project, collection, "the collection")?;
        }
    }
    let (symbol, name) = (project.symbol_at(file, offset), project.name_at(file, offset));
    expect(symbol.is_some() == name.is_some(), || format!("has {symbol:?} and the name {name:?}"))?;
    let uses = project.references(file, offset);
    let (Some(symbol), Some(name)) = (symbol, name) else {
        return expect(uses.is_empty(), || format!("has no name, and is used at {uses:?}"));
    };
    within(project, &name, "the name")?;
    expect(name.file == *file && touches(&name, offset), || format!("is not in its name {name:?}"))?;
    expect(project.definition(file, offset) == symbol.declared, || "has two declarations".to_owned())?;
    expect(uses.iter().any(|found| found.range == name), || format!("is not among the uses of {symbol:?}: {uses:?}"))?;
    expect(uses.is_sorted_by(|a, b| a.range < b.range), || format!("has uses twice, or in no order: {uses:?}"))?;
    for found in &uses {
        within(project, &found.range, "a use")?;
        expect(has(project, &found.range, &symbol), || format!("is {symbol:?}, and its use {found:?} is not"))?;
    }
    declared(project, &symbol, &uses)?;
    if symbol.kind == SymbolKind::LoopVariable {
        let is_known = |range: &FileRange| {
            let inside = project.enclosing_loops(&range.file, range.start);
            inside.iter().any(|around| around.variables.contains(&symbol.name))
        };
        let used = uses.iter().filter(|found| !found.is_declaration);
        let missed: Vec<_> = used.filter(|found| !is_known(&found.range)).collect();
        expect(missed.is_empty(), || {
            format!("is the variable {} of a loop that is not around {missed:?}", symbol.name)
        })?;
    }
    Ok(())
}

/// A name is declared where it leads to, once.
fn declared(project: &Project, symbol: &Symbol, uses: &[formwork::query::SymbolUse]) -> Verdict {
    let declarations: Vec<&FileRange> =
        uses.iter().filter(|found| found.is_declaration).map(|found| &found.range).collect();
    let Some(declared) = &symbol.declared else {
        return expect(declarations.is_empty(), || format!("{symbol:?} is declared nowhere, and at {declarations:?}"));
    };
    if symbol.kind == SymbolKind::File {
        return Ok(());
    }
    let around = symbol.declaration.as_ref();
    let is_inside = around.is_some_and(|around| around.start <= declared.start && declared.end <= around.end);
    expect(is_inside, || format!("{symbol:?} is declared outside of its declaration"))?;
    expect(declarations == [declared], || format!("{symbol:?} is declared at {declarations:?}"))?;
    expect(has(project, declared, symbol), || format!("{symbol:?} is not found where it is declared"))
}

/// Whether a symbol is at some place of a range: names may touch each other, and the key `ForEach` of a module
/// declares three variables.
fn has(project: &Project, range: &FileRange, symbol: &Symbol) -> bool {
    let is_same =
        |found: &Symbol| found == symbol || found.kind == SymbolKind::LoopVariable && found.declared == symbol.declared;
    (range.start..=range.end).any(|offset| project.symbol_at(&range.file, offset).is_some_and(|found| is_same(&found)))
}

fn touches(range: &FileRange, offset: u32) -> bool {
    (range.start..=range.end).contains(&offset)
}

fn within(project: &Project, range: &FileRange, what: &str) -> Verdict {
    let text = project.file(&range.file).map(FileIndex::text);
    let is_text = text.is_some_and(|text| text.get(range.start as usize..range.end as usize).is_some());
    expect(is_text, || format!("{what} is at {range:?}, which is not text of the file"))
}

/// Columns lead back to their offsets, in every unit, and count as the text does.
fn columns(text: &str) -> Verdict {
    let lines = LineIndex::new(text);
    for unit in [ColumnUnit::Utf8, ColumnUnit::Utf16, ColumnUnit::Scalar] {
        for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
            let offset = at as u32;
            let position = lines.position(text, offset, unit);
            let before = &text[lines.line_start(position.line) as usize..at];
            let counted: u32 = before.chars().map(|c| unit.width(c)).sum();
            expect(position.column == counted, || format!("{unit:?}: column {} at {at} of {text:?}", position.column))?;
            // The second half of a CR LF is in no line.
            let is_inside_break = c == '\n' && text[..at].ends_with('\r');
            let again = lines.offset(text, position, unit);
            expect(is_inside_break || again == offset, || format!("{unit:?}: {at} leads back to {again} of {text:?}"))?;
        }
    }
    Ok(())
}

fn expect(holds: bool, why: impl FnOnce() -> String) -> Verdict {
    if holds { Ok(()) } else { Err(why()) }
}
