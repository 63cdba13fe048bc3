//! Directories at random: files, directories, links and lists of what is left out.

use super::choices::Choices;

/// Something in a directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A file with this content, and whether it may be run.
    File(String, bool),
    /// A directory.
    Directory,
    /// A symbolic link to this path.
    Link(String),
}

const NAMES: [&str; 12] = [
    "a",
    "b.txt",
    "node_modules",
    ".hidden",
    "with space",
    "é",
    "e\u{301}",
    "CON",
    "x.zip",
    "-dash",
    ".formworkignore",
    "back\\slash",
];
const PATTERNS: [&str; 8] = ["*.txt", "a", "!a", "node_modules/", "**/b.txt", "[", "#no", "/with space"];

/// Paths with what is there; parents before what is in them.
pub fn directory(choices: &mut Choices<'_>) -> Vec<(String, Item)> {
    let mut made: Vec<(String, Item)> = vec![(String::new(), Item::Directory)];
    for _ in 0..=choices.below(10) {
        let parents: Vec<String> =
            made.iter().filter(|(_, item)| *item == Item::Directory).map(|(path, _)| path.clone()).collect();
        let parent = &parents[choices.below(parents.len())];
        let name = choices.of(&NAMES);
        let path = if parent.is_empty() { name.to_owned() } else { format!("{parent}/{name}") };
        if made.iter().any(|(known, _)| *known == path) {
            continue;
        }
        let item = match choices.below(6) {
            _ if name == ".formworkignore" => {
                Item::File(format!("{}\n{}\n", choices.of(&PATTERNS), choices.of(&PATTERNS)), false)
            }
            0 | 1 => Item::Directory,
            2 => Item::Link(link(choices, &made)),
            _ => Item::File(choices.of(&["", "content", "other\r\n", "\u{0}binary"]).to_owned(), choices.one_in(4)),
        };
        made.push((path, item));
    }
    made
}

/// Where a link leads: out, nowhere, to itself, up, or to something in the directory.
fn link(choices: &mut Choices<'_>, made: &[(String, Item)]) -> String {
    match choices.below(7) {
        0 => "/etc/hostname".to_owned(),
        1 => "nowhere".to_owned(),
        2 => ".".to_owned(),
        3 => "..".to_owned(),
        4 => "../../outside.txt".to_owned(),
        _ => {
            let (path, _) = &made[choices.below(made.len())];
            if path.is_empty() { ".".to_owned() } else { format!("./{path}") }
        }
    }
}
