//! Detection of templates that the AWS CDK wrote: they are not edited, so notes about style do not help.

use formwork_syntax::symbol;

use crate::Context;

pub(super) fn wrote(cx: &Context<'_>) -> bool {
    let section = |name| cx.tree.get(cx.unrolled, name);
    section(symbol::RULES).is_some_and(|rules| cx.tree.get_text(rules, "CheckBootstrapVersion").is_some())
        || section(symbol::RESOURCES).into_iter().flat_map(|resources| cx.tree.entries(resources)).any(|resource| {
            let metadata = cx.tree.get(resource.value, symbol::METADATA);
            metadata.is_some_and(|metadata| cx.tree.get_text(metadata, "aws:cdk:path").is_some())
        })
}

/// Returns `true` if a logical ID ends in a hash as those of the AWS CDK do.
pub(super) fn has_hash(id: &str) -> bool {
    const DIGITS: usize = 8;
    let hash = id.len().checked_sub(DIGITS).and_then(|at| id.get(at..));
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(&byte);
    hash.is_some_and(|hash| hash.bytes().all(is_digit) && hash.bytes().any(|byte| byte.is_ascii_digit()))
}
