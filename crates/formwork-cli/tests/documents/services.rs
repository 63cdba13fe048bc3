//! What answers to the commands of a block besides moto: a script of `CloudFormation`, or a web server of modules.

use std::path::{Path, PathBuf};

use super::scripts;
use crate::deploy::running::Running;
use crate::deploy::server::Server;
use crate::remote::proxy::Proxy;
use crate::remote::server::{self as web, Page};

/// A service that runs until the test program ends.
pub(crate) enum Service {
    /// Answers calls in the order of its script.
    Scripted(Server),
    /// `https://modules.example.com` behind a proxy, with the files of the document.
    Web { proxy: Proxy, certificate: PathBuf, server: web::Server },
}

impl Service {
    /// Starts the script of this name.
    pub(crate) fn scripted(name: &str) -> Service {
        Service::Scripted(Server::start(scripts::steps(name), &Running::default()))
    }

    /// Starts a web server with the files of a directory, without those below it.
    pub(crate) fn web(directory: &Path) -> Service {
        let server = web::Server::start();
        for entry in std::fs::read_dir(directory).expect("the directory") {
            let path = entry.expect("an entry").path();
            if let (true, Some(name)) = (path.is_file(), path.file_name()) {
                let content = std::fs::read(&path).expect("a file");
                server.put(&format!("/{}", name.to_string_lossy()), Page::Body(content));
            }
        }
        let certificate = directory.join("certificate.pem");
        server.write_certificate(&certificate);
        Service::Web { proxy: Proxy::to(server.port()), certificate, server }
    }

    /// Returns the variables with which a program reaches it.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        match self {
            Service::Scripted(server) => vec![
                ("AWS_ACCESS_KEY_ID", "documents".to_owned()),
                ("AWS_SECRET_ACCESS_KEY", "documents".to_owned()),
                ("AWS_REGION", "eu-west-1".to_owned()),
                ("AWS_ENDPOINT_URL", server.url.clone()),
            ],
            Service::Web { proxy, certificate, .. } => vec![
                ("HTTPS_PROXY", proxy.url("")),
                ("SSL_CERT_FILE", certificate.display().to_string()),
                ("AWS_EC2_METADATA_DISABLED", "true".to_owned()),
            ],
        }
    }

    /// Fails if the commands called something else than the script has, or nothing at all.
    pub(crate) fn finish(&self) {
        match self {
            Service::Scripted(server) => assert!(!server.finish().is_empty(), "nothing was called"),
            Service::Web { server, .. } => assert!(!server.asked().is_empty(), "nothing was fetched"),
        }
    }
}
