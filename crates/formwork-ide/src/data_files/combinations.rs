//! The parameter values of the tests in a test file.

use formwork::tree::Kind;
use formwork::{NodeId, Tree};

use super::parameters::index;

/// The values of one run of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Combination {
    /// The name of the test with its placeholders filled in, followed by the difference between tests of one name.
    pub name: String,
    /// Names and values of parameters.
    pub parameters: Vec<(String, String)>,
}

/// The largest number of combinations of a file.
const MOST: usize = 200;

/// Returns the values of each test of a test file: those of the file, of the test, and of each combination of `Each`.
pub fn combinations(text: &str) -> Vec<Combination> {
    let index = index(text);
    let Some(root) = index.root() else { return Vec::new() };
    let tree = index.tree();
    let for_all = given(tree, root);
    let Some(tests) = tree.get_text(root, "Tests").filter(|&tests| tree.kind(tests) == Kind::List) else {
        return Vec::new();
    };
    let mut found: Vec<Combination> = Vec::new();
    for &test in tree.items(tests) {
        let name =
            tree.get_text(test, "Name").filter(|&name| tree.is_scalar(name)).map_or("test", |name| tree.text(name));
        let mut common = for_all.clone();
        set_all(&mut common, given(tree, test));
        for each in each(tree, test) {
            let mut parameters = common.clone();
            let filled =
                each.iter().fold(name.to_owned(), |text, (key, value)| text.replace(&format!("${{{key}}}"), value));
            let is_taken = found.iter().any(|known| known.name == filled);
            let words: Vec<String> = each.iter().map(|(key, value)| format!("{key}={value}")).collect();
            set_all(&mut parameters, each);
            let name = if is_taken { format!("{filled} ({})", words.join(", ")) } else { filled };
            found.push(Combination { name, parameters });
            if found.len() == MOST {
                return found;
            }
        }
    }
    found
}

fn set_all(values: &mut Vec<(String, String)>, more: Vec<(String, String)>) {
    for (name, value) in more {
        values.retain(|(known, _)| *known != name);
        values.push((name, value));
    }
}

fn given(tree: &Tree, node: NodeId) -> Vec<(String, String)> {
    let parameters = tree.get_text(node, "Given").and_then(|given| tree.get_text(given, "Parameters"));
    let Some(parameters) = parameters.filter(|&node| tree.kind(node) == Kind::Map) else { return Vec::new() };
    tree.entries(parameters).map(|entry| (tree.text(entry.key).to_owned(), text_of(tree, entry.value))).collect()
}

/// Joins the elements of a list with commas.
fn text_of(tree: &Tree, node: NodeId) -> String {
    match tree.kind(node) {
        Kind::List => tree.items(node).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join(","),
        _ if tree.is_scalar(node) => tree.text(node).to_owned(),
        _ => String::new(),
    }
}

/// Every combination of the lists of `Each`; one without values when `Each` is empty.
fn each(tree: &Tree, test: NodeId) -> Vec<Vec<(String, String)>> {
    let mut all = vec![Vec::new()];
    let Some(each) = tree.get_text(test, "Each").filter(|&each| tree.kind(each) == Kind::Map) else { return all };
    for entry in tree.entries(each) {
        let name = tree.text(entry.key);
        let values: Vec<String> = match tree.kind(entry.value) {
            Kind::List => tree.items(entry.value).iter().map(|&item| text_of(tree, item)).collect(),
            _ => vec![text_of(tree, entry.value)],
        };
        let with = |known: &Vec<(String, String)>| {
            let known = known.clone();
            let add = move |value: &String| [known.as_slice(), &[(name.to_owned(), value.clone())]].concat();
            values.iter().map(add).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(with).take(MOST).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_combination_has_the_values_of_its_file_and_test() {
        let text = "Given: {Parameters: {A: 1, B: [x, y]}}\nTests:\n  - Name: ${C} works\n    Given: {Parameters: {A: 2}}\n    Each: {C: [d, e]}\n  - Name: plain\n";
        let shown = combinations(text).into_iter().map(|one| {
            let values: Vec<String> = one.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("{}: {}", one.name, values.join(" "))
        });
        let want = ["d works: B=x,y A=2 C=d", "e works: B=x,y A=2 C=e", "plain: A=1 B=x,y"];
        assert_eq!(shown.collect::<Vec<_>>(), want);
    }
}
