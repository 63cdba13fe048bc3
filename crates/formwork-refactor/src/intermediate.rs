//! The complete templates of a refactor: the deployed ones, apart from logical IDs, stacks and references.

use serde_json::{Map, Value};

use crate::artifacts::with_deployed;
use crate::references::{rename, rename_body};
use crate::sides::{deployed, resources};
use crate::{Mapping, ResourceId, Sides};

/// A template to send.
#[derive(Clone, PartialEq, Debug)]
pub struct Intermediate {
    /// The name of its stack.
    pub stack: String,
    /// The template.
    pub template: Value,
    /// Set if a resource comes from another stack or goes to one: then it is the author's template.
    pub has_moves: bool,
}

/// Returns the templates of the stacks in mappings, in the order of `stacks`.
///
/// A stack whose resources are only renamed has its deployed template, with other logical IDs in `Resources` and in the
/// references of `Resources` and `Outputs`. A stack that a resource comes from or goes to has the author's template,
/// with deployed artifacts.
pub fn intermediate(stacks: &[Sides], mappings: &[Mapping]) -> Vec<Intermediate> {
    let names = |mapping: &Mapping, stack: &str| mapping.source.stack == stack || mapping.destination.stack == stack;
    stacks
        .iter()
        .filter(|sides| mappings.iter().any(|mapping| names(mapping, &sides.stack)))
        .map(|sides| {
            let stack = sides.stack.as_str();
            let has_moves = mappings.iter().any(|mapping| mapping.is_move() && names(mapping, stack));
            let template = if has_moves { authored(stacks, sides, mappings) } else { renamed(sides, mappings) };
            Intermediate { stack: stack.to_owned(), template, has_moves }
        })
        .collect()
}

fn renamed(sides: &Sides, mappings: &[Mapping]) -> Value {
    let new = |id: &str| {
        let is_it = |mapping: &&Mapping| mapping.source.stack == sides.stack && mapping.source.logical_id == id;
        mappings.iter().find(is_it).map(|mapping| mapping.destination.logical_id.clone())
    };
    renamed_template(sides.deployed.clone(), &new)
}

/// Changes logical IDs in `Resources`, and in the references of `Resources` and `Outputs`; nothing else changes.
/// `rename_id` returns the new ID of a resource, if it gets one.
pub fn renamed_template(mut template: Value, rename_id: &dyn Fn(&str) -> Option<String>) -> Value {
    if let Some(Value::Object(resources)) = template.get_mut("Resources") {
        let rename_one =
            |(id, body): (&String, &Value)| (rename_id(id).unwrap_or_else(|| id.clone()), rename_body(body, rename_id));
        *resources = resources.iter().map(rename_one).collect::<Map<_, _>>();
    }
    if let Some(outputs) = template.get_mut("Outputs") {
        *outputs = rename(outputs, rename_id);
    }
    template
}

fn authored(stacks: &[Sides], sides: &Sides, mappings: &[Mapping]) -> Value {
    let mut template = sides.authored.clone();
    let adopted: Map<String, Value> = resources(&sides.authored)
        .map(|(id, body)| {
            let own = ResourceId::new(&sides.stack, id);
            let source =
                mappings.iter().find(|mapping| mapping.destination == own).map_or(&own, |mapping| &mapping.source);
            let body = deployed(stacks, source).map_or_else(|| body.clone(), |known| with_deployed(body, known));
            (id.clone(), body)
        })
        .collect();
    if let Some(resources) = template.get_mut("Resources") {
        *resources = Value::Object(adopted);
    }
    template
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sides(stack: &str, deployed: Value, authored: Value) -> Sides {
        Sides { stack: stack.to_owned(), deployed, authored }
    }

    #[test]
    fn a_rename_is_the_deployed_template_with_other_names_and_nothing_else() {
        let deployed = json!({
            "Description": "Old", "Parameters": {"P": {"Type": "String"}},
            "Resources": {"A": {"Type": "T"}, "Old": {"Type": "T", "Metadata": {"x": 1}}, "B": {"Type": "T", "Properties": {"P": {"Ref": "Old"}}}},
            "Outputs": {"Old": {"Value": {"Fn::GetAtt": ["Old", "Arn"]}}},
        });
        let stacks =
            [sides("shop", deployed, json!({"Resources": {"New": {"Type": "T", "Properties": {"Edited": 1}}}}))];
        let sent = intermediate(&stacks, &[Mapping::read("Old=New", Some("shop")).expect("a mapping")]);
        let want = json!({
            "Description": "Old", "Parameters": {"P": {"Type": "String"}},
            "Resources": {"A": {"Type": "T"}, "New": {"Type": "T", "Metadata": {"x": 1}}, "B": {"Type": "T", "Properties": {"P": {"Ref": "New"}}}},
            "Outputs": {"Old": {"Value": {"Fn::GetAtt": ["New", "Arn"]}}},
        });
        let [sent] = sent.as_slice() else { panic!("one") };
        assert_eq!((sent.template.to_string(), sent.has_moves), (want.to_string(), false));
    }

    #[test]
    fn names_are_exchanged_at_once() {
        let stacks = [sides(
            "shop",
            json!({"Resources": {"A": {"Type": "T", "DependsOn": "B"}, "B": {"Type": "T"}}}),
            json!({"Resources": {}}),
        )];
        let chain = ["A=B", "B=BOld"].map(|text| Mapping::read(text, Some("shop")).expect("a mapping"));
        let sent = intermediate(&stacks, &chain);
        let want = json!({"Resources": {"B": {"Type": "T", "DependsOn": "BOld"}, "BOld": {"Type": "T"}}});
        assert_eq!(sent.first().map(|sent| sent.template.clone()), Some(want));
    }

    #[test]
    fn a_move_is_the_template_of_the_author_with_the_deployed_code() {
        let function = |code: Value| json!({"Type": "AWS::Lambda::Function", "Properties": {"Code": code}});
        let deployed_code = json!({"S3Bucket": "b", "S3Key": "k"});
        let stacks = [
            sides(
                "a",
                json!({"Resources": {"F": function(deployed_code.clone()), "G": {"Type": "T"}}}),
                json!({"Resources": {"G": {"Type": "T"}}}),
            ),
            sides(
                "b",
                json!({"Resources": {"H": {"Type": "T"}}}),
                json!({"Resources": {"H": {"Type": "T"}, "F": function(json!("src"))}}),
            ),
            sides("c", json!({}), json!({})),
        ];
        let sent = intermediate(&stacks, &[Mapping::read("a.F=b.F", None).expect("a mapping")]);
        assert_eq!(
            sent.iter().map(|one| (one.stack.as_str(), one.has_moves)).collect::<Vec<_>>(),
            [("a", true), ("b", true)]
        );
        let code = sent.get(1).and_then(|one| one.template.pointer("/Resources/F/Properties/Code"));
        assert_eq!(code, Some(&deployed_code));
    }
}
