//! Looking things up in account data.

use std::rc::Rc;

use formwork_evaluate::{AccountData, Stored, facts};
use formwork_syntax::{NodeId, Tree};
use formwork_template::ParameterType;
use rustc_hash::FxHashMap;

use super::attribute::Attribute;
use super::expression::ExpressionKind;
use super::model::{Rule, RuleSet};
use super::value::{Member, Reason, Reasons, Value};

/// Account data with the lists that rules ask for.
pub(crate) struct Account<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) facts: &'a AccountData,
    values: FxHashMap<&'a str, Value<'a>>,
    attributes: FxHashMap<(&'a str, &'a Attribute), Value<'a>>,
}

impl<'a> Account<'a> {
    pub(crate) fn new(tree: &'a Tree, facts: &'a AccountData, rules: &'a RuleSet) -> Account<'a> {
        let mut account = Account { tree, facts, values: FxHashMap::default(), attributes: FxHashMap::default() };
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

    /// Elements of all lists of the account that the rules look at, each time that they do.
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

    /// All values of a type that a rule asks for, in listing order.
    pub(crate) fn all(&self, kind: &str) -> Value<'a> {
        self.values.get(kind).cloned().unwrap_or_else(|| self.list_all(kind))
    }

    /// An attribute of all values of a type; values without it contribute nothing.
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

    /// An attribute of one value of a type.
    pub(crate) fn attribute(&self, kind: &str, value: &str, attribute: &Attribute) -> Member<'a> {
        let Some((listing, is_complete)) = self.facts.listing(self.tree, kind) else {
            return Member::Unknown(Reasons::one(Reason::AccountData(kind.to_owned())));
        };
        match self.tree.symbols().get(value).and_then(|value| listing.get(value)) {
            Some(node) => match self.read(node, attribute) {
                facts::Attribute::Value(node) => Member::Text(self.tree.text_form(node)),
                facts::Attribute::Absent => Member::Absent,
                facts::Attribute::Unknown => Member::Unknown(Reasons::one(Reason::AccountData(kind.to_owned()))),
            },
            None if is_complete => Member::Absent,
            None => Member::Unknown(Reasons::one(Reason::AccountData(kind.to_owned()))),
        }
    }

    fn read(&self, node: NodeId, attribute: &Attribute) -> facts::Attribute {
        match attribute {
            Attribute::Member(name) => facts::attribute(self.tree, node, name),
            Attribute::Tag(key) => facts::tag(self.tree, node, key),
        }
    }

    /// What `Ref` to a parameter yields that has this string: the stored value for the
    /// types of SSM, a list for lists.
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

/// A list of one.
pub(crate) fn single(member: Member<'_>) -> Rc<[Member<'_>]> {
    Rc::from([member])
}
