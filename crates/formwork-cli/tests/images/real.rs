//! Against a registry that others wrote.

use crate::support::archive::{digest, docker, noise, oci};
use crate::support::daemon;
use crate::support::folder::Folder;
use crate::support::registry::Registry;

const ONE: &str = "Transform: AWS::Serverless-2016-10-31
Resources:
  Web:
    Type: AWS::Serverless::Function
    Properties: {PackageType: Image, ImageUri: web.tar}
  Plain:
    Type: AWS::Lambda::Function
    Properties:
      PackageType: Image
      Code: {ImageUri: oci.tar}
";

pub(crate) fn folder(name: &str, template: &str) -> Folder {
    // A project of its own.
    Folder::new("images", name).with("t.yaml", template)
}

/// Asserts that every blob that a manifest names exists and matches its digest.
fn check(registry: &Registry, path: &str, tag: &str) -> serde_json::Value {
    let manifest = registry.json(&format!("{path}/manifests/{tag}"));
    let layers = manifest["layers"].as_array().expect("layers");
    for blob in layers.iter().chain([&manifest["config"]]) {
        let name = blob["digest"].as_str().expect("a digest");
        let bytes = registry.get(&format!("{path}/blobs/{name}"));
        assert_eq!((digest(&bytes).as_str(), Some(bytes.len() as u64)), (name, blob["size"].as_u64()));
    }
    manifest
}

#[test]
fn what_is_pushed_is_there_and_is_not_pushed_twice() {
    let Some(registry) = Registry::start("twice") else { return };
    let folder = folder("twice", ONE);
    // More than one part, which does not compress.
    let large = noise((9 << 20) + 1);
    let (web, id) = docker(Some("shop/web:v1"), &[b"the lowest layer", &large]);
    let (plain, plain_id, manifest) = oci(&large);
    std::fs::write(folder.path("web.tar"), web).expect("written");
    std::fs::write(folder.path("oci.tar"), plain).expect("written");
    let repository = format!("{}/apps", registry.host);
    let words = ["package", "t.yaml", "--image-repository", &repository, "-o", "out.yaml", "--verbose"];
    let run = folder.run(&words);
    assert_eq!(run.status, 0, "{}", run.err);
    let output = std::fs::read_to_string(folder.path("out.yaml")).expect("the output");
    let (tag, plain_tag) = (format!("web-{id}-v1"), format!("Plain-{plain_id}-latest"));
    let expected = ONE
        .replace("ImageUri: web.tar", &format!("ImageUri: '{repository}:{tag}'"))
        .replace("ImageUri: oci.tar", &format!("ImageUri: '{repository}:{plain_tag}'"));
    assert_eq!(output.replace('\'', ""), expected.replace('\'', ""));
    let pushed = check(&registry, "apps", &tag);
    assert_eq!(pushed["layers"].as_array().expect("layers").len(), 2);
    check(&registry, "apps", &plain_tag);
    assert_eq!(registry.get(&format!("apps/manifests/{plain_tag}")), manifest, "the archive's own manifest");
    assert_eq!(run.err.matches("% uploaded ").count(), 2, "{}", run.err);
    // The tag identifies the image.
    let again = folder.run(&words);
    assert_eq!((again.status, again.err.matches("is there already").count()), (0, 2), "{}", again.err);
    let forced = folder.run(&[&words[..], &["--force-upload"]].concat());
    assert_eq!(forced.err.matches("(0 bytes)").count(), 2, "{}", forced.err);
    // What is packaged is packaged.
    let output = folder.run(&["package", "out.yaml"]);
    assert_eq!((output.status, output.out), (0, std::fs::read_to_string(folder.path("out.yaml")).expect("a file")));
}

const LOOPS: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Resources:
  Fn::ForEach::Services:
    - Name
    - [orders, users]
    - ${Name}Function:
        Type: AWS::Serverless::Function
        Properties: {PackageType: Image, ImageUri: './${Name}.tar'}
      ${Name}Static:
        Type: AWS::Lambda::Function
        Properties: {Code: {ImageUri: base.tar}}
";

