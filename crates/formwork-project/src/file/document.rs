//! Parses `formwork.toml`.

use std::path::Path;

use formwork::toml_slip::toml_slip;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::below::below;
use super::scalar::{scalar_or_list, word};
use super::setting::{Setting, SettingValue};
use super::{MOST_ERRORS, ProjectFile, stack, template};
use crate::failure::FileFailure;

const TEMPLATE_ROOT: &str = "template-root";
const PARAMETERS: &str = "parameters";
const TEMPLATE: &str = "template";
const STACK: &str = "stack";

/// Parses the bytes of a file. Returns the usable settings, and the errors in the order of their lines. The names of
/// options are checked where they are used.
pub(crate) fn read(path: &Path, bytes: &[u8]) -> (ProjectFile, Vec<FileFailure>) {
    let file = ProjectFile { path: path.to_owned(), bytes: Some(bytes.to_vec().into()), ..ProjectFile::default() };
    let Ok(text) = std::str::from_utf8(bytes) else {
        let failure = FileFailure::unfit(path, format!("{} is not UTF-8 text", path.display()));
        return (file, vec![failure]);
    };
    let lines = Lines::of(text);
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => {
            let slip = toml_slip(text, error.span().unwrap_or_default(), error.message());
            let failure = ProjectFile::unfit(path, slip.line, &slip.title).at_slip(&slip);
            return (file, vec![failure.help(slip.help)]);
        }
    };
    let mut reader = Reader { path, lines, failures: Vec::new(), file };
    reader.root(table.get_ref());
    reader.failures.sort_by_key(|failure| failure.line);
    (reader.file, reader.failures)
}

struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        Lines(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// Returns the line of an offset, from 1.
    fn at(&self, offset: usize) -> usize {
        self.0.partition_point(|&end| end < offset) + 1
    }
}

/// Reads a table of a list, which begins in a line. The functions return the line of an offset, and receive errors with
/// their lines.
type ReadElement<T> = fn(&DeTable<'_>, usize, &dyn Fn(usize) -> usize, &mut dyn FnMut(usize, String)) -> Option<T>;

struct Reader<'t> {
    path: &'t Path,
    lines: Lines,
    failures: Vec<FileFailure>,
    file: ProjectFile,
}

