//! `Fn::Cidr`: kept by the transform; `resolve` computes it, and so does `Fn::ToJsonString`, whose string cannot hold
//! the call. Arguments: block, number of blocks, number of host bits (reference/functions.md#cidr).

use std::net::IpAddr;

use formwork_base::display::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Origin, Style};

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;
use crate::settings::Values;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    if ev.tree.kind(argument) == Kind::List && !(2..=3).contains(&ev.tree.len(argument)) {
        let diagnostic = ev.layout(call, Known::Cidr, "Fn::Cidr takes a block, a count and the number of host bits");
        return ev.wrong(diagnostic);
    }
    let outcomes = ev.arguments(argument);
    if outcomes.contains(&Outcome::Poison) {
        return Outcome::Poison;
    }
    if let Some(why) = literal_numbers(ev, &outcomes).filter(|_| ev.settings.looks_at_all) {
        let diagnostic = ev.layout(call, Known::Cidr, &why);
        return ev.fail(call, diagnostic);
    }
    let list = ev.argument_list(argument, &outcomes);
    // `Fn::ToJsonString` cannot hold a list that is known only at deployment.
    let is_computed = ev.settings.values == Values::Resolve || ev.is_in_json();
    if !is_computed || outcomes.iter().any(|outcome| !matches!(outcome, Outcome::Known(_))) {
        return Outcome::Residual(ev.kept(call, list));
    }
    let texts: Vec<String> = outcomes
        .iter()
        .filter_map(|outcome| outcome.value())
        .map(|value| ev.tree.text_form(value).to_owned())
        .collect();
    match blocks(&texts) {
        Ok(blocks) => {
            if !ev.charge_elements(blocks.len(), call) {
                return Outcome::Poison;
            }
            let origin = Origin::Generated(call, ev.tree.frame_of(call));
            let items: Vec<NodeId> = blocks.iter().map(|block| ev.tree.computed(block, origin)).collect();
            Outcome::Known(ev.tree.list(&items, Style::Plain, origin))
        }
        Err(why) => {
            let diagnostic = ev.layout(call, Known::Cidr, &why);
            ev.fail(call, diagnostic)
        }
    }
}

/// Returns the reason why a count or a number of host bits that is known is not one, whatever the block is.
fn literal_numbers(ev: &Evaluator<'_>, outcomes: &[Outcome]) -> Option<String> {
    let text = |at: usize| match outcomes.get(at) {
        Some(Outcome::Known(value)) if ev.tree.is_scalar(*value) => Some(ev.tree.text_form(*value)),
        _ => None,
    };
    if let Some(count) = text(1).filter(|count| !count.parse().is_ok_and(|count: u32| (1..=256).contains(&count))) {
        return Some(format!("the count \"{}\" is not a number between 1 and 256", shown(count)));
    }
    let bits = text(2).filter(|bits| !bits.parse().is_ok_and(|bits: u32| bits <= 128))?;
    Some(format!("\"{}\" is not a number of host bits", shown(bits)))
}

fn blocks(arguments: &[String]) -> Result<Vec<String>, String> {
    let [block, count, rest @ ..] = arguments else { return Err("Fn::Cidr takes a block and a count".into()) };
    let (address, prefix) =
        block.split_once('/').ok_or_else(|| format!("\"{block}\" is not a CIDR block such as 10.0.0.0/16"))?;
    let address: IpAddr =
        address.parse().map_err(|_| format!("\"{block}\" is not a CIDR block such as 10.0.0.0/16"))?;
    let width: u32 = if address.is_ipv4() { 32 } else { 128 };
    let prefix: u32 = prefix
        .parse()
        .ok()
        .filter(|prefix| *prefix <= width)
        .ok_or_else(|| format!("the prefix length of \"{block}\" is not between 0 and {width}"))?;
    let count: u128 = count
        .parse()
        .ok()
        .filter(|count| (1..=256).contains(count))
        .ok_or_else(|| format!("the count \"{count}\" is not a number between 1 and 256"))?;
    let bits: u32 = match rest {
        [] => {
            if address.is_ipv4() {
                8
            } else {
                64
            }
        }
        [bits, ..] => bits
            .parse()
            .ok()
            .filter(|bits| *bits <= width)
            .ok_or_else(|| format!("\"{bits}\" is not a number of host bits"))?,
    };
    let room = width - prefix;
    if bits > room || (room - bits < 64 && count > 1 << (room - bits)) {
        return Err(format!("{block} is too small for {count} blocks with {bits} host bits"));
    }
    let number = match address {
        IpAddr::V4(address) => u128::from(u32::from(address)),
        IpAddr::V6(address) => u128::from(address),
    };
    let base = if room >= 128 { 0 } else { number >> room << room };
    (0..count)
        .map(|at| {
            let offset = if bits >= 128 { 0 } else { at << bits };
            let start = base + offset;
            let address = if width == 32 { IpAddr::V4((start as u32).into()) } else { IpAddr::V6(start.into()) };
            Ok(format!("{address}/{}", width - bits))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::blocks;

    fn check(arguments: &[&str]) -> Result<String, String> {
        let arguments: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        blocks(&arguments).map(|blocks| blocks.join(" "))
    }

    #[test]
    fn blocks_of_blocks() {
        assert_eq!(check(&["192.168.0.0/16", "2", "8"]).as_deref(), Ok("192.168.0.0/24 192.168.1.0/24"));
        assert_eq!(check(&["10.0.0.0/24", "3", "5"]).as_deref(), Ok("10.0.0.0/27 10.0.0.32/27 10.0.0.64/27"));
        assert_eq!(check(&["2001:db8::/56", "2", "64"]).as_deref(), Ok("2001:db8::/64 2001:db8:0:1::/64"));
        assert_eq!(check(&["0.0.0.0/0", "1", "32"]).as_deref(), Ok("0.0.0.0/0"));
        assert_eq!(check(&["::/0", "1", "128"]).as_deref(), Ok("::/0"));
    }

    #[test]
    fn refuses_what_does_not_fit() {
        for bad in [
            &["10.0.0.0/24", "9", "5"][..],
            &["10.0.0.0", "1", "8"],
            &["10.0.0.0/33", "1", "8"],
            &["10.0.0.0/16", "0", "8"],
            &["10.0.0.0/16", "257", "8"],
            &["10.0.0.0/28", "1", "8"],
        ] {
            assert!(check(bad).is_err(), "{bad:?}");
        }
    }
}
