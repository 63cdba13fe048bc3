//! The command lines of the tools, by stand-ins. They are those of SAM CLI's `aws_lambda_builders` where it has the
//! builder, as far as they determine the artifact (`peers`).
//!
//! Holds reference/build.md#images, reference/build.md#node, reference/build.md#java, reference/build.md#ruby.

use super::project::{Project, errors};

/// A project of one function, whose source has these files.
fn function(name: &str, runtime: &str, metadata: &str, files: &[(&str, &str)]) -> Project {
    let project = Project::new(name);
    project.write(
        "template.yaml",
        &format!(
            "Resources:
  F:
    Type: AWS::Lambda::Function
    Metadata: {metadata}
    Properties: {{Handler: app.handler, Runtime: {runtime}, Architectures: [arm64], Code: src}}
"
        ),
    );
    for (name, text) in files {
        project.write(&format!("src/{name}"), text);
    }
    project
}

#[test]
fn uv_exports_its_lock_and_installs_for_the_platform() {
    let project = function("uv", "python3.13", "{}", &[("uv.lock", ""), ("pyproject.toml", "[project]\nname='x'\n")]);
    project.tool("uv", "");
    project.build(&[]);
    assert_eq!(
        project.lines(),
        [
            "uv export --format requirements.txt --no-emit-project --no-hashes --no-default-groups --output-file \
             WORK/requirements.txt --python 3.13 --frozen",
            "uv pip install --requirement WORK/requirements.txt --target OUT --python-version 3.13 --python-platform \
             aarch64-manylinux_2_28 --only-binary :all: --link-mode copy",
        ]
    );
}

#[test]
fn npm_installs_by_its_lock() {
    let files = [("package.json", "{}"), ("package-lock.json", "{}")];
    let project = function("npm-ci", "nodejs20.x", "{}", &files);
    project.tool("npm", "");
    project.build(&[]);
    assert_eq!(project.lines(), ["npm ci -q --no-audit --no-fund --omit=dev --install-links"]);
    let metadata = "{BuildProperties: {UseNpmCi: false}}";
    let project = function("npm-install", "nodejs20.x", metadata, &files);
    project.tool("npm", "");
    // Tokens are for the installation, and are not in the artifact.
    project.write("src/.npmrc", "//registry.example/:_authToken=x\n");
    project.build(&[]);
    assert!(!project.has(".formwork/build/F/.npmrc") && project.has(".formwork/build/F/package.json"));
    let expected = "npm install -q --no-audit --no-fund --no-save --omit=dev --install-links";
    assert_eq!(project.lines(), [expected]);
}

#[test]
fn pnpm_and_yarn_are_told_by_their_locks() {
    for (name, lock, text, expected) in [
        ("pnpm", "pnpm-lock.yaml", "", "pnpm install --frozen-lockfile --config.node-linker=hoisted --prod"),
        ("yarn", "yarn.lock", "# yarn lockfile v1", "yarn install --frozen-lockfile --non-interactive --production"),
        ("yarn", "yarn.lock", "__metadata:\n  version: 8\n", "yarn workspaces focus --production"),
    ] {
        let project = function(name, "nodejs22.x", "{}", &[("package.json", "{}"), (lock, text)]);
        project.tool(name, "");
        project.build(&[]);
        assert_eq!(project.lines(), [expected]);
    }
}

#[test]
fn esbuild_is_that_of_the_package() {
    let metadata = "{BuildMethod: esbuild, BuildProperties: {EntryPoints: [a.ts, b.ts], Minify: false, Sourcemap: true, \
                    External: ['@aws-sdk/*'], Loader: ['.txt=text'], MainFields: [module, main]}}";
    let project = function("esbuild", "nodejs20.x", metadata, &[("a.ts", ""), ("b.ts", "")]);
    project.tool("esbuild", "");
    project.build(&[]);
    assert_eq!(
        project.lines(),
        ["esbuild a.ts b.ts --bundle --platform=node --outdir=OUT --target=es2020 --format=cjs --sourcemap \
          --external:@aws-sdk/* --loader:.txt=text --main-fields=module,main"]
    );
}

