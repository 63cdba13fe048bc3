//! Lines that fit a terminal.

/// A line of parts that breaks where the terminal ends.
pub struct Layout {
    /// Indentation of the lines after the first.
    indent: usize,
    /// Width of the terminal; without one no line is broken but before [`Layout::add_words`].
    width: Option<usize>,
    text: String,
    column: usize,
}

const GAP: usize = 2;

impl Layout {
    /// Creates an empty layout.
    pub fn new(indent: usize, width: Option<usize>) -> Layout {
        // On a terminal that is hardly wider than the indentation nothing fits anyway.
        let width = width.filter(|width| *width >= indent * 2);
        Layout { indent, width, text: String::new(), column: 0 }
    }

    /// Adds a part. `shown` is its visible text, without colour sequences.
    pub fn add(&mut self, part: &str, shown: &str) {
        let length = shown.chars().count();
        if self.column > 0 {
            let is_too_long = |width: usize| self.column + GAP + shown.trim_end().chars().count() > width;
            if self.column > self.indent && self.width.is_some_and(is_too_long) {
                self.break_line();
            } else {
                let gap = if self.column == self.indent { 0 } else { GAP };
                self.push(&" ".repeat(gap), gap);
            }
        }
        self.push(part, length);
    }

    /// Adds words on lines of their own. A word longer than a line stays whole, so that it can be copied.
    pub fn add_words(&mut self, text: &str) {
        let Some(width) = self.width else {
            self.break_line();
            return self.push(text, 0);
        };
        for line in text.lines() {
            self.break_line();
            let mut is_first = true;
            for word in line.split(' ') {
                let length = word.chars().count();
                if !is_first && self.column + 1 + length > width {
                    self.break_line();
                    is_first = true;
                }
                let gap = usize::from(!is_first);
                self.push(&" ".repeat(gap), gap);
                self.push(word, length);
                is_first = false;
            }
        }
    }

    /// Returns the laid-out lines.
    pub fn into_text(self) -> String {
        self.text
    }

    fn push(&mut self, part: &str, length: usize) {
        self.text += part;
        self.column += length;
    }

    fn break_line(&mut self) {
        let kept = self.text.trim_end_matches(' ').len();
        self.text.truncate(kept);
        self.text += "\n";
        self.text += &" ".repeat(self.indent);
        self.column = self.indent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(width: Option<usize>) -> String {
        let mut layout = Layout::new(4, width);
        for part in ["12", "\u{1b}[1mDONE  \u{1b}[0m", "Topic (AWS::SNS::Topic)", "t.yaml:5"] {
            layout.add(part, part.trim_start_matches("\u{1b}[1m").trim_end_matches("\u{1b}[0m"));
        }
        layout.add_words("one two three");
        layout.into_text()
    }

    #[test]
    fn parts_move_to_the_next_line_where_the_terminal_ends() {
        let bold = "\u{1b}[1mDONE  \u{1b}[0m";
        assert_eq!(lines(None), format!("12  {bold}  Topic (AWS::SNS::Topic)  t.yaml:5\n    one two three"));
        assert_eq!(lines(Some(80)), lines(None));
        assert_eq!(
            lines(Some(30)),
            format!("12  {bold}\n    Topic (AWS::SNS::Topic)\n    t.yaml:5\n    one two three")
        );
        assert_eq!(
            lines(Some(12)),
            format!("12  {bold}\n    Topic (AWS::SNS::Topic)\n    t.yaml:5\n    one two\n    three")
        );
        assert_eq!(lines(Some(5)), lines(None), "a terminal that is too narrow");
    }
}
