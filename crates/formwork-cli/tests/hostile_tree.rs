//! A tree that a stranger made (reference/command-line.md#trust, SECURITY.md): links, pipes, sockets and devices at every
//! place that a command reads or writes, records that claim what they like, an index of Git that is none. Nothing outside
//! of the project is shown, written, renamed or deleted, and every run ends soon within small limits.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::support::folder::Folder;

/// What is in every file outside.
const SECRET: &str = "hunter2";
/// What a run may use: kilobytes of stack and memory, descriptors, seconds of processor time.
const LIMITS: &str = "ulimit -s 256; ulimit -n 32; ulimit -v 524288; ulimit -t 2";
/// How long a run may wait; runs of other tests take their part of the machine.
const MOST: Duration = Duration::from_secs(10);
const TEMPLATE: &str = "Resources:\n  T:\n    Type: AWS::SNS::Topic\n";
const FUNCTION: &str = "Resources:\n  Fn:\n    Type: AWS::Lambda::Function\n    Properties: {Code: src, Handler: a.b, Role: r, Runtime: provided.al2023}\n";

/// A project beside what it must not touch.
struct World {
    repository: Folder,
    outside: PathBuf,
    before: BTreeMap<PathBuf, String>,
}

impl World {
    fn new(name: &str) -> World {
        let base = Folder::new("hostile-tree", name)
            .with("outside/t.yaml", &format!("Resources:\n  T:\n    Type: AWS::SNS::Topic\n    Nope: {SECRET}\n"))
            .with("outside/credentials", &format!("[default]\naws_secret_access_key = {SECRET}\n"))
            .with("outside/token.json", &format!("{{\"private_key\": \"{SECRET}\", \"{SECRET}\": 1}}"))
            .with("outside/ignore", &format!("{SECRET}[\n"))
            .with("outside/deep/Fn/user.txt", SECRET)
            .with("outside/build/template.yaml", &format!("Resources: {{T: {{Type: {SECRET}}}}}\n"))
            .with("repository/.git/config", &format!("[remote]\nurl = https://{SECRET}@example.com\n"))
            .with("repository/.git/t.yaml", &format!("Resources: {{T: {{Type: {SECRET}}}}}\n"));
        let (repository, outside) = (base.below("repository"), base.path("outside"));
        let before = seen(&outside);
        World { repository, outside, before }
    }

    fn with(mut self, name: &str, text: &str) -> World {
        self.repository = self.repository.with(name, text);
        self
    }

    /// A link in the repository to something outside.
    fn link(self, name: &str, to: &str) -> World {
        let path = self.repository.path(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        symlink(self.outside.join(to), path).expect("a link");
        self
    }

    fn at(&self, name: &str) -> PathBuf {
        self.repository.path(name)
    }

    /// Runs the program under the limits.
    fn run(&self, words: &[&str]) -> (i32, String) {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", &format!("{LIMITS}; exec \"$@\""), "sh", env!("CARGO_BIN_EXE_formwork")]).args(words);
        command.current_dir(self.at("")).env_clear().env("PATH", "/usr/bin:/bin").env("HOME", self.at("home"));
        let out = self.at("../stdout");
        let (stdout, stderr) =
            (fs::File::create(&out).expect("a file"), fs::File::create(self.at("../stderr")).expect("a file"));
        let mut child =
            command.stdin(std::process::Stdio::null()).stdout(stdout).stderr(stderr).spawn().expect("it starts");
        let start = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().expect("a status") {
                break status;
            }
            if start.elapsed() > MOST {
                child.kill().expect("it is ended");
                child.wait().expect("it ends");
                panic!("{words:?} does not end");
            }
            std::thread::sleep(Duration::from_millis(3));
        };
        let text = [out, self.at("../stderr")]
            .map(|path| String::from_utf8_lossy(&fs::read(path).expect("a file")).into_owned());
        let status = status.code().unwrap_or_else(|| panic!("{words:?}: {status} {text:?}"));
        let text = text.concat();
        assert!(!text.contains(SECRET), "{words:?}: {text}");
        assert!(!text.contains("panicked"), "{words:?}: {text}");
        assert_eq!(seen(&self.outside), self.before, "{words:?}: {text}");
        (status, text)
    }
}

