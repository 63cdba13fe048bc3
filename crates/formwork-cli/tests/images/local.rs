//! What `ImageUri` may name on this machine, before any registry is asked.

use std::io::{BufReader, Write};
use std::os::unix::net::UnixListener;

use super::real::folder;
use crate::support::archive::{Tar, docker};
use crate::support::double::{Access, Double, as_usual};
use crate::support::folder::Folder;
use crate::support::http::Request;

fn template(uri: &str) -> String {
    format!(
        "Transform: AWS::Serverless-2016-10-31
Resources:
  Web:
    Type: AWS::Serverless::Function
    Properties:
      PackageType: Image
      ImageUri: {uri}
"
    )
}

/// An engine that holds one image.
fn engine(folder: &Folder, held: &'static str, archive: Vec<u8>) -> String {
    let path = folder.path("s");
    let listener = UnixListener::bind(&path).expect("a socket");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let Some(request) = Request::read(&mut BufReader::new(&mut stream)) else { continue };
            let (status, body) = match request.path.strip_prefix(&format!("/images/{held}/")) {
                Some("json") => ("200 OK", b"{}".to_vec()),
                Some("get") => ("200 OK", archive.clone()),
                _ => ("404 Not Found", br#"{"message": "No such image"}"#.to_vec()),
            };
            let head = format!("HTTP/1.0 {status}\r\nContent-Type: application/x-tar\r\n\r\n");
            let _ = stream.write_all(&[head.as_bytes(), &body].concat());
        }
    });
    format!("unix://{}", path.display())
}

#[test]
fn an_image_that_an_engine_holds() {
    let double = Double::start(Access::Open, as_usual);
    let folder = folder("engine", &template("shop/web:v1"));
    let (archive, id) = docker(Some("shop/web:v1"), &[b"held"]);
    let socket = engine(&folder, "shop/web:v1", archive);
    let repository = double.repository("app");
    let words = ["package", "t.yaml", "--image-repository", &repository];
    let run = folder.timed(&words, &[("DOCKER_HOST", &socket)]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains(&format!("{repository}:web-{id}-v1")), "{}", run.out);
    assert_eq!(double.manifests(), [format!("web-{id}-v1")]);
    let other = folder.with("t.yaml", &template("shop/other:v1"));
    let run = other.timed(&words, &[("DOCKER_HOST", &socket)]);
    assert!(
        run.status == 1 && run.err.contains("it is not an image that a Docker or Podman of this machine holds"),
        "{}",
        run.err
    );
}

#[test]
fn the_three_ways_are_named() {
    let nowhere = [("DOCKER_HOST", "unix:///nowhere/s")];
    for (uri, why) in
        [("web:latest", "no Docker or Podman answers"), ("./web.tar", "refers to a file or folder that does not exist")]
    {
        let folder = folder("ways", &template(uri));
        let run = folder.timed(&["package", "t.yaml", "--image-repository", "127.0.0.1:1/app"], &nowhere);
        assert!(run.status == 1 && run.err.contains(why), "{}", run.err);
        for way in ["docker save", "a running Docker or Podman", ".dkr.ecr."] {
            assert!(run.err.contains(way), "{}", run.err);
        }
        assert!(run.err.contains("t.yaml:7:17"), "its place: {}", run.err);
    }
}

#[test]
fn archives_that_hold_no_image() {
    let folder = folder("hostile", &template("web.tar"));
    let cases: [(Vec<u8>, &str); 4] = [
        (b"FROM scratch".to_vec(), "it is not a tar archive of an image"),
        ([&[0x1f, 0x8b][..], &[0; 600]].concat(), "it is compressed as a whole"),
        (Tar::default().file("../../x", b"").bytes(), "the archive contains `../../x`, which is outside of it"),
        (docker(None, &[&[b'x'; 2000]]).0[..600].to_vec(), "the archive is damaged: it ends early"),
    ];
    for (bytes, why) in cases {
        std::fs::write(folder.path("web.tar"), bytes).expect("written");
        let run = folder.run(&["package", "t.yaml", "--image-repository", "127.0.0.1:1/app"]);
        assert!(run.status == 1 && run.err.contains(why) && run.err.contains("t.yaml:7:17"), "{}", run.err);
    }
    let outside = folder.path("..").join("outside.tar");
    std::fs::write(&outside, docker(None, &[b"x"]).0).expect("written");
    let folder = folder.with("t.yaml", &template("../outside.tar"));
    let run = folder.run(&["package", "t.yaml", "--image-repository", "127.0.0.1:1/app"]);
    assert!(run.status == 1 && run.err.contains("outside the project root"), "{}", run.err);
}

#[test]
fn a_directory_in_the_place_of_a_bucket_takes_no_images() {
    let folder = folder("directory", &template("web.tar"));
    std::fs::write(folder.path("web.tar"), docker(None, &[b"x"]).0).expect("written");
    let words = ["package", "t.yaml", "--s3-bucket", "file:out", "--bucket-name", "b"];
    let run = folder.run(&words);
    assert_eq!(run.status, 1);
    assert!(run.err.contains("1 images are to be pushed, and no repository is named"), "{}", run.err);
    assert!(run.err.contains("--image-repositories LOGICALID=URI"), "{}", run.err);
    // What is in a registry needs none.
    let folder = folder.with("t.yaml", &template("111122223333.dkr.ecr.eu-west-1.amazonaws.com/app:1"));
    assert_eq!(folder.run(&words).status, 0);
}

#[test]
fn options_that_mean_nothing() {
    let folder = folder("options", &template("web.tar"));
    for (words, why) in [
        (&["--image-repository", "app"][..], "`app` is not an image repository"),
        (&["--image-repository", "r.example/app:1"], "remove the tag"),
        (
            &["--image-repositories", "Web"],
            "`Web value passed to --image-repositories must be of format LOGICALID=URI`",
        ),
        (&["--image-repository", "r.example/a", "--resolve-image-repos"], "name one of --image-repository,"),
        (&["--image-repository", "r.example/a", "--offline"], "--offline wins"),
    ] {
        let run = folder.run(&[&["package", "t.yaml"], words].concat());
        assert!(run.status == 2 && run.err.contains(why), "{words:?}: {}", run.err);
    }
    // The configuration file is used where the command line has no option.
    std::fs::write(folder.path("web.tar"), docker(Some("web:v1"), &[b"x"]).0).expect("written");
    let config = "version = 0.1\n[default.package.parameters]\nimage_repositories = ['Web=127.0.0.1:1/configured']\n";
    let folder = folder.with("samconfig.toml", config);
    let plan = folder.run(&["package", "t.yaml", "--plan"]);
    assert!(plan.out.contains("\"127.0.0.1:1/configured:web-"), "{}{}", plan.out, plan.err);
}
