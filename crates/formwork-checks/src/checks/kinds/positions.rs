//! Places and the kinds of values that they take.

use formwork_syntax::NodeId;
use formwork_syntax::function::Known;
use formwork_template::value_kinds::ValueKinds;

pub(super) struct ArgumentRule {
    pub(super) name: &'static str,
    accepted: ValueKinds,
    /// The elements of a literal list.
    elements: Option<&'static ArgumentRule>,
}

pub(super) enum Arguments {
    Opaque,
    Any,
    One(&'static ArgumentRule),
    /// Several arguments in order.
    List(&'static [ArgumentRule]),
    /// A string, or a string and variables.
    OfSub,
}

const fn rule(name: &'static str, accepted: ValueKinds) -> ArgumentRule {
    ArgumentRule { name, accepted, elements: None }
}

const LIST_OF_STRINGS: ArgumentRule = ArgumentRule {
    name: "the list",
    accepted: ValueKinds::LIST,
    elements: Some(&rule("an element of the list", ValueKinds::STRING)),
};

pub(super) static VARIABLE: ArgumentRule = rule("a variable", ValueKinds::STRING);

/// The table of arguments. Functions without an entry are checked where they are evaluated.
pub(super) fn arguments(known: Known) -> Arguments {
    use ValueKinds as V;
    static STRING: ArgumentRule = rule("the string", V::STRING);
    static NAME: ArgumentRule = rule("the name", V::STRING);
    static REGION: ArgumentRule = rule("the Region", V::STRING);
    static COUNTED: ArgumentRule = rule("the argument", V::LIST);
    static WRITTEN: ArgumentRule = rule("the argument", V::LIST.or(V::OBJECT));
    static JOIN: [ArgumentRule; 2] = [rule("the delimiter", V::STRING), LIST_OF_STRINGS];
    static SPLIT: [ArgumentRule; 2] = [rule("the delimiter", V::STRING), rule("the string", V::STRING)];
    static SELECT: [ArgumentRule; 2] = [rule("the index", V::STRING), rule("the list", V::LIST)];
    static CIDR: [ArgumentRule; 3] =
        [rule("the block", V::STRING), rule("the count", V::STRING), rule("the number of host bits", V::STRING)];
    static FIND_IN_MAP: [ArgumentRule; 3] = [
        rule("the map name", V::STRING),
        rule("the top-level key", V::STRING),
        rule("the second-level key", V::STRING),
    ];
    static EQUALS: [ArgumentRule; 2] = [rule("a value", V::STRING), rule("a value", V::STRING)];
    match known {
        Known::Base64 => Arguments::One(&STRING),
        Known::ImportValue => Arguments::One(&NAME),
        Known::GetAZs => Arguments::One(&REGION),
        Known::Length => Arguments::One(&COUNTED),
        Known::ToJsonString => Arguments::One(&WRITTEN),
        Known::Join => Arguments::List(&JOIN),
        Known::Split => Arguments::List(&SPLIT),
        Known::Select => Arguments::List(&SELECT),
        Known::Cidr => Arguments::List(&CIDR),
        Known::FindInMap => Arguments::List(&FIND_IN_MAP),
        Known::Equals => Arguments::List(&EQUALS),
        Known::Sub => Arguments::OfSub,
        Known::Transform | Known::Map | Known::Merge | Known::Range | Known::Zip => Arguments::Opaque,
        known if known.is_of_modules() => Arguments::Opaque,
        _ => Arguments::Any,
    }
}

#[derive(Clone, Copy)]
pub(super) enum ValuePosition {
    /// A place for any value, as far as is known here.
    Any,
    /// `Description` of the template.
    Description,
    /// `Metadata` of the template.
    Metadata,
    /// An entry of `Conditions`, with its key.
    Condition(NodeId),
    /// An entry of `Resources`.
    Resource,
    /// An attribute of a resource that is an object, with its key.
    Attribute(NodeId),
    /// A policy of a resource that is a string, with its key.
    Policy(NodeId),
    /// `Description` of a resource, with its key.
    DescriptionOf(NodeId),
    /// `DependsOn`.
    DependsOn,
    /// An element of `DependsOn`.
    DependsOnElement,
    /// An entry of `Outputs`.
    Output,
    /// `Value` of the output with this key.
    Value(NodeId),
    /// `Name` of the `Export` of the output with this key.
    ExportName(NodeId),
    /// An argument of a call.
    Argument { call: NodeId, function: Known, rule: &'static ArgumentRule },
    /// A variable of a call of `Fn::Sub`, with its key.
    Variable { call: NodeId, key: NodeId },
}

impl ValuePosition {
    pub(super) fn accepted(self, language_extensions: bool) -> ValueKinds {
        use ValueKinds as V;
        match self {
            ValuePosition::Any | ValuePosition::Resource | ValuePosition::Output => V::ANY,
            ValuePosition::Metadata | ValuePosition::Attribute(_) => V::OBJECT,
            ValuePosition::Condition(_) => V::OUTCOME,
            ValuePosition::DependsOn => V::STRING.or(V::LIST),
            // The transform compares lists element by element, and joins them in Fn::Sub.
            ValuePosition::Argument { function: Known::Equals, .. } | ValuePosition::Variable { .. }
                if language_extensions =>
            {
                V::STRING.or(V::LIST)
            }
            ValuePosition::Argument { rule, .. } => rule.accepted,
            ValuePosition::Description
            | ValuePosition::Policy(_)
            | ValuePosition::DescriptionOf(_)
            | ValuePosition::DependsOnElement
            | ValuePosition::Value(_)
            | ValuePosition::ExportName(_)
            | ValuePosition::Variable { .. } => V::STRING,
        }
    }

    pub(super) fn of_elements(self) -> ValuePosition {
        match self {
            ValuePosition::Argument { call, function, rule: ArgumentRule { elements: Some(rule), .. } } => {
                ValuePosition::Argument { call, function, rule }
            }
            _ => ValuePosition::Any,
        }
    }

    pub(super) fn call(self) -> Option<NodeId> {
        match self {
            ValuePosition::Argument { call, .. } | ValuePosition::Variable { call, .. } => Some(call),
            _ => None,
        }
    }
}
