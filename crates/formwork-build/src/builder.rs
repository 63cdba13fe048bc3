//! The kinds of builders.

/// What builds a source.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Builder {
    /// Nothing: it is copied.
    Copy,
    Pip,
    Uv,
    Poetry,
    Node,
    Esbuild,
    Makefile,
    Go,
    Cargo,
    Gradle,
    Maven,
    Bundler,
    Dotnet,
    Image,
}

/// Files that are excluded from every source: those of version control, and the output of builds.
const ALWAYS_EXCLUDED: &[&str] = &["/.git", "/.formwork", "/.aws-sam"];
const PYTHON_EXCLUDED: &[&str] = &["__pycache__/", "*.pyc"];
const NODE_EXCLUDED: &[&str] = &["/node_modules"];

impl Builder {
    /// Returns the name of the builder for messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Builder::Copy => "copy",
            Builder::Pip => "pip",
            Builder::Uv => "uv",
            Builder::Poetry => "poetry",
            Builder::Node => "node",
            Builder::Esbuild => "esbuild",
            Builder::Makefile => "make",
            Builder::Go => "go",
            Builder::Cargo => "cargo",
            Builder::Gradle => "gradle",
            Builder::Maven => "maven",
            Builder::Bundler => "bundler",
            Builder::Dotnet => "dotnet",
            Builder::Image => "image",
        }
    }

    /// Returns the patterns of files that are excluded from a source.
    pub(crate) fn excluded(self) -> impl Iterator<Item = &'static str> {
        let own: &[&str] = match self {
            Builder::Pip | Builder::Uv | Builder::Poetry => PYTHON_EXCLUDED,
            Builder::Node | Builder::Esbuild => NODE_EXCLUDED,
            Builder::Cargo => &["/target"],
            Builder::Maven => &["/target"],
            Builder::Gradle => &["/build", "/.gradle"],
            Builder::Bundler => &["/vendor/bundle", "/.bundle"],
            Builder::Dotnet => &["bin/", "obj/"],
            Builder::Copy => PYTHON_EXCLUDED,
            Builder::Go | Builder::Makefile | Builder::Image => &[],
        };
        ALWAYS_EXCLUDED.iter().chain(own).copied()
    }
}
