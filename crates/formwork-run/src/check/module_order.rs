//! Finds the templates of a run that other templates of the run import, before the first one is checked: a module and
//! its imports are then checked by themselves, so that a chain of modules is not expanded again for each of its links.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::many::on_all;
use crate::templates::TemplateFile;
use formwork::declared_modules;
use formwork::disk::without_dots;

/// Returns for each template whether a template that nobody imports reaches it; an empty list if no template has
/// imports. `sources` are the import sources of each template.
pub(crate) fn imported(files: &[TemplateFile], sources: &[Vec<String>]) -> Vec<bool> {
    if sources.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let current = std::env::current_dir().unwrap_or_default();
    let paths: Vec<PathBuf> = files.iter().map(|file| without_dots(&current.join(&file.path))).collect();
    let numbers: HashMap<&Path, usize> = paths.iter().enumerate().map(|(at, path)| (path.as_path(), at)).collect();
    let number = |source: &String, importer: &Path| {
        let directory = importer.parent().unwrap_or(Path::new(""));
        numbers.get(without_dots(&directory.join(source)).as_path()).copied()
    };
    let edges = sources.iter().zip(&paths);
    let edges = edges.map(|(sources, path)| sources.iter().filter_map(|source| number(source, path)).collect());
    reached(&edges.collect::<Vec<_>>())
}

/// Returns for each node whether a path from a node without importers reaches it. Nodes of a cycle without an edge into
/// it are not reached.
fn reached(edges: &[Vec<usize>]) -> Vec<bool> {
    let mut has_importer = vec![false; edges.len()];
    for &to in edges.iter().flatten() {
        if let Some(imported) = has_importer.get_mut(to) {
            *imported = true;
        }
    }
    let mut open: Vec<usize> =
        (0..edges.len()).filter(|&at| !has_importer.get(at).copied().unwrap_or_default()).collect();
    let mut found = vec![false; edges.len()];
    while let Some(at) = open.pop() {
        for &to in edges.get(at).into_iter().flatten() {
            if let Some(is_found) = found.get_mut(to).filter(|is_found| !**is_found) {
                *is_found = true;
                open.push(to);
            }
        }
    }
    found
}

/// Returns for each template whether another one of the run imports it, judged by what was read when they were found.
pub(crate) fn modules_of(files: &[TemplateFile]) -> Vec<bool> {
    let declared =
        |template: &TemplateFile| template.content().map(|bytes| declared_modules(&bytes)).unwrap_or_default();
    imported(files, &on_all(files.iter().collect(), declared))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_chain_leads_to_is_imported_in_any_order() {
        let files: Vec<TemplateFile> =
            ["b.yaml", "d/c.yaml", "./a.yaml", "own.yaml"].map(|path| TemplateFile::named(path.into())).into();
        let sources = [
            vec!["./d/../d/c.yaml".to_owned(), "absent.yaml".to_owned()],
            vec!["../own.yaml".to_owned()],
            vec!["b.yaml".to_owned(), "https://example.com/own.yaml".to_owned()],
            Vec::new(),
        ];
        assert_eq!(imported(&files, &sources), [true, true, false, true]);
    }

    #[test]
    fn a_cycle_is_imported_when_something_leads_into_it() {
        assert_eq!(reached(&[vec![1], vec![0]]), [false, false]);
        assert_eq!(reached(&[vec![1], vec![0], vec![0]]), [true, true, false]);
        assert_eq!(reached(&[vec![0]]), [false]);
    }
}
