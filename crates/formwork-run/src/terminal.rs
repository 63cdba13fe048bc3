//! The only part of the program that prints: messages on standard error, and reports on standard output.
//!
//! All messages are written here, so that no name, path or value of an author or a server acts on a terminal
//! (reference/command-line.md#output). Output that is not a report, such as the template that a command produces, is
//! written by [`crate::output`].

use std::cell::RefCell;
use std::io::{IsTerminal, Write};

use formwork::display::{escape_json, escape_lines, mask_credentials, without_error_numbers};

pub use formwork_report::Form;
use formwork_report::fold;

use formwork_project::FileFailure;

use crate::{output, working};

/// What was printed while it was kept.
#[derive(Clone, Default, Debug)]
pub struct Captured {
    /// Reports for standard output.
    pub out: String,
    /// Messages for standard error.
    pub err: String,
}

thread_local! {
    /// What this thread prints, while it is kept.
    static CAPTURED: RefCell<Option<Captured>> = const { RefCell::new(None) };
}

/// Runs `run`, and keeps what it prints on this thread.
pub fn captured<R>(run: impl FnOnce() -> R) -> (R, Captured) {
    let before = CAPTURED.with_borrow_mut(|captured| captured.replace(Captured::default()));
    let result = run();
    let kept = CAPTURED.with_borrow_mut(|captured| std::mem::replace(captured, before));
    (result, kept.unwrap_or_default())
}

/// Returns `true` while this thread keeps what it prints: nobody sees it, and nobody can answer.
pub fn is_captured() -> bool {
    CAPTURED.with_borrow(Option::is_some)
}

/// Keeps a text if this thread keeps what it prints.
fn keep(text: &str, stream: impl FnOnce(&mut Captured) -> &mut String) -> bool {
    CAPTURED.with_borrow_mut(|captured| captured.as_mut().map(|captured| stream(captured).push_str(text))).is_some()
}

/// Writes to standard error. A closed stream does not end the run.
pub fn say(text: &str, form: Form) {
    if !text.is_empty() && !keep(text, |captured| &mut captured.err) {
        let _ = working::beside(|| std::io::stderr().lock().write_all(safe(text, form).as_bytes()));
    }
}

/// Writes a line without colours to standard error.
pub fn say_line(text: &str) {
    say_folded(&format!("{}\n", without_error_numbers(mask_credentials(text).into_owned())), Form::Plain);
}

/// Writes lines to standard error, wrapped at the width of the terminal behind it.
pub fn say_folded(lines: &str, form: Form) {
    match width() {
        Some(width) => say(&fold(lines, width), form),
        None => say(lines, form),
    }
}

/// Writes the line that ends a successful command, if standard error is a terminal (reference/command-line.md#done).
pub fn say_done(text: &str) {
    if std::io::IsTerminal::is_terminal(&std::io::stderr()) && !is_captured() {
        say_line(text);
    }
}

/// Writes the line that ends a successful command which wrote a file, if standard error is a terminal.
pub fn say_written(path: Option<&std::path::Path>) {
    if let Some(path) = path {
        say_done(&format!("Wrote {}", path.display()));
    }
}

/// Writes the error that ends a command to standard error.
pub fn say_error(why: &str) {
    say_line(&format!("error: {}", without_error_numbers(why.to_owned())));
}

/// Returns the width in columns of the terminal behind a stream; `None` when it is not a terminal.
pub fn width_of(stream: &impl IsTerminal) -> Option<usize> {
    let size = stream.is_terminal().then(terminal_size::terminal_size).flatten();
    size.map(|(width, _)| usize::from(width.0)).filter(|columns| *columns > 0)
}

/// Returns the width in columns of the terminal behind standard error; `None` when it is not a terminal.
pub fn width() -> Option<usize> {
    width_of(&std::io::stderr())
}

/// Writes the error of a file that is not a template.
pub fn say_file(file: &FileFailure) {
    say_error(&file.message);
    if let Some(source) = file.source() {
        say_line(&format!("  {source}"));
    }
    if let Some(help) = file.advice() {
        say_line(&format!("  help: {help}"));
    }
}

