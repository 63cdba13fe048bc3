//! A reference to a name that does not exist.

use formwork_base::Span;
use formwork_syntax::NodeId;
use formwork_template::Section;
use formwork_template::fill_in::Around;
use formwork_template::reference::{By, Inside, Reference};

use crate::Context;
use crate::checks::misused_names::Unknown;
use crate::checks::written::Variables;

pub(in crate::checks) struct Missing {
    pub(super) name: String,
    pub(super) by: By,
    pub(super) attribute: Option<String>,
    pub(in crate::checks) node: NodeId,
    pub(super) variable: Option<u32>,
    pub(super) call: Option<NodeId>,
    pub(super) around: Option<Around>,
    pub(super) member: NodeId,
    pub(super) inside: Inside,
    /// Number of occurrences: one in each iteration of the loops around it.
    pub(super) count: u32,
}

pub(super) struct Takes {
    pub(super) parameters: bool,
    pub(super) resources: bool,
}

impl Missing {
    pub(in crate::checks) fn new(reference: &Reference<'_>, member: NodeId) -> Missing {
        Missing {
            name: reference.name.to_owned(),
            by: reference.by,
            attribute: reference.attribute.map(str::to_owned),
            node: reference.node,
            variable: reference.variable,
            call: reference.call,
            around: (reference.by != By::Sub).then(|| reference.call.map_or(Around::Value, Around::Call)),
            member,
            inside: reference.inside,
            count: 1,
        }
    }

    pub(super) fn as_unknown(&self) -> Unknown<'_> {
        let Missing { name, by, call, attribute, .. } = self;
        Unknown { name, by: *by, call: *call, attribute: attribute.as_deref() }
    }

    /// Returns the sections that may be referred to here (reference/functions.md#cidr,
    /// reference/structure.md#references).
    pub(super) fn takes(&self, section: Section) -> Takes {
        Takes {
            parameters: matches!(self.by, By::Ref | By::Sub) && self.attribute.is_none(),
            resources: section != Section::Conditions && !self.inside.import,
        }
    }
}

impl Variables {
    pub(in crate::checks) fn place(&mut self, cx: &Context<'_>, missing: &Missing) -> Span {
        match missing.variable {
            Some(number) => self.span(cx.tree, cx.sources, missing.node, number as usize),
            None => cx.tree.span(missing.node),
        }
    }
}
