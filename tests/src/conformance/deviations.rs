//! The list of cases that are believed wrong, `docs/deviations.md`.

use std::path::Path;

/// A case that Formwork does not follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deviation {
    /// Its name: `suite::case`.
    pub case: String,
    /// Words of the difference that the runner finds.
    pub fails_with: String,
}

/// All of them.
#[derive(Clone, Debug, Default)]
pub struct Deviations {
    list: Vec<Deviation>,
}

impl Deviations {
    /// Reads the rows of the list's table: `` | `suite::case` | `words of the failure` | reason | ``.
    ///
    /// # Errors
    /// When the file cannot be read, or a row has another shape, has no reason or is a duplicate.
    pub fn read(path: &Path) -> Result<Deviations, String> {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
        Deviations::parse(&text).map_err(|why| format!("{}: {why}", path.display()))
    }

    fn parse(text: &str) -> Result<Deviations, String> {
        let mut list: Vec<Deviation> = Vec::new();
        for row in text.lines().filter(|line| line.starts_with("| `")) {
            let wrong = || format!("this row is not `case`, `failure`, reason: {row}");
            let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
            let [case, fails_with, reason] = cells.as_slice() else { return Err(wrong()) };
            let code = |cell: &&str| cell.strip_prefix('`')?.strip_suffix('`').map(str::to_owned);
            let (Some(case), Some(fails_with)) = (code(case), code(fails_with)) else { return Err(wrong()) };
            if fails_with.is_empty() || reason.is_empty() {
                return Err(wrong());
            }
            if list.iter().any(|deviation| deviation.case == case) {
                return Err(format!("{case} is a duplicate"));
            }
            list.push(Deviation { case, fails_with });
        }
        Ok(Deviations { list })
    }

    /// The entry of a case.
    pub fn get(&self, case: &str) -> Option<&Deviation> {
        self.list.iter().find(|deviation| deviation.case == case)
    }

    /// Entries that name none of the cases.
    pub fn unknown(&self, cases: &[String]) -> Vec<String> {
        self.list.iter().map(|deviation| deviation.case.clone()).filter(|case| !cases.contains(case)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows() {
        let head = "# Title\n\n| case | fails with | why |\n|---|---|---|\n";
        let list =
            Deviations::parse(&format!("{head}| `s::c` | `/A: want 1` | CloudFormation reports 2 |\n")).expect("sound");
        assert_eq!(list.get("s::c").map(|d| d.fails_with.as_str()), Some("/A: want 1"));
        assert_eq!(list.unknown(&["s::d".to_owned()]), ["s::c"]);
        assert!(Deviations::parse(head).expect("sound").list.is_empty());
        for bad in ["| `s::c` | `x` |  |\n", "| `s::c` | because |\n", "| `s::c` | `` | r |\n"] {
            assert!(Deviations::parse(bad).is_err(), "{bad}");
        }
        assert!(Deviations::parse("| `a` | `b` | c |\n| `a` | `d` | e |\n").is_err());
    }
}
