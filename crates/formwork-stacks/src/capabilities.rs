//! Reports capabilities that a template needs.

use formwork::{Compilation, NeededCapability};
use formwork_deploy::{MissingCapability, missing_capabilities};
use formwork_report::{Notice, printable};

const SHOWN: usize = 5;

/// Returns one notice for each required capability that is not acknowledged.
pub fn missing(compilation: &Compilation, acknowledged: &[String]) -> Vec<Notice> {
    let needed = compilation.needed_capabilities();
    missing_capabilities(&needed, acknowledged).iter().map(notice).collect()
}

fn notice(missing: &MissingCapability<'_>) -> Notice {
    let (capability, reasons) = (missing.name, &missing.reasons);
    let names: Vec<&str> = reasons.iter().take(SHOWN).map(|one| one.by.as_str()).collect();
    let more = if reasons.len() > SHOWN { format!(" and {} more", reasons.len() - SHOWN) } else { String::new() };
    let message = format!("{capability} is not acknowledged: {}{more}", printable(&names.join(", ")));
    let mut notice = if missing.is_certain { Notice::warning(message) } else { Notice::note(message) };
    for one in reasons.iter().take(SHOWN) {
        notice = notice.at(one.span, one.why.clone());
    }
    if missing.is_certain {
        notice = notice.because(format!("CloudFormation rejects this with `Requires capabilities : [{capability}]`"));
    }
    notice.help(format!("pass `--capabilities {capability}` if these are what you want"))
}

/// Adds the places that need the capabilities in a sentence of CloudFormation.
pub fn reasons(mut notice: Notice, compilation: &Compilation, sentence: &str) -> Notice {
    let needed: Vec<NeededCapability> = compilation.needed_capabilities();
    for one in needed.iter().filter(|one| sentence.contains(one.capability)).take(SHOWN) {
        notice = notice.at(one.span, format!("{}: {}", printable(&one.by), one.why));
    }
    notice
}
