//! `Fn::EachMemberIn`: whether every element of a list is in another.

use formwork_syntax::NodeId;
use rustc_hash::FxHashSet;

use crate::evaluator::Evaluator;
use crate::expression::{Expression, ExpressionKind};
use crate::reader::Reader;
use crate::value::{Member, Reasons, Verdict};

const NAME: &str = "Fn::EachMemberIn";

pub(crate) fn read(reader: &mut Reader<'_>, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
    let what = "requires a list of 2 parameters, both lists of strings";
    reader.pair(call, argument, NAME, what).map(ExpressionKind::EachMemberIn)
}

pub(crate) fn evaluate<'e: 'f, 'f>(ev: &Evaluator<'e, 'f>, [list, within]: &'f [Expression; 2]) -> Option<Verdict> {
    let (members, within) = (ev.members(list, NAME, "first"), ev.members(within, NAME, "second"));
    let (members, within) = (members?, within?);
    Some(match (members, within) {
        (Ok(members), _) if members.is_empty() => Verdict::True,
        (Err(mut reasons), Err(more)) => {
            reasons.add(&more);
            Verdict::Unknown(reasons)
        }
        (Err(reasons), Ok(_)) => Verdict::Unknown(reasons),
        (Ok(members), Err(_)) if members.iter().any(|member| matches!(member, Member::Absent)) => Verdict::False,
        (Ok(_), Err(reasons)) => Verdict::Unknown(reasons),
        (Ok(members), Ok(within)) => ev.environment.account.contained([&members, &within], each),
    })
}

fn each(members: &[Member<'_>], within: &[Member<'_>]) -> Verdict {
    let mut known: FxHashSet<&str> = FxHashSet::default();
    let mut may_be = Reasons::default();
    for member in within {
        match member {
            Member::Text(text) => {
                known.insert(text);
            }
            Member::Unknown(reasons) => may_be.add(reasons),
            Member::Absent => {}
        }
    }
    let mut unknown = Reasons::default();
    for member in members {
        match member {
            Member::Text(text) if known.contains(text) => {}
            Member::Text(_) if !may_be.is_empty() => unknown.add(&may_be),
            Member::Unknown(reasons) => unknown.add(reasons),
            Member::Text(_) | Member::Absent => return Verdict::False,
        }
    }
    Verdict::unless(unknown, true)
}
