//! Parameters and pseudo parameters with their values.

use std::hash::BuildHasherDefault;

use formwork_base::{IdMap, IdSet, Span};
use formwork_syntax::{Kind, NodeId, Origin, Style, Symbol, Tree};
use formwork_template::parameter_type::ParameterType;
use formwork_template::{PseudoParameter, Template, pseudo_parameter};

use crate::arguments::{Argument, ValueSource};
use crate::facts::{AccountData, Stored};

/// A name that `Ref` may find a value for.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// String, number, Boolean or list of strings; data of any kind in a module. `None` when the value is not known.
    pub value: Option<NodeId>,
    /// Source of the value.
    pub given: ValueSource,
    /// Set if the value may never be shown.
    pub secret: bool,
    /// Set if it is declared in `Parameters`, or a pseudo parameter.
    pub declared: bool,
    /// Set for a pseudo parameter.
    pub pseudo: bool,
    /// Set for a list.
    pub is_list: bool,
    /// Name in the SSM store, for parameters whose value is stored there.
    pub stored: Option<NodeId>,
    /// The declaration's key; the reference for others.
    pub key: Option<NodeId>,
}

/// All names that have or may have a value before deployment.
#[derive(Clone, Debug, Default)]
pub struct ParameterTable {
    bound: IdMap<Symbol, Bound>,
    /// The single items of lists that the empty string was split into.
    empty_items: IdSet<NodeId>,
    /// Values that names without one do not have.
    excluded: IdMap<Symbol, IdSet<Symbol>>,
}

impl ParameterTable {
    /// Binds the parameters of `template`: to the passed value, else the `Default`, else none
    /// (reference/parameters.md#values). `pseudo` are the pseudo parameters that are passed, by name.
    pub fn new(
        tree: &mut Tree,
        template: &Template,
        arguments: &[Argument],
        pseudo: &[(PseudoParameter, NodeId)],
        facts: &AccountData,
    ) -> ParameterTable {
        let names = PseudoParameter::ALL.len() + template.parameters.len() + arguments.len();
        let bound = IdMap::with_capacity_and_hasher(names, BuildHasherDefault::default());
        let mut table = ParameterTable { bound, ..ParameterTable::default() };
        table.bind_pseudo(tree, pseudo, facts);
        let given: IdMap<Symbol, &Argument> = arguments.iter().map(|argument| (argument.name, argument)).collect();
        for parameter in &template.parameters {
            let argument = given.get(&parameter.name);
            let raw = argument.map(|argument| argument.value).or(parameter.default);
            let raw = raw.filter(|&node| tree.is_scalar(node) || tree.kind(node) == Kind::List);
            let mut source = argument.map_or(ValueSource::Default, |argument| argument.given);
            let stored = raw.filter(|_| parameter.kind.is_ssm_value);
            let value = match raw {
                Some(raw) if parameter.kind.is_ssm_value => {
                    source = ValueSource::Account;
                    let name = tree.text_form(raw).to_owned();
                    match facts.stored(tree, &name) {
                        Stored::Value(value) => Some(value),
                        Stored::Missing | Stored::Unknown => None,
                    }
                }
                raw => raw,
            };
            let value = value.map(|value| table.typed(tree, value, &parameter.kind));
            table.bound.insert(
                parameter.name,
                Bound {
                    value,
                    given: source,
                    secret: parameter.no_echo,
                    declared: true,
                    pseudo: false,
                    is_list: parameter.kind.is_list,
                    stored,
                    key: Some(parameter.key),
                },
            );
        }
        // Values for names that are not declared are still visible to Ref, with a warning elsewhere.
        for argument in arguments {
            table.bound.entry(argument.name).or_insert(Bound {
                value: Some(argument.value),
                given: argument.given,
                secret: false,
                declared: false,
                pseudo: false,
                is_list: tree.kind(argument.value) == Kind::List,
                stored: None,
                key: None,
            });
        }
        table
    }

    fn bind_pseudo(&mut self, tree: &mut Tree, given: &[(PseudoParameter, NodeId)], facts: &AccountData) {
        let find = |pseudo: PseudoParameter| {
            let by_option = given
                .iter()
                .rev()
                .find(|(name, _)| *name == pseudo)
                .map(|&(_, value)| (value, ValueSource::CommandLine));
            by_option.or_else(|| {
                facts
                    .pseudo
                    .iter()
                    .find(|(name, _)| *name == pseudo.name())
                    .map(|&(_, value)| (value, ValueSource::Account))
            })
        };
        let region = find(PseudoParameter::Region).map(|(node, given)| (tree.text_form(node).to_owned(), given));
        for pseudo in PseudoParameter::ALL {
            if pseudo == PseudoParameter::NoValue {
                continue;
            }
            let mut found = find(pseudo);
            if found.is_none()
                && let Some((region, given)) = &region
            {
                let (partition, suffix) = pseudo_parameter::of_region(region);
                let derived = match pseudo {
                    PseudoParameter::Partition => Some(partition),
                    PseudoParameter::UrlSuffix => Some(suffix),
                    _ => None,
                };
                found = derived
                    .map(|text| (tree.scalar(Kind::String, Style::Plain, text, Origin::Authored(Span::NONE)), *given));
            }
            let is_list = pseudo == PseudoParameter::NotificationArns;
            let value = found.map(|(node, _)| if is_list { self.split(tree, node) } else { as_text(tree, node) });
            let name = tree.intern(pseudo.name());
            let given = found.map_or(ValueSource::Default, |(_, given)| given);
            self.bound.insert(
                name,
                Bound { value, given, secret: false, declared: true, pseudo: true, is_list, stored: None, key: None },
            );
        }
    }

