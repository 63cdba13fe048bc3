//! Truth tables.

use std::fmt::Write as _;

use formwork_base::display::{ITEM, cut};
use formwork_rules::solve::Table;
use serde::Serialize;
use serde_json::{Map, Value};

use super::document;
use super::solve::{JsonDomain, json_domain};
use crate::printable;

#[derive(Serialize)]
struct JsonTable<'t> {
    parameters: Vec<JsonDomain<'t>>,
    rules: &'t [String],
    total: u64,
    rows: Vec<JsonRow>,
}

#[derive(Serialize)]
struct JsonRow {
    values: Map<String, Value>,
    results: Map<String, Value>,
}

const WRONG_KIND: &str = "error";

/// Renders the table for machines.
pub fn json(table: &Table) -> String {
    let rows = table
        .rows
        .iter()
        .map(|row| JsonRow {
            values: table
                .domains
                .iter()
                .zip(&row.values)
                .map(|(domain, value)| (domain.name.clone(), Value::from(value.as_str())))
                .collect(),
            results: table
                .rules
                .iter()
                .zip(&row.results)
                .map(|(rule, result)| (rule.clone(), Value::from(result.map_or(WRONG_KIND, |result| result.name()))))
                .collect(),
        })
        .collect();
    document(&JsonTable {
        parameters: table.domains.iter().map(json_domain).collect(),
        rules: &table.rules,
        total: table.total,
        rows,
    })
}

/// Renders the table for people.
pub fn text(table: &Table) -> String {
    if table.rules.is_empty() {
        return "the template has no rules\n".to_owned();
    }
    let shown = |text: &str| {
        if text.is_empty() { "\"\"".to_owned() } else { printable(&cut(text, ITEM)).into_owned() }
    };
    let mut lines: Vec<Vec<String>> = Vec::with_capacity(table.rows.len() + 1);
    let names = table.domains.iter().map(|domain| domain.name.as_str());
    lines.push(names.chain(table.rules.iter().map(String::as_str)).map(shown).collect());
    for row in &table.rows {
        let results = row.results.iter().map(|result| result.map_or(WRONG_KIND, |result| result.name()));
        lines.push(row.values.iter().map(String::as_str).chain(results).map(shown).collect());
    }
    let widths: Vec<usize> = (0..lines[0].len())
        .map(|column| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0))
        .collect();
    let mut out = String::new();
    for line in &lines {
        let mut text = String::new();
        for (cell, width) in line.iter().zip(&widths) {
            let _ = write!(text, "{cell:width$}  ");
        }
        out += text.trim_end();
        out.push('\n');
    }
    if table.total > table.rows.len() as u64 {
        let _ = writeln!(
            out,
            "the first {} of {} rows; name a rule, or pass values, to see others",
            table.rows.len(),
            table.total
        );
    }
    out
}
