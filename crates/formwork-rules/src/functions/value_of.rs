//! `Fn::ValueOf`: an attribute of the value of a parameter; of each element, if it is a list.

use formwork_base::codes;
use formwork_base::display::shown;
use formwork_syntax::{NodeId, Symbol};
use formwork_template::parameter_type::Base;

use crate::attribute::Attribute;
use crate::environment::Environment;
use crate::expression::ExpressionKind;
use crate::reader::Reader;
use crate::value::{Member, Value};

const NAME: &str = "Fn::ValueOf";

pub(crate) fn read(reader: &mut Reader<'_>, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
    let Some([name_node, attribute_node]) = reader.two_texts(argument) else {
        if reader.is_unsupported(argument) {
            return None;
        }
        let what = "requires two string parameters, the name of a template parameter and the name of an attribute";
        return reader.layout(call, NAME, what);
    };
    let tree = reader.tree;
    let (name, attribute) = (tree.text(name_node), tree.text(attribute_node));
    let declared = tree.symbols().get(name).and_then(|symbol| reader.template.parameter(symbol));
    let Some(parameter) = declared else {
        let names = reader.template.parameters.iter().map(|parameter| tree.name(parameter.name));
        let help = match reader.diagnostics.suggester().nearest(name, names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "use a parameter that the template declares".to_owned(),
        };
        let name = shown(name);
        let message = format!(
            "parameter {name} does not exist: `Fn::ValueOf refers to the parameter [{name}] which is not declared in the template`"
        );
        return reader.error(codes::UNRESOLVED_NAME, name_node, message, &help);
    };
    let Base::AwsSpecific(kind) = &parameter.kind.base else {
        let declared = tree.get_text(parameter.node, "Type").map_or("String", |node| tree.text(node));
        let (name, declared) = (shown(name), shown(declared));
        let message = format!(
            "parameter {name} has a type without attributes: `Fn::ValueOf cannot read attributes of parameter [{name}] of type {declared}`"
        );
        let help = "declare the parameter with an AWS-specific type, such as AWS::EC2::VPC::Id";
        return reader.error(codes::FUNCTION_LAYOUT, name_node, message, help);
    };
    match Attribute::of_type(kind, attribute) {
        Some(attribute) => Some(ExpressionKind::ValueOf(parameter.name, attribute)),
        None => no_attribute(reader, kind, attribute_node),
    }
}

pub(super) fn no_attribute(reader: &mut Reader<'_>, kind: &str, node: NodeId) -> Option<ExpressionKind> {
    let attribute = shown(reader.tree.text(node));
    let has = match kind {
        "AWS::EC2::VPC::Id" => "its attributes are DefaultNetworkAcl, DefaultSecurityGroup and Tags.KEY",
        "AWS::EC2::Subnet::Id" => "its attributes are AvailabilityZone, VpcId and Tags.KEY",
        "AWS::EC2::SecurityGroup::Id" => "its attributes are Tags.KEY",
        _ => "AWS::EC2::VPC::Id, AWS::EC2::Subnet::Id and AWS::EC2::SecurityGroup::Id have attributes",
    };
    reader.error(
        codes::FUNCTION_LAYOUT,
        node,
        format!(
            "{kind} has no attribute `{attribute}`: `Template error: parameter type {kind} does not support attribute [{attribute}]`"
        ),
        has,
    )
}

pub(crate) fn evaluate<'e>(environment: &Environment<'e>, parameter: Symbol, attribute: &Attribute) -> Value<'e> {
    let declared = environment.template.parameter(parameter).map(|parameter| &parameter.kind.base);
    let Some(Base::AwsSpecific(kind)) = declared else { return Value::Absent };
    let account = environment.account;
    match environment.get(parameter) {
        Value::Text(value) => match account.attribute(kind, value, attribute) {
            Member::Text(text) => Value::Text(text),
            Member::Absent => Value::Absent,
            Member::Unknown(reasons) => Value::Unknown(reasons),
        },
        Value::List(members) => {
            let of_member = account.attribute_of(kind, attribute);
            let of_members = members.iter().map(|member| match member {
                Member::Text(value) => of_member(value),
                other => other.clone(),
            });
            Value::List(of_members.collect())
        }
        other => other,
    }
}
