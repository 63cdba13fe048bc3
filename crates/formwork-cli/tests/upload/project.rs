//! A project that is packaged to a server.

use std::process::{Child, Stdio};

use super::server::Server;
use crate::live::program::{Folder, Run};
use crate::support::processes::with_hangup;

/// Three layers in a loop, and a nested stack.
const TEMPLATE: &str = r#"Transform: AWS::LanguageExtensions
Resources:
  Fn::ForEach::Layers:
    - Name
    - [a, b, c]
    - Layer${Name}:
        Type: AWS::Serverless::LayerVersion
        Properties: {ContentUri: "./src/${Name}"}
  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: child.yaml}}
"#;

/// Its objects.
pub(crate) const OBJECTS: usize = 4;

/// One file of several parts.
const LARGE: &str = "Resources: {Api: {Type: AWS::Serverless::Api, Properties: {DefinitionUri: large}}}\n";

pub(crate) struct Project {
    pub(crate) folder: Folder,
}

impl Project {
    pub(crate) fn new(name: &str) -> Project {
        let folder = Folder::new(&format!("upload-{name}"));
        for layer in ["a", "b", "c"] {
            std::fs::create_dir_all(folder.0.join("src").join(layer)).expect("a directory");
            std::fs::write(folder.0.join("src").join(layer).join("x"), layer).expect("a file");
        }
        let child = "Resources: {Topic: {Type: AWS::SNS::Topic}}\n";
        Project { folder: folder.with("template.yaml", TEMPLATE).with("child.yaml", child) }
    }

    /// With one object of `size` bytes instead.
    pub(crate) fn large(name: &str, size: usize) -> Project {
        let project = Project::new(name);
        std::fs::write(project.folder.0.join("template.yaml"), LARGE).expect("a file");
        let bytes: Vec<u8> = (0..size).map(|at| (at / 1000 % 251) as u8).collect();
        std::fs::write(project.folder.0.join("large"), bytes).expect("a file");
        project
    }

    fn words(more: &[&str]) -> Vec<String> {
        let words = ["package", "template.yaml", "--s3-bucket", "bucket", "-o", "out.yaml"];
        words.iter().chain(more).map(|&word| word.to_owned()).collect()
    }

    /// Packages to a server.
    pub(crate) fn run(&self, server: &Server, more: &[&str]) -> Run {
        self.run_in(server, more, &[])
    }

    /// Packages to whatever answers at an address.
    pub(crate) fn run_at(&self, url: &str, more: &[&str]) -> Run {
        let words = Project::words(more);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.folder.run(&words, &environment_of(url))
    }

    pub(crate) fn run_in(&self, server: &Server, more: &[&str], environment: &[(&str, &str)]) -> Run {
        let words = Project::words(more);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let all = [&environment_of(&server.url)[..], environment].concat();
        let run = self.folder.run(&words, &all);
        for secret in ["a-secret-of-the-tests", "AKIDOFTHETESTS", "Signature="] {
            assert!(!run.out.contains(secret) && !run.err.contains(secret), "{run:?}");
        }
        run
    }

    /// The same in the background, started so that it ends with its terminal, however the tests themselves were
    /// started.
    pub(crate) fn begin(&self, server: &Server) -> Child {
        with_hangup()
            .args(Project::words(&[]))
            .current_dir(&self.folder.0)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", &self.folder.0)
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .envs(environment_of(&server.url))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs")
    }

    /// Nothing came of a run: no output, and nothing temporary.
    pub(crate) fn is_without_output(&self) -> bool {
        let names = std::fs::read_dir(&self.folder.0).expect("the directory");
        names.flatten().all(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            !name.contains("out.yaml") && !name.contains(".tmp")
        })
    }
}

fn environment_of(url: &str) -> [(&str, &str); 4] {
    [
        ("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"),
        ("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests"),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ENDPOINT_URL_S3", url),
    ]
}
