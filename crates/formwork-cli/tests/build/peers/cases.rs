//! The cases: a function, how SAM CLI would have it built, and where we deviate on purpose.

use super::stand_ins::{CARGO_LAMBDA, DOTNET, GO_BUILD, GO_IN_DIRECTORY, GRADLE, MAKE, MAVEN, NPM, PIP};
use crate::build::project::Project;

/// A deviation: lines that only they run, and those that we run in their place.
pub(super) struct Row {
    pub(super) theirs: &'static [&'static str],
    pub(super) ours: &'static [&'static str],
    pub(super) why: &'static str,
}

/// A function with the tools that build it.
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) runtime: &'static str,
    pub(super) architecture: &'static str,
    /// `Metadata` of the function.
    metadata: &'static str,
    files: &'static [(&'static str, &'static str)],
    tools: &'static [(&'static str, &'static str)],
    pub(super) language: &'static str,
    pub(super) manager: Option<&'static str>,
    pub(super) manifest: &'static str,
    /// What SAM CLI makes of the metadata, as JSON.
    pub(super) options: Option<&'static str>,
    pub(super) rows: &'static [Row],
}

impl Case {
    pub(super) fn project(&self) -> Project {
        let project = Project::new(&format!("peers-{}", self.name));
        let template = format!(
            "Resources:\n  F:\n    Type: AWS::Lambda::Function\n    Metadata: {}\n    Properties: {{Handler: cmd/app, \
             Runtime: {}, Architectures: [{}], Code: src}}\n",
            self.metadata, self.runtime, self.architecture
        );
        project.write("template.yaml", &template);
        for (name, text) in self.files {
            project.write(&format!("src/{name}"), text);
        }
        for (name, script) in self.tools {
            project.tool(name, script);
        }
        project
    }
}

const PLAIN: Case = Case {
    name: "",
    runtime: "provided.al2023",
    architecture: "arm64",
    metadata: "{}",
    files: &[],
    tools: &[],
    language: "provided",
    manager: None,
    manifest: "",
    options: None,
    rows: &[],
};

const UNPACKED: Row = Row {
    theirs: &["npm pack -q file:SOURCE"],
    ours: &[],
    why: "`files` and `.npmignore` are read without a process of npm for each source",
};
const BUNDLED: Row = Row {
    theirs: &["npm install -q --no-audit --no-save --omit=dev"],
    ours: &["npm install -q --no-audit --no-fund --no-save --omit=dev --install-links"],
    why: "packages of this disk are copied, and no advertisement is in the log",
};

const PYTHON: Case = Case { runtime: "python3.13", language: "python", ..PLAIN };
const NODE: Case = Case {
    runtime: "nodejs22.x",
    files: &[("package.json", "{}")],
    tools: &[("npm", NPM)],
    language: "nodejs",
    manager: Some("npm"),
    manifest: "package.json",
    ..PLAIN
};
const ESBUILD: Case = Case { tools: &[("npm", NPM), ("esbuild", "echo 0.25.0")], manager: Some("npm-esbuild"), ..NODE };
const GO: Case = Case { language: "go", manager: Some("modules"), manifest: "go.mod", ..PLAIN };
const RUST: Case = Case {
    files: &[("Cargo.toml", "[package]\nname = 'shop'\n")],
    tools: &[("cargo", CARGO_LAMBDA), ("cargo-lambda", "")],
    language: "rust",
    manager: Some("cargo"),
    manifest: "Cargo.toml",
    ..PLAIN
};
const JAVA: Case = Case { runtime: "java21", language: "java", ..PLAIN };
const RUBY: Case = Case {
    runtime: "ruby3.4",
    tools: &[("bundle", ""), ("ruby", "")],
    language: "ruby",
    manager: Some("bundler"),
    manifest: "Gemfile",
    ..PLAIN
};

