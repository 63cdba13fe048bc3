//! The laws on generated templates, in every style that people may write.

use fastrand::Rng;

use crate::laws;

/// Writes a YAML text whose indentation, gaps and comments are random.
struct Writer {
    random: Rng,
    out: String,
    depth: usize,
}

impl Writer {
    fn is(&mut self, percent: u8) -> bool {
        self.random.u8(..100) < percent
    }

    fn spaces(&mut self, least: usize) -> String {
        let more = if self.is(70) { 0 } else { self.random.usize(..4) };
        " ".repeat(least + more)
    }

    fn word(&mut self) -> &'static str {
        let words = ["a", "Key", "Ref", "Fn::Sub", "x-y", "'q u'", "\"d\\\" q\"", "é😀", "0080", "\"${A}\"", "-1"];
        words[self.random.usize(..words.len())]
    }

    fn key(&mut self, number: usize) -> String {
        let word = ["K", "Name", "Longer", "'Q", "\"D"][self.random.usize(..5)];
        let quote = word.chars().next().filter(|first| "'\"".contains(*first)).map(String::from).unwrap_or_default();
        format!("{word}{number}{quote}")
    }

    fn end_line(&mut self) {
        if self.is(10) {
            let gap = self.spaces(1);
            let comment = ["# end", "#end", "#  é "][self.random.usize(..3)];
            self.out.push_str(&gap);
            self.out.push_str(comment);
        }
        let gap = if self.is(10) { self.spaces(1) } else { String::new() };
        self.out.push_str(&gap);
        self.out.push('\n');
    }

    /// Empty lines and comments between two entries at a column.
    fn between(&mut self, column: usize) {
        while self.is(8) {
            let gap = self.spaces(0);
            self.out.push_str(&gap);
            self.out.push('\n');
        }
        while self.is(8) {
            let at = if self.is(60) { column } else { self.random.usize(..column + 3) };
            let comment = ["# whole", "#", "# formwork: fmt off", "# formwork: fmt on"][self.random.usize(..4)];
            self.out.push_str(&" ".repeat(at));
            self.out.push_str(comment);
            self.out.push('\n');
        }
    }

    fn flow(&mut self, column: usize, depth: usize) {
        let is_map = self.is(50);
        self.out.push(if is_map { '{' } else { '[' });
        let count = self.random.usize(..4);
        for number in 0..count {
            let gap = if self.is(10) {
                format!("\n{}", " ".repeat(column + self.random.usize(1..=4)))
            } else {
                self.spaces(0)
            };
            self.out.push_str(&gap);
            if is_map {
                let (key, gap) = (self.key(number), self.spaces(1));
                self.out.push_str(&format!("{key}:{gap}"));
            }
            if depth < 3 && self.is(25) {
                self.flow(column, depth + 1);
            } else {
                let tag = if self.is(20) { ["!Ref ", "!Rain::Env ", "!!binary "][self.random.usize(..3)] } else { "" };
                let word = self.word();
                self.out.push_str(tag);
                self.out.push_str(word);
            }
            let gap = self.spaces(0);
            if number + 1 < count {
                self.out.push_str(&format!("{gap},"));
            } else {
                self.out.push_str(&gap);
            }
        }
        self.out.push(if is_map { '}' } else { ']' });
    }

    /// A value behind a key or dash whose block is at `column`; `is_item` is whether it may be compact.
    fn value(&mut self, column: usize, is_item: bool) {
        let gap = self.spaces(1);
        match self.random.u8(..13) {
            0 if is_item && self.depth < 5 => {
                self.out.push_str(&gap);
                let at = column + 1 + gap.len();
                if self.is(60) { self.map(at, true) } else { self.list(at, true) }
            }
            0..=3 if self.depth < 5 => {
                if self.is(20) {
                    self.out.push_str(&gap);
                    let mark = ["!Sub", "&x1", "!If", "!Rain::S3", "!!omap"][self.random.usize(..5)];
                    self.out.push_str(mark);
                }
                self.end_line();
                let step = if self.is(70) { 2 } else { self.random.usize(1..=4) };
                if self.is(60) {
                    self.map(column + step, false);
                } else {
                    let step = if is_item || self.is(60) { step } else { 0 };
                    self.list(column + step, false);
                }
            }
            4 => {
                self.out.push_str(&gap);
                self.flow(column, 0);
                self.end_line();
            }
            5 => {
                let (kind, chomp) = (["|", ">"][self.random.usize(..2)], ["", "-", "+"][self.random.usize(..3)]);
                let more = self.random.usize(1..=4);
                let digit = if self.is(20) { more.to_string() } else { String::new() };
                self.out.push_str(&format!("{gap}{kind}{digit}{chomp}\n"));
                for number in 0..self.random.usize(1..=4) {
                    let deeper = if number > 0 && self.is(30) { 2 } else { 0 };
                    let end = if self.is(10) { "  " } else { "" };
                    let line = ["text", "# no comment", "- no item", "a: b"][self.random.usize(..4)];
                    self.out.push_str(&format!("{}{line}{end}\n", " ".repeat(column + more + deeper)));
                    if self.is(15) {
                        let blank = self.spaces(0);
                        self.out.push_str(&format!("{blank}\n"));
                    }
                }
            }
            6 => {
                let (open, close) = [("", ""), ("'", "'"), ("\"", "\"")][self.random.usize(..3)];
                let lines = self.random.usize(1..4);
                self.out.push_str(&format!("{gap}{open}word"));
                for _ in 0..lines {
                    let end = self.spaces(0);
                    self.out.push_str(&format!("{end}\n"));
                    if self.is(20) {
                        self.out.push('\n');
                    }
                    let at = column + 1 + self.random.usize(..5);
                    self.out.push_str(&format!("{}more", " ".repeat(at)));
                }
                self.out.push_str(close);
                self.end_line();
            }
            7 => {
                self.end_line();
                let at = column + self.random.usize(1..=4);
                let word = ["plain", "!Ref x", "[a,b]", "'q'", "!GetAtt a.b", "!Rain::Embed x"][self.random.usize(..6)];
                self.out.push_str(&format!("{}{word}", " ".repeat(at)));
                self.end_line();
            }
            8 => {
                let tag = ["!Ref", "!Sub", "!!str", "!Rain::Embed", "!foo:"][self.random.usize(..5)];
                let (word, more) = (self.word(), self.spaces(1));
                self.out.push_str(&format!("{gap}{tag}{more}{word}"));
                self.end_line();
            }
            _ => {
                let word = self.word();
                self.out.push_str(&format!("{gap}{word}"));
                if self.is(3) {
                    self.out.push_str(" # formwork: fmt skip\n");
                } else {
                    self.end_line();
                }
            }
        }
    }

    fn map(&mut self, column: usize, is_begun: bool) {
        self.depth += 1;
        for number in 0..self.random.usize(1..=4) {
            if number > 0 || !is_begun {
                self.between(column);
                self.out.push_str(&" ".repeat(column));
            }
            let key = self.key(number);
            let gap = if self.is(5) { " " } else { "" };
            self.out.push_str(&format!("{key}{gap}:"));
            self.value(column, false);
        }
        self.depth -= 1;
    }

    fn list(&mut self, column: usize, is_begun: bool) {
        self.depth += 1;
        for number in 0..self.random.usize(1..=3) {
            if number > 0 || !is_begun {
                self.between(column);
                self.out.push_str(&" ".repeat(column));
            }
            self.out.push('-');
            self.value(column, true);
        }
        self.depth -= 1;
    }
}

