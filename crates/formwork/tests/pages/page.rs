//! Reading a page: its table of severities and its examples.
//!
//! A page has the sections `What it means`, `Why it is a problem`, `Wrong`, `Right` and `How to fix
//! it`. A fenced block in `Wrong` or `Right` is a file of an example: `yaml` alone is
//! `template.yaml`, a second word names another file, and `saved as ISO-8859-1` its encoding. The
//! block `console` that may follow holds the command; without one it is `formwork check
//! template.yaml`, and what `Wrong` was run with goes for `Right` too. A new `yaml` block after a
//! command begins another example. A line that ends in `# and so on to P201` stands for as many
//! lines.

use formwork::{
    Code, Compat, Goal, LanguageExtensions, MemoryHost, Options, ParameterValue, PseudoParameter, Serverless, Severity,
    SourceFile, ValueSource, Values, VirtualPath,
};

/// As the program has them: it knows resource types.
fn options_of_pages() -> Options {
    Options { schemas: Some(std::sync::Arc::new(formwork::schemas::Schemas::embedded())), ..Options::default() }
}

const SECTIONS: [&str; 5] = ["What it means", "Why it is a problem", "Wrong", "Right", "How to fix it"];

/// A page, read.
pub(crate) struct Page {
    pub(crate) code: Code,
    pub(crate) text: String,
    /// How bad the first wrong example is in `expand`, `resolve` and `check`.
    pub(crate) severities: [Option<Severity>; 3],
    pub(crate) wrong: Vec<Example>,
    pub(crate) right: Vec<Example>,
}

/// Files and the command to run on them.
pub(crate) struct Example {
    pub(crate) host: MemoryHost,
    pub(crate) files: Vec<File>,
    pub(crate) stage: Goal,
    pub(crate) options: Options,
    /// Whether the command is `build`.
    pub(crate) builds: bool,
    /// The directory that `package` uploads to.
    pub(crate) store: Option<String>,
    /// The path that `explain` is asked for.
    pub(crate) path: Option<String>,
    /// Whether the code is reported by a deployment.
    pub(crate) is_deployed: bool,
    /// Whether the template is compared with `old.yaml`.
    pub(crate) is_planned: bool,
    /// Further templates of the command.
    pub(crate) others: Vec<String>,
}

struct Block {
    info: String,
    text: String,
}

impl Page {
    pub(crate) fn parse(code: Code, text: &str) -> Page {
        let mut lines = text.lines();
        let heading = lines.next().expect("a heading");
        assert_eq!(heading, format!("# {code}: {}", code.info().title));
        let sections: Vec<&str> = text.split("\n## ").skip(1).collect();
        let names: Vec<&str> = sections.iter().map(|section| section.lines().next().expect("a name")).collect();
        assert_eq!(names, SECTIONS, "sections of {code}");
        for (name, section) in names.iter().zip(&sections) {
            assert!(section.lines().nth(2).is_some_and(|line| !line.is_empty()), "{code}: nothing under {name}");
        }
        let wrong = examples(&blocks(sections[2]), None);
        assert!(!wrong.is_empty(), "{code} has no wrong example");
        let right = examples(&blocks(sections[3]), wrong.first());
        assert!(!right.is_empty(), "{code} has no right example");
        Page { code, text: text.to_owned(), severities: severities(code, text), wrong, right }
    }
}

fn severities(code: Code, text: &str) -> [Option<Severity>; 3] {
    let table: Vec<&str> = text.lines().skip(2).take(3).collect();
    assert_eq!(table[..2], ["| `expand` | `resolve` | `check` |", "|---|---|---|"], "table of {code}");
    let cells: Vec<Option<Severity>> = table[2]
        .trim_matches('|')
        .split('|')
        .map(|cell| match cell.trim() {
            "error" => Some(Severity::Error),
            "warning" => Some(Severity::Warning),
            "note" => Some(Severity::Note),
            "-" => None,
            other => panic!("{code}: {other} is not a severity"),
        })
        .collect();
    cells.try_into().expect("three cells")
}

fn blocks(section: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for line in section.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some(Block { info: info.to_owned(), text: String::new() }),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block has no end");
    blocks
}

/// Name and bytes.
pub(crate) type File = (String, Vec<u8>);

