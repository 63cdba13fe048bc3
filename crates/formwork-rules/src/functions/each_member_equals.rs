//! `Fn::EachMemberEquals`: whether every element of a list equals a string.

use formwork_syntax::NodeId;

use crate::evaluator::Evaluator;
use crate::expression::{Expression, ExpressionKind};
use crate::reader::Reader;
use crate::value::{Member, Reasons, Verdict};

const NAME: &str = "Fn::EachMemberEquals";

pub(crate) fn read(reader: &mut Reader<'_>, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
    let what = "requires a list of 2 parameters, a list of strings and a string";
    reader.pair(call, argument, NAME, what).map(ExpressionKind::EachMemberEquals)
}

pub(crate) fn evaluate<'e: 'f, 'f>(ev: &Evaluator<'e, 'f>, [list, text]: &'f [Expression; 2]) -> Option<Verdict> {
    let (members, text) = (ev.members(list, NAME, "first"), ev.member(text, NAME));
    let (members, text) = (members?, text?);
    Some(match (members, text) {
        (Ok(members), _) if members.is_empty() => Verdict::True,
        (Ok(_), Member::Absent) => Verdict::False,
        (Err(mut reasons), Member::Unknown(more)) => {
            reasons.add(&more);
            Verdict::Unknown(reasons)
        }
        // The list may be empty.
        (Err(reasons), Member::Absent | Member::Text(_)) => Verdict::Unknown(reasons),
        (Ok(members), Member::Unknown(reasons)) => {
            // Two elements that differ cannot both equal it.
            let first = text_of(&members[0]);
            let differ = members.iter().any(|member| match member {
                Member::Absent => true,
                Member::Text(text) => first.is_some_and(|first| first != *text),
                Member::Unknown(_) => false,
            });
            if differ { Verdict::False } else { Verdict::Unknown(reasons) }
        }
        (Ok(members), Member::Text(text)) => {
            let mut unknown = Reasons::default();
            for member in members.iter() {
                match member {
                    Member::Text(member) if *member == text => {}
                    Member::Unknown(reasons) => unknown.add(reasons),
                    Member::Text(_) | Member::Absent => return Some(Verdict::False),
                }
            }
            Verdict::unless(unknown, true)
        }
    })
}

fn text_of<'v>(member: &Member<'v>) -> Option<&'v str> {
    match member {
        Member::Text(text) => Some(text),
        Member::Absent | Member::Unknown(_) => None,
    }
}