/// Everything in a directory, with contents, links as they are.
fn seen(folder: &Path) -> BTreeMap<PathBuf, String> {
    let (mut found, mut left) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = left.pop() {
        for entry in fs::read_dir(folder).expect("a directory").flatten() {
            let (path, kind) = (entry.path(), entry.file_type().expect("a kind"));
            if kind.is_dir() {
                left.push(path.clone());
                found.insert(path, String::new());
            } else {
                let text =
                    if kind.is_symlink() { "link".to_owned() } else { fs::read_to_string(&path).expect("a file") };
                found.insert(path, text);
            }
        }
    }
    found
}

fn pipe(path: &Path) {
    fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo runs").success());
}

/// Commands that look for templates.
const SEARCHES: &[&[&str]] = &[
    &["check"],
    &["check", "."],
    &["check", "*.yaml"],
    &["check", "**/*"],
    &["check", "--fix", "."],
    &["check", "--message-format", "json", "."],
    &["expand"],
    &["expand", ".", "-o", "out"],
    &["resolve"],
    &["validate", "."],
    &["package", "--plan"],
    &["build"],
    &["deploy", "--s3-bucket", "file:store", "--bucket-name", "b"],
    &["local", "invoke", "Fn"],
];

#[test]
fn a_template_that_nobody_named_is_of_the_project() {
    for (at, link) in [
        ("template.yaml", "t.yaml"),
        ("template.yaml", "credentials"),
        ("template.json", "token.json"),
        ("template.yml", "missing"),
        ("template.yaml", "deep"),
        ("a/b/t.yaml", "t.yaml"),
        ("a/linked", "."),
        (".formwork", "."),
        (".formwork/build", "build"),
        (".formwork/build/template.yaml", "t.yaml"),
    ] {
        let world = World::new("found").link(at, link);
        for words in SEARCHES {
            let (status, text) = world.run(words);
            assert_ne!(status, 0, "{at} {link} {words:?}: {text}");
        }
    }
}

#[test]
fn a_directory_that_is_a_link_out_of_the_project_is_passed_over() {
    // What is outside has something to format and to fix.
    let unformatted = "Resources:\n    T:\n        Type:   AWS::SNS::Topic\n        Propertis: {}\n";
    for (at, to, word) in [
        ("linked", ".", "linked"),
        ("linked", ".", "./linked/"),
        ("linked", ".", "linked/deep/Fn"),
        ("linked", ".", "linked/*.yaml"),
        ("linked", ".", "linked/**/*"),
        ("sub/linked", "deep", "sub/linked"),
        ("sub/linked", ".", "sub/linked/t.*"),
        ("sub/linked", ".", "sub/*/t.yaml"),
        ("sub/linked", ".", "sub/linked/d*/../t.yaml"),
        // It is a repository of its own.
        ("linked", "other", "linked"),
        ("linked", "other", "linked/*.yaml"),
    ] {
        let world = World::new("linked-directory").with("kept/t.yaml", TEMPLATE);
        fs::create_dir_all(world.outside.join("other/.git")).expect("directories");
        for path in ["u.yaml", "deep/u.yaml", "deep/Fn/u.yaml", "other/u.yaml", "other/t.yaml"] {
            fs::write(world.outside.join(path), unformatted).expect("written");
        }
        let before = seen(&world.outside);
        let world = World { before, ..world }.link(at, to);
        for words in [
            &["check"][..],
            &["check", "--fix", "--unsafe-fixes"],
            &["expand", "-o", "out/"],
            &["resolve", "-o", "out/"],
            &["validate"],
            &["fmt"],
            &["fmt", "--diff"],
        ] {
            let (status, text) = world.run(&[words, &["kept", word]].concat());
            assert_eq!(status, 2, "{word} {words:?}: {text}");
            let is_named = text.contains("cannot be read: it is outside the project root") || word.contains("*/");
            assert!(is_named && !text.contains("Propertis"), "{word} {words:?}: {text}");
        }
    }
    // One that leads to a directory of the project is one of its directories.
    let world = World::new("linked-inside").with("real/u.yaml", unformatted);
    symlink("real", world.at("linked")).expect("a link");
    let (status, text) = world.run(&["fmt", "linked"]);
    assert_eq!(status, 0, "{text}");
    assert_ne!(fs::read_to_string(world.at("real/u.yaml")).expect("a file"), unformatted);
}

