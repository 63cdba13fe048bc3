//! Distinguishes templates from other files of their directories.

use formwork_base::{Diagnostics, FileBytes, Limits, SourceMap, VirtualPath};
use formwork_syntax::Tree;
use formwork_template::kind_of_file::{SECTIONS, is_plainly_template, is_template};

/// Returns `true` if a file in YAML or JSON is a template: it has a section of one, such as `Resources`, at its top
/// level, however that is written. A file with an error is still a template. Other files are skipped quickly.
pub fn has_template_section(bytes: &FileBytes) -> bool {
    let (text, ..) = formwork_syntax::decode::decode(bytes);
    if is_plainly_template(&text) {
        return true;
    }
    if !may_be_template(&text) {
        return false;
    }
    let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
    let Some(file) = sources.add(VirtualPath::new("file"), &*text) else { return false };
    let mut diagnostics = Diagnostics::default();
    let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics);
    is_template(&tree, document.root)
}

/// Returns `true` if the name of a section may be a key: it is in the text, or letters of keys may be written as
/// escapes.
fn may_be_template(text: &str) -> bool {
    let has_escape = || {
        let mut after = text.match_indices('\\').map(|(at, _)| text.as_bytes().get(at + 1));
        after.any(|next| matches!(next, Some(b'u' | b'U' | b'x' | b'\n' | b'\r')))
    };
    SECTIONS.iter().any(|name| text.contains(name)) || has_escape()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_at_the_top_level() {
        for text in [
            "Resources: {}\n",
            "# a comment\n\"Resources\":\n  A: {}\n",
            "---\nTransform: X\nResources: [\n",
            " {\"Description\": \"a: {\", \"Resources\" : {",
            "{Outputs: {}}",
            "\u{feff}Modules:\n",
            "\"Res\\u006furces\":\n  A: {}\n",
            "\"\\x52esources\": {}\n",
            "{\"Res\\u006furces\": {}}",
            "&a Resources: {}\n",
            "? Resources\n: A: {}\n",
            "? \"Reso\\\n  urces\"\n: A: {}\n",
            "!!str Resources: {}\n",
            "  Resources:\n    A: {}\n",
            "%YAML 1.1\n---\n  'Resources' : {}\n",
            "{\n  Description: x, Resources: {}}\n",
            "Transform: AWS::Serverless-2016-10-31\nanything: 1\n",
            "Transform: [Mine, AWS::LanguageExtensions]\n",
            "Parameters: {}\nOutputs: {}\n",
        ] {
            assert!(has_template_section(&FileBytes::from(text)), "{text}");
        }
        for text in [
            "",
            "apiVersion: v1\nmetadata:\n  Resources: x\n",
            "{\"Parameters\": {\"Resources\": \"x\"}}",
            "{\"a\": [{\"Resources\": {}}], \"b\": \"\\\"Resources\\\": \"}",
            "[{\"ParameterKey\": \"Resources\"}]",
            "Resources\n",
            "Resources of our team\nare: few\n",
            "{\"name\": \"pkg\", \"version\": \"1.0.0\", \"Transform\": {\"x\": \"y\"}}",
            "{\"name\": \"pkg\", \"Outputs\": [], \"Rules\": {}}",
            "text: |\n  Resources: {}\n",
            "{\"a\": \"Res\\u006furces\"}",
            "Parameters: {A: b}\nDescription: values\n",
        ] {
            assert!(!has_template_section(&FileBytes::from(text)), "{text}");
        }
    }
}
