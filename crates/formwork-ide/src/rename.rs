//! Rename.

use std::collections::BTreeMap;

use formwork::query::{Symbol, SymbolKind, SymbolUse};
use formwork::{Cancellation, FileRange, VirtualPath};
use formwork_syntax::has_placeholder;

use crate::mapping_keys::{self, MappingKey, mapping_key_at};
use crate::proof::{added_code, data, trial};
use crate::rename_error::RenameError;
use crate::{Edit, FileEdits, Ide, references};

const MOST: usize = 2_000;

/// The edits of a renaming.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renaming {
    /// The edits, by file.
    pub edits: Vec<FileEdits>,
    /// `true` if a deployed resource gets another logical ID, so that the next deployment replaces it.
    pub replaces_resource: bool,
}

/// Returns the range that a renaming at an offset replaces.
///
/// # Errors
/// When nothing can be renamed there.
pub fn prepare(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Result<FileRange, RenameError> {
    if let Some(key) = mapping_key(ide, file, offset) {
        return Ok(FileRange::new(file.clone(), key.range.start, key.range.end));
    }
    named(ide, file, offset).map(|(_, range)| range)
}

fn named(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Result<(Symbol, FileRange), RenameError> {
    let project = ide.project();
    let found = project.symbol_at(file, offset).zip(project.name_at(file, offset));
    let (symbol, range) = found.ok_or(RenameError::NotAName)?;
    match symbol.kind {
        SymbolKind::Section => return Err(RenameError::Section(symbol.name)),
        SymbolKind::PseudoParameter => return Err(RenameError::PseudoParameter(symbol.name)),
        SymbolKind::File => return Err(RenameError::ModulePath),
        _ => {}
    }
    let written = ide.text_of(&range);
    if has_placeholder(&symbol.name) {
        return Err(RenameError::GeneratedByLoop(symbol.name));
    }
    if written != symbol.name {
        return Err(RenameError::Generated { written: written.to_owned(), declared: symbol.name });
    }
    let declared = symbol.declared.as_ref().filter(|declared| ide.text_of(declared) == symbol.name);
    if declared.is_none() {
        return Err(RenameError::NotDeclared(symbol.name));
    }
    Ok((symbol, range))
}

/// Returns the edits that replace the name at an offset. They are verified by compiling: no diagnostic is new, and the
/// expansion differs by the name only.
///
/// # Errors
/// When the name cannot be replaced.
pub fn rename(ide: &Ide<'_>, file: &VirtualPath, offset: u32, new: &str) -> Result<Renaming, RenameError> {
    if let Some(key) = mapping_key(ide, file, offset) {
        return rename_key(ide, file, &key, new);
    }
    let (symbol, _) = named(ide, file, offset)?;
    check_name(&symbol, new)?;
    if let Some(kind) = clash(ide, &symbol, new) {
        return Err(RenameError::Taken { name: new.to_owned(), kind });
    }
    let mut files: BTreeMap<VirtualPath, Vec<Edit>> = BTreeMap::new();
    let places = references::references(ide, file, offset);
    if places.len() > MOST {
        return Err(RenameError::TooManyPlaces { name: symbol.name, most: MOST });
    }
    for place in places.into_iter().map(|place| place.range) {
        let written = ide.text_of(&place);
        if written != symbol.name {
            // A name that an import or a loop derives from it follows by itself.
            continue;
        }
        let text = quoted_where_needed(ide, &place, new);
        files.entry(place.file.clone()).or_default().push(Edit::new(place.start, place.end, text));
    }
    let edits: Vec<FileEdits> =
        files.into_iter().map(|(file, edits)| FileEdits { file, is_new: false, edits }).collect();
    prove(ide, &symbol, new, &edits)?;
    let replaces_resource = matches!(symbol.kind, SymbolKind::Resource | SymbolKind::Import);
    Ok(Renaming { edits, replaces_resource })
}

/// The key of a mapping at an offset without any other name.
fn mapping_key(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Option<MappingKey> {
    let is_symbol = ide.project().symbol_at(file, offset).is_some();
    if is_symbol { None } else { mapping_key_at(ide, file, offset) }
}

/// Renames a key of a mapping. If a value selects the key, as `!Ref` does, the lookup fails with the new name, and the
/// renaming is rejected.
fn rename_key(ide: &Ide<'_>, file: &VirtualPath, key: &MappingKey, new: &str) -> Result<Renaming, RenameError> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if new.is_empty() || !new.chars().all(is_word) {
        return Err(RenameError::NotAMappingKey(new.to_owned()));
    }
    let places = mapping_keys::places(ide, file, key);
    if places.len() > MOST {
        return Err(RenameError::TooManyPlaces { name: key.name.clone(), most: MOST });
    }
    let other = MappingKey { name: new.to_owned(), ..key.clone() };
    if !mapping_keys::places(ide, file, &other).is_empty() {
        return Err(RenameError::TakenKey { key: new.to_owned(), mapping: key.mapping.clone() });
    }
    let edit = |place: SymbolUse| {
        let text = quoted_where_needed(ide, &place.range, new);
        Edit::new(place.range.start, place.range.end, text)
    };
    let edits = vec![FileEdits { file: file.clone(), is_new: false, edits: places.into_iter().map(edit).collect() }];
    adds_no_diagnostic(ide, new, &edits)?;
    same_but_for(ide, &key.name, new, &edits)?;
    Ok(Renaming { edits, replaces_resource: false })
}

fn check_name(symbol: &Symbol, new: &str) -> Result<(), RenameError> {
    let is_plain = !new.is_empty() && new.len() <= 255 && new.chars().all(|c| c.is_ascii_alphanumeric());
    let may_have_more = matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Package | SymbolKind::SubVariable);
    let is_word = !new.is_empty() && new.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_plain || may_have_more && is_word {
        return Ok(());
    }
    Err(RenameError::NotAlphanumeric(new.to_owned()))
}

/// The kind of declaration that already has the name and would become one with it.
fn clash(ide: &Ide<'_>, symbol: &Symbol, new: &str) -> Option<&'static str> {
    let declared = symbol.declared.as_ref()?;
    let spaces: &[SymbolKind] = match symbol.kind {
        SymbolKind::Parameter | SymbolKind::Resource | SymbolKind::Import => {
            &[SymbolKind::Parameter, SymbolKind::Resource, SymbolKind::Import, SymbolKind::LoopVariable]
        }
        SymbolKind::LoopVariable => {
            &[SymbolKind::LoopVariable, SymbolKind::Parameter, SymbolKind::Resource, SymbolKind::Import]
        }
        SymbolKind::Condition => &[SymbolKind::Condition],
        SymbolKind::Mapping => &[SymbolKind::Mapping],
        SymbolKind::Output => &[SymbolKind::Output],
        SymbolKind::Loop => &[SymbolKind::Loop],
        SymbolKind::Package => &[SymbolKind::Package],
        SymbolKind::Constant => &[SymbolKind::Constant],
        SymbolKind::Rule => &[SymbolKind::Rule],
        _ => &[],
    };
    let occurrences = ide.project().occurrences(&declared.file);
    let taken = occurrences.iter().filter(|one| one.is_declaration && spaces.contains(&one.kind));
    let found = taken.into_iter().find(|one| ide.text_of(&one.range) == new).map(|one| one.kind);
    let generated = || {
        let is_id = matches!(symbol.kind, SymbolKind::Resource | SymbolKind::Parameter);
        let known = ide.expansion()?.id(new).filter(|id| is_id && id.section == "Resources");
        known.map(|_| SymbolKind::Resource)
    };
    Some(match found.or_else(generated)? {
        SymbolKind::Parameter => "parameter",
        SymbolKind::Resource => "resource",
        SymbolKind::Import => "import",
        SymbolKind::LoopVariable => "loop variable",
        SymbolKind::Condition => "condition",
        SymbolKind::Mapping => "mapping",
        SymbolKind::Output => "output",
        SymbolKind::Loop => "loop",
        SymbolKind::Rule => "rule",
        SymbolKind::Package => "package",
        _ => "constant",
    })
}

/// Quotes a name that YAML would read as another type, if it is a whole plain scalar.
fn quoted_where_needed(ide: &Ide<'_>, place: &FileRange, new: &str) -> String {
    let lower = new.to_ascii_lowercase();
    let is_word = matches!(lower.as_str(), "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n");
    let is_ambiguous = is_word || new.starts_with(|c: char| c.is_ascii_digit());
    let text = ide.file(&place.file).map_or("", |index| index.text());
    let before = text.get(..place.start as usize).and_then(|before| before.chars().next_back());
    let after = text.get(place.end as usize..).and_then(|after| after.chars().next());
    let begins = before.is_none_or(|c| c.is_whitespace() || matches!(c, '[' | ',' | '{'));
    let ends = after.is_none_or(|c| c.is_whitespace() || matches!(c, ']' | ',' | '}' | ':'));
    if is_ambiguous && begins && ends { format!("\"{new}\"") } else { new.to_owned() }
}

fn prove(ide: &Ide<'_>, symbol: &Symbol, new: &str, edits: &[FileEdits]) -> Result<(), RenameError> {
    adds_no_diagnostic(ide, new, edits)?;
    if symbol.kind == SymbolKind::Import {
        // The names of its resources begin with that of the import.
        return Ok(());
    }
    same_but_for(ide, &symbol.name, new, edits)
}

fn adds_no_diagnostic(ide: &Ide<'_>, new: &str, edits: &[FileEdits]) -> Result<(), RenameError> {
    match added_code(ide, edits, &Cancellation::never()) {
        Ok(Some(code)) => Err(RenameError::AddsDiagnostic { name: new.to_owned(), code }),
        _ => Ok(()),
    }
}

fn same_but_for(ide: &Ide<'_>, old: &str, new: &str, edits: &[FileEdits]) -> Result<(), RenameError> {
    let data = |edits| data(&trial(ide, edits), ide.root(), &Cancellation::never());
    let (before, after) = (data(&[]), data(edits));
    let is_word = |name: &str| name.chars().all(|c| c.is_ascii_alphanumeric());
    let of_both = |text: String| {
        if is_word(old) && is_word(new) {
            return in_both(&text, old, new);
        }
        // Keys of mappings may have other characters: they are whole strings.
        text.replace(&format!("\"{old}\""), "\u{1}").replace(&format!("\"{new}\""), "\u{1}")
    };
    if before.map(of_both) == after.map(of_both) {
        return Ok(());
    }
    Err(RenameError::ExpandsDifferently(new.to_owned()))
}

fn in_both(text: &str, old: &str, new: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() {
            word.push(c);
            continue;
        }
        out.push_str(if word == old || word == new { "\u{1}" } else { &word });
        word.clear();
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_compared() {
        assert_eq!(in_both("{\"A\": \"${A}-AB\"}", "A", "B"), in_both("{\"B\": \"${B}-AB\"}", "A", "B"));
        assert_ne!(in_both("AB", "A", "B"), in_both("BB", "A", "B"));
    }
}