#[test]
fn loops_have_mappings() {
    let Some(registry) = Registry::start("loops") else { return };
    let folder = folder("loops", LOOPS);
    let mut ids = Vec::new();
    for name in ["orders", "users", "base"] {
        let (archive, id) = docker(None, &[name.as_bytes()]);
        std::fs::write(folder.path(&format!("{name}.tar")), archive).expect("written");
        ids.push(id);
    }
    let repository = format!("{}/apps", registry.host);
    let run = folder.run(&["package", "t.yaml", "--image-repository", &repository]);
    assert_eq!(run.status, 0, "{}", run.err);
    let [orders, users, base] = ids.as_slice() else { unreachable!("three") };
    let mappings = format!(
        "Mappings:
  SAMImageUriServices:
    orders:
      ImageUri: {repository}:ordersFunction-{orders}-latest
    users:
      ImageUri: {repository}:usersFunction-{users}-latest
"
    );
    let out = run.out.replace('\'', "");
    assert!(out.contains(&mappings), "{out}");
    assert!(out.contains("ImageUri: !FindInMap [SAMImageUriServices, !Ref Name, ImageUri]"), "{out}");
    assert!(out.contains(&format!("Code: {{ImageUri: {repository}:ordersStatic-{base}-latest}}")), "{out}");
    check(&registry, "apps", &format!("usersFunction-{users}-latest"));
    // Each iteration may have a repository of its own; then the static image differs, too.
    let each = |ids: &[&str]| -> Vec<String> {
        let words = ids.iter().flat_map(|id| {
            ["--image-repositories".to_owned(), format!("{id}={}/{}", registry.host, id.to_lowercase())]
        });
        ["package".to_owned()].into_iter().chain(words).chain(["t.yaml".to_owned()]).collect()
    };
    let run_with = |words: &[String]| folder.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let run = run_with(&each(&["ordersFunction", "usersFunction", "ordersStatic", "usersStatic"]));
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains("SAMImageUriServicesStatic:") && run.out.contains("/usersstatic:"), "{}", run.out);
    check(&registry, "usersfunction", &format!("usersFunction-{users}-latest"));
    let run = run_with(&each(&["ordersFunction", "usersFunction"]));
    assert_eq!(run.status, 1);
    assert!(run.err.contains("no repository is named for the images of ordersStatic, usersStatic"), "{}", run.err);
    // A plan asks nobody and has no registry.
    let plan = folder.run(&["package", "t.yaml", "--plan"]);
    let plan: serde_json::Value = serde_json::from_str(&plan.out).expect("JSON");
    let first = &plan["artifacts"][0];
    assert_eq!(
        (&first["kind"], &first["object"]),
        (&"image".into(), &format!("ordersFunction-{orders}-latest").into())
    );
}

#[test]
fn what_is_built_is_pushed() {
    let Some(registry) = Registry::start("built") else { return };
    let folder = folder(
        "built",
        "Transform: AWS::Serverless-2016-10-31
Resources:
  Web:
    Type: AWS::Serverless::Function
    Metadata: {Dockerfile: Dockerfile, DockerContext: ./app, DockerTag: v1}
    Properties: {PackageType: Image}
",
    )
    .with("app/Dockerfile", "FROM scratch\n")
    .with("tools/docker", "#!/bin/sh\n[ \"$1\" != save ] || cp \"$ARCHIVE\" \"$3\"\n");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path("tools/docker"), mode).expect("a mode");
    let (archive, id) = docker(Some("web:v1"), &[b"built"]);
    std::fs::write(folder.path("archive"), archive).expect("written");
    let path = format!("{}:/usr/bin:/bin", folder.path("tools").display());
    let archive = folder.path("archive").display().to_string();
    let built = folder.timed(&["build", "t.yaml"], &[("PATH", &path), ("ARCHIVE", &archive)]);
    assert_eq!(built.status, 0, "{}", built.err);
    let repository = format!("{}/built", registry.host);
    let words = ["package", ".formwork/build/template.yaml", "--image-repository", &repository];
    let run = folder.run(&words);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.contains(&format!("{repository}:web-{id}-v1")), "{}", run.out);
    check(&registry, "built", &format!("web-{id}-v1"));
}

/// An engine that needs no daemon: what it builds is what is pushed.
#[test]
fn an_image_that_buildah_builds_is_pushed() {
    let answers =
        std::process::Command::new("buildah").arg("info").output().is_ok_and(|output| output.status.success());
    if !answers {
        return daemon::skip("buildah does not respond", "FORMWORK_REQUIRE_BUILDAH");
    }
    let Some(registry) = Registry::start("buildah") else { return };
    let template = "Transform: AWS::Serverless-2016-10-31
Resources:
  Web:
    Type: AWS::Serverless::Function
    Metadata: {Dockerfile: Dockerfile, DockerContext: app, DockerTag: v1}
    Properties: {PackageType: Image}
";
    let folder = folder("buildah", template)
        .with("app/Dockerfile", "FROM scratch\nCOPY bootstrap /bootstrap\nENTRYPOINT [\"/bootstrap\"]\n")
        .with("app/bootstrap", "#!/bin/sh\n");
    // Docker's client is on some machines without its daemon: it does not answer.
    let run = |words: &[&str]| {
        let home = folder.path("home");
        let output = folder.formwork(words).env("HOME", &home).env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin").output();
        let output = output.expect("the program runs");
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    };
    run(&["build", "t.yaml"]);
    let repository = format!("{}/apps", registry.host);
    run(&["package", "--image-repository", &repository, "-o", "out.yaml"]);
    let output = std::fs::read_to_string(folder.path("out.yaml")).expect("the output");
    let uri = output.split("ImageUri: ").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("an image");
    let (_, tag) = uri.trim_matches(['\'', '"', '}']).rsplit_once(':').expect("a tag");
    assert!(tag.starts_with("web-") && tag.ends_with("-v1"), "{tag}");
    let manifest = check(&registry, "apps", tag);
    let config = registry.json(&format!("apps/blobs/{}", manifest["config"]["digest"].as_str().expect("a digest")));
    assert_eq!(config["config"]["Entrypoint"], serde_json::json!(["/bootstrap"]));
}
