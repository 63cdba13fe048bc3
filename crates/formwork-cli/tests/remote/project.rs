//! A project on disk, and the program run in it.

use std::io::{Cursor, Write as _};
use std::path::PathBuf;
use std::process::Command;

use super::server::Server;

pub(crate) struct Project {
    folder: PathBuf,
}

#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Project {
    /// An empty project that trusts the certificate of a server.
    pub(crate) fn new(name: &str, server: &Server) -> Project {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("remote").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        let project = Project { folder };
        std::fs::create_dir_all(project.path("dir")).expect("a directory");
        // The project root: the tests run inside a repository.
        std::fs::create_dir(project.path(".git")).expect("a directory");
        server.write_certificate(&project.path("certificate.pem"));
        project
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect("written");
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("the file")
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    pub(crate) fn forget_cache(&self) {
        let _ = std::fs::remove_dir_all(self.path("cache"));
    }

    pub(crate) fn run(&self, words: &[&str]) -> Run {
        let certificate = self.path("certificate.pem").display().to_string();
        self.run_with(&[("SSL_CERT_FILE", &certificate)], words)
    }

    /// The same with these variables, and no certificate to trust but theirs.
    pub(crate) fn run_with(&self, variables: &[(&str, &str)], words: &[&str]) -> Run {
        let output = Command::new(env!("CARGO_BIN_EXE_formwork"))
            .args(words)
            .current_dir(&self.folder)
            .env_clear()
            .envs(variables.iter().copied())
            .env("FORMWORK_CACHE_DIR", self.path("cache"))
            .env("AWS_EC2_METADATA_DISABLED", "true")
            .output()
            .expect("the program runs");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
        Run { status: output.status.code().expect("a status"), out: text(&output.stdout), err: text(&output.stderr) }
    }
}

/// A zip archive of these files.
pub(crate) fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in entries {
        writer.start_file(*name, zip::write::SimpleFileOptions::default()).expect("an entry");
        writer.write_all(text.as_bytes()).expect("its content");
    }
    writer.finish().expect("an archive").into_inner()
}
