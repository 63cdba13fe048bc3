//! The project templates, with their files (reference/init.md#templates).

/// A project to start with. Its files are in `projects/NAME` of this crate.
#[derive(Debug)]
pub(super) struct ProjectTemplate {
    pub(super) name: &'static str,
    pub(super) summary: &'static str,
    pub(super) files: &'static [(&'static str, &'static str)],
    /// Commands to try, in the directory of the project.
    pub(super) next: &'static [&'static str],
}

const NAME: &str = "PROJECT-NAME";

const VERSION: &str = "FORMWORK-VERSION";

macro_rules! files {
    ($directory:literal, $($path:literal),+ $(,)?) => {
        &[$(($path, include_str!(concat!("../../../projects/", $directory, "/", $path)))),+]
    };
}

pub(super) const ALL: &[ProjectTemplate] = &[
    ProjectTemplate {
        name: "functions",
        summary: "a loop of functions behind an HTTP API",
        files: files![
            "functions",
            ".gitignore",
            "README.md",
            "events/get.json",
            "functions/orders/app.py",
            "functions/users/app.py",
            "samconfig.toml",
            "template.yaml",
        ],
        next: &[
            "formwork expand template.yaml",
            "formwork local invoke ordersFunction -e events/get.json",
            "formwork deploy",
        ],
    },
    ProjectTemplate {
        name: "modules",
        summary: "a topic with two workers, each an instance of one module",
        files: files![
            "modules",
            ".gitignore",
            "README.md",
            "events/order.json",
            "modules/worker.yaml",
            "samconfig.toml",
            "template.yaml",
            "workers/invoices/app.py",
            "workers/mail/app.py",
        ],
        next: &[
            "formwork expand template.yaml",
            "formwork local invoke MailFunction -e events/order.json",
            "formwork deploy",
        ],
    },
    ProjectTemplate {
        name: "pipeline",
        summary: "scheduled jobs, packaged once by GitHub Actions and deployed to two stages",
        files: files![
            "pipeline",
            ".github/workflows/deploy.yaml",
            ".gitignore",
            "README.md",
            "events/clock.json",
            "samconfig.toml",
            "src/app.py",
            "template.yaml",
        ],
        next: &[
            "formwork check template.yaml",
            "formwork local invoke ReportJob -e events/clock.json",
            "formwork package --s3-bucket BUCKET -o packaged.yaml",
        ],
    },
];

impl ProjectTemplate {
    /// Returns the template with a name, or a number in the list, from 1.
    pub(super) fn find(word: &str) -> Option<&'static ProjectTemplate> {
        let number = word.parse::<usize>().ok().and_then(|number| ALL.get(number.checked_sub(1)?));
        number.or_else(|| ProjectTemplate::named(word))
    }

    pub(super) fn named(word: &str) -> Option<&'static ProjectTemplate> {
        ALL.iter().find(|template| template.name == word)
    }

    /// The paths and contents of the files, with the name of the project filled in.
    pub(super) fn files_of(&self, project: &str) -> impl Iterator<Item = (&'static str, String)> {
        self.files
            .iter()
            .map(move |(path, text)| (*path, text.replace(NAME, project).replace(VERSION, env!("CARGO_PKG_VERSION"))))
    }
}

pub(super) fn lines() -> impl Iterator<Item = String> {
    ALL.iter().map(|template| format!("{:<10} {}", template.name, template.summary))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_names_and_numbers() {
        assert_eq!(ProjectTemplate::find("1").map(|found| found.name), Some("functions"));
        assert_eq!(ProjectTemplate::find("pipeline").map(|found| found.name), Some("pipeline"));
        for unknown in ["", "0", "4", "-1", "Functions", "function"] {
            assert!(ProjectTemplate::find(unknown).is_none(), "{unknown}");
        }
    }

    #[test]
    fn no_file_keeps_a_placeholder() {
        for template in ALL {
            let files: Vec<(&str, String)> = template.files_of("shop").collect();
            assert!(files.iter().any(|(_, text)| text.contains("shop")));
            assert!(files.iter().all(|(_, text)| !text.contains(NAME) && !text.contains(VERSION)));
        }
    }
}