/// Writes a question to standard error.
pub fn say_question(text: &str) {
    working::end();
    say(&format!("{} ", mask_credentials(text)), Form::Plain);
    let _ = std::io::stderr().lock().flush();
}

/// Turns off the echo of standard input while a secret is typed; dropping it turns the echo on again.
#[cfg(unix)]
pub struct Hidden(rustix::termios::Termios);

#[cfg(unix)]
impl Hidden {
    /// Turns off the echo.
    ///
    /// # Errors
    /// When standard input is not a terminal.
    pub fn begin() -> std::io::Result<Hidden> {
        use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
        let stdin = std::io::stdin();
        let saved = tcgetattr(&stdin)?;
        let mut hidden = saved.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        hidden.local_modes.insert(LocalModes::ECHONL);
        tcsetattr(&stdin, OptionalActions::Flush, &hidden)?;
        Ok(Hidden(saved))
    }
}

#[cfg(unix)]
impl Drop for Hidden {
    fn drop(&mut self) {
        let _ = rustix::termios::tcsetattr(std::io::stdin(), rustix::termios::OptionalActions::Now, &self.0);
    }
}

/// Placeholder on platforms where the echo of a terminal cannot be turned off.
#[cfg(not(unix))]
pub struct Hidden;

#[cfg(not(unix))]
impl Hidden {
    pub fn begin() -> std::io::Result<Hidden> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

/// Writes a report to standard output.
///
/// # Errors
/// When it cannot be written.
pub fn print(text: &str, form: Form) -> Result<(), String> {
    if keep(text, |captured| &mut captured.out) {
        return Ok(());
    }
    Ok(output::write(None, |out| out.write_all(safe(text, form).as_bytes()))?)
}

/// Writes the output of a command that is not a template to standard output or to a file. Neither contains characters
/// that act on a terminal; the values of JSON are unchanged.
///
/// # Errors
/// When it cannot be written.
pub fn write(path: Option<&std::path::Path>, text: &str, form: Form) -> Result<(), formwork_project::Failure> {
    output::write(path, |out| out.write_all(safe(text, form).as_bytes()))
}

fn safe(text: &str, form: Form) -> String {
    match form {
        Form::Plain => escape_lines(text).into_owned(),
        Form::Json => escape_json(text).into_owned(),
        Form::Styled => {
            let (mut safe, mut rest) = (String::with_capacity(text.len()), text);
            while let Some(at) = rest.find('\u{1b}') {
                let (before, style) = rest.split_at(at);
                let length = style_length(style).unwrap_or(0);
                safe += &escape_lines(before);
                safe += &style[..length];
                if length == 0 {
                    safe += &escape_lines("\u{1b}");
                }
                rest = &style[length.max(1)..];
            }
            safe + &escape_lines(rest)
        }
    }
}

/// Returns the length of the escape sequence at the beginning of a string if it only sets colours.
fn style_length(text: &str) -> Option<usize> {
    let parameters = text.strip_prefix("\u{1b}[")?;
    let length = parameters.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    parameters[length..].starts_with('m').then_some(length + 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_styles_passes() {
        let text = "\u{1b}[1;31merror\u{1b}[0m\n\ta\u{1b}]0;x\u{7}\u{9b}2J\u{1b}[2J\u{1b}\r\u{202e}";
        assert_eq!(
            safe(text, Form::Styled),
            "\u{1b}[1;31merror\u{1b}[0m\n\ta\\u{1b}]0;x\\u{7}\\u{9b}2J\\u{1b}[2J\\u{1b}\\r\\u{202e}"
        );
        assert!(!safe(text, Form::Plain).contains('\u{1b}'));
    }

    #[test]
    fn json_stays_json() {
        let text = serde_json::json!({"a": "\u{7f}\u{9b}\u{202e}"}).to_string();
        let safe = safe(&text, Form::Json);
        assert!(safe.is_ascii(), "{safe}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).expect("JSON")["a"], "\u{7f}\u{9b}\u{202e}");
    }
}