#[test]
fn esbuild_without_entry_points_bundles_the_module_of_the_handler() {
    let project = function("esbuild-handler", "nodejs20.x", "{BuildMethod: esbuild}", &[("app.ts", "")]);
    project.tool("esbuild", "");
    project.build(&[]);
    assert_eq!(
        project.lines(),
        ["esbuild app.ts --bundle --platform=node --outdir=OUT --minify --target=es2020 --format=cjs"]
    );
    let template = project.read("template.yaml").replace("Handler: app.handler, ", "");
    project.write("template.yaml", &template);
    let said = errors(&project.run(&["build"]));
    assert!(said.contains("`BuildMethod: esbuild` has no EntryPoints"), "{said}");
}

#[test]
fn go_builds_for_the_architecture() {
    let metadata = "{BuildMethod: go1.x}";
    let project = function("go", "provided.al2023", metadata, &[("go.mod", "module x\n"), ("main.go", "")]);
    project.tool("go", "echo \"$GOOS $GOARCH\" >go-env; for word; do last=$out; out=$word; done; cp go-env \"$last\"");
    project.build(&[]);
    assert_eq!(project.lines(), ["go build -buildvcs=false -trimpath -o OUT/bootstrap ."]);
    assert_eq!(project.read(".formwork/build/F/bootstrap"), "linux arm64\n");
}

#[test]
fn rust_is_built_by_cargo_lambda_or_cargo() {
    let metadata = "{BuildMethod: rust-cargolambda, BuildProperties: {Flags: [--features, x]}}";
    let files = [("Cargo.toml", "[package]\nname = 'shop'\n")];
    let project = function("cargo-lambda", "provided.al2023", metadata, &files);
    project.tool("cargo-lambda", "");
    project.tool("cargo", "mkdir -p \"$5/shop\"; echo program >\"$5/shop/bootstrap\"");
    project.build(&[]);
    assert_eq!(project.lines(), ["cargo lambda build --release --lambda-dir WORK/lambda --arm64 --features x"]);
    assert_eq!(project.read(".formwork/build/F/bootstrap"), "program\n");
}

#[test]
fn gradle_and_maven_leave_classes_and_libraries() {
    let project = function("maven", "java21", "{}", &[("pom.xml", "<project/>")]);
    project.tool(
        "mvn",
        "mkdir -p target/classes target/dependency; echo c >target/classes/A.class; echo l >target/dependency/l.jar",
    );
    project.build(&[]);
    assert_eq!(
        project.lines(),
        [
            "mvn --batch-mode clean install",
            "mvn --batch-mode dependency:copy-dependencies -DincludeScope=runtime -Dmdep.prependGroupId=true",
        ]
    );
    assert!(project.has(".formwork/build/F/A.class") && project.has(".formwork/build/F/lib/l.jar"));
    let layer = |name: &str, file: &str| {
        let project = Project::new(&format!("layer-{name}"));
        project.write(
            "template.yaml",
            "Resources:
  L:
    Type: AWS::Lambda::LayerVersion
    Metadata: {BuildMethod: java21}
    Properties: {Content: src}
",
        );
        project.write(&format!("src/{file}"), "");
        project
    };
    // Lambda takes classes of a layer from archives in java/lib.
    let project = layer("maven", "pom.xml");
    project.tool(
        "mvn",
        "mkdir -p target/classes target/dependency; for name in classes/A.class own.jar dependency/l.jar; do echo x >target/$name; done",
    );
    project.build(&[]);
    assert!(project.has(".formwork/build/L/java/lib/own.jar") && project.has(".formwork/build/L/java/lib/l.jar"));
    assert!(!project.has(".formwork/build/L/java/A.class"));
    let project = layer("gradle", "build.gradle");
    project.tool("gradle", "out=${4#-Dformwork.artifacts=}; mkdir -p \"$out/_/lib\"; echo c >\"$out/_/lib/own.jar\"");
    project.build(&[]);
    assert!(project.lines()[0].contains(" -Dformwork.layer=true --init-script "), "{:?}", project.lines());
    let project = function("gradle", "java21", "{}", &[("build.gradle", "")]);
    project.tool("gradle", "out=${4#-Dformwork.artifacts=}; mkdir -p \"$out/_/lib\"; echo c >\"$out/_/A.class\"");
    project.build(&[]);
    assert!(project.has(".formwork/build/F/A.class"));
    assert!(
        project.lines()[0].starts_with("gradle build --project-cache-dir WORK/gradle-cache")
            && !project.lines()[0].contains("formwork.layer"),
        "{:?}",
        project.lines()
    );
}

