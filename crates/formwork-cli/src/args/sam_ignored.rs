//! Options of SAM CLI that mean nothing here, or what is done anyway (reference/command-line.md#habits). Each is accepted on the
//! commands that have it in SAM CLI, and what it does not do is one note.

use std::ffi::OsString;

/// What an option of SAM CLI is here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Meaning {
    /// A setting of containers.
    Container,
    /// What is done anyway.
    Done,
    /// `--verbose`.
    Verbose,
    /// Nothing, for the reason of the note.
    Nothing(&'static str),
}

/// Options of some commands.
struct Row {
    on: &'static [&'static str],
    options: &'static [&'static str],
    takes_value: bool,
    meaning: Meaning,
}

const ALL: &[&str] = &["build", "delete", "deploy", "list", "local", "logs", "package", "sync", "validate"];
const BUILDS: &[&str] = &["build", "sync"];
const RUNS: &[&str] = &["local invoke", "local start-api", "local start-lambda"];
const SERVERS: &[&str] = &["local start-api", "local start-lambda"];
/// The commands of `ALL` that save nothing; `deploy --guided` does.
const UNSAVED: &[&str] = &["build", "delete", "list", "local", "logs", "package", "validate"];

const fn row(
    on: &'static [&'static str],
    options: &'static [&'static str],
    takes_value: bool,
    meaning: Meaning,
) -> Row {
    Row { on, options, takes_value, meaning }
}

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row(ALL, &["--debug"], false, Meaning::Verbose),
    row(UNSAVED, &["--save-params"], false, Meaning::Nothing("nothing is saved: write options in formwork.toml, or save them with `formwork deploy --guided`")),
    row(BUILDS, &["--use-container", "-u", "--mount-symlinks", "--skip-pull-image", "--use-buildkit"], false, Meaning::Container),
    row(BUILDS, &["--build-image", "-bi", "--container-env-var-file", "-ef", "--docker-network"], true, Meaning::Container),
    row(&["build"], &["--container-env-var", "-e", "--mount-with"], true, Meaning::Container),
    row(BUILDS, &["--no-use-container", "--no-mount-symlinks", "--no-use-buildkit", "--no-build-in-source"], false, Meaning::Done),
    row(&["build"], &["--cache-dir", "-cd"], true, Meaning::Nothing("the cache is in the build directory, `--build-dir`")),
    row(&["build", "local"], &["--skip-prepare-infra", "--prepare-infra"], false, Meaning::Done),
    row(&["sync"], &["--dependency-layer", "--no-dependency-layer"], false, Meaning::Nothing("dependencies are in the artifact of each function")),
    row(&["sync"], &["--skip-deploy-sync", "--no-skip-deploy-sync"], false, Meaning::Nothing("the stack is deployed when the template differs from what is deployed")),
    row(RUNS, &["--skip-pull-image", "--force-image-build", "--mount-symlinks", "--no-mount-symlinks"], false, Meaning::Container),
    row(RUNS, &["--docker-network", "--docker-volume-basedir", "--container-host", "--container-host-interface", "--container-dns", "--add-host", "--invoke-image", "-ii", "--layer-cache-basedir", "--container-env-vars", "--debugger-path"], true, Meaning::Container),
    row(SERVERS, &["--warm-containers"], true, Meaning::Nothing("a process is kept for the next request, unless `--no-warm` is passed")),
    row(SERVERS, &["--no-watch"], false, Meaning::Nothing("edited code runs for the next request")),
    row(RUNS, &["--shutdown"], false, Meaning::Nothing("a function ends with its process")),
    row(&["local invoke"], &["--no-event"], false, Meaning::Done),
    row(&["validate"], &["--lint"], false, Meaning::Done),
    row(&["deploy"], &["--use-json"], false, Meaning::Nothing("a template in JSON is sent as JSON")),
];

impl Row {
    fn is_for(&self, command: &str) -> bool {
        let is_below =
            |on: &&str| command.strip_prefix(on).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        self.on.iter().any(is_below)
    }
}

