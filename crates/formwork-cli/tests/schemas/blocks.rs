//! Fenced blocks of the pages and fixtures of the repository.

use std::path::{Path, PathBuf};

/// A block.
pub(crate) struct Block {
    /// The file that it is in.
    pub(crate) page: String,
    /// The word behind the fence.
    pub(crate) language: String,
    pub(crate) text: String,
}

/// Returns the root of the repository.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns every block of the reference, the pages and the fixtures, in the order of their files.
pub(crate) fn all() -> Vec<Block> {
    let mut open: Vec<PathBuf> = ["docs", "tests/fixtures"].map(|name| repository().join(name)).into();
    let mut pages = Vec::new();
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages.iter().flat_map(|page| of_page(page)).collect()
}

/// Returns the blocks that are templates.
pub(crate) fn templates() -> Vec<Block> {
    let is_template =
        |block: &Block| block.language == "yaml" && block.text.lines().any(|line| line.starts_with("Resources:"));
    all().into_iter().filter(is_template).collect()
}

fn of_page(page: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(page).expect("a page");
    let (mut blocks, mut open): (Vec<Block>, Option<(String, Block)>) = (Vec::new(), None);
    for line in text.split_inclusive('\n') {
        let ticks: String = line.chars().take_while(|c| *c == '`').collect();
        match &mut open {
            Some((fence, _)) if line.trim_end() == fence => blocks.extend(open.take().map(|(_, block)| block)),
            Some((_, block)) => block.text.push_str(line),
            None if ticks.len() >= 3 => {
                let language = line[ticks.len()..].split_whitespace().next().unwrap_or_default().to_owned();
                open = Some((ticks, Block { page: page.display().to_string(), language, text: String::new() }));
            }
            None => {}
        }
    }
    blocks
}
