//! The kinds of values that functions return, as far as the template alone shows (reference/structure.md#kinds).

use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, Tree, View, symbol};

use crate::{PseudoParameter, Template, attribute};

/// A set of kinds that a value may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueKinds(u8);

impl ValueKinds {
    /// No value: `AWS::NoValue`.
    pub const NOTHING: ValueKinds = ValueKinds(0);
    /// A string, number or Boolean: CloudFormation converts one to another.
    pub const STRING: ValueKinds = ValueKinds(1);
    /// A list.
    pub const LIST: ValueKinds = ValueKinds(1 << 1);
    /// An object.
    pub const OBJECT: ValueKinds = ValueKinds(1 << 2);
    /// The outcome of a condition function.
    pub const OUTCOME: ValueKinds = ValueKinds(1 << 3);
    /// Any value.
    pub const ANY: ValueKinds = ValueKinds(0b1111);

    /// Returns the union of two sets.
    #[must_use]
    pub const fn or(self, other: ValueKinds) -> ValueKinds {
        ValueKinds(self.0 | other.0)
    }

    /// Returns `true` if a value of one of these kinds may be used where those of `accepted` are allowed. `NOTHING` is
    /// allowed anywhere.
    pub fn may_be(self, accepted: ValueKinds) -> bool {
        self.0 == 0 || self.0 & accepted.0 != 0
    }

    /// Returns the kind in words, with its article; `None` when it is not a single one.
    pub fn name(self) -> Option<&'static str> {
        Some(match self {
            ValueKinds::STRING => "a string",
            ValueKinds::LIST => "a list",
            ValueKinds::OBJECT => "an object",
            ValueKinds::OUTCOME => "a condition",
            _ => return None,
        })
    }
}

/// Determines the kinds of values in a template.
#[derive(Clone, Copy, Debug)]
pub struct KindsOf<'k> {
    /// The tree of the template.
    pub tree: &'k Tree,
    /// The template, for its parameters.
    pub template: &'k Template,
    /// The Resources section with its loops expanded.
    pub resources: Option<NodeId>,
    /// The Mappings section.
    pub mappings: Option<NodeId>,
}

impl KindsOf<'_> {
    /// Returns the kinds that a value may have; [`ValueKinds::ANY`] where they are not known.
    pub fn get(&self, node: NodeId) -> ValueKinds {
        match self.tree.view(node) {
            View::List(_) => ValueKinds::LIST,
            View::Map => self.of_object(node),
            View::Null => ValueKinds::ANY,
            View::Call(Function::Known(known), argument) => self.of_call(known, argument),
            View::Call(Function::Other(_), _) => ValueKinds::ANY,
            _ => ValueKinds::STRING,
        }
    }

    /// Returns the kind of an object, which a macro or a misplaced function may change.
    fn of_object(&self, node: NodeId) -> ValueKinds {
        let is_function = |name: &str| name == "Ref" || name.starts_with("Fn::");
        let is_open = self.tree.entries(node).any(|entry| is_function(self.tree.text(entry.key)));
        if is_open { ValueKinds::ANY } else { ValueKinds::OBJECT }
    }

    fn of_call(&self, known: Known, argument: NodeId) -> ValueKinds {
        match known {
            Known::Ref => self.of_ref(argument),
            Known::Sub
            | Known::Join
            | Known::Base64
            | Known::ImportValue
            | Known::GetStackOutput
            | Known::Length
            | Known::ToJsonString => ValueKinds::STRING,
            Known::Split | Known::GetAZs | Known::Cidr | Known::Range => ValueKinds::LIST,
            Known::And | Known::Or | Known::Not | Known::Equals | Known::Condition => ValueKinds::OUTCOME,
            Known::If => match *self.tree.items(argument) {
                [_, holds, fails] => self.get(holds).or(self.get(fails)),
                _ => ValueKinds::ANY,
            },
            Known::Select => self.of_select(argument),
            Known::FindInMap => self.of_find_in_map(argument),
            _ => ValueKinds::ANY,
        }
    }

    fn of_ref(&self, name: NodeId) -> ValueKinds {
        let Some(text) = self.tree.string(name) else { return ValueKinds::ANY };
        match PseudoParameter::from_name(text) {
            Some(PseudoParameter::NoValue) => return ValueKinds::NOTHING,
            Some(PseudoParameter::NotificationArns) => return ValueKinds::LIST,
            Some(_) => return ValueKinds::STRING,
            None => {}
        }
        let Some(symbol) = self.tree.symbols().get(text) else { return ValueKinds::ANY };
        if let Some(parameter) = self.template.parameter(symbol) {
            let is_declared = self.tree.get(parameter.node, symbol::TYPE).is_some_and(|kind| self.tree.is_scalar(kind));
            return match parameter.kind.is_list {
                _ if !is_declared => ValueKinds::ANY,
                true => ValueKinds::LIST,
                false => ValueKinds::STRING,
            };
        }
        // The `Ref` of every resource is a string; registry modules are handled elsewhere.
        let resource = self.resources.and_then(|section| self.tree.get(section, symbol));
        let kind = resource.and_then(|resource| self.tree.string(self.tree.get(resource, symbol::TYPE)?));
        let is_plain = kind.is_some_and(|kind| !attribute::is_registry_module(kind));
        if is_plain { ValueKinds::STRING } else { ValueKinds::ANY }
    }

    fn of_select(&self, argument: NodeId) -> ValueKinds {
        let &[_, list] = self.tree.items(argument) else { return ValueKinds::ANY };
        match self.tree.view(list) {
            View::List(items) => {
                items.iter().fold(ValueKinds::NOTHING, |kinds, &item| kinds.or(self.get(item))).or_any_if_nothing()
            }
            View::Call(Function::Known(Known::Split | Known::GetAZs | Known::Cidr), _) => ValueKinds::STRING,
            View::Call(Function::Known(Known::Ref), name) if self.of_ref(name) == ValueKinds::LIST => {
                ValueKinds::STRING
            }
            _ => ValueKinds::ANY,
        }
    }

    /// Returns the kinds of all entries that the literal keys lead to.
    fn of_find_in_map(&self, argument: NodeId) -> ValueKinds {
        let (keys, default) = match *self.tree.items(argument) {
            [map, top, second] => ([map, top, second], None),
            [map, top, second, options] => ([map, top, second], self.tree.get(options, symbol::DEFAULT_VALUE)),
            _ => return ValueKinds::ANY,
        };
        let Some(map) = self.mappings.and_then(|mappings| self.tree.get_text(mappings, self.tree.string(keys[0])?))
        else {
            return ValueKinds::ANY;
        };
        let mut found = default.map_or(ValueKinds::NOTHING, |default| self.get(default));
        let Some(tops) = self.led_to(map, keys[1]) else { return ValueKinds::ANY };
        for top in tops {
            let Some(values) = self.led_to(top, keys[2]) else { return ValueKinds::ANY };
            found = values.into_iter().fold(found, |found, value| found.or(self.get(value)));
        }
        found.or_any_if_nothing()
    }

    /// Returns the entries that a key leads to; `None` if they may be too many to visit for each call.
    fn led_to(&self, map: NodeId, key: NodeId) -> Option<Vec<NodeId>> {
        const MOST: usize = 64;
        if self.tree.is_scalar(key) {
            return Some(self.tree.get_text(map, self.tree.text_form(key)).into_iter().collect());
        }
        (self.tree.len(map) <= MOST).then(|| self.tree.entries(map).map(|entry| entry.value).collect())
    }
}