#[test]
fn a_default_template_that_is_passed_over_is_named() {
    for words in
        [&["check", "."][..], &["expand", ".", "-o", "out"], &["resolve", ".", "-o", "out"], &["fmt", "--check", "."]]
    {
        for (at, link) in [("template.yaml", "t.yaml"), ("a/template.json", "credentials")] {
            let world = World::new("passed-over").with("b/t.yaml", TEMPLATE).link(at, link);
            let (status, text) = world.run(words);
            assert_ne!(status, 0, "{at} {words:?}: {text}");
            assert!(
                text.contains(&format!("{at} cannot be read: it is outside the project root")),
                "{words:?}: {text}"
            );
        }
        let world = World::new("passed-over").with("b/t.yaml", TEMPLATE);
        pipe(&world.at("b/template.yml"));
        let (status, text) = world.run(words);
        assert_ne!(status, 0, "{words:?}: {text}");
        assert!(text.contains("b/template.yml cannot be read: it is a named pipe"), "{words:?}: {text}");
    }
}

#[test]
fn what_git_keeps_is_of_no_project() {
    for target in [".git/t.yaml", ".git/config", ".git", "a/../.git/t.yaml"] {
        let world = World::new("git-inside").with("a/keep", "");
        symlink(target, world.at("template.yaml")).expect("a link");
        for words in SEARCHES {
            assert_ne!(world.run(words).0, 0, "{target} {words:?}");
        }
    }
    for (what, template) in [
        ("module", "Modules:\n  M: {Source: .git/t.yaml}\nResources: {}\n"),
        ("include", "Resources:\n  Fn::Transform: {Name: AWS::Include, Parameters: {Location: .git/config}}\n"),
        ("code", &FUNCTION.replace("src", ".git")),
        ("file", &FUNCTION.replace("src", ".git/config")),
        ("nested", "Resources:\n  S: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: .git/t.yaml}}\n"),
    ] {
        let world = World::new("git-named").with("t.yaml", template);
        for words in [
            &["check", "t.yaml"][..],
            &["package", "t.yaml", "--plan"],
            &["package", "t.yaml", "--s3-bucket", "file:store", "--bucket-name", "b"],
        ] {
            let (_, text) = world.run(words);
            let stored = world.at("store");
            assert!(!stored.exists() || !format!("{:?}", seen(&stored)).contains(SECRET), "{what}: {text}");
        }
    }
    // The repository itself is code without what Git keeps.
    let world = World::new("git-packed").with("t.yaml", &FUNCTION.replace("src", "."));
    let (status, text) = world.run(&["package", "t.yaml", "--s3-bucket", "file:../store", "--bucket-name", "b"]);
    assert_eq!(status, 0, "{text}");
    let listed = Command::new("sh")
        .arg("-c")
        .arg("cat ../store/* | strings")
        .current_dir(world.at(""))
        .output()
        .expect("sh runs");
    assert!(!String::from_utf8_lossy(&listed.stdout).contains(".git/"), "{listed:?}");
}

