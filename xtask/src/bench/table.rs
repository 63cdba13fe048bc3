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
    /// A directory that is made by each run.
    pub(super) makes: Option<&'static str>,
}

/// A figure that must not be exceeded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bar {
    /// Times the ideal, reading this input and writing as much JSON as it makes; net of the start.
    Ideal(f64),
    /// Times the ideal of reading files, each named with the data that its reading returns; net of the start.
    Reading(&'static [(&'static str, &'static str)], f64),
    /// Times the processor time of another row, which is above; both net of the start.
    Row(&'static str, f64),
    /// Milliseconds of processor time, with the start.
    Milliseconds(f64),
    /// Mebibytes of peak memory.
    Mebibytes(f64),
}

use Bar::{Ideal, Mebibytes, Milliseconds, Reading, Row as Of};

const JSON: &[&str] = &["expand", "--format", "json"];
const OWN: &[&str] = &["expand"];
const KEEP: &[&str] = &["expand", "--values", "keep", "--format", "json"];
const ALL: &[&str] = &["expand", "--values", "all", "--format", "json"];

const RULES: &[&str] = &["rules", "check", "--format", "json", "--account", "rules.snapshot.json"];
const RULES_READ: &[(&str, &str)] = &[("rules.yaml", "rules.json"), ("rules.snapshot.json", "rules.snapshot.json")];

/// Every measurement, in the order of the report. To add one, add a row.
pub(super) const ROWS: &[Row] = &[
    row("tiny", "tiny.yaml", JSON, &[Milliseconds(3.0)], 10),
    row("wide-1000, YAML to JSON", "foreach-wide-1000.yaml", JSON, &[Ideal(1.5)], 4),
    row("wide-1000, YAML to YAML", "foreach-wide-1000.yaml", OWN, &[Ideal(1.5)], 4),
    row("wide-1000, JSON to JSON", "foreach-wide-1000.json", OWN, &[Ideal(1.5)], 4),
    row(
        "wide-10000, YAML to JSON",
        "foreach-wide-10000.yaml",
        JSON,
        &[Ideal(1.5), Of("wide-1000, YAML to JSON", 11.0), Mebibytes(30.0)],
        1,
    ),
    row("wide-10000, YAML to YAML", "foreach-wide-10000.yaml", OWN, &[Ideal(1.5)], 1),
    row("wide-10000, JSON to JSON", "foreach-wide-10000.json", OWN, &[Ideal(1.5)], 1),
    row("map-merge-1000", "map-merge-1000.yaml", JSON, &[Of("wide-1000, YAML to JSON", 1.05)], 4),
    row("map-merge-10000", "map-merge-10000.yaml", JSON, &[Of("wide-10000, YAML to JSON", 1.05)], 1),
    row("nested-3, YAML to JSON", "foreach-nested-3.yaml", JSON, &[Ideal(4.0)], 4),
    row("nested-5, YAML to JSON", "foreach-nested-5.yaml", JSON, &[Ideal(4.0)], 4),
    row("nested-5, YAML to YAML", "foreach-nested-5.yaml", OWN, &[Ideal(4.0)], 4),
    row("nested-5, JSON to JSON", "foreach-nested-5.json", OWN, &[Ideal(4.0)], 4),
    row("plain, YAML to JSON", "plain.yaml", JSON, &[Ideal(0.6)], 2),
    row("plain, YAML to YAML", "plain.yaml", OWN, &[Ideal(0.6)], 2),
    row("plain, JSON to JSON", "plain.json", OWN, &[Ideal(1.0)], 2),
    row("findinmap, keep", "findinmap.yaml", KEEP, &[Ideal(0.6)], 2),
    row("findinmap, all", "findinmap.yaml", ALL, &[Ideal(0.6)], 2),
    row("findinmap, JSON, keep", "findinmap.json", KEEP, &[Ideal(1.0)], 2),
    row("findinmap, JSON, all", "findinmap.json", ALL, &[Ideal(1.0)], 2),
    row("strings, keep", "strings.yaml", KEEP, &[Ideal(0.6)], 2),
    row("strings, all", "strings.yaml", ALL, &[Ideal(0.6)], 2),
    row("strings, JSON, keep", "strings.json", KEEP, &[Ideal(1.0)], 2),
    row("strings, JSON, all", "strings.json", ALL, &[Ideal(1.0)], 2),
    row("conditions-wide, all", "conditions-wide.yaml", ALL, &[Ideal(0.8)], 3),
    row("conditions-chain, keep", "conditions-chain.yaml", KEEP, &[Ideal(0.8)], 3),
    row("conditions-chain, all", "conditions-chain.yaml", ALL, &[Ideal(0.8)], 3),
    row("modules-50, from YAML", "modules-50/parent.yaml", JSON, &[Ideal(3.0)], 4),
    row("modules-50, from JSON", "modules-50/parent.json", JSON, &[Ideal(4.0)], 4),
    row("modules-200, from YAML", "modules-200/parent.yaml", JSON, &[Ideal(3.0)], 2),
    row("modules-200, from JSON", "modules-200/parent.json", JSON, &[Ideal(4.0)], 2),
    row("rules", "rules.yaml", RULES, &[Reading(RULES_READ, 1.2)], 4),
    row("1,000 files, check", "batch", &["check"], &[Milliseconds(60.0)], 2),
    Row {
        makes: Some("expanded-new"),
        ..row("1,000 files, expand", "batch", &["expand", "-o", "expanded-new"], &[Milliseconds(45.0)], 2)
    },
    row("1,000 files, expand again", "batch", &["expand", "-o", "expanded"], &[Milliseconds(45.0)], 2),
];

const fn row(
    name: &'static str,
    input: &'static str,
    words: &'static [&'static str],
    bars: &'static [Bar],
    repeat: u32,
) -> Row {
    Row { name, input, words, bars, repeat, makes: None }
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
