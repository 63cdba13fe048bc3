//! Code lenses: commands above lines.

use formwork::VirtualPath;

use crate::Ide;

/// The command of a lens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LensKind {
    /// Shows the expansion of the declaration.
    ShowExpansion,
    /// Lets the author choose values.
    SelectValues,
}

/// A command above a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lens {
    /// The offset of the declaration.
    pub at: u32,
    /// The command.
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
