//! A server of S3 that others wrote, in this process: it checks signatures and checksums, and keeps
//! objects as files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;

use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use s3s_fs::FileSystem;
use tokio::net::TcpListener;

use super::project::{OBJECTS, Project};

/// A server that runs until the test program ends, and the directory of its bucket.
fn start(name: &str, secret: &str) -> (String, PathBuf) {
    let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("s3s").join(name);
    let _ = std::fs::remove_dir_all(&root);
    let bucket = root.join("bucket");
    std::fs::create_dir_all(&bucket).expect("a directory");
    let mut service = S3ServiceBuilder::new(FileSystem::new(&root).expect("a file system"));
    service.set_auth(SimpleAuth::from_single("AKIDOFTHETESTS", secret));
    let service = service.build();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        runtime.block_on(async {
            loop {
                let Ok((stream, _)) = listener.accept().await else { continue };
                let service = service.clone();
                tokio::spawn(async move {
                    let http = Builder::new(TokioExecutor::new());
                    let _ = http.serve_connection(TokioIo::new(stream), service).await;
                });
            }
        });
    });
    (url, bucket)
}

/// Objects of a bucket, without what the server notes of them.
fn objects(bucket: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(bucket).expect("the bucket").flatten();
    let files = entries.filter(|entry| !entry.file_name().to_string_lossy().starts_with('.'));
    files
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path()).expect("a file")))
        .collect()
}

#[test]
fn a_bucket_holds_what_a_folder_would() {
    let project = Project::new("standard");
    let (url, bucket) = start("whole", "a-secret-of-the-tests");
    let run = project.run_at(&url, &["--metadata", "team=x"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let folder = project.folder.0.join("store");
    let words = ["package", "template.yaml", "--s3-bucket", "file:store", "--bucket-name", "bucket"];
    let by_folder = project.folder.run(&words, &[]);
    assert_eq!(by_folder.status, 0, "{}", by_folder.err);
    let stored = objects(&bucket);
    assert_eq!(stored.len(), OBJECTS);
    assert_eq!(stored, objects(&folder));
    let output = project.folder.read("out.yaml");
    assert_eq!(output.replace(&url, "https://s3.amazonaws.com"), by_folder.out);
    let again = project.run_at(&url, &["--verbose"]);
    assert_eq!(again.err.matches(" is there already").count(), OBJECTS, "{}", again.err);
}

/// Paths are signed as they are sent.
#[test]
fn keys_with_any_characters() {
    let project = Project::new("standard-keys");
    let (url, bucket) = start("keys", "a-secret-of-the-tests");
    let prefix = "a b+c/ü=&?#%25~'()*!$@:;,/日本";
    for _ in 0..2 {
        let run = project.run_at(&url, &["--s3-prefix", prefix, "--verbose"]);
        assert_eq!(run.status, 0, "{}", run.err);
        assert_eq!(objects(&bucket.join(prefix)).len(), OBJECTS);
    }
    let again = project.run_at(&url, &["--s3-prefix", prefix, "--verbose"]);
    assert_eq!(again.err.matches(" is there already").count(), OBJECTS, "{}", again.err);
}

#[test]
fn a_large_object_arrives_whole() {
    let project = Project::large("standard-large", (30 << 20) + 1);
    let (url, bucket) = start("large", "a-secret-of-the-tests");
    let run = project.run_at(&url, &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let written = std::fs::read(project.folder.0.join("large")).expect("the file");
    assert!(objects(&bucket).values().eq([&written]));
}

#[test]
fn a_signature_that_is_not_right() {
    let project = Project::new("standard-signature");
    let (url, bucket) = start("signature", "another-secret");
    let run = project.run_at(&url, &[]);
    assert!(run.status == 1 && run.err.contains("AWS does not accept the credentials"), "{}", run.err);
    assert!(objects(&bucket).is_empty() && project.is_without_output());
}
