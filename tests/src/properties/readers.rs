//! Both readers of YAML read a text alike: the one for what people write, and the general one.
//!
//! Holds reference/reading.md#scalars.

use formwork_base::{Diagnostics, Limits};
use formwork_syntax::Tree;
use formwork_syntax::yaml::read::{read_common, read_general};

/// Read before the text, so that what a reader takes back is not all that there is.
const BEFORE: &str = "Resources:\n  A: {Type: AWS::S3::Bucket}\n";

/// The first nodes that differ.
fn difference(general: &Tree, common: &Tree) -> String {
    let node = |tree: &Tree, number| {
        tree.node(number).map(|node| (tree.kind(node), tree.style(node), tree.span(node), tree.text(node).to_owned()))
    };
    let both = (1..).map(|number| (node(general, number), node(common, number)));
    match both.take_while(|both| *both != (None, None)).find(|(one, other)| one != other) {
        Some((one, other)) => format!("--- general\n{one:?}\n--- common\n{other:?}"),
        None => "the same nodes, but not in the same tables".to_owned(),
    }
}

fn list(said: &Diagnostics) -> String {
    format!("{:?}", said.iter().collect::<Vec<_>>())
}

/// The law for any text. Returns whether the reader for what people write reads it.
///
/// # Errors
/// In words.
pub fn readers(text: &str) -> Result<bool, String> {
    let limits = Limits::default();
    let base = BEFORE.len() as u32 + 2;
    let begin = || {
        let (mut tree, mut diagnostics) = (Tree::new(), Diagnostics::new());
        read_general(&mut tree, BEFORE, 1, &limits, &mut diagnostics);
        (tree, diagnostics)
    };
    let (mut general, mut said) = begin();
    let want = read_general(&mut general, text, base, &limits, &mut said);
    let (mut common, mut also_said) = begin();
    if let Some(root) = read_common(&mut common, text, base, &limits) {
        if !said.is_empty() {
            let said: Vec<_> = said.iter().map(|found| &found.message).collect();
            return Err(format!("one reader reports nothing, the other one {said:?}\n{text}"));
        }
        if root != want || !common.is_identical(&general) {
            return Err(format!("the readers read different trees\n{}\n{text}", difference(&general, &common)));
        }
        return Ok(true);
    }
    let (before, _) = begin();
    if !common.is_identical(&before) {
        return Err(format!("something was left in the tree\n{text}"));
    }
    let root = read_general(&mut common, text, base, &limits, &mut also_said);
    if root != want || !common.is_identical(&general) || list(&said) != list(&also_said) {
        return Err(format!("the tree is not as it was before\n{text}"));
    }
    Ok(false)
}