impl ValueKinds {
    fn or_any_if_nothing(self) -> ValueKinds {
        if self == ValueKinds::NOTHING { ValueKinds::ANY } else { self }
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::{Diagnostics, Limits, SourceMap, VirtualPath};

    use super::*;

    /// The kinds of the elements of `Outputs` in a template.
    fn kinds(values: &str) -> Vec<Option<&'static str>> {
        let text = format!(
            "Parameters: {{P: {{Type: String}}, L: {{Type: List<Number>}}, U: {{}}}}\n\
             Mappings: {{M: {{a: {{s: x, l: [y]}}, b: {{s: z, l: w}}}}}}\n\
             Resources: {{R: {{Type: A::B}}, G: {{Type: A::B::MODULE}}}}\nOutputs: {values}"
        );
        let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
        let file = sources.add(VirtualPath::new("t.yaml"), text).expect("room");
        let root = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut Diagnostics::new()).root;
        let template = Template::new(&tree, root);
        let (resources, mappings) = (tree.get(root, symbol::RESOURCES), tree.get(root, symbol::MAPPINGS));
        let kinds = KindsOf { tree: &tree, template: &template, resources, mappings };
        let outputs = tree.get(root, symbol::OUTPUTS).expect("outputs");
        tree.items(outputs).iter().map(|&node| kinds.get(node).name()).collect()
    }

    #[test]
    fn kinds_of_references() {
        let values = "[!Ref P, !Ref L, !Ref R, !Ref G, !Ref U, !Ref X, !Ref AWS::Region, !Ref AWS::NotificationARNs]";
        let (string, list) = (Some("a string"), Some("a list"));
        assert_eq!(kinds(values), [string, list, string, None, None, None, string, list]);
    }

    #[test]
    fn kinds_of_selections() {
        let values = "[!Select [0, [[a], [b]]], !Select [0, !Ref L], !Select [0, !GetAtt R.A], \
                      !If [C, a, !Ref AWS::NoValue], !If [C, a, [b]], !If [C, [a], !Split [x, y]]]";
        let (string, list) = (Some("a string"), Some("a list"));
        assert_eq!(kinds(values), [list, string, None, string, None, list]);
    }

    #[test]
    fn kinds_of_mapping_entries() {
        let values = "[!FindInMap [M, a, s], !FindInMap [M, a, l], !FindInMap [M, !Ref P, s], \
                      !FindInMap [M, !Ref P, l], !FindInMap [N, a, s], !FindInMap [M, c, s]]";
        assert_eq!(kinds(values), [Some("a string"), Some("a list"), Some("a string"), None, None, None]);
    }

    #[test]
    fn nothing_may_be_anywhere() {
        assert!(ValueKinds::NOTHING.may_be(ValueKinds::LIST) && ValueKinds::ANY.may_be(ValueKinds::LIST));
        assert!(!ValueKinds::STRING.may_be(ValueKinds::LIST.or(ValueKinds::OBJECT)));
    }
}