impl Reader<'_> {
    fn root(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                (PARAMETERS, DeValue::Table(sets)) => self.sets(sets),
                (PARAMETERS, _) => self.wrong(value, "`parameters` is not a table of parameter sets"),
                (TEMPLATE_ROOT, DeValue::String(directory)) => match below(self.path, directory) {
                    Ok(root) => self.file.template_root = Some(root),
                    Err(leaves) => self.wrong(value, &leaves.to_string()),
                },
                (TEMPLATE_ROOT, _) => self.wrong(value, "`template-root` is not a string"),
                (TEMPLATE, DeValue::Array(templates)) => self.templates(templates),
                (TEMPLATE, _) => self.wrong(value, "`template` is not a list of tables: write `[[template]]`"),
                // A table has options of `formwork stack`.
                (STACK, DeValue::Array(stacks)) => self.stacks(stacks),
                (command, DeValue::Table(options)) => self.command(&[command.to_owned()], options),
                (option, _) => self.setting(&[], option, value),
            }
        }
    }

    /// Reads the options of a command, and the tables of its subcommands.
    fn command(&mut self, command: &[String], table: &DeTable<'_>) {
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            match value.get_ref() {
                DeValue::Table(options) if command.len() == 1 => {
                    self.command(&[command[0].clone(), name.to_owned()], options);
                }
                _ => self.setting(command, name, value),
            }
        }
    }

    fn setting(&mut self, command: &[String], option: &str, value: &Spanned<DeValue<'_>>) {
        let value_of = match value.get_ref() {
            DeValue::Boolean(flag) => Some(SettingValue::Flag(*flag)),
            DeValue::Array(items) => {
                items.iter().map(|item| word(item.get_ref())).collect::<Option<_>>().map(SettingValue::Words)
            }
            one => word(one).map(|word| SettingValue::Words(vec![word])),
        };
        let Some(value_of) = value_of else {
            return self.wrong(value, &format!("`{option}` is not a string, a number, a Boolean or a list of strings"));
        };
        let line = self.line(value);
        self.file.settings.push(Setting {
            command: command.to_vec(),
            option: option.to_owned(),
            value: value_of,
            line,
        });
    }

    fn sets(&mut self, table: &DeTable<'_>) {
        for (name, set) in table {
            let DeValue::Table(values) = set.get_ref() else {
                let why = format!("parameter set `{}` is not a table", name.get_ref());
                let help = format!("name the set: write `[parameters.NAME]` above `{}`", name.get_ref());
                if self.failures.len() < MOST_ERRORS {
                    self.failures.push(ProjectFile::unfit(self.path, self.line(set), &why).help(help));
                }
                continue;
            };
            let mut found = Vec::new();
            for (parameter, value) in values {
                let parameter = parameter.get_ref().to_string();
                match scalar_or_list(value.get_ref()) {
                    Some(text) => found.push((parameter, text, value.span())),
                    None => {
                        self.wrong(value, &format!("the value of `{parameter}` is not a scalar or a list of them"));
                    }
                }
            }
            self.file.sets.push((name.get_ref().to_string(), found));
        }
    }

    fn templates(&mut self, templates: &DeArray<'_>) {
        for declared in self.elements(TEMPLATE, templates, template::read) {
            let known = self.file.templates.iter().find(|known| known.name == declared.name).map(|known| known.line);
            if let Some(known) = known {
                let why = format!("template `{}` is declared in line {known}, too", declared.name);
                self.wrong_at(declared.line, &why);
            }
            for (pattern, line) in &declared.files {
                if let Err(leaves) = below(self.path, pattern) {
                    self.wrong_at(*line, &leaves.to_string());
                }
            }
            self.file.templates.push(declared);
        }
    }

    fn stacks(&mut self, stacks: &DeArray<'_>) {
        for declared in self.elements(STACK, stacks, stack::read) {
            if let Err(leaves) = below(self.path, &declared.template) {
                self.wrong_at(declared.template_line, &leaves.to_string());
            }
            self.file.stacks.push(declared);
        }
    }

    /// Reads the tables of a list, such as `[[template]]`.
    fn elements<T>(&mut self, name: &str, values: &DeArray<'_>, read: ReadElement<T>) -> Vec<T> {
        let (mut found, mut wrong) = (Vec::new(), Vec::new());
        for value in values {
            let own = self.line(value);
            match value.get_ref() {
                DeValue::Table(table) => {
                    let line = |offset| self.lines.at(offset);
                    found.extend(read(table, own, &line, &mut |line, why| wrong.push((line, why))));
                }
                _ => wrong.push((own, format!("`{name}` is not a list of tables: write `[[{name}]]`"))),
            }
        }
        for (line, why) in wrong {
            self.wrong_at(line, &why);
        }
        found
    }

    fn wrong_at(&mut self, line: usize, why: &str) {
        if self.failures.len() < MOST_ERRORS {
            self.failures.push(ProjectFile::unfit(self.path, line, why));
        }
    }

    fn line(&self, value: &Spanned<DeValue<'_>>) -> usize {
        self.lines.at(value.span().start)
    }

    fn wrong(&mut self, value: &Spanned<DeValue<'_>>, why: &str) {
        self.wrong_at(self.line(value), why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<ProjectFile, String> {
        let joined =
            |failures: Vec<FileFailure>| failures.into_iter().map(|one| one.message).collect::<Vec<_>>().join("\n");
        ProjectFile::parse(Path::new("formwork.toml"), text.as_bytes()).map_err(joined)
    }

    #[test]
    fn settings_sets_and_the_template_root() {
        let text = "template-root = \"infra\"\nstrict = true\n\n[check]\nignore = [\"FW0307\"]\n[local.start-api]\nport = 8080\n[parameters.prod]\nStage = \"prod\"\nZones = [\"a\", \"b\"]\nSize = 3\n";
        let file = read(text).expect("a file");
        assert_eq!(file.template_root(), Some(Path::new("infra")));
        let found: Vec<_> =
            file.settings.iter().map(|one| (one.command.join(" "), one.option.as_str(), one.line)).collect();
        let want = [
            (String::new(), "strict", 2),
            ("check".to_owned(), "ignore", 5),
            ("local start-api".to_owned(), "port", 7),
        ];
        assert!(want.iter().all(|one| found.contains(one)) && found.len() == 3, "{found:?}");
        let set = file.set("prod").expect("a set");
        for (name, value) in [("Stage", "prod"), ("Zones", "a,b"), ("Size", "3")] {
            assert!(set.values.iter().any(|(one, _)| one.name == name && one.value == value), "{set:?}");
        }
        let error = file.set("prd").expect_err("no such set");
        assert_eq!(error.message, "formwork.toml has no parameter set `prd`");
    }

    #[test]
    fn wrong_content_is_named_with_its_line_and_not_quoted() {
        for (text, want) in [
            ("strict = true\na b hunter2", "formwork.toml:2: the line has no `=`"),
            ("template-root = 1", "formwork.toml:1: `template-root` is not a string"),
            ("[check]\nignore = [[1]]", "formwork.toml:2: `ignore` is not a string"),
            ("parameters = 1", "formwork.toml:1: `parameters` is not a table of parameter sets"),
            ("[parameters.a]\nB = {c = 1}", "formwork.toml:2: the value of `B` is not a scalar or a list of them"),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.starts_with(want) && !error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn templates_of_several_files() {
        let text = "[[template]]\nname = \"auth\"\nfiles = [\"auth/parent.yaml\", \"auth/**/*.yaml\"]\n[[template]]\nname = \"b-2\"\nfiles = [\n  \"b.yaml\",\n]\n";
        let file = read(text).expect("a file");
        let [auth, other] = file.templates() else { panic!("{:?}", file.templates()) };
        assert_eq!((auth.name.as_str(), auth.line), ("auth", 2));
        assert_eq!(auth.files, [("auth/parent.yaml".to_owned(), 3), ("auth/**/*.yaml".to_owned(), 3)]);
        assert_eq!((other.line, &other.files[0]), (5, &("b.yaml".to_owned(), 7)));
        for (text, want) in [
            ("template = 1", "formwork.toml:1: `template` is not a list of tables"),
            ("[[template]]\nfiles = [\"a\"]", "formwork.toml:1: the template has no `name`"),
            ("[[template]]\nname = \"../a\"\nfiles = [\"a\"]", "formwork.toml:2: the name of a template consists of"),
            ("[[template]]\nname = \"a\"", "formwork.toml:2: template `a` has no `files`"),
            (
                "[[template]]\nname = \"a\"\nfiles = [\"../x.yaml\"]",
                "formwork.toml:3: `../x.yaml` is not below the directory",
            ),
            (
                "[[template]]\nname = \"a\"\nfiles = [\"/etc/*\"]",
                "formwork.toml:3: `/etc/*` is not below the directory",
            ),
            (
                "[[template]]\nname = \"a\"\nfiles = [\"x\"]\nfile = 1",
                "formwork.toml:4: `file` is not a key of `[[template]]`",
            ),
            (
                "[[template]]\nname = \"a\"\nfiles = [\"x\"]\n[[template]]\nname = \"a\"\nfiles = [\"y\"]",
                "formwork.toml:5: template `a` is declared in line 2, too",
            ),
        ] {
            let error = read(text).expect_err(text);
            assert!(error.starts_with(want), "{error}");
        }
    }

    #[test]
    fn all_wrong_values_are_named_in_the_order_of_the_file() {
        let error = read("template-root = 1\n[check]\nselect = {a = {}}\nignore = [[1]]\n[parameters]\nx = 1\n");
        let lines: Vec<String> = error.expect_err("wrong").lines().map(|line| line[..16].to_owned()).collect();
        assert_eq!(lines, ["formwork.toml:1:", "formwork.toml:3:", "formwork.toml:4:", "formwork.toml:6:"]);
    }
}
