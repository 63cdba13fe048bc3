//! `Fn::RefAll`: all values of an AWS-specific type in the account and Region.

use formwork_base::codes;
use formwork_base::display::shown;
use formwork_syntax::NodeId;
use formwork_template::parameter_type::{AWS_SPECIFIC, SSM_NAME};

use crate::expression::ExpressionKind;
use crate::reader::Reader;

const NAME: &str = "Fn::RefAll";

pub(crate) fn read(reader: &mut Reader<'_>, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
    let Some(kind) = reader.tree.string(argument) else {
        return reader.layout(call, NAME, "requires one string parameter, an AWS-specific parameter type");
    };
    if AWS_SPECIFIC.contains(&kind) || kind == SSM_NAME {
        return Some(ExpressionKind::RefAll(kind.to_owned()));
    }
    unsupported(reader, NAME, kind, argument)
}

pub(super) fn unsupported(reader: &mut Reader<'_>, function: &str, kind: &str, node: NodeId) -> Option<ExpressionKind> {
    let kind = shown(kind);
    reader.error(
        codes::FUNCTION_LAYOUT,
        node,
        format!("the values of {kind} cannot be listed: `{function} does not support the parameter type [{kind}]`"),
        "use an AWS-specific parameter type without List<>, such as AWS::EC2::VPC::Id",
    )
}
