//! Variables of a program in a string of several lines: `${HOME_DIR}` in a script of the shell, `${event.name}` in a template
//! literal of JavaScript. `Fn::Sub` takes them for names of the template.

use formwork_syntax::Tree;
use formwork_template::logical_id;
use formwork_template::reference::By;

use super::missing::Missing;

/// Words in front of a name that declare it, in the languages of inline programs.
const DECLARING: [&str; 10] = ["const", "let", "var", "for", "read", "local", "export", "declare", "def", "function"];

/// The most bytes of a string that are looked at for a name: as many as `UserData` may have.
const MOST: usize = 16 * 1024;

/// Returns the placeholder as the program reads it, if the name is a variable of a program.
pub(super) fn literal(tree: &Tree, missing: &Missing) -> Option<String> {
    if missing.by != By::Sub || missing.name.starts_with("AWS:") {
        return None;
    }
    let text = tree.text(missing.node);
    let text = text.get(..text.floor_char_boundary(MOST)).unwrap_or(text);
    let name = missing.name.as_str();
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return None;
    }
    let is_foreign = !logical_id::is_alphanumeric(name) && name.contains('_');
    let is_variable = text.trim_end().contains('\n') && (is_lower(name) || is_upper(name) || is_declared(text, name));
    let attribute = missing.attribute.as_deref().map(|attribute| format!(".{attribute}")).unwrap_or_default();
    (is_foreign || is_variable).then(|| format!("${{!{name}{attribute}}}"))
}

fn is_lower(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
}

fn is_upper(name: &str) -> bool {
    name.len() > 1 && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Returns `true` if a line of the text sets the name: `NAME=`, `const NAME`, `(NAME)`.
fn is_declared(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + name.len()..).unwrap_or_default());
        let is_inside = before.ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '{' | '$' | '.'))
            || behind.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let word = before.trim_end_matches([' ', '\t']).rsplit(|c: char| !c.is_ascii_alphabetic()).next();
        let is_set =
            behind.trim_start_matches(' ').starts_with('=') && !behind.trim_start_matches(' ').starts_with("==");
        !is_inside && (is_set || word.is_some_and(|word| DECLARING.contains(&word)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_declare_their_variables() {
        for (text, is_set) in [
            ("Home=/srv\necho ${Home}\n", true),
            ("const Name = 1;\n`${Name}`\n", true),
            ("for Name in a b; do echo ${Name}; done", true),
            ("echo ${Home}\n", false),
            ("if [ $Home == a ]; then", false),
            ("MyHome=/srv", false),
        ] {
            assert_eq!(is_declared(text, if text.contains("Name") { "Name" } else { "Home" }), is_set, "{text}");
        }
    }
}