fn json(random: &mut Rng, out: &mut String, depth: usize) {
    let blank = |random: &mut Rng| match random.u8(..6) {
        0 => "\n".to_owned() + &" ".repeat(random.usize(..6)),
        1 => "\r\n\r\n\t".to_owned(),
        2 => "  ".to_owned(),
        _ => String::new(),
    };
    let kind = if depth == 0 { 0 } else { random.u8(..if depth < 5 { 5 } else { 3 }) + 1 };
    match kind {
        0 | 4 | 5 => {
            let is_map = kind != 5;
            out.push(if is_map { '{' } else { '[' });
            for number in 0..random.usize(..4) {
                if number > 0 {
                    out.push(',');
                }
                out.push_str(&blank(random));
                if is_map {
                    out.push_str(&format!("\"k{number}\"{}:{}", blank(random), blank(random)));
                }
                json(random, out, depth + 1);
                out.push_str(&blank(random));
            }
            out.push(if is_map { '}' } else { ']' });
        }
        1 => out.push_str("\"a \\\" {, \\\\\""),
        2 => out.push_str("-1.5e3"),
        _ => out.push_str("null"),
    }
}

fn count() -> u64 {
    std::env::var("FORMWORK_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(3_000)
}

#[test]
fn the_laws_hold_for_generated_yaml() {
    let (mut formatted, mut failed) = (0, Vec::new());
    for seed in 0..count() {
        let mut writer = Writer { random: Rng::with_seed(seed), out: String::new(), depth: 0 };
        let column = if writer.is(95) { 0 } else { 2 };
        writer.map(column, false);
        let mut text = writer.out;
        if seed % 7 == 0 {
            text = text.replace('\n', "\r\n");
        }
        if seed % 5 == 0 {
            text.truncate(text.trim_end_matches(['\r', '\n']).len());
        }
        match laws::check(&format!("seed{seed}.yaml"), &text) {
            Ok(after) => formatted += usize::from(after.is_some()),
            Err(why) => failed.push(format!("{why}\n--- before\n{text}\n---")),
        }
    }
    failed.sort_by_key(String::len);
    assert!(
        failed.is_empty(),
        "{} of {formatted}\n{}",
        failed.len(),
        failed.iter().take(3).cloned().collect::<String>()
    );
    println!("{formatted} of {} are well-formed", count());
    assert!(formatted as u64 > count() / 2, "{formatted} are well-formed");
}

#[test]
fn the_laws_hold_for_generated_json() {
    for seed in 0..count() {
        let (mut random, mut text) = (Rng::with_seed(seed), String::new());
        json(&mut random, &mut text, 0);
        let after = laws::check(&format!("seed{seed}.json"), &text).unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert!(after.is_some(), "{text}");
    }
}
