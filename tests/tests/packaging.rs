//! Packaging on a disk: archives, links, what is left out, what is uploaded
//! (reference/packaging.md#zips, reference/packaging.md#objects). What templates become is in
//! `fixtures/packaging/`.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;

use formwork::Goal;
use formwork_tests::packaging::{Project, files};
use formwork_tests::words::Request;
use formwork_upload::{Payload, Presence, Progress, Symlinks, UploadError, UploadOptions, Uploader};

const LAYER: &str = "Resources:
  Layer:
    Type: AWS::Serverless::LayerVersion
    Properties: {ContentUri: ./src}
";

fn request() -> Request {
    Request::new(Goal::Package)
}

fn project(list: &[(&str, &str)]) -> Project {
    Project::new(&files(list)).expect("the files are written")
}

fn packaged(project: &Project) -> String {
    project.package("template.yaml", &request()).expect("it is packaged")
}

/// Names, modes and contents of the entries of the one zip in a store.
fn entries(project: &Project) -> Vec<(String, u32, String)> {
    let objects = project.objects();
    let [key] = objects.as_slice() else { panic!("one object, not {objects:?}") };
    let mut zip = zip::ZipArchive::new(File::open(project.store().join(key)).expect("the object")).expect("a zip");
    (0..zip.len())
        .map(|at| {
            let mut entry = zip.by_index(at).expect("an entry");
            let mut text = String::new();
            entry.read_to_string(&mut text).expect("text");
            (entry.name().expect("a name").into_owned(), entry.unix_mode().unwrap_or(0), text)
        })
        .collect()
}

fn names(project: &Project) -> Vec<String> {
    entries(project).into_iter().map(|(name, ..)| name).collect()
}

/// Counts what an uploader is asked.
#[derive(Default)]
struct Counter {
    asked: Mutex<Vec<String>>,
    stored: Mutex<Vec<String>>,
}

impl Uploader for Counter {
    fn presence(&self, key: &str) -> Result<Presence, UploadError> {
        self.asked.lock().expect("no panic").push(key.to_owned());
        let is_there = self.stored.lock().expect("no panic").iter().any(|known| known == key);
        Ok(if is_there { Presence::There } else { Presence::Missing })
    }

    fn put(&self, key: &str, content: &mut Payload) -> Result<(), UploadError> {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).map_err(|error| UploadError::new(error.to_string()))?;
        assert_eq!(bytes.len() as u64, content.size());
        self.stored.lock().expect("no panic").push(key.to_owned());
        Ok(())
    }
}

#[test]
fn a_second_run_uploads_nothing() {
    let project = project(&[
        (
            "template.yaml",
            "Resources:
  One: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: a}}
  Two: {Type: AWS::Lambda::LayerVersion, Properties: {Content: ./a/}}
  Three: {Type: AWS::Serverless::Api, Properties: {DefinitionUri: a/x}}
  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: child.yaml}}
",
        ),
        ("child.yaml", "Resources: {Four: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: a}}}\n"),
        ("a/x", "1"),
    ]);
    let counter = Counter::default();
    let uploads = Mutex::new(0);
    let how = UploadOptions { force: false, concurrency: 3 };
    let observer = |progress: Progress<'_>| {
        if matches!(progress, Progress::Uploaded(..)) {
            *uploads.lock().expect("no panic") += 1;
        }
    };
    for expected in [3, 0] {
        let prepared = project.prepare("template.yaml", &request(), Symlinks::Follow).expect("a template");
        formwork_upload::upload_all(&prepared, &counter, how, &observer).expect("uploaded");
        assert_eq!(std::mem::take(&mut *uploads.lock().expect("no panic")), expected);
        assert_eq!(std::mem::take(&mut *counter.asked.lock().expect("no panic")).len(), 3);
    }
    let prepared = project.prepare("template.yaml", &request(), Symlinks::Follow).expect("a template");
    formwork_upload::upload_all(&prepared, &counter, UploadOptions { force: true, ..how }, &observer)
        .expect("uploaded");
    assert_eq!(*uploads.lock().expect("no panic"), 3);
}

#[test]
fn functions_on_one_folder_make_one_zip() {
    let function = |number| format!("  F{number}: {{Type: AWS::Lambda::Function, Properties: {{Code: src}}}}\n");
    let template = format!("Resources:\n{}", (0..37).map(function).collect::<Vec<_>>().concat());
    let project = project(&[("template.yaml", &template), ("src/x.py", "x = 1\n")]);
    packaged(&project);
    assert_eq!(project.objects().len(), 1);
}

