//! `sync` of images in a loop: pushed to Debian's `docker-registry`, and run by functions of moto.
//!
//! Holds reference/sync.md#code, reference/sync.md#decision.

use super::moto::Moto;
use super::program::Folder;
use super::watching::{Proxy, Watch, count};
use crate::support::archive::docker;
use crate::support::registry::Registry;

const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Resources:
  Role:
    Type: AWS::IAM::Role
    Properties: {AssumeRolePolicyDocument: {Version: '2012-10-17', Statement: []}}
  Fn::ForEach::Services:
    - Name
    - [orders, users]
    - Picture${Name}:
        Type: AWS::Lambda::Function
        Properties:
          FunctionName: !Sub 'picture-${Name}'
          PackageType: Image
          Code: {ImageUri: './${Name}.tar'}
          Role: !GetAtt Role.Arn
";

fn archive(folder: &Folder, name: &str, content: &str) -> String {
    let (bytes, id) = docker(None, &[content.as_bytes()]);
    std::fs::write(folder.0.join(format!("{name}.tar")), bytes).expect("written");
    id
}

/// The image of each function, without the repository.
fn images(moto: &Moto) -> String {
    moto.boto3(
        "import boto3
functions = boto3.client('lambda')
uris = [functions.get_function(FunctionName='picture-' + name)['Code']['ImageUri'] for name in ('orders', 'users')]
print(*[uri.split(':')[-1] for uri in uris], end='')",
    )
}

/// Moto runs no loops, so that the template is sent expanded.
pub(crate) fn images_of_a_loop(moto: &Moto) {
    let Some(registry) = Registry::start("live-sync") else { return };
    moto.boto3("import boto3; boto3.client('s3').create_bucket(Bucket='formwork-sync')");
    let (folder, proxy) = (Folder::new("sync-images").with("template.yaml", TEMPLATE), Proxy::new(moto));
    let (orders, users) = (archive(&folder, "orders", "orders"), archive(&folder, "users", "users"));
    let repository = format!("{}/apps", registry.host);
    let words = ["--watch", "--expand", "--stack-name", "formwork-images", "--image-repository", &repository];
    let watch = Watch::start(&folder, &proxy, &words);
    watch.until("_COMPLETE       formwork-images");
    let calls = proxy.calls();
    assert_eq!((count(&calls, "CreateChangeSet"), count(&calls, "/code")), (1, 0), "{calls:?}");
    assert_eq!(images(moto), format!("Pictureorders-{orders}-latest Pictureusers-{users}-latest"));
    proxy.calls();

    // A changed archive is pushed, and its function is updated; the stack is left alone.
    let other = archive(&folder, "users", "other users");
    let said = watch.until("updated Pictureusers: UpdateFunctionCode");
    assert!(said.contains("changed: users.tar"), "{said}");
    let calls = proxy.calls();
    assert_eq!((count(&calls, "/code"), count(&calls, "ChangeSet")), (1, 0), "{calls:?}");
    assert_eq!(images(moto), format!("Pictureorders-{orders}-latest Pictureusers-{other}-latest"));
    registry.json(&format!("apps/manifests/Pictureusers-{other}-latest"));
    assert_eq!(watch.interrupt(), Some(130));
}
