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

/// Columns of the terminal in the picture. Longer lines are wrapped as a terminal does.
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

/// Returns the lines of a text with escape sequences, as runs of characters of one style.
fn lines(text: &str) -> Vec<Vec<(Style, String)>> {
    let (mut lines, mut line, mut column) = (Vec::new(), Vec::<(Style, String)>::new(), 0);
    let mut style = Style::default();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character == '\u{1b}' {
            let sequence: String = characters.by_ref().take_while(|one| *one != 'm').collect();
            sequence.trim_start_matches('[').split(';').for_each(|parameter| style.apply(parameter));
            continue;
        }
        if character == '\n' || column == COLUMNS {
            lines.push(std::mem::take(&mut line));
            column = 0;
        }
        if character != '\n' {
            column += 1;
            match line.last_mut() {
                Some((last, run)) if *last == style => run.push(character),
                _ => line.push((style, character.to_string())),
            }
        }
    }
    lines.extend((!line.is_empty()).then_some(line));
    lines
}

fn svg(text: &str) -> String {
    let lines = lines(text);
    let width = (COLUMNS as f64 * CHARACTER_WIDTH) as usize + 2 * MARGIN;
    let height = lines.len() * LINE_HEIGHT + 2 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\n\
         <title>The report of formwork check</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1e2127\"/>\n\
         <g font-family=\"ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace\" font-size=\"14\" fill=\"#d7dae0\" xml:space=\"preserve\">\n"
    );
    for (row, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
        let y = MARGIN + row * LINE_HEIGHT + 13;
        let mut column = 0;
        write!(svg, "<text y=\"{y}\">").expect("a string");
        for (style, run) in line {
            let x = MARGIN as f64 + column as f64 * CHARACTER_WIDTH;
            let length = run.chars().count();
            column += length;
            // The length of each run is fixed, so that columns agree in every font.
            write!(svg, "<tspan x=\"{x:.1}\" textLength=\"{:.1}\"", length as f64 * CHARACTER_WIDTH).expect("a string");
            if style.bold {
                svg.push_str(" font-weight=\"bold\"");
            }
            if let Some(color) = style.color {
                write!(svg, " fill=\"{color}\"").expect("a string");
            }
            write!(svg, ">{}</tspan>", run.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;"))
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
fn a_long_line_is_wrapped_with_its_style() {
    let wrapped = lines(&format!("\u{1b}[1m{}\u{1b}[0m\n\nb\n", "a".repeat(COLUMNS + 2)));
    let style = Style { bold: true, color: None };
    let expected = [
        vec![(style, "a".repeat(COLUMNS))],
        vec![(style, "aa".to_owned())],
        vec![],
        vec![(Style::default(), "b".to_owned())],
    ];
    assert_eq!(wrapped.len(), expected.len());
    assert!(wrapped == expected);
}
