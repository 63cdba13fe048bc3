//! Modules that are objects of S3.

use super::moto::Moto;
use super::program::Folder;

fn template(source: &str) -> String {
    format!("Modules:\n  Orders: {{Source: '{source}'}}\n")
}

pub(crate) fn modules_from_a_bucket(moto: &Moto) {
    let versioned = format!("s3://modules/net/topic.yaml?versionId={}", moto.text("first_version"));
    let folder = Folder::new("modules")
        .with("latest.yaml", &template("s3://modules/net/topic.yaml"))
        .with("versioned.yaml", &template(&versioned))
        .with("none.yaml", &template("s3://modules/none.yaml"))
        .with("other.yaml", &template("s3://other/m.yaml"));
    let run = moto.run(&folder, &["expand", "latest.yaml"]);
    assert!(run.status == 1 && run.err.contains("--allow-remote modules"), "{}", run.err);
    let run = moto.run(&folder, &["expand", "latest.yaml", "--allow-remote", "modules"]);
    assert!(run.status == 0 && run.out.contains("DisplayName: second"), "{run:?}");
    assert!(run.err.contains("warning[FW0721]"), "{}", run.err);
    // A version is pinned by its address.
    let run = moto.run(&folder, &["expand", "versioned.yaml", "--allow-remote", "s3://modules"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert!(run.out.contains("DisplayName: first"), "{}", run.out);
    let run = folder.run(&["expand", "latest.yaml", "--offline"], &[]);
    assert!(run.status == 0 && run.out.contains("DisplayName: second"), "{run:?}");
    let run = moto.run(&folder, &["expand", "none.yaml", "--allow-remote", "modules"]);
    assert!(run.status == 1 && run.err.contains("NoSuchKey"), "{}", run.err);
    let run = moto.run(&folder, &["expand", "other.yaml", "--allow-remote", "modules"]);
    assert!(run.status == 1 && run.err.contains("error[FW0713]"), "{}", run.err);
}
