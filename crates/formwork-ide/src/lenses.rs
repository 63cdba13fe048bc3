//! Commands above lines.

use formwork::VirtualPath;

use crate::Ide;

/// What a lens does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LensKind {
    /// Shows the expansion of what is declared there.
    ShowExpansion,
    /// Lets the author choose values.
    SelectValues,
}

/// A command above a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lens {
    /// The offset of what it is about.
    pub at: u32,
    /// What it does.
    pub kind: LensKind,
}

/// Returns the lenses of a file: on its first line for the whole, and on each loop and import.
pub fn lenses(ide: &Ide<'_>, file: &VirtualPath) -> Vec<Lens> {
    if ide.file(file).is_none() {
        return Vec::new();
    }
    let mut lenses = vec![Lens { at: 0, kind: LensKind::ShowExpansion }, Lens { at: 0, kind: LensKind::SelectValues }];
    let loops = ide.project().loops(file).into_iter().map(|one| one.declared.start);
    let imports = ide.project().imports(file).into_iter().map(|import| import.declared.start);
    let mut places: Vec<u32> = loops.chain(imports).collect();
    places.sort_unstable();
    places.dedup();
    lenses.extend(places.into_iter().map(|at| Lens { at, kind: LensKind::ShowExpansion }));
    lenses
}
