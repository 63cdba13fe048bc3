//! `Fn::ValueOfAll`: an attribute of all values of a type. Those without it contribute nothing.

use formwork_syntax::NodeId;
use formwork_template::parameter_type::{AWS_SPECIFIC, Base};

use super::{ref_all, value_of};
use crate::ValueOfAll;
use crate::attribute::Attribute;
use crate::environment::Environment;
use crate::expression::ExpressionKind;
use crate::reader::Reader;
use crate::value::{Member, Reasons, Value};

const NAME: &str = "Fn::ValueOfAll";

pub(crate) fn read(reader: &mut Reader<'_>, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
    let Some([kind_node, attribute_node]) = reader.two_texts(argument) else {
        if reader.is_unsupported(argument) {
            return None;
        }
        let what = "requires two string parameters, an AWS-specific parameter type and the name of an attribute";
        return reader.layout(call, NAME, what);
    };
    let (kind, attribute) = (reader.tree.text(kind_node), reader.tree.text(attribute_node));
    if !AWS_SPECIFIC.contains(&kind) {
        return ref_all::unsupported(reader, NAME, kind, kind_node);
    }
    match Attribute::of_type(kind, attribute) {
        Some(attribute) => Some(ExpressionKind::ValueOfAll(kind.to_owned(), attribute)),
        None => value_of::no_attribute(reader, kind, attribute_node),
    }
}

pub(crate) fn evaluate<'e>(environment: &Environment<'e>, kind: &str, attribute: &Attribute) -> Value<'e> {
    match environment.reading {
        ValueOfAll::Account => environment.account.attribute_of_all(kind, attribute),
        ValueOfAll::Parameters => of_parameters(environment, kind, attribute),
    }
}

/// Returns the attribute of the values passed to this template's parameters of the type, in the order of declaration.
fn of_parameters<'e>(environment: &Environment<'e>, kind: &str, attribute: &Attribute) -> Value<'e> {
    let mut found = Vec::new();
    for parameter in &environment.template.parameters {
        if !matches!(&parameter.kind.base, Base::AwsSpecific(own) if own == kind) {
            continue;
        }
        match value_of::evaluate(environment, parameter.name, attribute) {
            Value::Text(text) => found.push(Member::Text(text)),
            Value::List(members) => {
                found.extend(members.iter().filter(|member| !matches!(member, Member::Absent)).cloned());
            }
            Value::Unknown(reasons) => return Value::Unknown(reasons),
            Value::Truth(_) | Value::Absent => {}
        }
    }
    let mut unknown = Reasons::default();
    for member in &found {
        if let Member::Unknown(reasons) = member {
            unknown.add(reasons);
        }
    }
    // A value that is unknown may not have the attribute.
    if unknown.is_empty() { Value::List(found.into()) } else { Value::Unknown(unknown) }
}
