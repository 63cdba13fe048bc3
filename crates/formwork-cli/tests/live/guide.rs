//! What the guide to language extensions promises for templates with loops, on samples of our own, each in
//! `tests/live/guide`: built, packaged, deployed to moto and run on this machine.
//!
//! Holds reference/build.md#template, reference/packaging.md#mappings, reference/local.md#invoke.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::moto::Moto;
use super::program::{Folder, Run};

const BUCKET: &str = "formwork-guide";

/// A sample.
struct Sample {
    name: &'static str,
    /// Sources that are built.
    sources: usize,
    /// Functions by the ids of `local`, with the code that runs and the item that it runs for.
    functions: &'static [(&'static str, &'static str, Option<&'static str>)],
    /// Functions and layers of plain CloudFormation, and how many distinct archives they have: moto makes no others.
    deployed: (&'static [&'static str], usize),
    /// What the packaged template has besides.
    packaged: &'static [&'static str],
    /// Whether loops are in templates that moto reads itself: it cannot run them.
    is_nested: bool,
}

const PLAIN: Sample =
    Sample { name: "", sources: 0, functions: &[], deployed: (&[], 0), packaged: &[], is_nested: false };

const SAMPLES: &[Sample] = &[
    Sample {
        name: "static-code",
        sources: 1,
        functions: &[("acmeMailer", "mailer", Some("acme")), ("globexMailer", "mailer", Some("globex"))],
        packaged: &["CodeUri: s3://formwork-guide/"],
        ..PLAIN
    },
    Sample {
        name: "dynamic-code",
        sources: 3,
        functions: &[
            ("ordersFunction", "orders", None),
            ("stockFunction", "stock", None),
            ("usersFunction", "users", None),
        ],
        deployed: (&["guide-dynamic-orders", "guide-dynamic-stock", "guide-dynamic-users"], 3),
        packaged: &["SAMCodeServices:\n    orders:\n      S3Bucket: formwork-guide"],
        ..PLAIN
    },
    Sample {
        name: "nested-loops",
        sources: 4,
        functions: &[
            ("testnorthTill", "test north", Some("test north")),
            ("livesouthTill", "live south", Some("live south")),
        ],
        deployed: (
            &[
                "guide-nested-live-north",
                "guide-nested-live-south",
                "guide-nested-test-north",
                "guide-nested-test-south",
            ],
            4,
        ),
        packaged: &["SAMCodeStagesShops:\n    test-north:"],
        ..PLAIN
    },
    Sample {
        name: "parameter-collection",
        sources: 2,
        functions: &[("mailWorker", "mail", Some("mail")), ("smsWorker", "sms", Some("mail"))],
        deployed: (&["guide-parameter-mail", "guide-parameter-sms"], 2),
        packaged: &["- !Ref Queues", "SAMCodeWorkers:\n    mail:"],
        ..PLAIN
    },
    Sample {
        name: "layers",
        sources: 3,
        functions: &[("datesFunction", "dates", None), ("moneyFunction", "money", None)],
        deployed: (&["guide-layers-datesRaw", "guide-layers-moneyRaw"], 2),
        packaged: &["SAMContentUriFamilies:", "SAMContentFamilies:", "- Ref: !Sub ${Family}Layer"],
        ..PLAIN
    },
    Sample {
        name: "definitions",
        sources: 5,
        functions: &[("importStep", "step", Some("import")), ("reportStep", "step", Some("report"))],
        deployed: (&["guide-definitions-import", "guide-definitions-report"], 1),
        packaged: &["SAMDefinitionUriFlowsMachine:", "SAMDefinitionUriFlowsApi:"],
        ..PLAIN
    },
    Sample {
        name: "nested-stacks",
        sources: 3,
        functions: &[
            ("blueStack/bakeJob", "bake", Some("blue")),
            ("greenStack/cookJob", "cook", Some("green")),
            ("greenStack/serveJob", "serve", Some("green")),
        ],
        deployed: (&["guide-stack-blue-bake", "guide-stack-green-cook", "guide-stack-green-serve"], 3),
        packaged: &["https://s3.amazonaws.com/formwork-guide/"],
        is_nested: true,
    },
];

pub(crate) fn samples(moto: &Moto) {
    moto.boto3(&format!("import boto3; boto3.client('s3').create_bucket(Bucket='{BUCKET}')"));
    for sample in SAMPLES {
        let folder = copied(sample.name);
        built(moto, sample, &folder);
        let packaged = packaged(moto, sample, &folder);
        deployed(moto, sample, &folder, &packaged);
        run_here(moto, sample, &folder);
    }
}

fn run(moto: &Moto, folder: &Folder, words: &[&str]) -> Run {
    let path = std::env::var("PATH").expect("a PATH");
    let run = moto.run_with(folder, words, &[("PATH", &path)]);
    assert_eq!(run.status, 0, "{words:?}: {}", run.err);
    run
}

