//! Changes across the border of a nested stack: its parameters from outside, and its outputs from inside.

use crate::change::{Action, Change, PropertyChange, PropertyKind};
use crate::outside::{Outside, output};
use crate::plan::Plan;
use crate::references;
use formwork_template::Section;
use formwork_template::side::Side;
use formwork_template::value::Step;

/// Returns the parameters of the nested stack `id` whose values are changed by the template around it.
pub fn arguments(plan: &Plan<'_, '_>, id: &str, others: &[Outside]) -> Vec<Outside> {
    let Some(stack) = own_resources(plan).find(|change| change.id == id) else { return Vec::new() };
    let mut found: Vec<Outside> = Vec::new();
    for property in &stack.properties {
        let [Step::Name("Properties"), Step::Name("Parameters"), Step::Name(name), ..] = property.path.as_slice()
        else {
            continue;
        };
        if property.kind != PropertyKind::OrderOnly {
            let is_open =
                property.may_be_same || stack.resource.as_ref().is_some_and(|resource| !resource.depends_on.is_empty());
            let action = if is_open { Action::MayReplace } else { certainty(property, plan, others) };
            found.push(Outside { name: (*name).to_owned(), action, because: format!("argument {name}") });
        }
    }
    found
}

/// Returns the changing outputs of the nested stack `id`, as the template around it refers to them; `inner` is the plan
/// of that stack, `side` its new template, `others` values that change in it for reasons outside.
pub fn outputs(id: &str, inner: &Plan<'_, '_>, side: &Side<'_>, others: &[Outside]) -> Vec<Outside> {
    let action_of = |name: &str, attribute: Option<&str>| {
        let own = own_resources(inner).find(|change| change.id == name).and_then(|change| change.resource.as_ref());
        let possible = own.into_iter().flat_map(super::change::ResourceChange::possible);
        let own = possible.map(|one| one.action).filter(|action| action.replaces()).max();
        let output = output(name, attribute);
        let is_it = |one: &&Outside| one.name == name || output.as_ref().is_some_and(|output| one.name == *output);
        own.max(others.iter().filter(is_it).map(|one| one.action).max())
    };
    let mut found = Vec::new();
    for member in side.members(Section::Outputs) {
        let Some(value) = member.value.get("Value") else { continue };
        let is_edited = inner.changes.iter().any(|change| {
            change.section == Section::Outputs
                && change.stack.is_empty()
                && change.id == member.id
                && change.properties.iter().any(|property| property.path.first() == Some(&Step::Name("Value")))
        });
        let mut action = is_edited.then_some(Action::Replace);
        references::each(value, &mut |name, attribute| action = action.max(action_of(name, attribute)));
        found.extend(action.map(|action| Outside {
            name: format!("{id}.Outputs.{}", member.id),
            action,
            because: format!("output {id}.{}", member.id),
        }));
    }
    found
}

fn own_resources<'a, 'p, 't>(plan: &'a Plan<'p, 't>) -> impl Iterator<Item = &'a Change<'p, 't>> {
    plan.changes.iter().filter(|change| change.section == Section::Resources && change.stack.is_empty())
}

/// Returns [`Action::Replace`] if a value changes for certain, else [`Action::MayReplace`].
fn certainty(property: &PropertyChange<'_, '_>, plan: &Plan<'_, '_>, others: &[Outside]) -> Action {
    if property.kind != PropertyKind::Reference {
        return Action::Replace;
    }
    let is_certain = property.because.iter().any(|why| match why.strip_prefix("replacement of ") {
        Some(target) => {
            own_resources(plan).any(|change| change.id == target && change.action() == Some(Action::Replace))
        }
        None => others.iter().any(|one| one.because == *why && one.action == Action::Replace),
    });
    if is_certain { Action::Replace } else { Action::MayReplace }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_facts::TestFacts;
    use crate::test_values::side;
    use crate::{Settings, plan_within};

    #[test]
    fn an_argument_from_outside_replaces_and_changes_outputs() {
        let template = r#"{
            "Parameters": {"Name": {"Type": "String"}},
            "Resources": {
                "A": {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": {"Ref": "Name"}}},
                "B": {"Type": "AWS::SQS::Queue", "Properties": {"DelaySeconds": {"Fn::GetAtt": ["Net", "Outputs.Delay"]}}}
            },
            "Outputs": {"Of": {"Value": {"Ref": "A"}}, "Fixed": {"Value": "x"}}
        }"#;
        let (old, new) = (side(template), side(template));
        let others = [("Name", Action::Replace), ("Net.Outputs.Delay", Action::MayReplace)]
            .map(|(name, action)| Outside { name: name.to_owned(), action, because: format!("of {name}") });
        let settings = Settings { facts: Some(&TestFacts), ..Settings::default() };
        let plan = plan_within(&old, &new, settings, &others, None);
        let found: Vec<_> =
            plan.changes.iter().map(|change| (change.id, change.action(), &*change.because[0])).collect();
        assert_eq!(
            found,
            [("A", Some(Action::Replace), "of Name"), ("B", Some(Action::Update), "of Net.Outputs.Delay")]
        );
        let outputs = outputs("Stack", &plan, &new, &others);
        assert_eq!(
            outputs,
            [Outside {
                name: "Stack.Outputs.Of".to_owned(),
                action: Action::Replace,
                because: "output Stack.Of".to_owned()
            }]
        );
        assert!(plan_within(&old, &new, settings, &[], None).changes.is_empty());
    }
}