    /// Converts a value to the form that `Ref` returns: a list for list types, the number as written for `Number`, else
    /// a string.
    fn typed(&mut self, tree: &mut Tree, value: NodeId, kind: &ParameterType) -> NodeId {
        if kind.is_list {
            return self.split(tree, value);
        }
        if tree.kind(value) == Kind::List {
            // A list for a parameter of another type is joined, as CloudFormation's request would be.
            let joined = tree.items(value).iter().map(|&item| tree.text_form(item)).collect::<Vec<_>>().join(",");
            return tree.scalar(Kind::String, Style::Plain, &joined, Origin::Authored(tree.span(value)));
        }
        if kind.base == formwork_template::parameter_type::Base::Number { value } else { as_text(tree, value) }
    }

    fn split(&mut self, tree: &mut Tree, value: NodeId) -> NodeId {
        let origin = Origin::Authored(tree.span(value));
        let texts: Vec<String> = if tree.kind(value) == Kind::List {
            tree.items(value).iter().map(|&item| tree.text_form(item).to_owned()).collect()
        } else {
            ParameterType::split(tree.text_form(value)).map(str::to_owned).collect()
        };
        let was_empty = tree.kind(value) != Kind::List && texts == [""];
        let items: Vec<NodeId> =
            texts.iter().map(|text| tree.scalar(Kind::String, Style::Plain, text, origin)).collect();
        if was_empty {
            self.empty_items.extend(&items);
        }
        tree.list(&items, Style::Plain, origin)
    }

    /// Binds a declared parameter of a module to a list or map as it is: modules pass data of any kind, whatever the
    /// declared type (reference/modules/parameters.md#types).
    pub fn bind_data(&mut self, tree: &Tree, name: Symbol, value: NodeId) {
        if let Some(bound) = self.bound.get_mut(&name) {
            (bound.value, bound.given) = (Some(value), ValueSource::File);
            bound.is_list = tree.kind(value) == Kind::List;
        }
    }

    /// Sets the value of a name that has none, as if it was passed. A Region decides the partition and its suffix.
    pub fn assume(&mut self, tree: &mut Tree, name: Symbol, text: &str) {
        self.assume_one(tree, name, text);
        if tree.name(name) == PseudoParameter::Region.name() {
            let (partition, suffix) = pseudo_parameter::of_region(text);
            for (pseudo, text) in [(PseudoParameter::Partition, partition), (PseudoParameter::UrlSuffix, suffix)] {
                let name = tree.intern(pseudo.name());
                self.assume_one(tree, name, text);
            }
        }
    }

    fn assume_one(&mut self, tree: &mut Tree, name: Symbol, text: &str) {
        if let Some(bound) = self.bound.get_mut(&name).filter(|bound| bound.value.is_none()) {
            let value = tree.scalar(Kind::String, Style::Plain, text, Origin::Authored(Span::NONE));
            (bound.value, bound.given) = (Some(value), ValueSource::CommandLine);
        }
    }

    /// Restricts a name without a value to any but these values.
    pub fn assume_other(&mut self, name: Symbol, excluded: impl IntoIterator<Item = Symbol>) {
        if self.bound.get(&name).is_some_and(|bound| bound.value.is_none()) {
            self.excluded.insert(name, excluded.into_iter().collect());
        }
    }

    /// Removes the `Default` value of a name.
    pub fn forget_default(&mut self, name: Symbol) {
        if let Some(bound) = self.bound.get_mut(&name).filter(|bound| bound.given == ValueSource::Default) {
            bound.value = None;
        }
    }

    /// Returns `true` if a name without a value cannot have this one.
    pub fn excludes(&self, name: Symbol, value: Symbol) -> bool {
        self.excluded.get(&name).is_some_and(|excluded| excluded.contains(&value))
    }

    /// Returns the binding of a name.
    pub fn get(&self, name: Symbol) -> Option<&Bound> {
        self.bound.get(&name)
    }

    /// Returns `true` if a list was split from the empty string of a list parameter: as the collection of a loop it has
    /// no items (reference/parameters.md#empty-list).
    pub fn is_empty_text(&self, tree: &Tree, list: NodeId) -> bool {
        matches!(tree.items(list), [item] if self.empty_items.contains(item))
    }
}

fn as_text(tree: &mut Tree, node: NodeId) -> NodeId {
    if tree.kind(node) == Kind::String {
        return node;
    }
    let text = tree.text_form(node).to_owned();
    let origin = Origin::Authored(tree.span(node));
    tree.scalar(Kind::String, Style::Plain, &text, origin)
}
