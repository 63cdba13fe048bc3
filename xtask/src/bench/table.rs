//! What is measured, and what it may cost.

/// One measurement.
pub(super) struct Row {
    /// Its name in the report.
    pub(super) name: &'static str,
    /// The file that is read, among the generated inputs.
    pub(super) input: &'static str,
    /// Words of the command line behind `formwork`, the input left out.
    pub(super) words: &'static [&'static str],
    /// What it may cost.
    pub(super) bars: &'static [Bar],
    /// Runs of the program in a round, before the floor and again behind it: many for short ones.
    pub(super) repeat: u32,
}

/// A figure that must not be exceeded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bar {
    /// Times the ideal: reading this input and writing this much output.
    Ideal(f64),
    /// Times the ideal of reading files, each named with the data that its reading returns.
    Reading(&'static [(&'static str, &'static str)], f64),
    /// Times the processor time of another row, which is above.
    Row(&'static str, f64),
    /// Milliseconds of processor time.
    Milliseconds(f64),
    /// Times the bytes of the output, of peak memory.
    MemoryOfOutput(f64),
    /// Mebibytes of peak memory.
    Mebibytes(f64),
}

use Bar::{Ideal, Mebibytes, MemoryOfOutput, Milliseconds, Reading, Row as Of};

const EXPAND: &[&str] = &["expand", "--format", "json"];
const KEEP: &[&str] = &["expand", "--values", "keep", "--format", "json"];
const ALL: &[&str] = &["expand", "--values", "all", "--format", "json"];

const RULES: &[&str] = &["rules", "check", "--format", "json", "--account", "rules.snapshot.json"];
const RULES_READ: &[(&str, &str)] = &[("rules.yaml", "rules.json"), ("rules.snapshot.json", "rules.snapshot.json")];

/// Every measurement, in the order of the report. To add one, add a row.
pub(super) const ROWS: &[Row] = &[
    row("tiny", "tiny.yaml", EXPAND, &[Milliseconds(3.0), Mebibytes(6.0)], 10),
    row("foreach-wide-1000", "foreach-wide-1000.yaml", EXPAND, &[Ideal(5.0)], 4),
    row(
        "foreach-wide-10000",
        "foreach-wide-10000.yaml",
        EXPAND,
        &[Ideal(4.0), Of("foreach-wide-1000", 11.0), MemoryOfOutput(1.5)],
        1,
    ),
    row("map-merge-1000", "map-merge-1000.yaml", EXPAND, &[Ideal(5.0), Of("foreach-wide-1000", 1.3)], 4),
    row("map-merge-10000", "map-merge-10000.yaml", EXPAND, &[Ideal(4.0), Of("foreach-wide-10000", 1.3)], 1),
    row("foreach-nested-3", "foreach-nested-3.yaml", EXPAND, &[Ideal(6.0)], 4),
    row("foreach-nested-4", "foreach-nested-4.yaml", EXPAND, &[Ideal(6.0)], 4),
    row("foreach-nested-5", "foreach-nested-5.yaml", EXPAND, &[Ideal(6.0)], 4),
    row("plain, YAML to JSON", "plain.yaml", EXPAND, &[Ideal(1.6)], 2),
    row("plain, JSON to JSON", "plain.json", EXPAND, &[Ideal(1.6)], 2),
    row("plain, YAML to YAML", "plain.yaml", &["expand"], &[Of("plain, YAML to JSON", 1.5)], 2),
    row("findinmap, keep", "findinmap.yaml", KEEP, &[Ideal(2.0)], 2),
    row("findinmap, all", "findinmap.yaml", ALL, &[Ideal(2.0)], 2),
    row("strings, keep", "strings.yaml", KEEP, &[Ideal(2.0)], 2),
    row("strings, all", "strings.yaml", ALL, &[Ideal(2.0)], 2),
    row("conditions-wide, keep", "conditions-wide.yaml", KEEP, &[Ideal(2.0)], 3),
    row("conditions-wide, all", "conditions-wide.yaml", ALL, &[Ideal(2.0)], 3),
    row("conditions-chain, keep", "conditions-chain.yaml", KEEP, &[Ideal(2.0)], 3),
    row("conditions-chain, all", "conditions-chain.yaml", ALL, &[Ideal(2.0)], 3),
    row("modules-50", "modules-50/parent.yaml", EXPAND, &[Ideal(5.0)], 4),
    row("modules-200", "modules-200/parent.yaml", EXPAND, &[Of("modules-50", 4.5)], 2),
    row("1,000 files, check", "batch", &["check"], &[Milliseconds(60.0)], 2),
    row("1,000 files, expand", "batch", &["expand", "-o", "expanded"], &[Milliseconds(90.0)], 2),
    row("rules", "rules.yaml", RULES, &[Reading(RULES_READ, 2.0)], 4),
];

const fn row(
    name: &'static str,
    input: &'static str,
    words: &'static [&'static str],
    bars: &'static [Bar],
    repeat: u32,
) -> Row {
    Row { name, input, words, bars, repeat }
}

impl Row {
    /// The rows that its bars name.
    pub(super) fn compared_with(&self) -> impl Iterator<Item = &'static str> {
        self.bars.iter().filter_map(|bar| match *bar {
            Bar::Row(name, _) => Some(name),
            _ => None,
        })
    }

    /// The files that it has to read, when it is compared with their reading.
    pub(super) fn reads(&self) -> &'static [(&'static str, &'static str)] {
        let found = self.bars.iter().find_map(|bar| match bar {
            Bar::Reading(files, _) => Some(*files),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// The file of about the output's size that the floor writes, when the row is compared with it.
    pub(super) fn floor_output(&self) -> Option<String> {
        let stem = self.input.rsplit_once('.').map_or(self.input, |(stem, _)| stem);
        self.bars.iter().any(|bar| matches!(bar, Bar::Ideal(_))).then(|| format!("{stem}.sized.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_compared_with_rows_above_them() {
        for (at, row) in ROWS.iter().enumerate() {
            assert!(!row.bars.is_empty() && row.repeat > 0, "{}", row.name);
            assert!(!ROWS[..at].iter().any(|other| other.name == row.name), "{} is a duplicate", row.name);
            for name in row.compared_with() {
                assert!(ROWS[..at].iter().any(|other| other.name == name), "{} needs {name} above it", row.name);
            }
        }
    }
}
