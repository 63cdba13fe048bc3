//! Lookups in account data.

use std::cell::RefCell;
use std::rc::Rc;

use formwork_evaluate::{AccountData, Stored, facts};
use formwork_syntax::{NodeId, Tree};
use formwork_template::ParameterType;
use rustc_hash::FxHashMap;

use super::attribute::Attribute;
use super::expression::ExpressionKind;
use super::model::{Rule, RuleSet};
use super::value::{Member, Reason, Reasons, Value, Verdict};

pub(crate) struct Account<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) facts: &'a AccountData,
    values: FxHashMap<&'a str, Value<'a>>,
    attributes: FxHashMap<(&'a str, &'a Attribute), Value<'a>>,
    /// Answers of [`Account::contained`], by the places of both lists.
    contained: RefCell<FxHashMap<[usize; 2], Verdict>>,
}

impl<'a> Account<'a> {
    pub(crate) fn new(tree: &'a Tree, facts: &'a AccountData, rules: &'a RuleSet) -> Account<'a> {
        let (values, attributes, contained) = (FxHashMap::default(), FxHashMap::default(), RefCell::default());
        let mut account = Account { tree, facts, values, attributes, contained };
        for expression in rules.rules.iter().flat_map(Rule::expressions) {
            expression.walk(&mut |expression| match &expression.kind {
                ExpressionKind::RefAll(kind) if !account.values.contains_key(kind.as_str()) => {
                    let values = account.list_all(kind);
                    account.values.insert(kind, values);
                }
                ExpressionKind::ValueOfAll(kind, attribute) => {
                    let key = (kind.as_str(), attribute);
                    if !account.attributes.contains_key(&key) {
                        let values = account.list_attribute(kind, attribute);
                        account.attributes.insert(key, values);
                    }
                }
                _ => {}
            });
        }
        account
    }

    /// Returns whether each element of one list is in the other. For lists of the account the answer is computed once,
    /// however many rules need it.
    pub(crate) fn contained(
        &self,
        lists: [&Rc<[Member<'_>]>; 2],
        find: impl FnOnce(&[Member<'_>], &[Member<'_>]) -> Verdict,
    ) -> Verdict {
        let [members, within] = lists;
        if !lists.iter().all(|list| self.holds(list)) {
            return find(members, within);
        }
        let places = lists.map(|list| Rc::as_ptr(list).addr());
        if let Some(known) = self.contained.borrow().get(&places) {
            return known.clone();
        }
        let found = find(members, within);
        self.contained.borrow_mut().insert(places, found.clone());
        found
    }

    fn holds(&self, list: &Rc<[Member<'_>]>) -> bool {
        let place = Rc::as_ptr(list).addr();
        let mut own = self.values.values().chain(self.attributes.values());
        own.any(|value| matches!(value, Value::List(own) if Rc::as_ptr(own).addr() == place))
    }

    /// Returns the number of elements of account lists that the rules look at, once per use.
    pub(crate) fn work(&self, rules: &RuleSet) -> usize {
        let mut work: usize = 0;
        for expression in rules.rules.iter().flat_map(Rule::expressions) {
            expression.walk(&mut |expression| {
                if let ExpressionKind::RefAll(kind) | ExpressionKind::ValueOfAll(kind, _) = &expression.kind {
                    let length = self.facts.listing(self.tree, kind).map_or(0, |(listing, _)| listing.values.len());
                    work = work.saturating_add(length);
                }
            });
        }
        work
    }

    /// Returns all values of a type in a rule, in listing order.
    pub(crate) fn all(&self, kind: &str) -> Value<'a> {
        self.values.get(kind).cloned().unwrap_or_else(|| self.list_all(kind))
    }

    /// Returns an attribute of all values of a type; values without it contribute nothing.
    pub(crate) fn attribute_of_all(&self, kind: &str, attribute: &Attribute) -> Value<'a> {
        self.attributes.get(&(kind, attribute)).cloned().unwrap_or_else(|| self.list_attribute(kind, attribute))
    }

    fn list_all(&self, kind: &str) -> Value<'a> {
        match self.facts.listing(self.tree, kind) {
            Some((listing, true)) => Value::texts(listing.values.iter().map(|(name, _)| self.tree.name(*name))),
            _ => missing(kind),
        }
    }

    fn list_attribute(&self, kind: &str, attribute: &Attribute) -> Value<'a> {
        match self.facts.listing(self.tree, kind) {
            Some((listing, true)) => {
                let mut texts = Vec::new();
                for &(_, node) in &listing.values {
                    match self.read(node, attribute) {
                        facts::Attribute::Value(node) => texts.push(self.tree.text_form(node)),
                        facts::Attribute::Absent => {}
                        facts::Attribute::Unknown => return missing(kind),
                    }
                }
                Value::texts(texts.into_iter())
            }
            _ => missing(kind),
        }
    }

    pub(crate) fn attribute(&self, kind: &str, value: &str, attribute: &Attribute) -> Member<'a> {
        self.attribute_of(kind, attribute)(value)
    }

    /// Returns a function from a value to its attribute, with a single lookup of the type.
    pub(crate) fn attribute_of(&self, kind: &str, attribute: &Attribute) -> impl Fn(&str) -> Member<'a> {
        let listing = self.facts.listing(self.tree, kind);
        move |value| {
            let unknown = || Member::Unknown(Reasons::one(Reason::AccountData(kind.to_owned())));
            let Some((listing, is_complete)) = listing else { return unknown() };
            match self.tree.symbols().get(value).and_then(|value| listing.get(value)) {
                Some(node) => match self.read(node, attribute) {
                    facts::Attribute::Value(node) => Member::Text(self.tree.text_form(node)),
                    facts::Attribute::Absent => Member::Absent,
                    facts::Attribute::Unknown => unknown(),
                },
                None if is_complete => Member::Absent,
                None => unknown(),
            }
        }
    }

    fn read(&self, node: NodeId, attribute: &Attribute) -> facts::Attribute {
        match attribute {
            Attribute::Member(name) => facts::attribute(self.tree, node, name),
            Attribute::Tag(key) => facts::tag(self.tree, node, key),
        }
    }

    /// Returns the value of `Ref` to a parameter with this string: the stored value for the types of SSM, a list for
    /// lists.
    pub(crate) fn value_of_text(&self, kind: &ParameterType, text: &'a str) -> Value<'a> {
        let text = if kind.is_ssm_value {
            match self.facts.stored(self.tree, text) {
                Stored::Value(node) => self.tree.text_form(node),
                Stored::Missing | Stored::Unknown => {
                    return Value::Unknown(Reasons::one(Reason::StoredValue(text.to_owned())));
                }
            }
        } else {
            text
        };
        if kind.is_list { Value::texts(ParameterType::split(text)) } else { Value::Text(text) }
    }
}

fn missing<'a>(kind: &str) -> Value<'a> {
    Value::Unknown(Reasons::one(Reason::AccountData(kind.to_owned())))
}

pub(crate) fn single(member: Member<'_>) -> Rc<[Member<'_>]> {
    Rc::from([member])
}
