//! Words that lead people to a name of Formwork, such as that of a package: until a release has reserved the names, whoever
//! takes one gets our readers. `packaging/published` is the switch, `packaging/published.md` has the words for both.

use std::path::Path;

use super::document::repository;

/// Whether the names are reserved.
pub(crate) fn is_published() -> bool {
    match read("packaging/published").trim() {
        "yes" => true,
        "no" => false,
        other => panic!("packaging/published is {other:?}, not yes or no"),
    }
}

fn read(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A part of a file: as it is until names are published, and from then on.
struct Pair {
    file: String,
    texts: [String; 2],
}

/// All of them, in their order.
fn pairs() -> Vec<Pair> {
    let all = read("packaging/published.md").replace("{{version}}", env!("CARGO_PKG_VERSION"));
    let (mut found, mut file, mut open) = (Vec::<Pair>::new(), String::new(), None::<usize>);
    for line in all.lines() {
        match (open, line) {
            (None, "~~~~ no") => {
                found.push(Pair { file: file.clone(), texts: Default::default() });
                open = Some(0);
            }
            (None, "~~~~ yes") => open = Some(1),
            (Some(_), "~~~~") => open = None,
            (Some(at), line) => {
                let text = &mut found.last_mut().expect("a pair").texts[at];
                text.push_str(line);
                text.push('\n');
            }
            (None, line) => file = line.strip_prefix("## ").map_or(file, str::to_owned),
        }
    }
    found
}

/// A file as it is before or after names are published.
pub(crate) fn as_if(name: &str, is_published: bool) -> String {
    let (mut text, pairs) = (read(name), pairs());
    let own: Vec<&Pair> = pairs.iter().filter(|pair| pair.file == name).collect();
    let mark = |at: usize| format!("\0{at}\0");
    for (at, pair) in own.iter().enumerate() {
        // One may be a part of the other one.
        let mut both: Vec<&String> = pair.texts.iter().collect();
        both.sort_by_key(|text| std::cmp::Reverse(text.len()));
        let before = text.len();
        for one in both {
            text = text.replace(one.as_str(), &mark(at));
        }
        assert_ne!(text.len(), before, "{name} has neither text of\n{}", pair.texts[0]);
    }
    for (at, pair) in own.iter().enumerate() {
        text = text.replace(&mark(at), &pair.texts[usize::from(is_published)]);
    }
    text
}

#[test]
fn texts_follow_the_switch() {
    let mut names: Vec<String> = pairs().into_iter().map(|pair| pair.file).collect();
    names.dedup();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        let [no, yes] = [false, true].map(|is_published| as_if(&name, is_published));
        assert_ne!(no, yes, "{name}");
        let wanted = if is_published() { yes } else { no };
        if std::env::var_os("FORMWORK_UPDATE").is_some() {
            std::fs::write(repository().join(&name), &wanted).expect("written");
        }
        assert_eq!(read(&name), wanted, "{name}: FORMWORK_UPDATE=1 writes it");
    }
}

/// Programs that get what a name leads to.
const INSTALLERS: [&str; 20] = [
    "pip", "pip3", "pipx", "uv", "uvx", "npm", "npx", "pnpm", "yarn", "bun", "bunx", "brew", "scoop", "choco",
    "winget", "gem", "apt", "apt-get", "dnf", "apk",
];

/// Whether a line leads a person or a program to Formwork by a name.
fn gets_by_name(line: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_@./:=$-".contains(c);
    let words: Vec<&str> = line.split(|c: char| !is_part(c)).filter(|word| !word.is_empty()).collect();
    let is_name = |word: &&str| {
        let word = word.trim_end_matches(['.', ':']);
        let is_package = ["formwork-cfn", "@formwork-cfn", "formwork==", "formwork-cli@"];
        matches!(word, "formwork" | "formwork-cli") || is_package.iter().any(|start| word.starts_with(start))
    };
    let gets = |(at, word): (usize, &&str)| {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let is_installer = INSTALLERS.contains(word)
            || *word == "cargo" && ["install", "add", "binstall"].contains(&next)
            || *word == "code" && next == "--install-extension"
            || ["docker", "podman"].contains(word) && ["pull", "run"].contains(&next);
        is_installer && words[at + 1..].iter().any(is_name)
            || *word == "uses:" && next.starts_with("formwork-cfn/")
            || *word == "repo:" && next.contains("formwork-cfn/")
    };
    let is_local = words.contains(&"--path")
        || words.iter().any(|word| Path::new(word).extension().is_some_and(|extension| extension == "vsix"));
    !is_local && words.iter().enumerate().any(gets)
        || line.contains("formwork-cfn==")
        || line.contains("formwork/releases/download")
}

