//! YAML that is almost like another one.

/// Numbers by a seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The numbers of this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) as usize) % count.max(1)
    }

    /// One of these.
    pub fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

/// What YAML has a meaning for, and some that it has none for.
const PIECES: &[&str] = &[
    " ",
    " ",
    "  ",
    "\n",
    "\n",
    ":",
    ": ",
    "-",
    "- ",
    "#",
    " #",
    " # c",
    "'",
    "\"",
    "''",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    "!",
    "!Ref ",
    "!Sub ",
    "!Sub\n",
    "!GetAtt",
    "!Foo ",
    "!!str ",
    "&a ",
    "*a",
    "<<: ",
    "<<",
    "|",
    "|\n",
    "|-\n",
    "|+\n",
    ">\n",
    ">-\n",
    ">+\n",
    "|2\n",
    "|1-\n",
    ">2+\n",
    "? ",
    "?",
    "%",
    "@",
    "`",
    "~",
    "null",
    "=",
    "\t",
    "\r",
    "\r\n",
    "\\",
    "\\n",
    "\\u00e9",
    "\\x41",
    "\\U0001F600",
    "\\ud83d\\ude00",
    "---\n",
    "\n---\n",
    "...\n",
    "--- ",
    "-1",
    "01",
    "yes",
    "1e3",
    "é",
    "\u{a0}",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\u{7f}",
    "\u{1}",
    "😀",
    "[a, b]",
    "{a: b}",
    "{a: b, c: [d]}",
    "Ref: x",
    "Fn::Sub: y",
    "k:\n",
    "k: v\n",
    "- v\n",
    "\n\n",
    "\n  \n",
    "   # x\n",
    "$",
    "<",
    ">",
    ";",
    "/",
    "http://x/y",
];

/// The text with some changes: pieces put in and taken out, lines taken out, doubled, exchanged, joined and
/// indented otherwise.
pub fn mutant(text: &str, random: &mut Random) -> String {
    let mut text = excerpt(text, random);
    for _ in 0..=random.below(4) {
        text = change(text, random);
    }
    text
}

/// Some lines, often without the indentation that they share.
fn excerpt(text: &str, random: &mut Random) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let first = random.below(lines.len());
    let count = 1 + random.below(14);
    let lines = &lines[first..lines.len().min(first + count)];
    let indentation = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let shared = lines.iter().filter(|line| !line.trim().is_empty()).map(indentation).min().unwrap_or(0);
    let cut = if random.below(8) == 0 { 0 } else { shared };
    lines.iter().map(|line| line.get(cut..).unwrap_or("\n")).collect()
}

fn change(mut text: String, random: &mut Random) -> String {
    let at = place(&text, random);
    match random.below(16) {
        0..=5 => text.insert_str(at, random.of(PIECES)),
        6 | 7 => {
            let end = place(&text, random).min(at + 3).max(at);
            let end = (end..=text.len()).find(|&end| text.is_char_boundary(end)).unwrap_or(at);
            text.replace_range(at..end, "");
        }
        8 => text.truncate(at),
        9 => {
            // The end of the file, with and without a line break.
            text.truncate(text.trim_end().len());
            text.push_str(random.of(&["", "\n", " ", "\n\n", "\n  ", " # c", ":", "\n  \n"]));
        }
        10 => text = text.replace('\n', random.of(&["\r\n", "\n\n", "\n"])),
        _ => text = change_lines(&text, random),
    }
    text
}

fn change_lines(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let (one, other) = (random.below(lines.len()), random.below(lines.len()));
    match random.below(8) {
        0 => drop(lines.remove(one)),
        1 => lines.insert(other, lines[one].clone()),
        2 => lines.swap(one, other),
        3 if one + 1 < lines.len() => {
            let next = lines.remove(one + 1);
            lines[one].push_str(next.trim_start());
        }
        4 => lines.insert(one, " ".repeat(random.below(8)) + random.of(PIECES)),
        5 => {
            let by = " ".repeat(1 + random.below(3));
            for line in &mut lines[one..] {
                line.insert_str(0, &by);
            }
        }
        6 => lines[one] = lines[one].trim_start().into(),
        _ => {
            let spaces = lines[one].len() - lines[one].trim_start_matches(' ').len();
            let by = random.below(5);
            lines[one] = match by {
                0 | 1 if spaces > by => lines[one][by + 1..].to_owned(),
                _ => " ".repeat(by.max(1)) + &lines[one],
            };
        }
    }
    lines.join("\n")
}

fn place(text: &str, random: &mut Random) -> usize {
    let at = random.below(text.len() + 1);
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}
