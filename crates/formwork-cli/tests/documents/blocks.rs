//! Fenced blocks of a Markdown document, and the console sessions in them.

use std::ops::Range;

/// A fenced block: the words behind its fence, and its lines.
pub(crate) struct Block {
    info: String,
    pub(crate) text: String,
    /// Range of the text in the document.
    pub(crate) range: Range<usize>,
}

impl Block {
    /// Returns the language of the block, the first word behind the fence.
    pub(crate) fn language(&self) -> &str {
        self.info.split_whitespace().next().unwrap_or_default()
    }

    /// Returns the value of `NAME=VALUE` behind the fence.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.info.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }

    /// Whether a word appears behind the language.
    pub(crate) fn has(&self, word: &str) -> bool {
        self.info.split_whitespace().skip(1).any(|other| other == word)
    }
}

/// Returns the fenced blocks of a document, without those below a line that begins `<!-- refresh`.
pub(crate) fn blocks(document: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, usize)> = None;
    let (mut at, mut skip) = (0, false);
    for line in document.split_inclusive('\n') {
        let start = at;
        at += line.len();
        match (line.strip_prefix("```"), open.take()) {
            (Some(info), None) => open = Some((info.trim().to_owned(), at)),
            (Some(_), Some((info, from))) => {
                if !std::mem::take(&mut skip) {
                    blocks.push(Block { info, text: document[from..start].to_owned(), range: from..start });
                }
            }
            (None, None) => skip |= line.starts_with("<!-- refresh"),
            (None, still) => open = still,
        }
    }
    assert!(open.is_none(), "a block has no end");
    blocks
}

/// A command of a console block as it is written, and the output below it.
pub(crate) struct Session {
    pub(crate) command: String,
    pub(crate) shown: String,
}

/// Returns the commands of a console block. A command that ends in `\` goes on in the next line.
pub(crate) fn sessions(block: &str) -> Vec<Session> {
    let mut sessions: Vec<Session> = Vec::new();
    let mut goes_on = false;
    for line in block.split_inclusive('\n') {
        let ends_open = line.trim_end().ends_with('\\');
        match (line.strip_prefix("$ "), sessions.last_mut()) {
            (Some(command), _) => {
                goes_on = ends_open;
                sessions.push(Session { command: command.to_owned(), shown: String::new() });
            }
            (None, Some(session)) if goes_on => {
                goes_on = ends_open;
                session.command.push_str(line);
            }
            (None, Some(session)) => session.shown.push_str(line),
            (None, None) => panic!("output without a command: {line}"),
        }
    }
    sessions
}