#[test]
fn ruby_and_dotnet() {
    let project = function("ruby", "ruby3.4", "{}", &[("Gemfile", ""), ("Gemfile.lock", "")]);
    let script = "mkdir -p .bundle \"$BUNDLE_PATH\"; test $1 = config && echo \"$4: $5\" >>.bundle/config; true";
    project.tool("bundle", script);
    project.build(&[]);
    let lines = [
        "bundle config set --local deployment true",
        "bundle config set --local without development:test",
        "bundle install",
    ];
    assert_eq!(project.lines(), lines);
    assert_eq!(project.read(".formwork/build/F/.bundle/config"), "without: development:test\ndeployment: true\n");
    assert!(project.has(".formwork/build/F/vendor/bundle"));
    let project = function("dotnet", "dotnet8", "{}", &[("x.csproj", "")]);
    project.tool("dotnet", "");
    project.build(&[]);
    assert_eq!(
        project.lines(),
        ["dotnet publish --configuration Release --runtime linux-arm64 --self-contained false --output OUT \
          /p:GenerateRuntimeConfigurationFiles=true"]
    );
}

#[test]
fn images_are_built_by_the_engine_that_answers() {
    let project = Project::new("image");
    project.write(
        "template.yaml",
        "Transform: AWS::Serverless-2016-10-31
Resources:
  Web:
    Type: AWS::Serverless::Function
    Metadata: {Dockerfile: Dockerfile, DockerContext: ./app, DockerTag: v1, DockerBuildArgs: {A: b}, DockerBuildTarget: t}
    Properties: {PackageType: Image}
",
    );
    project.write("app/Dockerfile", "FROM scratch\n");
    project.tool("docker", "exit 1");
    project.tool("podman", "");
    let said = project.build(&[]);
    assert!(said.contains("built 1 of 1"), "{said}");
    let built =
        "podman build --file PROJECT/app/Dockerfile --tag web:v1 --platform linux/amd64 --build-arg A=b --target t .";
    assert!(project.lines().contains(&built.to_owned()), "{:?}", project.lines());
    let saved = "podman save --output OUT/image.tar web:v1";
    assert!(project.lines().contains(&saved.to_owned()), "{:?}", project.lines());
    assert!(project.read(".formwork/build/template.yaml").contains("ImageUri: Web/image.tar"));
    project.tool("podman", "exit 1");
    project.tool("buildah", "exit 1");
    let said = errors(&project.run(&["build", "--no-cached"]));
    assert!(said.contains("docker, podman or buildah does not respond"), "{said}");
    project.tool("buildah", "");
    project.build(&["--no-cached"]);
    let pushed = project.lines().into_iter().find(|line| line.starts_with("buildah push")).expect("it is pushed");
    assert!(
        pushed.starts_with("buildah push web:v1 docker-archive:") && pushed.ends_with("image.tar:web:v1"),
        "{pushed}"
    );
}

#[test]
fn the_folder_of_a_layer_is_that_of_its_runtime() {
    let project = Project::new("layers");
    project.write(
        "template.yaml",
        "Transform: AWS::Serverless-2016-10-31
Resources:
  L:
    Type: AWS::Serverless::LayerVersion
    Metadata: {BuildMethod: nodejs20.x}
    Properties: {ContentUri: layer}
",
    );
    project.write("layer/package.json", "{}");
    project.tool("npm", "mkdir node_modules; echo x >node_modules/x");
    project.build(&[]);
    assert!(project.has(".formwork/build/L/nodejs/node_modules/x"));
}
