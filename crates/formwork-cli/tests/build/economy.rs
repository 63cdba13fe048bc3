//! What a build leaves out because another source has it, or nobody needs it: by the calls of stand-ins for tools.
//!
//! Holds reference/build.md#once, reference/build.md#esbuild.

use super::project::{PYTHON, Project, errors};

/// Functions of one loop, each with a source of its own that has these files.
fn functions(name: &str, runtime: &str, more: &str, files: &[(&str, &str)]) -> Project {
    let project = Project::new(&format!("economy-{name}"));
    let services: Vec<String> = (0..20).map(|number| format!("s{number}")).collect();
    let loops = format!("Fn::ForEach::Services:\n    - Name\n    - [{}]\n    - ", services.join(", "));
    project.write(
        "template.yaml",
        &format!(
            "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]\nResources:\n  {loops}${{Name}}Function:\n        \
             Type: AWS::Serverless::Function\n        Properties: {{Handler: app.handler, Runtime: {runtime}, \
             CodeUri: './src/${{Name}}'}}\n{more}"
        ),
    );
    for service in services {
        project.write(&format!("src/{service}/app.py"), &format!("# {service}\n"));
        for (name, text) in files {
            project.write(&format!("src/{service}/{name}"), text);
        }
    }
    project
}

/// How often a tool was called with an argument. Lines of tools that run together may be mixed, words are not.
fn calls(project: &Project, argument: &str) -> usize {
    project.lines().iter().flat_map(|line| line.split(' ')).filter(|word| *word == argument).count()
}

#[test]
fn equal_requirements_are_installed_once() {
    let arm = "  Arm:
    Type: AWS::Serverless::Function
    Properties: {Handler: app.handler, Runtime: python3.13, Architectures: [arm64], CodeUri: src/s1}
";
    let project = functions("pip", "python3.13", arm, &[("requirements.txt", "shared==1 # for all\n")]);
    project.tool("python3.13", PYTHON);
    assert!(project.build(&["--jobs", "3"]).contains("built 21 of 21"));
    assert_eq!((calls(&project, "--version"), calls(&project, "install")), (1, 2), "{:?}", project.lines());
    for number in 0..20 {
        let product = format!(".formwork/build/s{number}Function");
        assert_eq!(project.read(&format!("{product}/installed.txt")), "shared==1 # for all\n");
        assert_eq!(project.read(&format!("{product}/app.py")), format!("# s{number}\n"));
    }
    assert!(project.has(".formwork/build/Arm/installed.txt"));
    // Other requirements, and files of the source, do not make all of them be installed.
    project.write("src/s0/requirements.txt", "shared==2\n");
    project.write("src/s1/requirements.txt", "-r base.txt\n");
    project.write("src/s2/requirements.txt", "-r base.txt\n");
    assert!(project.build(&[]).contains("built 4 of 21"));
    assert_eq!(calls(&project, "install"), 6, "{:?}", project.lines());
    assert_eq!(project.read(".formwork/build/s0Function/installed.txt"), "shared==2\n");
}

#[test]
fn a_shared_installation_that_fails_is_reported_for_each_source() {
    let project = functions("fails", "python3.13", "", &[("requirements.txt", "shared==1\n")]);
    project.tool("python3.13", "case \"$*\" in *--version*) ;; *) echo no such package; exit 1;; esac");
    let output = project.run(&["build"]);
    let said = errors(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.matches("was not built: python3.13 exited with status 1").count(), 20, "{said}");
    assert_eq!(said.matches("no such package").count(), 20, "{said}");
    assert_eq!((calls(&project, "install"), calls(&project, "wheel")), (1, 1), "{:?}", project.lines());
}

#[test]
fn a_manifest_without_requirements_needs_no_pip() {
    let nothing = "# nothing yet\n\n--index-url https://example.com/simple\n";
    let project = functions("nothing", "python3.13", "", &[("requirements.txt", nothing)]);
    // There is no Python on the PATH that would have answered.
    for name in ["python3.13", "python3", "python"] {
        project.tool(name, "exit 1");
    }
    project.build(&[]);
    assert!(project.lines().is_empty(), "{:?}", project.lines());
    assert!(project.has(".formwork/build/s7Function/app.py"));
}