/// The examples of a section. `other` is one whose command counts by default.
fn examples(blocks: &[Block], other: Option<&Example>) -> Vec<Example> {
    let mut found: Vec<(Vec<File>, Option<&str>)> = Vec::new();
    for block in blocks {
        if block.info == "console" {
            let (_, command) = found.last_mut().expect("a file is before its command");
            *command = Some(&block.text);
            continue;
        }
        if !matches!(block.info.split(' ').next(), Some("yaml" | "json" | "toml")) {
            continue;
        }
        let file = file(block);
        match found.last_mut() {
            Some((files, None)) if !files.iter().any(|(name, _)| *name == file.0) => files.push(file),
            _ => found.push((vec![file], None)),
        }
    }
    found
        .into_iter()
        .map(|(files, command)| {
            let host = files.iter().fold(MemoryHost::new(), |host, (name, bytes)| host.with(name, bytes.clone()));
            let path = command.and_then(|command| command.strip_prefix("$ formwork explain template.yaml "));
            // What CloudFormation reports of a deployment is tested against a scripted one.
            let is_deployed = |command: &str| {
                ["$ formwork deploy template.yaml ", "$ formwork refactor template.yaml "]
                    .iter()
                    .any(|begin| command.starts_with(begin))
            };
            if command.is_some_and(is_deployed) {
                let (stage, options) = (Goal::Check, options_of_pages());
                return Example {
                    host,
                    files,
                    stage,
                    options,
                    builds: false,
                    store: None,
                    path: None,
                    is_deployed: true,
                    is_planned: false,
                    others: Vec::new(),
                };
            }
            if let Some(path) = path {
                let (stage, options, path) = (Goal::Resolve, options_of_pages(), Some(path.trim().to_owned()));
                return Example {
                    host,
                    files,
                    stage,
                    options,
                    builds: false,
                    store: None,
                    path,
                    is_deployed: false,
                    is_planned: false,
                    others: Vec::new(),
                };
            }
            let is_planned = command.map_or_else(
                || other.is_some_and(|other| other.is_planned),
                |command| command == "$ formwork plan old.yaml template.yaml\n",
            );
            // No other command is run for this goal.
            let command = command.filter(|_| !is_planned);
            let planned = (Goal::Deploy, options_of_pages(), None);
            let (stage, options, store) = match (command, other) {
                _ if is_planned => planned,
                (Some(command), _) => command_line(command, &files),
                (None, Some(other)) => (other.stage, other.options.clone(), other.store.clone()),
                (None, None) => (Goal::Check, options_of_pages(), None),
            };
            let builds = command.map_or_else(
                || other.is_some_and(|other| other.builds),
                |command| command.starts_with("$ formwork build "),
            );
            let others = command.into_iter().flat_map(str::split_whitespace).skip(4);
            let others = others.filter(|word| word.ends_with("orders.yaml")).map(str::to_owned).collect();
            Example { host, files, stage, options, builds, store, path: None, is_deployed: false, is_planned, others }
        })
        .collect()
}

fn file(block: &Block) -> File {
    let (words, encoding) = block.info.split_once(" saved as ").unwrap_or((&block.info, "UTF-8"));
    let name = words.split(' ').nth(1).unwrap_or("template.yaml");
    let text: String = block.text.split_inclusive('\n').map(repeated).collect();
    let bytes = match encoding {
        "UTF-8" => text.into_bytes(),
        "ISO-8859-1" => text.chars().map(|c| u8::try_from(u32::from(c)).expect("a character of Latin-1")).collect(),
        other => panic!("{other} is not an encoding"),
    };
    (name.to_owned(), bytes)
}

/// The lines that `P1: ... # and so on to P201` abbreviates.
fn repeated(line: &str) -> String {
    let Some((first, last)) = line.split_once(" # and so on to ") else { return line.to_owned() };
    let last = last.trim();
    let name = last.trim_end_matches(|c: char| c.is_ascii_digit());
    let count: u32 = last[name.len()..].parse().expect("a number");
    (1..=count).map(|number| first.replace(&format!("{name}1"), &format!("{name}{number}")) + "\n").collect()
}

fn command_line(text: &str, files: &[File]) -> (Goal, Options, Option<String>) {
    let mut store = None;
    let text = text.replace("formwork rules check", "formwork rules-check");
    let words: Vec<&str> = text.split_whitespace().collect();
    let ["$", "formwork", command, "template.yaml", rest @ ..] = words.as_slice() else {
        panic!("{text} is not a command")
    };
    let stage = match *command {
        "expand" => Goal::Expand,
        "resolve" => Goal::Resolve,
        "check" => Goal::Check,
        "rules-check" => Goal::Rules,
        "package" | "build" => Goal::Package,
        other => panic!("{other} is not a command"),
    };
    // A further template is compiled by itself.
    let is_flag = |word: &&str| matches!(*word, "--strict" | "--serverless" | "--merge" | "orders.yaml");
    let (flags, rest): (Vec<&str>, Vec<&str>) = rest.iter().copied().partition(is_flag);
    let mut options = Options { strict: flags.contains(&"--strict"), ..options_of_pages() };
    if flags.contains(&"--serverless") {
        options.serverless = Serverless::Output;
    }
    let mut rest = rest.as_slice();
    while let [file, others @ ..] = rest
        && flags.contains(&"--merge")
        && !file.starts_with("--")
    {
        options.other_files.push(VirtualPath::new(file));
        rest = others;
    }
    let side_file = |name: &str| {
        let (_, bytes) = files.iter().find(|(known, _)| known == name).expect("a file of the example");
        SourceFile { path: name.to_owned(), display: name.to_owned(), bytes: bytes.clone().into() }
    };
    for pair in rest.chunks(2) {
        let [option, value] = pair else { panic!("{text}: {pair:?} has no value") };
        match *option {
            "--parameter-overrides" => {
                let (name, value) = value.split_once('=').expect("NAME=VALUE");
                let (name, value, given) = (name.to_owned(), value.to_owned(), ValueSource::CommandLine);
                options.parameters.push(ParameterValue { name, value, given });
            }
            "--parameters-file" => options.parameter_files.push(side_file(value)),
            "--account" => options.accounts.push(side_file(value)),
            "--constraint" => options.constraints.push(side_file(value)),
            "--region" => options.pseudo.push((PseudoParameter::Region, (*value).to_owned())),
            "--values" => {
                options.values = match *value {
                    "keep" => Values::Keep,
                    "pin" => Values::Pin,
                    "all" => Values::All,
                    other => panic!("--values {other}"),
                }
            }
            "--select" => options.selection.select.extend(formwork::CodePattern::parse(value)),
            "--compat" => options.compat = if *value == "sam" { Compat::Sam } else { Compat::Aws },
            "--language-extensions" => {
                options.language_extensions =
                    if *value == "always" { LanguageExtensions::Always } else { LanguageExtensions::Never };
            }
            "--s3-bucket" => store = value.strip_prefix("file:").map(str::to_owned),
            "--bucket-name" => assert_eq!(*value, "bucket", "the bucket of every example"),
            other => panic!("the test does not know {other}"),
        }
    }
    (stage, options, store)
}
