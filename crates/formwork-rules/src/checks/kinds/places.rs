//! Places and the kinds of values that they take.

use formwork_syntax::NodeId;
use formwork_syntax::function::Known;
use formwork_template::value_kinds::ValueKinds;

pub(super) struct Slot {
    pub(super) name: &'static str,
    accepted: ValueKinds,
    /// The elements of a literal list.
    elements: Option<&'static Slot>,
}

pub(super) enum Arguments {
    Opaque,
    Any,
    One(&'static Slot),
    /// Several arguments in order.
    List(&'static [Slot]),
    /// A string, or a string and variables.
    OfSub,
}

const fn slot(name: &'static str, accepted: ValueKinds) -> Slot {
    Slot { name, accepted, elements: None }
}

const LIST_OF_STRINGS: Slot = Slot {
    name: "the list",
    accepted: ValueKinds::LIST,
    elements: Some(&slot("an element of the list", ValueKinds::STRING)),
};

pub(super) static VARIABLE: Slot = slot("a variable", ValueKinds::STRING);

/// The table of arguments. Functions without an entry are checked where they are evaluated.
pub(super) fn arguments(known: Known) -> Arguments {
    use ValueKinds as V;
    static STRING: Slot = slot("the string", V::STRING);
    static NAME: Slot = slot("the name", V::STRING);
    static REGION: Slot = slot("the Region", V::STRING);
    static COUNTED: Slot = slot("the argument", V::LIST);
    static WRITTEN: Slot = slot("the argument", V::LIST.or(V::OBJECT));
    static JOIN: [Slot; 2] = [slot("the delimiter", V::STRING), LIST_OF_STRINGS];
    static SPLIT: [Slot; 2] = [slot("the delimiter", V::STRING), slot("the string", V::STRING)];
    static SELECT: [Slot; 2] = [slot("the index", V::STRING), slot("the list", V::LIST)];
    static CIDR: [Slot; 3] =
        [slot("the block", V::STRING), slot("the count", V::STRING), slot("the number of host bits", V::STRING)];
    static FIND_IN_MAP: [Slot; 3] = [
        slot("the map name", V::STRING),
        slot("the top-level key", V::STRING),
        slot("the second-level key", V::STRING),
    ];
    static EQUALS: [Slot; 2] = [slot("a value", V::STRING), slot("a value", V::STRING)];
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
pub(super) enum Place {
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
    Argument { call: NodeId, function: Known, slot: &'static Slot },
    /// A variable of a call of `Fn::Sub`, with its key.
    Variable { call: NodeId, key: NodeId },
}

impl Place {
    pub(super) fn accepted(self, language_extensions: bool) -> ValueKinds {
        use ValueKinds as V;
        match self {
            Place::Any | Place::Resource | Place::Output => V::ANY,
            Place::Metadata | Place::Attribute(_) => V::OBJECT,
            Place::Condition(_) => V::OUTCOME,
            Place::DependsOn => V::STRING.or(V::LIST),
            // The transform compares lists element by element, and joins them in Fn::Sub.
            Place::Argument { function: Known::Equals, .. } | Place::Variable { .. } if language_extensions => {
                V::STRING.or(V::LIST)
            }
            Place::Argument { slot, .. } => slot.accepted,
            Place::Description
            | Place::Policy(_)
            | Place::DescriptionOf(_)
            | Place::DependsOnElement
            | Place::Value(_)
            | Place::ExportName(_)
            | Place::Variable { .. } => V::STRING,
        }
    }

    pub(super) fn of_elements(self) -> Place {
        match self {
            Place::Argument { call, function, slot: Slot { elements: Some(slot), .. } } => {
                Place::Argument { call, function, slot }
            }
            _ => Place::Any,
        }
    }

    pub(super) fn call(self) -> Option<NodeId> {
        match self {
            Place::Argument { call, .. } | Place::Variable { call, .. } => Some(call),
            _ => None,
        }
    }
}