#[test]
fn a_lost_object_is_a_fault() {
    /// Stores nothing.
    struct Refusing;
    impl Uploader for Refusing {
        fn presence(&self, _: &str) -> Result<Presence, UploadError> {
            Ok(Presence::Hidden("403".to_owned()))
        }
        fn put(&self, _: &str, _: &mut Payload) -> Result<(), UploadError> {
            Err(UploadError::new("no room"))
        }
    }
    let project = project(&[("template.yaml", LAYER), ("src/x", "1")]);
    let prepared = project.prepare("template.yaml", &request(), Symlinks::Follow).expect("a template");
    let how = UploadOptions { force: false, concurrency: 1 };
    let faults = formwork_upload::upload_all(&prepared, &Refusing, how, &|_| {}).expect_err("an error");
    assert_eq!(faults.iter().map(|fault| fault.message.as_str()).collect::<Vec<_>>(), ["no room"]);
}

#[test]
fn a_file_that_changes_on_the_way_is_a_fault() {
    let project = project(&[("template.yaml", LAYER), ("src/x", "1")]);
    let prepared = project.prepare("template.yaml", &request(), Symlinks::Follow).expect("a template");
    fs::write(project.folder().join("src/x"), "2").expect("written");
    let how = UploadOptions { force: false, concurrency: 1 };
    let faults = formwork_upload::upload_all(&prepared, &Counter::default(), how, &|_| {}).expect_err("an error");
    assert!(faults[0].message.contains("changed while it was packaged"), "{faults:?}");
}

#[test]
fn a_large_file_that_changes_on_the_way_is_a_fault() {
    const TEMPLATE: &str = "Resources: {Api: {Type: AWS::Serverless::Api, Properties: {DefinitionUri: api}}}\n";
    let project = project(&[("template.yaml", TEMPLATE)]);
    let mut file = File::create(project.folder().join("api")).expect("a file");
    file.set_len(65 << 20).expect("holes are zeros");
    let prepared = project.prepare("template.yaml", &request(), Symlinks::Follow).expect("a template");
    file.seek(SeekFrom::Start(40 << 20)).expect("a place in the file");
    file.write_all(b"x").expect("written");
    let how = UploadOptions { force: false, concurrency: 1 };
    let store = formwork_upload::DirectoryStore::new(&project.store());
    let faults = formwork_upload::upload_all(&prepared, &store, how, &|_| {}).expect_err("an error");
    assert!(faults[0].message.contains("changed while it was packaged"), "{faults:?}");
    assert_eq!(fs::read_dir(project.store()).expect("the store").count(), 0, "nothing is left");
}

#[test]
fn what_is_a_zip_is_left_as_it_is() {
    let first = project(&[("template.yaml", LAYER), ("src/x", "1")]);
    packaged(&first);
    let zip = fs::read(first.store().join(&first.objects()[0])).expect("the object");
    let mut list = files(&[("template.yaml", &LAYER.replace("./src", "code.bin"))]);
    list.push(("code.bin".to_owned(), zip.clone()));
    let second = Project::new(&list).expect("the files are written");
    packaged(&second);
    assert_eq!(fs::read(second.store().join(&second.objects()[0])).expect("the object"), zip);
    assert_ne!(first.objects(), second.objects());
}

#[test]
fn the_ignore_file_leaves_files_out() {
    let project = project(&[
        ("template.yaml", LAYER),
        ("src/.formworkignore", "*.pyc\n/tests\n!keep.pyc\nempty/\n"),
        ("src/x.py", "1"),
        ("src/x.pyc", "2"),
        ("src/keep.pyc", "3"),
        ("src/tests/y.py", "4"),
        ("src/deep/tests/y.py", "5"),
        ("src/empty/z", "6"),
    ]);
    packaged(&project);
    assert_eq!(names(&project), [".formworkignore", "deep/tests/y.py", "keep.pyc", "x.py"]);
}

#[test]
fn folders_are_stored_when_they_are_empty() {
    let project = project(&[("template.yaml", LAYER), ("src/x.py", "1")]);
    fs::create_dir_all(project.folder().join("src/a/b")).expect("a directory");
    packaged(&project);
    assert_eq!(names(&project), ["a/b/", "x.py"]);
}

