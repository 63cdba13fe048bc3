//! Line breaks and indentation of JSON with each entry and element on its own line, as programs write it.

/// Line breaks with the indentation behind them, by level.
#[derive(Clone, Debug)]
pub(crate) struct Lines<'l> {
    /// The longest one so far; all others are a beginning of it.
    line: String,
    outermost: usize,
    step: &'l str,
}

impl<'l> Lines<'l> {
    /// Returns lines of which the outermost begins with `line`, a line break and its indentation.
    pub(crate) fn new(line: impl Into<String>, step: &'l str) -> Lines<'l> {
        let line = line.into();
        Lines { outermost: line.len(), line, step }
    }

    pub(crate) fn at(&mut self, level: usize) -> &str {
        let len = self.outermost + level * self.step.len();
        while self.line.len() < len {
            self.line.push_str(self.step);
        }
        &self.line[..len]
    }
}

/// Most bytes of the indentation of a level: each line of a deep value repeats it once per level.
pub(crate) const MOST_STEP: usize = 16;

/// Returns the indentation of a level in a file that may be such JSON: that of its second line.
pub(crate) fn step(text: &str) -> Option<&str> {
    let second = text.strip_prefix("{\n")?;
    let step = &second[..second.len() - second.trim_start_matches([' ', '\t']).len()];
    (1..=MOST_STEP).contains(&step.len()).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_with_the_levels() {
        let mut lines = Lines::new("\n  ", "\t");
        assert_eq!((lines.at(2).to_owned(), lines.at(0).to_owned()), ("\n  \t\t".to_owned(), "\n  ".to_owned()));
        assert_eq!(lines.at(100).len(), 103);
    }

    #[test]
    fn a_step_is_what_the_second_line_begins_with() {
        assert_eq!(step("{\n \t\"a\": 1\n}"), Some(" \t"));
        let wide = format!("{{\n{}\"a\": 1\n}}", " ".repeat(MOST_STEP + 1));
        assert_eq!(step(&wide), None);
        for text in ["", "{}", "{\n\"a\": 1\n}", "{ \n  \"a\": 1\n}", "{\r\n  \"a\": 1\r\n}"] {
            assert_eq!(step(text), None, "{text:?}");
        }
    }
}
