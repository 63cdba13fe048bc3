//! Capabilities that a template needs, told before the service is asked.

use formwork::{Compilation, NeededCapability};
use formwork_report::{Remark, printable};

/// Most reasons that are named.
const SHOWN: usize = 5;

/// What is to be said of capabilities that were not acknowledged: one remark for each.
pub(super) fn lacking(compilation: &Compilation, acknowledged: &[String]) -> Vec<Remark> {
    let needed = compilation.needed_capabilities();
    let covers = |wanted: &str| {
        let is = |name: &String| name == wanted || wanted == "CAPABILITY_IAM" && name == "CAPABILITY_NAMED_IAM";
        acknowledged.iter().any(is)
    };
    let mut remarks = Vec::new();
    for capability in ["CAPABILITY_IAM", "CAPABILITY_NAMED_IAM", "CAPABILITY_AUTO_EXPAND"] {
        let reasons: Vec<&NeededCapability> = needed.iter().filter(|one| one.capability == capability).collect();
        if !reasons.is_empty() && !covers(capability) {
            remarks.push(remark(capability, &reasons));
        }
    }
    remarks
}

fn remark(capability: &str, reasons: &[&NeededCapability]) -> Remark {
    let names: Vec<&str> = reasons.iter().take(SHOWN).map(|one| one.by.as_str()).collect();
    let more = if reasons.len() > SHOWN { format!(" and {} more", reasons.len() - SHOWN) } else { String::new() };
    let message = format!("{capability} is not acknowledged: {}{more}", printable(&names.join(", ")));
    // A change set needs it for transforms of nested stacks alone: the service has the last word.
    let is_certain = capability != "CAPABILITY_AUTO_EXPAND";
    let mut remark = if is_certain { Remark::warning(message) } else { Remark::note(message) };
    for one in reasons.iter().take(SHOWN) {
        remark = remark.at(one.span, one.why.clone());
    }
    if is_certain {
        remark = remark.because(format!("the service says `Requires capabilities : [{capability}]`"));
    }
    remark.help(format!("give `--capabilities {capability}` if these are what you want"))
}

/// Adds the places that need the capabilities which a sentence of the service names.
pub(super) fn reasons(mut remark: Remark, compilation: &Compilation, sentence: &str) -> Remark {
    let needed = compilation.needed_capabilities();
    for one in needed.iter().filter(|one| sentence.contains(one.capability)).take(SHOWN) {
        remark = remark.at(one.span, format!("{}: {}", printable(&one.by), one.why));
    }
    remark
}
