//! Deployment files of Git sync, for lists of stacks.

use formwork_base::{Diagnostics, FileBytes, Limits, SourceMap, VirtualPath};
use formwork_syntax::Tree;

/// The key that makes a file a deployment file.
const TEMPLATE: &str = "template-file-path";

/// Returns the path of the template that a deployment file of Git sync names, from the root of the repository; `None` for
/// other files.
pub fn deployed_template(bytes: &FileBytes) -> Option<String> {
    let (text, ..) = formwork_syntax::decode::decode(bytes);
    if !text.contains(TEMPLATE) {
        return None;
    }
    let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
    let file = sources.add(VirtualPath::new("file"), &*text)?;
    let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics);
    let path = tree.get_text(document.root, TEMPLATE).filter(|_| document.is_well_formed)?;
    tree.is_scalar(path).then(|| tree.text(path).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_deployment_file_names_a_template() {
        let of = |text: &str| deployed_template(&FileBytes::from(text));
        assert_eq!(of("template-file-path: a/b.yaml\nparameters: {A: x}\n").as_deref(), Some("a/b.yaml"));
        assert_eq!(of("{\"template-file-path\": \"t.yaml\"}").as_deref(), Some("t.yaml"));
        assert_eq!(of("a: template-file-path\n"), None);
        assert_eq!(of("template-file-path: [a]\n"), None);
    }
}
