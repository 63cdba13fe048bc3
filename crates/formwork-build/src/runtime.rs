//! Lambda runtimes, by their identifiers (reference/build.md#runtimes).

/// A language whose sources are built in one way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Language {
    /// Python
    Python,
    /// Node.js
    Node,
    /// Ruby
    Ruby,
    /// Java
    Java,
    /// .NET
    Dotnet,
    /// Go, in the runtime of that name.
    Go,
    /// An OS-only runtime, for programs with a `bootstrap`.
    Provided,
}

/// A Lambda runtime.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Runtime {
    /// The identifier, such as `python3.12`.
    pub name: String,
    /// The language of the runtime.
    pub language: Language,
}

const RUNTIMES: &[(Language, &[&str])] = &[
    (
        Language::Python,
        &["python3.7", "python3.8", "python3.9", "python3.10", "python3.11", "python3.12", "python3.13", "python3.14"],
    ),
    (Language::Node, &["nodejs14.x", "nodejs16.x", "nodejs18.x", "nodejs20.x", "nodejs22.x", "nodejs24.x"]),
    (Language::Ruby, &["ruby2.7", "ruby3.2", "ruby3.3", "ruby3.4"]),
    (Language::Java, &["java8", "java8.al2", "java11", "java17", "java21", "java25"]),
    (Language::Dotnet, &["dotnetcore3.1", "dotnet6", "dotnet7", "dotnet8", "dotnet9", "dotnet10"]),
    (Language::Go, &["go1.x"]),
    (Language::Provided, &["provided", "provided.al2", "provided.al2023"]),
];

/// Prefixes of the identifiers of languages, for versions that are newer than the table.
const PREFIXES: &[(&str, Language)] = &[
    ("python3.", Language::Python),
    ("nodejs", Language::Node),
    ("ruby", Language::Ruby),
    ("java", Language::Java),
    ("dotnet", Language::Dotnet),
    ("provided", Language::Provided),
];

impl Runtime {
    /// Parses an identifier.
    pub fn from_name(name: &str) -> Option<Runtime> {
        let known = RUNTIMES.iter().find(|(_, names)| names.contains(&name)).map(|(language, _)| *language);
        let newer = || {
            let (prefix, language) = PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix))?;
            let version = name.strip_prefix(prefix)?;
            version.starts_with(|c: char| c.is_ascii_digit()).then_some(*language)
        };
        Some(Runtime { name: name.to_owned(), language: known.or_else(newer)? })
    }

    /// Returns the identifier that is most similar to a name.
    pub fn nearest(name: &str) -> &'static str {
        let all = RUNTIMES.iter().flat_map(|(_, names)| names.iter().copied());
        all.max_by(|a, b| {
            let likeness = |known: &str| strsim::jaro_winkler(known, name);
            likeness(a).total_cmp(&likeness(b))
        })
        .unwrap_or("provided.al2023")
    }

    /// Returns the version behind the name of the language, such as `3.12`, without `.x`.
    pub fn version(&self) -> &str {
        let at = self.name.find(|c: char| c.is_ascii_digit()).unwrap_or(self.name.len());
        self.name[at..].trim_end_matches(".x")
    }

    /// Returns the directory of a layer that the runtime searches for packages.
    pub(crate) fn layer_directory(&self) -> &'static str {
        match self.language {
            Language::Python => "python",
            Language::Node => "nodejs",
            Language::Ruby => "ruby/lib",
            Language::Java => "java",
            Language::Dotnet => "dotnet",
            Language::Go | Language::Provided => "",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_have_languages_and_versions() {
        for (name, language, version) in [
            ("python3.12", Language::Python, "3.12"),
            ("python3.15", Language::Python, "3.15"),
            ("nodejs20.x", Language::Node, "20"),
            ("java8.al2", Language::Java, "8.al2"),
            ("dotnet8", Language::Dotnet, "8"),
            ("provided.al2023", Language::Provided, "2023"),
        ] {
            let runtime = Runtime::from_name(name).expect("a runtime");
            assert_eq!((runtime.language, runtime.version()), (language, version), "{name}");
        }
        for name in ["python", "pythn3.12", "javascript", "cobol", "provided.al3"] {
            assert_eq!(Runtime::from_name(name), None, "{name}");
        }
        assert_eq!(Runtime::nearest("pythn3.12"), "python3.12");
    }
}
