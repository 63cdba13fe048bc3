//! The kinds of builders.

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Builder {
    Copy,
    /// Copies Python modules without the files that tools write beside them.
    CopyPython,
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

const ALWAYS_EXCLUDED: &[&str] = &["/.git", "/.formwork", "/.aws-sam"];
const COMPILED: &[&str] = &["__pycache__/", "*.pyc"];
/// Files that tools, environments and editors write into a directory of modules. SAM CLI's list, but for `*.so`: a
/// compiled module of the source is code.
const PYTHON_EXCLUDED: &[&str] = &[
    "__pycache__",
    "*.pyc",
    ".chalice",
    ".gitignore",
    ".Python",
    "*.egg-info",
    "*.egg",
    "pip-log.txt",
    "pip-delete-this-directory.txt",
    "htmlcov",
    ".tox",
    ".nox",
    ".coverage",
    ".cache",
    ".pytest_cache",
    ".python-version",
    ".mypy_cache",
    ".dmypy.json",
    ".pyre",
    ".env",
    ".venv",
    "venv",
    "venv.bak",
    "env.bak",
    "ENV",
    "env",
    ".uv-cache",
    "uv.lock.bak",
    ".vscode",
    ".idea",
];
const NODE_EXCLUDED: &[&str] = &["/node_modules"];

impl Builder {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Builder::Copy | Builder::CopyPython => "copy",
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

    pub(crate) fn is_copy(self) -> bool {
        matches!(self, Builder::Copy | Builder::CopyPython)
    }

    pub(crate) fn runs_in_source(self) -> bool {
        matches!(self, Builder::Node | Builder::Esbuild | Builder::Makefile)
    }

    /// Returns `true` when a layer is the whole output of the builder, not a subdirectory for the runtime: a Makefile
    /// chooses the paths in the layer itself, and a program belongs to no runtime.
    pub(crate) fn fills_layer(self) -> bool {
        matches!(self, Builder::Makefile | Builder::Go | Builder::Cargo | Builder::Image)
    }

    pub(crate) fn excluded(self) -> impl Iterator<Item = &'static str> {
        let own: &[&str] = match self {
            Builder::Pip | Builder::Uv | Builder::Poetry | Builder::CopyPython => PYTHON_EXCLUDED,
            Builder::Node | Builder::Esbuild => NODE_EXCLUDED,
            Builder::Cargo => &["/target"],
            Builder::Maven => &["/target"],
            Builder::Gradle => &["/build", "/.gradle"],
            Builder::Bundler => &["/vendor/bundle", "/.bundle"],
            Builder::Dotnet => &["bin/", "obj/"],
            Builder::Copy => COMPILED,
            Builder::Go | Builder::Makefile | Builder::Image => &[],
        };
        ALWAYS_EXCLUDED.iter().chain(own).copied()
    }
}