pub(super) const CASES: &[Case] = &[
    Case {
        name: "pip",
        files: &[("requirements.txt", "dep\n")],
        tools: &[("python3.13", PIP)],
        manager: Some("pip"),
        manifest: "requirements.txt",
        rows: &[Row {
            theirs: &[
                "python3.13 -m pip download --only-binary=:all: --no-deps --platform any --platform linux_aarch64 \
                     --platform manylinux2014_aarch64 --platform manylinux_2_17_aarch64 --platform \
                     manylinux_2_28_aarch64 --platform manylinux_2_34_aarch64 --implementation cp --abi cp313 --dest \
                     WORK dep==1.0",
                "python3.13 -m pip download -r SOURCE/requirements.txt --dest WORK --exists-action i",
            ],
            ours: &["python3.13 -m pip --disable-pip-version-check --no-input install --requirement \
                     SOURCE/formwork-requirements.txt --target OUT --only-binary=:all: --implementation cp \
                     --python-version 3.13 --abi cp313 --platform manylinux2014_aarch64 --platform \
                     manylinux_2_5_aarch64 --platform manylinux_2_12_aarch64 --platform manylinux_2_17_aarch64 \
                     --platform manylinux_2_24_aarch64 --platform manylinux_2_26_aarch64 --platform \
                     manylinux_2_27_aarch64 --platform manylinux_2_28_aarch64 --platform manylinux_2_31_aarch64 \
                     --platform manylinux_2_34_aarch64 --platform linux_aarch64 --no-compile --upgrade"],
            why: "one resolution for the system of Lambda, with every platform that its glibc runs",
        }],
        ..PYTHON
    },
    Case {
        name: "uv",
        metadata: "{BuildMethod: python-uv}",
        files: &[("pyproject.toml", "[project]\nname = 'x'\n"), ("uv.lock", "")],
        tools: &[("uv", "")],
        manager: Some("uv"),
        manifest: "pyproject.toml",
        rows: &[
            Row {
                theirs: &["uv export --format requirements.txt --no-emit-project --no-hashes --no-default-groups \
                     --output-file WORK/lock_requirements.txt --python 3.13"],
                ours: &["uv export --format requirements.txt --no-emit-project --no-hashes --no-default-groups \
                     --output-file WORK/requirements.txt --python 3.13 --frozen"],
                why: "a lock is followed and never brought up to date by a build",
            },
            Row {
                theirs: &["uv pip install -r WORK/lock_requirements.txt --target OUT --python-version 3.13 \
                     --python-platform aarch64-unknown-linux-gnu"],
                ours: &["uv pip install --requirement WORK/requirements.txt --target OUT --python-version 3.13 \
                     --python-platform aarch64-manylinux_2_28 --only-binary :all: --link-mode copy"],
                why: "the glibc of the runtime is named, nothing is compiled for this machine, and no link leads into \
                     the cache",
            },
        ],
        ..PYTHON
    },
    Case {
        name: "npm",
        rows: &[
            UNPACKED,
            Row {
                theirs: &["npm install -q --no-audit --no-save --omit=dev"],
                ours: &["npm install -q --no-audit --no-fund --no-save --omit=dev --install-links"],
                why: "packages of this disk are copied into the product",
            },
        ],
        ..NODE
    },
    Case {
        name: "npm-ci",
        metadata: "{BuildProperties: {UseNpmCi: true}}",
        files: &[("package.json", "{}"), ("package-lock.json", "{}")],
        options: Some(r#"{"use_npm_ci": true}"#),
        rows: &[
            UNPACKED,
            Row {
                theirs: &["npm ci"],
                ours: &["npm ci -q --no-audit --no-fund --omit=dev --install-links"],
                why: "packages for development are left out of an artifact, and local packages are copied into it",
            },
        ],
        ..NODE
    },
    Case {
        name: "npm-lock",
        files: &[("package.json", "{}"), ("package-lock.json", "{}")],
        rows: &[
            UNPACKED,
            Row {
                theirs: &["npm install -q --no-audit --no-save --omit=dev"],
                ours: &["npm ci -q --no-audit --no-fund --omit=dev --install-links"],
                why: "`npm ci` wherever there is a lock: two builds of one tree are the same",
            },
        ],
        ..NODE
    },
    Case {
        name: "esbuild",
        metadata: "{BuildMethod: esbuild, BuildProperties: {EntryPoints: [app, more.js], Sourcemap: true, KeepNames: \
                   true, External: ['@aws-sdk/*', sharp], Loader: ['.txt=text'], MainFields: 'module,main', Drop: \
                   [console], SourcesContent: false, LegalComments: none}}",
        files: &[("package.json", "{}"), ("app.ts", ""), ("more.js", "")],
        options: Some(
            r#"{"entry_points": ["app", "more.js"], "sourcemap": true, "keep_names": true,
                "external": ["@aws-sdk/*", "sharp"], "loader": [".txt=text"], "main_fields": "module,main",
                "drop": ["console"], "sources_content": false, "legal_comments": "none"}"#,
        ),
        rows: &[
            BUNDLED,
            Row {
                theirs: &["esbuild app.ts more.js --bundle --drop:console --external:@aws-sdk/* --external:sharp \
                     --format=cjs --keep-names --legal-comments=none --loader:.txt=text --main-fields=module,main \
                     --minify --outdir=OUT --platform=node --sourcemap --target=es2020"],
                ours: &["esbuild app.ts more.js --bundle --drop:console --external:@aws-sdk/* --external:sharp \
                     --format=cjs --keep-names --legal-comments=none --loader:.txt=text --main-fields=module,main \
                     --minify --outdir=OUT --platform=node --sourcemap --sources-content=false --target=es2020"],
                why: "false turns off what esbuild has on, `SourcesContent` and `TreeShaking`",
            },
        ],
        ..ESBUILD
    },
    Case {
        name: "esbuild-external",
        metadata: "{BuildMethod: esbuild, BuildProperties: {EntryPoints: [app.js], Minify: false, Target: node22, \
                   External: ['./node_modules/*']}}",
        files: &[("package.json", r#"{"dependencies": {"a": "1", "b": "2"}}"#), ("app.js", "")],
        options: Some(
            r#"{"entry_points": ["app.js"], "minify": false, "target": "node22", "external": ["./node_modules/*"]}"#,
        ),
        rows: &[BUNDLED],
        ..ESBUILD
    },
    Case {
        name: "make",
        metadata: "{BuildMethod: makefile}",
        files: &[("Makefile", "build-F:\n")],
        tools: &[("make", MAKE)],
        manifest: "Makefile",
        options: Some(r#"{"build_logical_id": "F"}"#),
        ..PLAIN
    },
    Case {
        name: "go",
        metadata: "{BuildMethod: go1.x}",
        files: &[("go.mod", "module x\n"), ("main.go", "")],
        tools: &[("go", GO_BUILD)],
        options: Some(r#"{"artifact_executable_name": "cmd/app"}"#),
        rows: &[Row {
            theirs: &["go build -o OUT/bootstrap SOURCE"],
            ours: &["go build -buildvcs=false -trimpath -o OUT/bootstrap ."],
            why: "no path of this machine and no commit gets into the product; `TrimGoPath: false` keeps paths",
        }],
        ..GO
    },
    Case {
        name: "go-handler",
        metadata: "{BuildMethod: go1.x, BuildProperties: {TrimGoPath: true}}",
        files: &[("go.mod", "module x\n"), ("cmd/app/main.go", "")],
        tools: &[("go", GO_IN_DIRECTORY)],
        options: Some(r#"{"artifact_executable_name": "cmd/app", "trim_go_path": true}"#),
        rows: &[Row {
            theirs: &[
                "go build -trimpath -o OUT/bootstrap SOURCE",
                "go build -trimpath -o OUT/bootstrap SOURCE/cmd/app",
            ],
            ours: &["go build -buildvcs=false -trimpath -o OUT/bootstrap ./cmd/app"],
            why: "the package of the handler is built immediately where the source has no Go file",
        }],
        ..GO
    },
    Case {
        name: "rust",
        metadata: "{BuildMethod: rust-cargolambda, BuildProperties: {Binary: shop, Flags: [--features, x]}}",
        options: Some(r#"{"artifact_executable_name": "shop", "cargo_lambda_flags": ["--features", "x"]}"#),
        rows: &[Row {
            theirs: &["cargo lambda build --release --arm64 --bin shop --features x"],
            ours: &["cargo lambda build --release --lambda-dir WORK/lambda --arm64 --bin shop --features x"],
            why: "nothing is written beside the source, and what was compiled is kept for the next build",
        }],
        ..RUST
    },
    Case {
        name: "rust-al2",
        runtime: "provided.al2",
        architecture: "x86_64",
        metadata: "{BuildMethod: rust-cargolambda}",
        rows: &[Row {
            theirs: &["cargo lambda build --release --target x86_64-unknown-linux-gnu.2.26"],
            ours: &["cargo lambda build --release --lambda-dir WORK/lambda --target x86_64-unknown-linux-gnu.2.26"],
            why: "nothing is written beside the source, and what was compiled is kept for the next build",
        }],
        ..RUST
    },
    Case {
        name: "gradle",
        files: &[("build.gradle", "")],
        tools: &[("gradle", GRADLE)],
        manager: Some("gradle"),
        manifest: "build.gradle",
        rows: &[Row {
            theirs: &["gradle build --project-cache-dir WORK/gradle-cache \
                     -Dsoftware.amazon.aws.lambdabuilders.scratch-dir=WORK --init-script \
                     WORK/lambda-build-init.gradle"],
            ours: &["gradle build --project-cache-dir WORK/gradle-cache -Dformwork.artifacts=WORK/gradle-out \
                     --init-script WORK/formwork-init.gradle --no-daemon --console=plain"],
            why: "a copy is built with a script of our own, and no process is left behind",
        }],
        ..JAVA
    },
    Case {
        name: "maven",
        files: &[("pom.xml", "<project/>")],
        tools: &[("mvn", MAVEN)],
        manager: Some("maven"),
        manifest: "pom.xml",
        rows: &[Row {
            theirs: &[
                "mvn clean install",
                "mvn dependency:copy-dependencies -DincludeScope=runtime -Dmdep.prependGroupId=true",
            ],
            ours: &[
                "mvn --batch-mode clean install",
                "mvn --batch-mode dependency:copy-dependencies -DincludeScope=runtime -Dmdep.prependGroupId=true",
            ],
            why: "the log has no progress bars, and nothing is asked",
        }],
        ..JAVA
    },
    Case {
        name: "bundler",
        files: &[("Gemfile", ""), ("Gemfile.lock", "")],
        rows: &[Row {
            theirs: &["bundle install"],
            ours: &[],
            why: "the installation before the deployment, into the gems of this machine, is left out",
        }],
        ..RUBY
    },
    Case {
        name: "bundler-unlocked",
        files: &[("Gemfile", "")],
        rows: &[Row {
            theirs: &["bundle install"],
            ours: &["bundle lock"],
            why: "a lock is made without an installation into the gems of this machine",
        }],
        ..RUBY
    },
    Case {
        name: "dotnet",
        runtime: "dotnet8",
        files: &[("x.csproj", "")],
        tools: &[("dotnet", DOTNET)],
        language: "dotnet",
        manager: Some("cli-package"),
        manifest: "x.csproj",
        options: Some("{}"),
        rows: &[Row {
            theirs: &[
                "dotnet lambda package --output-package OUT/SOURCE.zip --function-architecture arm64 \
                     --msbuild-parameters --runtime linux-arm64",
                "dotnet tool install -g Amazon.Lambda.Tools --ignore-failed-sources",
            ],
            ours: &[
                "dotnet publish --configuration Release --runtime linux-arm64 --self-contained false --output OUT \
                     /p:GenerateRuntimeConfigurationFiles=true",
            ],
            why: "no tool is downloaded",
        }],
        ..PLAIN
    },
];