#[test]
fn equal_manifests_of_node_are_installed_once() {
    let manifest = "{\"name\": \"service\", \"main\": \"./app.js\", \"dependencies\": {\"a\": \"1\"}}\n";
    let project = functions("npm", "nodejs22.x", "", &[("package.json", manifest)]);
    let script =
        "mkdir -p node_modules/a node_modules/.bin; echo x >node_modules/a/x; ln -s ../a/x node_modules/.bin/x";
    project.tool("npm", script);
    project.build(&[]);
    assert_eq!(project.lines().len(), 1, "{:?}", project.lines());
    for number in 0..20 {
        let product = format!(".formwork/build/s{number}Function");
        assert_eq!(project.read(&format!("{product}/node_modules/a/x")), "x\n");
        let link = project.folder().join(format!("{product}/node_modules/.bin/x"));
        assert_eq!(std::fs::read_link(link).expect("a link").to_str(), Some("../a/x"));
        assert_eq!(project.read(&format!("{product}/app.py")), format!("# s{number}\n"));
    }
    // A script may read the source.
    project.write("src/s0/package.json", "{\"scripts\": {\"postinstall\": \"true\"}}\n");
    project.write("src/s1/package.json", "{\"scripts\": {\"postinstall\": \"true\"}}\n");
    project.build(&[]);
    assert_eq!(project.lines().len(), 3, "{:?}", project.lines());
}

#[test]
fn packages_for_development_are_installed_where_esbuild_is_only_there() {
    let properties = "CodeUri: src}\n    Metadata: {BuildMethod: esbuild, BuildProperties: {EntryPoints: [app.ts]}}";
    for (name, section, is_on_path, expected) in [
        ("only-there", "devDependencies", false, "--include=dev"),
        ("on-path", "devDependencies", true, "--omit=dev"),
        ("nowhere-else", "dependencies", false, "--omit=dev"),
        ("optional", "optionalDependencies", false, "--omit=dev"),
    ] {
        let project = Project::new(&format!("economy-{name}"));
        project.write(
            "template.yaml",
            &format!(
                "Transform: AWS::Serverless-2016-10-31\nResources:\n  F:\n    Type: AWS::Serverless::Function\n    \
                 Properties: {{Handler: app.handler, Runtime: nodejs22.x, {properties}\n"
            ),
        );
        project.write("src/package.json", &format!("{{\"{section}\": {{\"esbuild\": \"^0.25.0\"}}}}\n"));
        project.write("src/app.ts", "");
        let own =
            if is_on_path { "true" } else { "mkdir -p node_modules/.bin; ln -s /bin/true node_modules/.bin/esbuild" };
        project.tool("npm", own);
        if is_on_path {
            project.tool("esbuild", "");
        }
        project.build(&[]);
        assert_eq!(calls(&project, expected), 1, "{name}: {:?}", project.lines());
    }
}

#[test]
fn a_bundle_is_where_the_handler_names_it() {
    for (name, handler, more, expected) in [
        ("directory", "src/handlers/hello.handler", "EntryPoints: [src/handlers/hello.ts, src/other.ts]", true),
        ("dotted", "./src/handlers/hello.handler", "EntryPoints: [./src/handlers/hello.ts]", true),
        ("without-entries", "src/handlers/hello.handler", "Minify: false", true),
        ("bundle-name", "hello.handler", "EntryPoints: [src/handlers/hello.ts]", false),
        ("own-base", "src/handlers/hello.handler", "EntryPoints: [src/handlers/hello.ts], Outbase: src", false),
        ("layer", "/opt/nodejs/wrapper.handler", "EntryPoints: [src/handlers/hello.ts]", false),
    ] {
        let project = Project::new(&format!("economy-bundle-{name}"));
        project.write(
            "template.yaml",
            &format!(
                "Transform: AWS::Serverless-2016-10-31\nResources:\n  F:\n    Type: AWS::Serverless::Function\n    \
                 Properties: {{Handler: {handler}, Runtime: nodejs22.x, CodeUri: .}}\n    Metadata: {{BuildMethod: \
                 esbuild, BuildProperties: {{{more}}}}}\n"
            ),
        );
        for file in ["src/handlers/hello.ts", "src/other.ts"] {
            project.write(file, "");
        }
        project.tool("esbuild", "");
        project.build(&[]);
        assert_eq!(calls(&project, "--outbase=.") == 1, expected, "{name}: {:?}", project.lines());
    }
}