/// The words without these options, and the notes about them. `command` is what the words begin with, `local invoke`.
pub(super) fn without_ignored(words: Vec<OsString>) -> (Vec<OsString>, Vec<String>) {
    let text = |at: usize| words.get(at).and_then(|word| word.to_str()).unwrap_or_default();
    let command = match text(1) {
        group @ ("local" | "list") => format!("{group} {}", text(2)),
        command => command.to_owned(),
    };
    let rows: Vec<&Row> = ROWS.iter().filter(|row| row.is_for(&command)).collect();
    let find = |option: &str| rows.iter().copied().find(|row| row.options.contains(&option));
    let is_verbose = |word: &OsString| word == "-v" || word == "--verbose" || word == "-q" || word == "--quiet";
    let mut is_verbose = words.iter().any(is_verbose);
    let (mut found, mut containers, mut notes) = (Vec::new(), Vec::new(), Vec::<String>::new());
    let (mut rest, mut is_over) = (words.into_iter().peekable(), false);
    while let Some(word) = rest.next() {
        is_over |= word == "--";
        let (option, value) = match word.to_str().map(|text| text.split_once('=')) {
            Some(Some((option, value))) if option.starts_with("--") => (option.to_owned(), Some(value)),
            _ => (word.to_string_lossy().into_owned(), None),
        };
        let row = find(&option).filter(|row| !is_over && (row.takes_value || value.is_none()));
        let needs_more = row.is_some_and(|row| row.takes_value && value.is_none());
        let Some(row) = row.filter(|_| !needs_more || rest.peek().is_some()) else {
            found.push(word);
            continue;
        };
        if needs_more {
            rest.next();
        }
        match row.meaning {
            Meaning::Done => {}
            Meaning::Container => containers.push(option),
            Meaning::Nothing(why) => notes.push(format!("{option} has no effect: {why}")),
            Meaning::Verbose => {
                if !std::mem::replace(&mut is_verbose, true) {
                    found.push("--verbose".into());
                }
                notes.push("--debug of SAM CLI is --verbose".to_owned());
            }
        }
    }
    if !containers.is_empty() {
        let verb = if containers.len() == 1 { "has" } else { "have" };
        let names = containers.join(", ");
        notes.push(format!(
            "{names} {verb} no effect: Formwork builds and runs with the tools and interpreters on the PATH"
        ));
    }
    notes.dedup();
    (found, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(words: &str) -> (String, Vec<String>) {
        let (words, notes) = without_ignored(words.split(' ').map(OsString::from).collect());
        let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        (words.join(" "), notes)
    }

    #[test]
    fn options_of_containers_are_one_note() {
        let (words, notes) = own("f build -u t.yaml --build-image F=x --mount-with=READ --no-use-container");
        assert_eq!(words, "f build t.yaml");
        let want = "-u, --build-image, --mount-with have no effect: Formwork builds and runs with the tools and interpreters on the PATH";
        assert_eq!(notes, [want]);
        assert_eq!(own("f local invoke F -ii x --shutdown").0, "f local invoke F");
    }

    #[test]
    fn debug_is_verbose() {
        for (words, want) in [
            ("f deploy t.yaml --debug", "f deploy t.yaml --verbose"),
            ("f local invoke F --debug --debug", "f local invoke F --verbose"),
            ("f list endpoints -v --debug", "f list endpoints -v"),
            ("f logs -q --debug", "f logs -q"),
            ("f check --debug", "f check --debug"),
            ("f local start-api -- --debug", "f local start-api -- --debug"),
        ] {
            let (words, notes) = own(words);
            assert_eq!(words, want);
            assert_eq!(notes.len(), usize::from(!want.ends_with("--debug")), "{want}");
        }
    }

    #[test]
    fn an_option_is_ignored_only_where_sam_cli_has_it() {
        for words in
            ["f expand --use-container", "f deploy -u", "f build --build-image", "f sync -e A=b", "f build x=y"]
        {
            assert_eq!(own(words), (words.to_owned(), Vec::new()));
        }
    }
}
