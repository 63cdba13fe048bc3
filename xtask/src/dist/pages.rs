//! The commands that pages show for an installation, run with the packages of a small program: pip reads them from a
//! directory, npm from a registry on loopback, and nothing comes from a network.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::VERSION;
use super::installed::{Release, done, has, release, text};
use crate::pages::{Block, skipped};

/// Starts a registry that has the packages of npm of a directory; returns its address.
fn registry(directory: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let (base, directory) = (url.clone(), directory.to_owned());
    std::thread::spawn(move || listener.incoming().flatten().for_each(|stream| answer(stream, &base, &directory)));
    url
}

/// Answers a request: a file by its name, or what the registry has of a package.
fn answer(mut stream: TcpStream, base: &str, directory: &Path) {
    let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines().map_while(Result::ok);
    let target =
        lines.next().unwrap_or_default().split(' ').nth(1).unwrap_or_default().trim_start_matches('/').to_owned();
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    let file = directory.join(&target);
    let body = if file.is_file() { std::fs::read(&file).ok() } else { about(&target, base, directory) };
    let (status, body) = body.map_or(("404 Not Found", b"{}".to_vec()), |body| ("200 OK", body));
    let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
}

/// Returns the document of a package, such as `@formwork-cfn%2flinux-x64`.
fn about(name: &str, base: &str, directory: &Path) -> Option<Vec<u8>> {
    let name = name.replace("%2f", "/");
    let file = format!("{}-{VERSION}.tgz", name.trim_start_matches('@').replace('/', "-"));
    let mut tar = Command::new("tar");
    let output = tar.arg("xzOf").arg(directory.join(&file)).arg("package/package.json").output().ok()?;
    let mut package: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    package["dist"] = serde_json::json!({"tarball": format!("{base}/{file}")});
    let all = serde_json::json!({"name": name, "dist-tags": {"latest": VERSION}, "versions": {VERSION: package}});
    Some(all.to_string().into_bytes())
}

/// Runs the commands of a block, and returns what they print. `uvx` is called where it is installed.
fn run(block: &Block, release: &Release, place: &Path) -> String {
    let path = std::env::var("PATH").expect("a PATH");
    let is_there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let has_uv = is_there("uvx");
    let lines: Vec<&str> = block.text.lines().filter(|line| has_uv || !line.starts_with("uvx ")).collect();
    let mut shell = Command::new("bash");
    shell.args(["-ec", &lines.join("\n")]).current_dir(place).env("HOME", place);
    shell.env("PATH", format!("{}:{}:{path}", place.join("venv/bin").display(), place.join("global/bin").display()));
    shell.env("PIP_NO_INDEX", "1").env("PIP_FIND_LINKS", release.folder()).env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    shell.env("UV_NO_INDEX", "1").env("UV_FIND_LINKS", release.folder()).env("UV_CACHE_DIR", place.join("uv"));
    shell.env("npm_config_registry", registry(&release.folder())).env("npm_config_prefix", place.join("global"));
    shell.env("npm_config_cache", place.join("cache")).env("npm_config_audit", "false");
    text(&done(&mut shell))
}

/// Makes a directory with an empty Python environment and an empty project of npm.
fn place(release: &Release, name: &str) -> PathBuf {
    let place = release.folder().with_file_name(name);
    std::fs::create_dir_all(&place).expect("a directory");
    std::fs::write(place.join("package.json"), "{}").expect("a file");
    done(Command::new("python3").args(["-m", "venv"]).arg(place.join("venv")));
    place
}

fn version(program: &Path) {
    assert_eq!(
        text(&done(Command::new(program).arg("version"))),
        format!("formwork {VERSION} (stub)\n"),
        "{program:?}"
    );
}

#[test]
fn the_commands_of_pages_install_the_packages() {
    let Some(release) = release().filter(|_| has("python3") && has("npm")) else { return };
    let blocks = skipped("packages");
    let mut found = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        let place = place(release, &format!("page-{number}"));
        if block.text.contains("SHA256SUMS") {
            std::fs::remove_dir_all(&place).expect("the directory");
            std::fs::create_dir(&place).expect("a directory");
            for entry in std::fs::read_dir(release.folder()).expect("the release") {
                let entry = entry.expect("an entry");
                std::fs::copy(entry.path(), place.join(entry.file_name())).expect("a copy");
            }
        }
        let printed = run(block, release, &place);
        found.push(block.page.as_str());
        for (line, program) in [
            ("pip install formwork-cfn", "venv/bin/formwork"),
            ("npm install -g formwork-cfn", "global/bin/formwork"),
            ("npm install -D formwork-cfn", "node_modules/.bin/formwork"),
            ("tar xzf formwork-*", ".local/formwork/formwork"),
        ] {
            if block.text.contains(line) {
                version(&place.join(program));
            }
        }
        if block.text.contains("SHA256SUMS") {
            assert!(printed.contains("x86_64-unknown-linux-gnu.tar.gz: OK"), "{printed}");
            let profile = std::fs::read_to_string(place.join(".profile")).expect("the profile");
            assert_eq!(profile, "export PATH=\"$HOME/.local/formwork:$PATH\"\n");
        }
    }
    // Until a release, pages lead to no name that is not reserved.
    let switch = std::fs::read_to_string(crate::command::repository().join("packaging/published")).expect("the switch");
    if switch.trim() == "yes" {
        assert_eq!(found, ["README.md", "docs/guides/install.md", "docs/guides/install.md", "docs/stability.md"]);
    } else {
        assert_eq!(found, ["docs/guides/install.md"]);
    }
}
