//! Values of expressions.

use std::rc::Rc;

/// A value; strings are borrowed from the tree.
#[derive(Clone, Debug)]
pub(crate) enum Value<'v> {
    Truth(bool),
    Text(&'v str),
    List(Rc<[Member<'v>]>),
    /// An attribute that the resource does not have: it equals nothing.
    Absent,
    Unknown(Reasons),
}

#[derive(Clone, Debug)]
pub(crate) enum Member<'v> {
    Text(&'v str),
    Absent,
    Unknown(Reasons),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    True,
    False,
    Unknown(Reasons),
}

/// The distinct reasons why a value is not known, in the order in which they were found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reasons(Vec<Reason>);

/// A missing value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The values of an AWS-specific type, by its name.
    AccountData(String),
    /// The value of a parameter or pseudo parameter, by its name.
    NoValue(String),
    /// The value of an SSM parameter, by its name.
    StoredValue(String),
}

impl Reasons {
    pub(crate) fn one(reason: Reason) -> Reasons {
        Reasons(vec![reason])
    }

    pub(crate) fn add(&mut self, more: &Reasons) {
        for reason in &more.0 {
            if !self.0.contains(reason) {
                self.0.push(reason.clone());
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the reasons in order.
    pub fn iter(&self) -> impl Iterator<Item = &Reason> {
        self.0.iter()
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reason::AccountData(kind) => write!(f, "no account data for {kind}"),
            Reason::NoValue(name) => write!(f, "no value for {name}"),
            Reason::StoredValue(name) => write!(f, "no stored value for SSM parameter {name}"),
        }
    }
}

impl std::fmt::Display for Reasons {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, reason) in self.0.iter().enumerate() {
            let before = if at == 0 { "" } else { ", " };
            write!(f, "{before}{reason}")?;
        }
        Ok(())
    }
}

impl Verdict {
    pub(crate) fn of(truth: bool) -> Verdict {
        if truth { Verdict::True } else { Verdict::False }
    }

    /// Returns the unknown verdict if there are reasons, else `otherwise`.
    pub(crate) fn unless(reasons: Reasons, otherwise: bool) -> Verdict {
        if reasons.is_empty() { Verdict::of(otherwise) } else { Verdict::Unknown(reasons) }
    }
}

impl<'v> From<Verdict> for Value<'v> {
    fn from(verdict: Verdict) -> Value<'v> {
        match verdict {
            Verdict::True => Value::Truth(true),
            Verdict::False => Value::Truth(false),
            Verdict::Unknown(reasons) => Value::Unknown(reasons),
        }
    }
}

impl<'v> Value<'v> {
    pub(crate) fn texts(texts: impl Iterator<Item = &'v str>) -> Value<'v> {
        Value::List(texts.map(Member::Text).collect())
    }
}
