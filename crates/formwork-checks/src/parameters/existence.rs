//! Values that have to exist in the account: those of AWS-specific types, and names of SSM parameters
//! (reference/parameters.md#existence). Only account data decides it.

use formwork_base::display::{MASK, shown};
use formwork_base::{Diagnostic, Severity, Span, codes};
use formwork_evaluate::{AccountData, Stored};
use formwork_syntax::NodeId;
use formwork_template::ParameterType;
use formwork_template::parameter_type::{Base, SSM_NAME};
use formwork_template::template::Parameter;

use crate::Context;

/// Checks a value that keeps all constraints of its parameter; `members` are its items.
pub(super) fn check(
    cx: &mut Context<'_>,
    parameter: &Parameter,
    members: &[String],
    value: NodeId,
    facts: &AccountData,
) {
    if cx.severity_of_code(codes::NOT_IN_ACCOUNT).is_none() {
        return;
    }
    if parameter.kind.is_ssm_value {
        return stored(cx, parameter, members, value, facts);
    }
    match &parameter.kind.base {
        Base::AwsSpecific(kind) => in_account(cx, parameter, kind, members, value, facts),
        // Names are seldom captured: nothing is reported when they were not.
        Base::SsmName if facts.listing(cx.tree, SSM_NAME).is_some_and(|(_, is_complete)| is_complete) => {
            in_account(cx, parameter, SSM_NAME, members, value, facts);
        }
        _ => {}
    }
}

fn stored(cx: &mut Context<'_>, parameter: &Parameter, members: &[String], value: NodeId, facts: &AccountData) {
    let [name] = members else { return };
    match facts.stored(cx.tree, name) {
        Stored::Unknown => {}
        Stored::Missing => {
            let own = shown(cx.tree.name(parameter.name));
            let name = if parameter.no_echo { MASK.to_owned() } else { shown(name) };
            let message = format!(
                "SSM parameter {name} does not exist: `Unable to fetch parameters [{name}] from parameter store for this account.`"
            );
            let diagnostic = Diagnostic::new(codes::NOT_IN_ACCOUNT, message)
                .at(place(cx, parameter, value))
                .quoting(&format!("Parameter {own} should either have input value or default value"))
                .help("store a value under that name, or use another name");
            cx.push(diagnostic, Severity::Error);
        }
        Stored::Value(node) => {
            let Base::AwsSpecific(kind) = &parameter.kind.base else { return };
            let text = cx.tree.text_form(node);
            let items: Vec<String> = if parameter.kind.is_list {
                ParameterType::split(text).map(str::to_owned).collect()
            } else {
                vec![text.to_owned()]
            };
            in_account(cx, parameter, kind, &items, value, facts);
        }
    }
}

fn in_account(
    cx: &mut Context<'_>,
    parameter: &Parameter,
    kind: &str,
    members: &[String],
    value: NodeId,
    facts: &AccountData,
) {
    let name = shown(cx.tree.name(parameter.name));
    for member in members {
        match facts.exists(cx.tree, kind, member) {
            Some(true) => {}
            Some(false) => {
                let shown_value = if parameter.no_echo { MASK.to_owned() } else { shown(member) };
                let message = format!(
                    "the account has no {kind} \"{shown_value}\": `Parameter validation failed: parameter value {shown_value} for parameter name {name} does not exist`"
                );
                let diagnostic = Diagnostic::new(codes::NOT_IN_ACCOUNT, message)
                    .at(place(cx, parameter, value))
                    .note("according to the account data")
                    .help("pass a value that exists in the account, or newer account data");
                cx.push(diagnostic, Severity::Error);
            }
            None => return unknown(cx, parameter, kind, value, facts),
        }
    }
}

/// Reports that a value was not looked up. Without any account data nothing is reported.
fn unknown(cx: &mut Context<'_>, parameter: &Parameter, kind: &str, value: NodeId, facts: &AccountData) {
    if facts.types.is_empty() {
        return;
    }
    let name = shown(cx.tree.name(parameter.name));
    let is_partial = facts.listing(cx.tree, kind).is_some();
    let why = if is_partial { "lists only some" } else { "does not list any" };
    let message =
        format!("it is not known whether the value of parameter {name} exists: the account data {why} {kind}");
    let diagnostic = Diagnostic::new(codes::NOT_IN_ACCOUNT, message)
        .at(place(cx, parameter, value))
        .help("capture the account data again with that type, or use `--live`");
    cx.push(diagnostic, Severity::Warning);
}

/// Returns the place of a value; that of the declaration for a secret or one passed on the command line.
fn place(cx: &Context<'_>, parameter: &Parameter, value: NodeId) -> Span {
    let span = cx.tree.span(value);
    if span.is_none() || parameter.no_echo || cx.parent.is_some() { cx.tree.span(parameter.key) } else { span }
}
