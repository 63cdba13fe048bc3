//! Confirmation prompts.

use std::io::IsTerminal;

use crate::terminal;

/// Returns `true` if a person can answer: standard input and standard error are terminals.
pub fn can_ask() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal() && !terminal::is_captured()
}

/// Asks a question. The returned function waits for the answer; anything but a clear yes counts as no.
pub fn ask(question: &str) -> Box<dyn FnOnce() -> bool + Send> {
    terminal::say_question(&format!("{question} [y/N]"));
    Box::new(|| {
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer).is_ok_and(|_| is_yes(&answer))
    })
}

/// Returns `true` if an answer is a clear yes.
pub fn is_yes(answer: &str) -> bool {
    matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        for yes in ["y\n", "Y\r\n", " yes \n"] {
            assert!(is_yes(yes), "{yes:?}");
        }
        for no in ["", "\n", "n\n", "yesterday\n", "ye\n"] {
            assert!(!is_yes(no), "{no:?}");
        }
    }
}