fn copied(name: &str) -> Folder {
    let folder = Folder::new(&format!("guide-{name}"));
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live/guide").join(name).join(".");
    let copied = Command::new("cp").arg("-r").arg(from).arg(&folder.0).status().expect("cp runs");
    assert!(copied.success(), "{name}");
    folder
}

fn built(moto: &Moto, sample: &Sample, folder: &Folder) {
    let said = run(moto, folder, &["build"]).err;
    let count = sample.sources;
    assert!(said.contains(&format!("built {count} of {count} sources")), "{}: {said}", sample.name);
    let text = folder.read(".formwork/build/template.yaml");
    assert!(text.contains("Fn::ForEach::") && text.starts_with("# "), "loops and comments stay: {text}");
    // A second time nothing is built.
    let said = run(moto, folder, &["build"]).err;
    assert!(said.contains(&format!("built 0 of {count} sources")), "{}: {said}", sample.name);
}

/// Packages the built template, and puts its objects in moto's bucket; the name of what moto can deploy.
fn packaged(moto: &Moto, sample: &Sample, folder: &Folder) -> String {
    let words = ["package", "--s3-bucket", "file:store", "--bucket-name", BUCKET, "-o"];
    let run_here = |more: &[&str]| run(moto, folder, &[&words[..], more].concat()).err;
    let said = run_here(&["packaged.yaml"]);
    assert!(said.contains("built template: .formwork/build/template.yaml, built from "), "{said}");
    let text = folder.read("packaged.yaml");
    assert!(text.contains("Fn::ForEach::"), "{text}");
    for part in sample.packaged {
        assert!(text.contains(part), "{}: {part} is not in\n{text}", sample.name);
    }
    let name = if sample.is_nested {
        run_here(&["unrolled.yaml", "--expand"]);
        "unrolled.yaml"
    } else {
        "packaged.yaml"
    };
    let store = folder.0.join("store");
    moto.boto3(&format!(
        "import boto3, pathlib
for path in pathlib.Path('{}').iterdir():
    boto3.client('s3').upload_file(str(path), '{BUCKET}', path.name)",
        store.display()
    ));
    name.to_owned()
}

fn deployed(moto: &Moto, sample: &Sample, folder: &Folder, template: &str) {
    let stack = format!("guide-{}", sample.name);
    let words = ["deploy", template, "--expand", "--stack-name", &stack, "--s3-bucket", BUCKET];
    let more = ["--poll-delay", "0.05", "--capabilities", "CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"];
    let run = run(moto, folder, &[&words[..], &more].concat());
    assert!(run.out.ends_with(&format!("Successfully created/updated stack - {stack}\n")), "{}", run.out);
    let (names, archives) = sample.deployed;
    // What moto read from the bucket, and whether each object that the template names is there.
    let found: Value = serde_json::from_str(&moto.boto3(&format!(
        "import boto3, json, re
lam, s3 = boto3.client('lambda'), boto3.client('s3')
functions = dict((one['FunctionName'], one['CodeSha256']) for one in lam.list_functions(MaxItems=1000)['Functions'])
layers = dict((one['LayerName'], lam.get_layer_version(LayerName=one['LayerName'],
    VersionNumber=one['LatestMatchingVersion']['Version'])['Content']['CodeSha256']) for one in lam.list_layers()['Layers'])
template = boto3.client('cloudformation').get_template(StackName='{stack}')['TemplateBody']
template = template if isinstance(template, str) else json.dumps(template)
keys = set(re.findall(r'(?:s3://{BUCKET}/|\\b)([0-9a-f]{{64}}(?:\\.template)?)\\b', template))
for key in keys: s3.head_object(Bucket='{BUCKET}', Key=key)
print(json.dumps(dict(code=dict(functions, **layers), keys=len(keys), loops='Fn::ForEach' in template)))"
    )))
    .expect("JSON");
    assert_eq!(found["loops"], false, "{}", sample.name);
    assert!(found["keys"].as_u64() > Some(0), "{}: {found}", sample.name);
    let code = found["code"].as_object().expect("an object");
    // Moto adds to the names of layers.
    let is_named =
        |known: &str, name: &str| known.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
    let hash = |name: &&str| {
        let hash = code.iter().find(|(known, _)| is_named(known, name)).and_then(|(_, hash)| hash.as_str());
        hash.unwrap_or_else(|| panic!("{name} is not deployed: {found}"))
    };
    let hashes: BTreeSet<&str> = names.iter().map(hash).collect();
    assert_eq!(hashes.len(), archives, "{}: {found}", sample.name);
}

fn run_here(moto: &Moto, sample: &Sample, folder: &Folder) {
    for (id, code, item) in sample.functions {
        let run = run(moto, folder, &["local", "invoke", id]);
        let answer: Value = serde_json::from_str(&run.out).expect("JSON");
        assert_eq!(answer, json!({"code": code, "for": item}), "{} {id}: {}", sample.name, run.err);
    }
}
