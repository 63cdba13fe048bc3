//! The picture of `check` in colour, `docs/images/check.svg`, is drawn from what the program prints.
//!
//! `FORMWORK_UPDATE=1 cargo test -p formwork-cli --test it -- picture::` draws it again.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Topics:
    - Name
    - [Orders, Users, Orders]
    - ${Name}Topic:
        Type: AWS::SNS::Topic
        Properties:
          TopicName: ${Name}-events
          DisplayName: !Sub ${Name} events of ${Stage}
";

/// Columns of the terminal in the picture. Longer lines are wrapped at a space.
const COLUMNS: usize = 110;
const CHARACTER_WIDTH: f64 = 8.4;
const LINE_HEIGHT: usize = 18;
const MARGIN: usize = 16;

/// How a character looks: the parameters of the escape sequences in force.
#[derive(Clone, Copy, PartialEq, Default)]
struct Style {
    bold: bool,
    color: Option<&'static str>,
}

impl Style {
    /// Applies an escape sequence, such as `1` or `91`.
    fn apply(&mut self, parameter: &str) {
        match parameter {
            "" | "0" => *self = Style::default(),
            "1" => self.bold = true,
            "31" | "91" => self.color = Some("#ff6b68"),
            "33" | "93" => self.color = Some("#e5c07b"),
            "32" | "92" => self.color = Some("#98c379"),
            "34" | "94" => self.color = Some("#61afef"),
            "36" | "96" => self.color = Some("#56b6c2"),
            other => panic!("escape sequence {other} is unknown"),
        }
    }
}

/// A character of the terminal with its style.
type Cell = (Style, char);

/// Returns the lines of a text with escape sequences, none of them longer than the terminal.
fn lines(text: &str) -> Vec<Vec<Cell>> {
    let (mut lines, mut line, mut style) = (Vec::new(), Vec::new(), Style::default());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\u{1b}' => {
                let sequence: String = characters.by_ref().take_while(|one| *one != 'm').collect();
                sequence.trim_start_matches('[').split(';').for_each(|parameter| style.apply(parameter));
            }
            '\n' => lines.extend(wrapped(std::mem::take(&mut line))),
            _ => line.push((style, character)),
        }
    }
    lines.extend((!line.is_empty()).then_some(line).into_iter().flat_map(wrapped));
    lines
}

/// Wraps a line at the last space that fits, or where the terminal ends. The rest of `= note: ...` begins below its text.
fn wrapped(mut line: Vec<Cell>) -> Vec<Vec<Cell>> {
    let text: String = line.iter().map(|(_, character)| *character).collect();
    let label = text.find(": ").filter(|at| text.trim_start().starts_with("= ") && *at < 20);
    let indentation = vec![(Style::default(), ' '); label.map_or(0, |at| at + 2)];
    let mut wrapped = Vec::new();
    while line.len() > COLUMNS {
        let fits = (indentation.len() + 1..=COLUMNS).rev().find(|at| line[*at].1 == ' ');
        let rest = line.split_off(fits.unwrap_or(COLUMNS));
        wrapped.push(std::mem::replace(&mut line, indentation.clone()));
        line.extend(rest.into_iter().skip(usize::from(fits.is_some())));
    }
    wrapped.push(line);
    wrapped
}

/// Returns the words of a line, each of one style, with its column. Spaces are not drawn: browsers differ in which they keep.
fn words(line: &[Cell]) -> Vec<(usize, Style, String)> {
    let mut words: Vec<(usize, Style, String)> = Vec::new();
    for (column, (style, character)) in line.iter().enumerate().filter(|(_, (_, character))| *character != ' ') {
        match words.last_mut() {
            Some((start, of_word, word)) if of_word == style && *start + word.chars().count() == column => {
                word.push(*character);
            }
            _ => words.push((column, *style, character.to_string())),
        }
    }
    words
}

fn svg(text: &str) -> String {
    let lines = lines(text);
    let width = (COLUMNS as f64 * CHARACTER_WIDTH) as usize + 2 * MARGIN;
    let height = lines.len() * LINE_HEIGHT + 2 * MARGIN;
    // The border separates the picture from a page that is as dark.
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>The report of formwork check</title>\n\
         <rect x=\"0.5\" y=\"0.5\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#1e2127\" stroke=\"#4b5261\"/>\n\
         <g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\" fill=\"#d7dae0\">\n",
        width - 1,
        height - 1
    );
    for (row, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let y = MARGIN + row * LINE_HEIGHT + 13;
        write!(svg, "<text y=\"{y}\">").expect("a string");
        for (column, style, word) in words(line) {
            let x = MARGIN as f64 + column as f64 * CHARACTER_WIDTH;
            // The length of each word is fixed, so that columns agree in every font.
            let length = word.chars().count() as f64 * CHARACTER_WIDTH;
            write!(svg, "<tspan x=\"{x:.1}\" textLength=\"{length:.1}\"").expect("a string");
            if style.bold {
                svg.push_str(" font-weight=\"bold\"");
            }
            if let Some(color) = style.color {
                write!(svg, " fill=\"{color}\"").expect("a string");
            }
            write!(svg, ">{}</tspan>", word.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
                .expect("a string");
        }
        svg.push_str("</text>\n");
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

#[test]
fn the_picture_shows_what_check_prints() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("picture");
    std::fs::create_dir_all(&directory).expect("a directory");
    std::fs::write(directory.join("topics.yaml"), TEMPLATE).expect("a template");
    let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
        .args(["check", "topics.yaml", "--color", "always"])
        .current_dir(&directory)
        .env_clear()
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(1));
    let report = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(report.contains("FW0303") && report.contains('\u{1b}'), "{report}");
    let prompt = "\u{1b}[1m$ formwork check topics.yaml\u{1b}[0m\n";
    let drawn = svg(&format!("{prompt}{report}"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/images/check.svg");
    if std::env::var_os("FORMWORK_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, drawn).expect("the picture is written");
    } else {
        assert_eq!(
            std::fs::read_to_string(path).unwrap_or_default(),
            drawn,
            "docs/images/check.svg is another picture"
        );
    }
}

#[test]
fn a_long_line_is_wrapped_at_a_space_with_its_style() {
    let text = |line: &Vec<Cell>| line.iter().map(|(_, character)| *character).collect::<String>();
    let wrapped = lines(&format!("\u{1b}[1m{} cc\u{1b}[0m\n\n  = note: {} b\n", "a".repeat(COLUMNS), "a".repeat(100)));
    let expected = [
        "a".repeat(COLUMNS),
        "cc".into(),
        String::new(),
        format!("  = note: {}", "a".repeat(100)),
        format!("{}b", " ".repeat(10)),
    ];
    assert_eq!(wrapped.iter().map(text).collect::<Vec<_>>(), expected);
    assert!(wrapped[1].iter().all(|(style, _)| style.bold) && wrapped[4].iter().all(|(style, _)| !style.bold));
    assert_eq!(lines(&"a".repeat(COLUMNS + 2)).iter().map(Vec::len).collect::<Vec<_>>(), [COLUMNS, 2]);
}

#[test]
fn spaces_are_not_drawn() {
    let drawn = svg("  a   \u{1b}[1mb\u{1b}[0mc\n");
    let columns = [2, 6, 7].map(|column| format!("x=\"{:.1}\"", MARGIN as f64 + f64::from(column) * CHARACTER_WIDTH));
    assert!(columns.iter().all(|x| drawn.contains(x.as_str())), "{drawn}");
    assert!(!drawn.contains("> ") && !drawn.contains(" </"), "{drawn}");
}
