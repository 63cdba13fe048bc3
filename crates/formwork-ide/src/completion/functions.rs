//! The functions that may be called at the cursor: functions that `check` rejects there are not offered.

use super::Collector;
use crate::context::{Context, Step, is_function};

/// The kind of value that a place accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Literal,
    Condition,
    /// A single string: functions that return lists are not offered.
    Text,
    Value,
}

/// Returns `true` if a function may be called at the cursor.
pub(super) fn is_offered(collector: &Collector<'_, '_>, long: &str) -> bool {
    let keys = collector.context.keys();
    let section = keys.first().copied().unwrap_or_default();
    let wanted = wanted(collector, &keys);
    let is_condition = matches!(long, "Fn::And" | "Fn::Or" | "Fn::Not" | "Fn::Equals" | "Condition");
    let is_condition_of_rules = matches!(long, "Fn::Contains" | "Fn::EachMemberEquals" | "Fn::EachMemberIn");
    let is_value_of_rules = matches!(long, "Fn::RefAll" | "Fn::ValueOf" | "Fn::ValueOfAll");
    let is_list = matches!(long, "Fn::Split" | "Fn::Cidr" | "Fn::GetAZs" | "Fn::Flatten" | "Fn::Range" | "Fn::Zip");
    match wanted {
        Wanted::Literal => return false,
        Wanted::Condition if section == "Rules" => return is_condition_of_rules || is_condition && long != "Condition",
        Wanted::Condition => return is_condition,
        Wanted::Text if is_list => return false,
        Wanted::Text | Wanted::Value if is_condition || is_condition_of_rules => return false,
        Wanted::Text | Wanted::Value => {}
    }
    if matches!(keys.last(), Some(&"DeletionPolicy" | &"UpdateReplacePolicy")) {
        // The functions that the transform evaluates before the deployment.
        return matches!(long, "Ref" | "Fn::Sub" | "Fn::Join" | "Fn::Select" | "Fn::FindInMap" | "Fn::If");
    }
    match section {
        "Conditions" => {
            matches!(long, "Ref" | "Fn::FindInMap" | "Fn::Select" | "Fn::Join" | "Fn::Sub" | "Fn::Split" | "Fn::Length")
        }
        "Rules" => is_value_of_rules || long == "Ref",
        "Outputs" if keys.contains(&"Export") => {
            !is_value_of_rules && !matches!(long, "Fn::GetAtt" | "Fn::ImportValue" | "Fn::Invoke")
        }
        _ if long == "Fn::Invoke" => !collector.ide.project().imports(collector.file).is_empty(),
        _ => !is_value_of_rules,
    }
}

fn wanted(collector: &Collector<'_, '_>, keys: &[&str]) -> Wanted {
    match around(&collector.context) {
        Some(("Fn::And" | "Fn::Or" | "Fn::Not", _)) => return Wanted::Condition,
        Some(("Fn::Equals" | "Fn::Base64" | "Fn::ImportValue", _) | ("Fn::Join", [Step::Index(1), _])) => {
            return Wanted::Text;
        }
        Some(_) => return Wanted::Value,
        None => {}
    }
    let own: Vec<&str> = keys.iter().copied().filter(|key| !key.starts_with("Fn::ForEach")).collect();
    match *own {
        []
        | ["Parameters" | "Mappings" | "Transform" | "Description" | "AWSTemplateFormatVersion", ..]
        | ["Resources", _, "Type" | "DependsOn" | "Condition"]
        | ["Outputs", _, "Condition" | "Description"]
        | ["Modules", _, "Condition" | "Source"]
        | ["Packages", _, "Source"] => Wanted::Literal,
        // The transform evaluates functions there.
        ["Resources", _, "DeletionPolicy" | "UpdateReplacePolicy"] => {
            let text = collector.ide.file(collector.file).map_or("", |index| index.text());
            if text.contains("AWS::LanguageExtensions") { Wanted::Text } else { Wanted::Literal }
        }
        ["Conditions", _] | ["Rules", .., "Assert" | "RuleCondition"] => Wanted::Condition,
        ["Outputs", _, "Value"] | ["Outputs", _, "Export", "Name"] => Wanted::Text,
        _ => Wanted::Value,
    }
}

/// The innermost function around the cursor, with the path into its argument. `None` when a key is between.
fn around(context: &Context) -> Option<(&str, &[Step])> {
    let at = context.path.iter().rposition(|step| matches!(step, Step::Key(_)))?;
    match context.path.get(at)? {
        Step::Key(key) if is_function(key) => Some((key, context.path.get(at + 1..)?)),
        _ => None,
    }
}