#[test]
fn nothing_waits_for_a_pipe_a_socket_or_a_device() {
    for name in [
        "template.yaml",
        "a/t.yaml",
        ".gitignore",
        "a/.gitignore",
        "samconfig.toml",
        "formwork.toml",
        "formwork.lock",
        ".git/index",
        ".formwork/build/.formwork/build.json",
        ".formwork/build/template.yaml",
    ] {
        for kind in ["pipe", "socket", "zero", "full", "terminal"] {
            let world = World::new("special").with("b/t.yaml", TEMPLATE);
            let path = world.at(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
            let mut _listens = None;
            match kind {
                "pipe" => pipe(&path),
                "socket" => _listens = UnixListener::bind(&path).ok(),
                "zero" => symlink("/dev/zero", path).expect("a link"),
                "full" => symlink("/dev/full", path).expect("a link"),
                _ => symlink("/dev/tty", path).expect("a link"),
            }
            for words in
                [&["check"][..], &["check", "."], &["expand", ".", "-o", "out"], &["package", "--plan"], &["build"]]
            {
                world.run(words);
            }
        }
    }
}

#[test]
fn a_gitignore_that_cannot_be_used_hides_nothing() {
    let many = "**/a*b*[c-x]*{d,e}*z\n".repeat(100_000);
    let long = format!("{}\n", "a*".repeat(2 << 20));
    for (name, text) in [
        ("many", many.as_str()),
        ("long", &long),
        ("binary", "\u{0}\u{1}\u{fffd}*.yaml\u{0}\n"),
        ("brackets", "[[[[\n{{{{\n[z-a]\n\\\n!\n/\n**\u{7f}**\n"),
    ] {
        let world = World::new(name).with("b/t.yaml", TEMPLATE).with(".gitignore", text);
        assert_eq!(world.run(&["check", "."]).0, 0, "{name}");
    }
    for link in ["ignore", "missing", "deep"] {
        let world =
            World::new("ignore-link").with("b/t.yaml", TEMPLATE).link(".gitignore", link).link("b/.gitignore", link);
        assert_eq!(world.run(&["check", "."]).0, 0, "{link}");
    }
}

/// An index with these entries, whose number may be a lie.
fn index(version: u32, count: u32, entries: &[u8]) -> Vec<u8> {
    [b"DIRC".as_slice(), &version.to_be_bytes(), &count.to_be_bytes(), entries, &[0; 20]].concat()
}

fn entry(name: &[u8]) -> Vec<u8> {
    let mut entry =
        [&[0; 24][..], &0o100_644_u32.to_be_bytes(), &[0; 32], &0xfff_u16.to_be_bytes(), name, &[0]].concat();
    entry.resize(entry.len().next_multiple_of(8), 0);
    entry
}

#[test]
fn a_hostile_index_hides_nothing_and_takes_no_time() {
    let ignored = || World::new("index").with("b/t.yaml", TEMPLATE).with(".gitignore", "*.yaml\n");
    let compressed = |count: usize| {
        let first = [
            &[0; 24][..],
            &0o100_644_u32.to_be_bytes(),
            &[0; 32],
            &[0x0f, 0xff],
            &[0],
            "d/".repeat(2000).as_bytes(),
            b"a.yaml\0",
        ]
        .concat();
        let next = [&[0; 24][..], &0o100_644_u32.to_be_bytes(), &[0; 32], &[0x0f, 0xff], &[6], b"b.yaml\0"].concat();
        [first, next.repeat(count)].concat()
    };
    for bytes in [
        b"".to_vec(),
        b"DIRC".to_vec(),
        vec![0xff; 1 << 20],
        index(2, u32::MAX, &[]),
        index(2, 1, &[0xff; 200]),
        index(9, 0, &[]),
        index(2, 1, &entry(&vec![b'a'; 100_000])),
        index(4, 400_001, &compressed(400_000)),
        index(4, 2, &[[0; 62].as_slice(), &[0xff; 20]].concat()),
        [index(2, 0, &[]), b"link".to_vec(), u32::MAX.to_be_bytes().to_vec()].concat(),
        vec![b'D'; 80 << 20],
    ] {
        let world = ignored();
        fs::write(world.at(".git/index"), &bytes).expect("written");
        let (status, text) = world.run(&["check", "."]);
        assert_eq!(status, 0, "{} bytes: {text}", bytes.len());
    }
    // Names that lead out of the repository, or through a link.
    let names: [&[u8]; 6] = [
        b"../outside/t.yaml",
        b"/etc/t.yaml",
        b"linked/t.yaml",
        b".git/t.yaml",
        b"x/../../outside/t.yaml",
        b"\xff.yaml",
    ];
    let world = ignored().link("linked", ".");
    fs::write(world.at(".git/index"), index(2, 6, &names.map(entry).concat())).expect("written");
    assert_eq!(world.run(&["check", "."]).0, 2);
    // The shared index of a split one is itself, or lies elsewhere.
    let link =
        [index(2, 0, &[])[..12].to_vec(), b"link".to_vec(), 20_u32.to_be_bytes().to_vec(), vec![0x11; 20], vec![0; 20]]
            .concat();
    let world = ignored().link(&format!(".git/sharedindex.{}", "11".repeat(20)), "t.yaml");
    fs::write(world.at(".git/index"), &link).expect("written");
    assert_eq!(world.run(&["check", "."]).0, 0);
    // A file in the place of `.git` that names another directory.
    let world = ignored();
    fs::remove_dir_all(world.at(".git")).expect("removed");
    fs::write(world.at(".git"), format!("gitdir: {}\n", world.outside.display())).expect("written");
    assert_eq!(world.run(&["check", "."]).0, 0);
}

#[test]
fn what_git_tracks_is_shown_and_what_it_does_not_is_not() {
    let world = World::new("tracked")
        .with("b/t.yaml", TEMPLATE)
        .with("b/u.yaml", "Resources: 1\n")
        .with(".gitignore", "*.yaml\nc/\n");
    let world = world.with("c/v.yaml", TEMPLATE);
    fs::write(world.at(".git/index"), index(2, 2, &[entry(b"b/t.yaml"), entry(b"c/v.yaml")].concat()))
        .expect("written");
    let (status, text) = world.run(&["check", "."]);
    assert_eq!(status, 0, "{text}");
    world.run(&["expand", ".", "-o", "out"]);
    assert!(
        world.at("out/b/t.yaml").is_file() && world.at("out/c/v.yaml").is_file() && !world.at("out/b/u.yaml").exists()
    );
}

#[test]
fn outputs_are_not_written_through_a_link() {
    let expand: &[&str] = &["expand", "a", "b", "-o", "out"];
    for (at, to) in
        [("out", "deep"), ("out/a", "deep"), ("out/a/t.yaml", "t.yaml"), ("out/a/t.yaml", "new.yaml"), ("out", "new")]
    {
        let world = World::new("out").with("a/t.yaml", TEMPLATE).with("b/t.yaml", TEMPLATE).link(at, to);
        assert_eq!(world.run(expand).0, 2, "{at} {to}");
        assert_eq!(world.run(&["expand", "a", "b", "-o", "out/deeper"]).0 == 2, at == "out", "{at} {to}");
    }
    let store: &[&str] =
        &["package", "t.yaml", "--s3-bucket", "file:store", "--bucket-name", "b", "--s3-prefix", "p/q"];
    for (at, to) in [("store", "deep"), ("store/p", "deep"), ("store/p/q", "."), ("store", "new")] {
        let world = World::new("store").with("t.yaml", FUNCTION).with("src/a.py", "x").link(at, to);
        assert_ne!(world.run(store).0, 0, "{at} {to}");
    }
    // The command line may name a link.
    let world = World::new("named").with("a/t.yaml", TEMPLATE);
    fs::write(world.at("real.yaml"), "").expect("written");
    symlink("real.yaml", world.at("linked.yaml")).expect("a link");
    assert_eq!(world.run(&["expand", "a/t.yaml", "-o", "linked.yaml"]).0, 0);
    assert_eq!(fs::read_to_string(world.at("real.yaml")).expect("a file"), TEMPLATE);
    assert!(world.at("linked.yaml").is_symlink());
}

/// A function that is built without a tool.
fn buildable(name: &str) -> World {
    World::new(name).with("template.yaml", FUNCTION).with("src/bootstrap", "#!/bin/sh\n")
}

#[test]
fn a_build_writes_and_deletes_nothing_behind_a_link() {
    let clean = buildable("clean");
    let (status, text) = clean.run(&["build"]);
    assert_eq!(status, 0, "{text}");
    assert!(clean.at(".formwork/build/Fn/bootstrap").is_file(), "{:?}", seen(&clean.at(".formwork")));
    for (at, to) in [
        (".formwork", "."),
        (".formwork/build", "build"),
        (".formwork/build", "new"),
        (".formwork/build/.formwork", "deep"),
        (".formwork/build/.formwork/lock", "new"),
        (".formwork/build/.formwork/ready", "deep"),
        (".formwork/build/.formwork/build.json", "token.json"),
        (".formwork/build/Fn", "deep/Fn"),
        (".formwork/build/template.yaml", "t.yaml"),
        (".formwork/build/template.yaml", "new.yaml"),
    ] {
        let world = buildable("build-link").link(at, to);
        assert_ne!(world.run(&["build"]).0, 0, "{at} {to}");
        world.run(&["package", "--plan"]);
        world.run(&["deploy", "--s3-bucket", "file:store", "--bucket-name", "b"]);
    }
}

#[test]
fn a_build_deletes_what_it_made_and_nothing_else() {
    for name in ["Fn/notes.txt", "template.yaml", "Fn"] {
        let world = buildable("build-foreign").with(&format!("dist/{name}"), "mine\n");
        let (status, text) = world.run(&["build", "-b", "dist"]);
        assert_ne!(status, 0, "{name}: {text}");
        assert!(text.contains("is not as an earlier build left it"), "{name}: {text}");
        assert_eq!(fs::read_to_string(world.at("dist").join(name)).expect("a file"), "mine\n");
    }
    let world = buildable("build-again").with("dist/mine.txt", "mine");
    for text in ["#!/bin/sh\n# 1\n", "#!/bin/sh\n# 2\n"] {
        fs::write(world.at("src/bootstrap"), text).expect("written");
        let (status, said) = world.run(&["build", "-b", "dist"]);
        assert_eq!(status, 0, "{said}");
        assert_eq!(fs::read_to_string(world.at("dist/Fn/bootstrap")).expect("a file"), text);
    }
    // What was added to an artifact is somebody's.
    fs::write(world.at("dist/Fn/notes.txt"), "mine").expect("written");
    fs::write(world.at("src/bootstrap"), "#!/bin/sh\n# 3\n").expect("written");
    assert_ne!(world.run(&["build", "-b", "dist"]).0, 0);
    assert_eq!(fs::read_to_string(world.at("dist/Fn/notes.txt")).expect("a file"), "mine");
    assert_eq!(fs::read_to_string(world.at("dist/mine.txt")).expect("a file"), "mine");
}

#[test]
fn a_record_of_a_build_is_a_claim() {
    let outside = World::new("record").outside;
    let out = outside.display();
    let record = |template: &str, products: &str| {
        format!(
            "{{\"template\": {template:?}, \"projectRoot\": \"/\", \"inputs\": {{\"{out}/credentials\": \"x\", \"/dev/zero\": \"y\"}}, \"templates\": {{}}, \"products\": {{{products}}}}}"
        )
    };
    let product = |name: &str| {
        format!(
            "{name:?}: {{\"key\": \"k\", \"source\": \"{out}/deep\", \"hash\": \"h\", \"excluded\": [], \"resources\": [\"{name}\"], \"looks\": []}}"
        )
    };
    let built = FUNCTION.replace("src", &format!("{out}/deep"));
    for template in [format!("{out}/t.yaml"), "/".to_owned(), "/etc/passwd".to_owned(), "template.yaml".to_owned()] {
        for products in [String::new(), product("Fn"), product("../../../outside/deep"), product("/etc"), product(".")]
        {
            let world = World::new("record")
                .with("template.yaml", FUNCTION)
                .with("src/bootstrap", "#!/bin/sh\n")
                .with(".formwork/build/template.yaml", &built)
                .with(".formwork/build/.formwork/build.json", &record(&template, &products));
            for words in [
                &["package", "--plan"][..],
                &["package", "--s3-bucket", "file:store", "--bucket-name", "b"],
                &["package", ".formwork/build/template.yaml", "--s3-bucket", "file:store", "--bucket-name", "b"],
                &["check", ".formwork/build/template.yaml"],
                &["deploy", "--s3-bucket", "file:store", "--bucket-name", "b"],
                &["sync", "--no-watch"],
                &["local", "invoke", "Fn"],
                &["build"],
            ] {
                world.run(words);
                let listed =
                    Command::new("sh").arg("-c").arg("cat store/* | strings").current_dir(world.at("")).output();
                let listed = String::from_utf8_lossy(&listed.expect("sh runs").stdout).into_owned();
                assert!(!listed.contains("user.txt") && !listed.contains("credentials"), "{words:?}: {listed}");
            }
        }
    }
}

#[test]
fn a_file_that_is_no_template_is_not_quoted() {
    let files = [
        ("credentials", format!("[default]\naws_access_key_id = a\naws_secret_access_key = {SECRET}\n")),
        ("env", format!("A=b\nTOKEN={SECRET}\n")),
        ("netrc", format!("machine x login y password {SECRET}: z: a\n")),
        ("hosts.yml", format!("github.com:\n  oauth_token: {SECRET}\n  {SECRET}: 1\n{SECRET}:\n")),
        ("key.json", format!("{{\"private_key\": \"{SECRET}\", \"{SECRET}\": [}}")),
        ("creds.json", format!("{{\"private_key\": \"{SECRET}\", \"{SECRET}\": [], \"{SECRET}\": 2}}")),
        ("list.yaml", format!("- {SECRET}\n- !Ref {SECRET}\n")),
        ("comments", format!("# {SECRET}\n# formwork: {SECRET}\n")),
        ("comments.yaml", format!("---\n# formwork: allow {SECRET}\n... # {SECRET}\n")),
        ("null.yaml", format!("null # {SECRET}\n")),
        ("map.yaml", format!("# {SECRET}\n{{}} # formwork: {SECRET}\n")),
        ("words", SECRET.to_owned()),
        ("tagged", format!("!Sub {SECRET}\n")),
        ("id_rsa", format!("-----BEGIN KEY-----\n{SECRET}\n\t{SECRET}: x\n-----END KEY-----\n")),
        ("toml", format!("[a]\nb = \"{SECRET}\"\n[{SECRET}]\n")),
    ];
    for (name, text) in files {
        let world = World::new("quoted").with(name, &text);
        let module = format!("Modules:\n  M: {{Source: ./{name}}}\nResources: {{}}\n");
        let nested =
            format!("Resources:\n  S: {{Type: AWS::CloudFormation::Stack, Properties: {{TemplateURL: ./{name}}}}}\n");
        let world = world.with("module.yaml", &module).with("nested.yaml", &nested);
        for words in [
            &["check", name][..],
            &["check", name, "--message-format", "json"],
            &["check", name, "--message-format", "sarif"],
            &["check", name, "--fix", "--diff"],
            &["expand", name],
            &["expand", name, "--format", "json"],
            &["resolve", name],
            &["rules", "check", name],
            &["explain", name, "Resources"],
            &["package", name, "--plan"],
            &["check", "module.yaml"],
            &["check", "nested.yaml"],
        ] {
            let (status, text) = world.run(words);
            assert!(status != 0 || words.contains(&"--diff"), "{name} {words:?}: {text}");
        }
    }
}

#[test]
fn a_project_is_not_created_behind_a_link() {
    for (at, to) in [("app", "empty"), ("app", "new"), ("app", "deep"), ("app", "credentials")] {
        let world = World::new("init").link(at, to);
        fs::create_dir_all(world.outside.join("empty")).expect("a directory");
        let world = World { before: seen(&world.outside), ..world };
        let (status, text) = world.run(&["init", "--template", "functions", "--name", at]);
        assert_eq!(status, 2, "{to}: {text}");
        assert!(text.contains("app is a link"), "{text}");
    }
}

#[test]
fn a_deep_tree_is_walked() {
    let world = World::new("deep-tree").with("b/t.yaml", TEMPLATE);
    let deep = world.at("d").join("d/".repeat(1500));
    fs::create_dir_all(&deep).expect("directories");
    fs::write(deep.join("t.yaml"), TEMPLATE).expect("written");
    let (status, text) = world.run(&["expand", ".", "-o", "out"]);
    assert_eq!(status, 0, "{text}");
    assert!(world.at("out/d").join("d/".repeat(1500)).join("t.yaml").is_file());
}