/// Every file that people or their programs read, but what is published with the packages, and what tests alone read.
fn texts() -> Vec<String> {
    let files =
        ["README.md", "CONTRIBUTING.md", "SECURITY.md", "action.yml", ".pre-commit-hooks.yaml", "pyproject.toml"];
    let mut found: Vec<String> = files.map(str::to_owned).into();
    let mut open: Vec<String> = ["docs", "examples", "editors", "crates"].map(str::to_owned).into();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(repository().join(&folder)).expect("a directory") {
            let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
            let path = format!("{folder}/{name}");
            if !repository().join(&path).is_dir() {
                found.push(path);
            } else if !["tests", "node_modules", "target"].contains(&name.as_str()) {
                open.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn nobody_is_sent_to_a_name_that_is_not_reserved() {
    let names = texts();
    assert!(names.len() > 500, "{}", names.len());
    let mut sent = Vec::new();
    for name in names {
        // A picture has no words.
        let Ok(text) = std::fs::read_to_string(repository().join(&name)) else { continue };
        let lines = text.lines().enumerate().filter(|(_, line)| gets_by_name(line));
        sent.extend(lines.map(|(at, line)| format!("{name}:{}: {}", at + 1, line.trim())));
    }
    if is_published() {
        assert!(!sent.is_empty(), "people have to know the names");
    } else {
        assert!(sent.is_empty(), "packaging/published has the value no:\n{}", sent.join("\n"));
    }
}

/// The words that were there, and others that come to mind.
#[test]
fn words_that_lead_to_names_are_recognized() {
    for line in [
        "pip install formwork-cfn",
        "Install it with `uv tool install formwork-cfn`.",
        "    - pip install --user formwork-cfn==0.1.0",
        "npm install -D formwork-cfn",
        "npx formwork check",
        "`npx @formwork-cfn/linux-x64`",
        "brew install formwork-cfn/tap/formwork",
        "scoop install formwork",
        "cargo install --locked formwork-cli",
        "cargo add formwork",
        "docker run --rm formwork check",
        "      - uses: formwork-cfn/formwork@v0.1.0",
        "  - repo: https://github.com/formwork-cfn/formwork",
        "dependencies = [\"formwork-cfn==0.1.0\"]",
        "curl -LO https://github.com/formwork-cfn/formwork/releases/download/v0.1.0/x.tar.gz",
    ] {
        assert!(gets_by_name(line), "{line}");
    }
    for line in [
        "cargo install --locked --path crates/formwork-cli",
        "code --install-extension editors/vscode/formwork-0.1.0.vsix",
        "pip install cfn-lint",
        "The name `formwork` on PyPI belongs to another project.",
        "See https://github.com/formwork-cfn/formwork/blob/main/docs/guides/install.md",
    ] {
        assert!(!gets_by_name(line), "{line}");
    }
    // What a release writes leads to names, and what is there before does not.
    let all = pairs();
    assert!(all.iter().all(|pair| !pair.texts[0].lines().any(gets_by_name)));
    let files = all.iter().map(|pair| pair.file.as_str()).collect::<std::collections::BTreeSet<_>>();
    for file in files {
        assert!(as_if(file, true).lines().any(gets_by_name) || file == ".pre-commit-hooks.yaml", "{file}");
        assert!(Path::new(file).is_relative());
    }
}