#[test]
fn an_absent_property_is_the_folder_of_the_template() {
    let template = "Resources: {Layer: {Type: AWS::Serverless::LayerVersion}}\n";
    let project = project(&[("sub/template.yaml", template), ("sub/x.py", "1"), ("y.py", "2")]);
    project.package("sub/template.yaml", &request()).expect("it is packaged");
    assert_eq!(names(&project), ["template.yaml", "x.py"]);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn link(project: &Project, target: &str, name: &str) {
        symlink(target, project.folder().join(name)).expect("a link");
    }

    fn with(project: &Project, symlinks: Symlinks) -> Result<Vec<(String, u32, String)>, String> {
        let prepared = project.prepare("template.yaml", &request(), symlinks)?;
        if prepared.has_errors() {
            return Err(project.messages(&prepared, false));
        }
        let _ = fs::remove_dir_all(project.store());
        let store = formwork_upload::DirectoryStore::new(&project.store());
        let how = UploadOptions { force: false, concurrency: 1 };
        formwork_upload::upload_all(&prepared, &store, how, &|_| {}).map_err(|faults| format!("{faults:?}"))?;
        Ok(entries(project))
    }

    #[test]
    fn links_are_followed_or_kept() {
        let project = project(&[("template.yaml", LAYER), ("src/x", "1"), ("shared/y", "2")]);
        link(&project, "x", "src/own");
        link(&project, "../shared", "src/other");
        let file = |name: &str, text: &str| (name.to_owned(), 0o100_644, text.to_owned());
        let followed = [file("other/y", "2"), file("own", "1"), file("x", "1")];
        assert_eq!(with(&project, Symlinks::Follow).expect("packaged"), followed);
        // A link that leaves the directory is followed all the same: in the zip it would lead nowhere.
        let kept = [file("other/y", "2"), ("own".to_owned(), 0o120_777, "x".to_owned()), file("x", "1")];
        assert_eq!(with(&project, Symlinks::Keep).expect("packaged"), kept);
    }

    #[test]
    fn dangling_links() {
        let project = project(&[("template.yaml", LAYER), ("src/x", "1")]);
        link(&project, "/opt/lib", "src/lib");
        let why = with(&project, Symlinks::Follow).expect_err("an error");
        assert!(why.contains("FW0801") && why.contains("/src/lib leads nowhere"), "{why}");
        let kept = with(&project, Symlinks::Keep).expect("packaged");
        assert_eq!(kept[0], ("lib".to_owned(), 0o120_777, "/opt/lib".to_owned()));
    }

    #[test]
    fn loops_of_links_end_in_an_error() {
        for (target, name) in [("..", "src/a/up"), (".", "src/here"), ("b", "src/b")] {
            let project = project(&[("template.yaml", LAYER), ("src/a/x", "1")]);
            link(&project, target, name);
            let why = with(&project, Symlinks::Follow).expect_err("an error");
            assert!(why.contains("loop of links"), "{name}: {why}");
        }
    }

    #[test]
    fn links_that_fan_out_end_in_an_error() {
        // Two links to the next directory in each of forty: a file by 2^40 paths.
        let names: Vec<String> = (0..=40).map(|at| format!("d{at}/x")).collect();
        let mut files = vec![("template.yaml", LAYER), ("src/x", "1")];
        files.extend(names.iter().map(|name| (name.as_str(), "1")));
        let project = project(&files);
        for at in 0..40 {
            for name in ["a", "b"] {
                link(&project, &format!("../d{}", at + 1), &format!("d{at}/{name}"));
            }
        }
        link(&project, "../d0", "src/d");
        for symlinks in [Symlinks::Follow, Symlinks::Keep] {
            let why = with(&project, symlinks).expect_err("an error");
            assert!(why.contains("more than 100000 files, links and directories"), "{why}");
        }
    }

    #[test]
    fn links_out_of_the_project_are_refused() {
        let project = project(&[("template.yaml", LAYER), ("src/x", "1"), ("../outside/secret", "2")]);
        link(&project, "../../outside/secret", "src/leak");
        let why = with(&project, Symlinks::Follow).expect_err("an error");
        assert!(why.contains("outside the project root"), "{why}");
        fs::write(project.folder().join("src/.formworkignore"), "leak\n").expect("written");
        with(&project, Symlinks::Follow).expect("what is left out is not looked at");
    }

    #[test]
    fn sockets_are_refused() {
        let project = project(&[("template.yaml", LAYER), ("src/x", "1")]);
        let _socket = std::os::unix::net::UnixListener::bind(project.folder().join("src/s")).expect("a socket");
        let why = with(&project, Symlinks::Follow).expect_err("an error");
        assert!(why.contains("neither a file nor a"), "{why}");
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("a mode");
    }

    #[test]
    fn the_right_to_execute_is_part_of_the_name() {
        let project = project(&[("template.yaml", LAYER), ("src/bootstrap", "#!")]);
        packaged(&project);
        set_mode(&project.folder().join("src/bootstrap"), 0o711);
        packaged(&project);
        assert_eq!(project.objects().len(), 2);
    }

    #[test]
    fn neither_modes_nor_times_nor_the_order_of_files_matter() {
        let list: Vec<(String, String)> =
            (0..40).map(|number| (format!("src/d{}/f{number}", number % 7), format!("text {number}"))).collect();
        let mut stores = Vec::new();
        for turned in [false, true] {
            let project = project(&[("template.yaml", LAYER)]);
            let mut order = list.clone();
            if turned {
                order.reverse();
            }
            for (number, (name, text)) in order.iter().enumerate() {
                let path = project.folder().join(name);
                fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
                fs::write(&path, text).expect("written");
                set_mode(&path, if turned { 0o600 } else { 0o644 });
                let time =
                    std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000 * number as u64);
                File::options().write(true).open(&path).and_then(|file| file.set_modified(time)).expect("a time");
            }
            set_mode(&project.folder().join("src/d3"), if turned { 0o700 } else { 0o755 });
            packaged(&project);
            let key = project.objects().remove(0);
            stores.push((fs::read(project.store().join(&key)).expect("the object"), key));
        }
        assert!(stores[0] == stores[1], "one tree, one object");
    }
}
