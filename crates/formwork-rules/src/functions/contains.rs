//! `Fn::Contains`: whether a string equals an element of a list.

use formwork_syntax::NodeId;

use crate::evaluator::Evaluator;
use crate::expression::{Expression, ExpressionKind};
use crate::reader::Reader;
use crate::value::{Member, Reasons, Verdict};

const NAME: &str = "Fn::Contains";

pub(crate) fn read(reader: &mut Reader<'_>, call: NodeId, argument: NodeId) -> Option<ExpressionKind> {
    let what = "requires a list of 2 parameters, a list of strings and a string";
    reader.pair(call, argument, NAME, what).map(ExpressionKind::Contains)
}

pub(crate) fn evaluate<'e: 'f, 'f>(ev: &Evaluator<'e, 'f>, [list, text]: &'f [Expression; 2]) -> Option<Verdict> {
    let (members, text) = (ev.members(list, NAME, "first"), ev.member(text, NAME));
    let (members, text) = (members?, text?);
    Some(match (members, text) {
        (_, Member::Absent) => Verdict::False,
        (Ok(members), _) if members.is_empty() => Verdict::False,
        (Err(mut reasons), Member::Unknown(more)) => {
            reasons.add(&more);
            Verdict::Unknown(reasons)
        }
        (Err(reasons), Member::Text(_)) | (Ok(_), Member::Unknown(reasons)) => Verdict::Unknown(reasons),
        (Ok(members), Member::Text(text)) => {
            let mut unknown = Reasons::default();
            for member in members.iter() {
                match member {
                    Member::Text(member) if *member == text => return Some(Verdict::True),
                    Member::Unknown(reasons) => unknown.add(reasons),
                    Member::Text(_) | Member::Absent => {}
                }
            }
            Verdict::unless(unknown, false)
        }
    })
}
