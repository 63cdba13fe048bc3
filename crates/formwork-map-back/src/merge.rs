//! Merges the findings of one site.

use crate::finding::Level;
use crate::locate::Located;

/// Findings with the same rule, level, site and message, apart from the items of loops and generated names.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The first finding.
    pub first: Located,
    /// The paths of all findings in the output, without duplicates.
    pub instances: Vec<String>,
    /// Number of findings.
    pub count: usize,
    /// The numbers of all findings in the report.
    pub numbers: Vec<usize>,
}

/// Merges findings of one site, in the order of the first of each. With `keeps_each` they are not merged.
pub fn merged(located: Vec<Located>, keeps_each: bool) -> Vec<Merged> {
    let mut known: Vec<(Key, Merged)> = Vec::new();
    for one in located {
        let key = Key::of(&one);
        let path = one.path.clone();
        let same = known.iter_mut().find(|(other, _)| !keeps_each && other.site.is_some() && *other == key);
        if let Some((_, merged)) = same {
            merged.count += 1;
            merged.numbers.push(one.finding.number);
            merged.instances.extend(path.filter(|path| !merged.instances.contains(path)));
        } else {
            let numbers = vec![one.finding.number];
            known.push((key, Merged { first: one, instances: path.into_iter().collect(), count: 1, numbers }));
        }
    }
    known.into_iter().map(|(_, merged)| merged).collect()
}

#[derive(PartialEq, Eq)]
struct Key {
    tool: String,
    rule: String,
    level: Level,
    site: Option<(String, u32, u32)>,
    message: String,
}

impl Key {
    fn of(located: &Located) -> Key {
        let finding = &located.finding;
        Key {
            tool: finding.tool.clone(),
            rule: finding.rule.clone(),
            level: finding.level,
            site: located.site.as_ref().map(|site| (site.file.clone(), site.line, site.column)),
            message: masked(located),
        }
    }
}

/// Returns the message without the name of the entry and the items of loops, longest first.
fn masked(located: &Located) -> String {
    let frames = located.site.iter().flat_map(|site| &site.frames);
    let items = frames
        .flat_map(|frame| frame.value.as_deref().into_iter().chain((frame.kind != 0).then_some(frame.name.as_str())));
    let mut words: Vec<&str> = items.chain(located.entry.as_deref()).filter(|word| !word.is_empty()).collect();
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words.iter().fold(located.finding.message.clone(), |text, word| text.replace(word, "*"))
}
