//! Capabilities that a template needs, in words.

use formwork::{Compilation, NeededCapability};
use formwork_deploy::{MissingCapability, missing_capabilities};
use formwork_report::{Remark, printable};

/// Most reasons that are named.
const SHOWN: usize = 5;

/// What is to be said of capabilities that were not acknowledged: one remark for each.
pub(super) fn lacking(compilation: &Compilation, acknowledged: &[String]) -> Vec<Remark> {
    let needed = compilation.needed_capabilities();
    missing_capabilities(&needed, acknowledged).iter().map(remark).collect()
}

fn remark(missing: &MissingCapability<'_>) -> Remark {
    let (capability, reasons) = (missing.name, &missing.reasons);
    let names: Vec<&str> = reasons.iter().take(SHOWN).map(|one| one.by.as_str()).collect();
    let more = if reasons.len() > SHOWN { format!(" and {} more", reasons.len() - SHOWN) } else { String::new() };
    let message = format!("{capability} is not acknowledged: {}{more}", printable(&names.join(", ")));
    let mut remark = if missing.is_certain { Remark::warning(message) } else { Remark::note(message) };
    for one in reasons.iter().take(SHOWN) {
        remark = remark.at(one.span, one.why.clone());
    }
    if missing.is_certain {
        remark = remark.because(format!("the service says `Requires capabilities : [{capability}]`"));
    }
    remark.help(format!("give `--capabilities {capability}` if these are what you want"))
}

/// Adds the places that need the capabilities which a sentence of the service names.
pub(super) fn reasons(mut remark: Remark, compilation: &Compilation, sentence: &str) -> Remark {
    let needed: Vec<NeededCapability> = compilation.needed_capabilities();
    for one in needed.iter().filter(|one| sentence.contains(one.capability)).take(SHOWN) {
        remark = remark.at(one.span, format!("{}: {}", printable(&one.by), one.why));
    }
    remark
}
