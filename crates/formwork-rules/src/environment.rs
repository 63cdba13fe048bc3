//! Values of names while rules are evaluated.

use formwork_base::IdMap;
use formwork_base::display::MASK;
use formwork_evaluate::ParameterTable;
use formwork_syntax::{Kind, NodeId, Symbol, Tree};
use formwork_template::template::Parameter;
use formwork_template::{PseudoParameter, Template};

use super::ValueOfAll;
use super::account::Account;
use super::value::{Member, Reason, Reasons, Value};

/// Pseudo parameters that rules may refer to (reference/rules.md#pseudo).
pub(crate) const PSEUDO: [PseudoParameter; 5] = [
    PseudoParameter::Region,
    PseudoParameter::AccountId,
    PseudoParameter::Partition,
    PseudoParameter::UrlSuffix,
    PseudoParameter::StackName,
];

#[derive(Clone)]
pub(crate) struct Environment<'e> {
    pub(crate) account: &'e Account<'e>,
    pub(crate) template: &'e Template,
    pub(crate) reading: ValueOfAll,
    values: IdMap<Symbol, Value<'e>>,
}

impl<'e> Environment<'e> {
    pub(crate) fn new(
        account: &'e Account<'e>,
        template: &'e Template,
        table: &'e ParameterTable,
        reading: ValueOfAll,
    ) -> Environment<'e> {
        let tree = account.tree;
        let mut values = IdMap::default();
        for parameter in &template.parameters {
            let bound = table.get(parameter.name);
            let value = match bound.and_then(|bound| bound.value) {
                Some(node) => known(tree, node),
                None => Value::Unknown(Reasons::one(why_unknown(tree, parameter, bound.and_then(|b| b.stored)))),
            };
            values.insert(parameter.name, value);
        }
        for pseudo in PSEUDO {
            let Some(name) = tree.symbols().get(pseudo.name()) else { continue };
            let value = match (table.get(name).and_then(|bound| bound.value), pseudo) {
                (Some(node), _) => known(tree, node),
                // Without a Region they are those of most regions.
                (None, PseudoParameter::Partition) => Value::Text("aws"),
                (None, PseudoParameter::UrlSuffix) => Value::Text("amazonaws.com"),
                (None, _) => Value::Unknown(Reasons::one(Reason::NoValue(pseudo.name().to_owned()))),
            };
            values.insert(name, value);
        }
        Environment { account, template, reading, values }
    }

    pub(crate) fn with_other_reading(&self) -> Environment<'e> {
        let reading = match self.reading {
            ValueOfAll::Account => ValueOfAll::Parameters,
            ValueOfAll::Parameters => ValueOfAll::Account,
        };
        Environment { reading, ..self.clone() }
    }

    pub(crate) fn set(&mut self, name: Symbol, value: Value<'e>) {
        self.values.insert(name, value);
    }

    /// Returns the value of `Ref` to a name.
    pub(crate) fn get(&self, name: Symbol) -> Value<'e> {
        match self.values.get(&name) {
            Some(value) => value.clone(),
            None => Value::Unknown(Reasons::one(Reason::NoValue(self.account.tree.name(name).to_owned()))),
        }
    }

    pub(crate) fn is_secret(&self, name: Symbol) -> bool {
        self.template.parameter(name).is_some_and(|parameter| parameter.no_echo)
    }
}

fn known(tree: &Tree, node: NodeId) -> Value<'_> {
    if tree.kind(node) == Kind::List {
        Value::List(tree.items(node).iter().map(|&item| Member::Text(tree.text_form(item))).collect())
    } else {
        Value::Text(tree.text_form(node))
    }
}

fn why_unknown(tree: &Tree, parameter: &Parameter, stored: Option<NodeId>) -> Reason {
    match stored {
        Some(_) if parameter.no_echo => Reason::StoredValue(MASK.to_owned()),
        Some(name) => Reason::StoredValue(tree.text_form(name).to_owned()),
        None => Reason::NoValue(tree.name(parameter.name).to_owned()),
    }
}
