//! `cargo xtask bench-sam`: builds of `formwork build` beside those of `sam build`, by the processor time of all their
//! processes. Each run begins without what an earlier one built; caches of pip and npm are those of the machine.
//! `docs/performance.md` keeps the figures.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use wait4::Wait4;
use xtask_launcher::BenchSamArgs;

/// A project, and what both programs build it with.
struct Project {
    name: &'static str,
    directory: &'static str,
    sam: &'static [&'static str],
}

const PROJECTS: [Project; 3] = [
    Project { name: "12 Python functions without requirements", directory: "python", sam: &[] },
    Project { name: "a TypeScript function with esbuild", directory: "typescript", sam: &[] },
    Project {
        name: "20 functions of a loop with equal requirements",
        directory: "loop",
        sam: &["--language-extensions"],
    },
];

const PYTHON: usize = 12;
const LOOP: usize = 20;

/// Does it.
pub(crate) fn run(args: &BenchSamArgs) -> Result<(), String> {
    let binary = args.binary.canonicalize().map_err(|error| format!("{}: {error}", args.binary.display()))?;
    let folder = std::env::temp_dir().join(format!("formwork-bench-sam-{}", std::process::id()));
    let result = measure(&binary, &args.sam, &folder, args.rounds);
    let _ = fs::remove_dir_all(&folder);
    result
}

fn measure(binary: &Path, sam: &Path, folder: &Path, rounds: u32) -> Result<(), String> {
    generate(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    println!("| {:<46} | cpu s | `sam build` | ratio |", "project");
    println!("|---|---|---|---|");
    for project in PROJECTS {
        let directory = folder.join(project.directory);
        let mut costs = Vec::new();
        for _ in 0..rounds {
            let mut own = Command::new(binary);
            own.arg("build");
            let mut other = Command::new(sam);
            other.arg("build").args(project.sam).env("SAM_CLI_TELEMETRY", "0");
            costs.push((cpu(&mut own, &directory)?, cpu(&mut other, &directory)?));
        }
        let of = |figure: &dyn Fn(&(f64, f64)) -> f64| crate::bench::median(costs.iter().map(figure));
        println!(
            "| {:<46} | {:5.1} | {:11.1} | {:5.2} |",
            project.name,
            of(&|(own, _)| *own),
            of(&|(_, sam)| *sam),
            of(&|(own, sam)| own / sam)
        );
    }
    Ok(())
}

/// The processor time of a build in seconds, with that of every process that it waits for.
fn cpu(command: &mut Command, directory: &Path) -> Result<f64, String> {
    for built in [".formwork", ".aws-sam", "src/node_modules"] {
        let _ = fs::remove_dir_all(directory.join(built));
    }
    let log = fs::File::create(directory.join("build.log")).map_err(|error| error.to_string())?;
    let errors = log.try_clone().map_err(|error| error.to_string())?;
    let child = command.current_dir(directory).stdin(Stdio::null()).stdout(log).stderr(errors).spawn();
    let mut child = child.map_err(|error| format!("{command:?} cannot be run: {error}"))?;
    let used = child.wait4().map_err(|error| error.to_string())?;
    if !used.status.success() {
        let words = fs::read_to_string(directory.join("build.log")).unwrap_or_default();
        return Err(format!("{command:?} ended with {}:\n{words}", used.status));
    }
    Ok((used.rusage.utime + used.rusage.stime).as_secs_f64())
}

fn generate(folder: &Path) -> std::io::Result<()> {
    let write = |name: String, text: &str| {
        let path: PathBuf = folder.join(name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        fs::write(path, text)
    };
    let code = |number: usize| format!("def handler(event, context):\n    return {{\"function\": {number}}}\n");
    let mut template = "Transform: AWS::Serverless-2016-10-31\nResources:\n".to_owned();
    for number in 0..PYTHON {
        let function = format!(
            "  F{number}:\n    Type: AWS::Serverless::Function\n    Properties: {{Runtime: python3.11, Handler: app.handler, CodeUri: src/f{number}}}\n"
        );
        template.push_str(&function);
        write(format!("python/src/f{number}/app.py"), &code(number))?;
        write(format!("python/src/f{number}/requirements.txt"), "# none\n")?;
    }
    write("python/template.yaml".to_owned(), &template)?;
    let names: Vec<String> = (0..LOOP).map(|number| format!("f{number}")).collect();
    let looped = format!(
        "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]\nResources:\n  Fn::ForEach::All:\n    - Name\n    - [{}]\n    - ${{Name}}Function:\n        Type: AWS::Serverless::Function\n        Properties: {{Runtime: python3.11, Handler: app.handler, CodeUri: 'src/${{Name}}'}}\n",
        names.join(", ")
    );
    write("loop/template.yaml".to_owned(), &looped)?;
    for (number, name) in names.iter().enumerate() {
        write(format!("loop/src/{name}/app.py"), &code(number))?;
        write(format!("loop/src/{name}/requirements.txt"), "idna==3.10\ncertifi==2024.8.30\n")?;
    }
    write(
        "typescript/template.yaml".to_owned(),
        "Transform: AWS::Serverless-2016-10-31\nResources:\n  Hello:\n    Type: AWS::Serverless::Function\n    Metadata:\n      BuildMethod: esbuild\n      BuildProperties: {EntryPoints: [app.ts], Minify: true, Target: es2020}\n    Properties: {Runtime: nodejs20.x, Handler: app.handler, CodeUri: src}\n",
    )?;
    write(
        "typescript/src/app.ts".to_owned(),
        "import { v4 } from 'uuid';\nexport const handler = async (event: unknown): Promise<string> => v4() + JSON.stringify(event);\n",
    )?;
    write(
        "typescript/src/package.json".to_owned(),
        "{\n  \"name\": \"hello\",\n  \"version\": \"1.0.0\",\n  \"dependencies\": {\"esbuild\": \"0.24.0\", \"uuid\": \"9.0.1\"},\n  \"devDependencies\": {\"@types/uuid\": \"9.0.8\", \"typescript\": \"5.6.3\"}\n}\n",
    )
}
