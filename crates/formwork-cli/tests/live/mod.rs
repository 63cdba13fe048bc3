//! Live account data and uploads, as scripts use them: against moto's server, which others wrote, with boto3 as the
//! second opinion; and what is refused before anything is asked.
#![cfg(feature = "aws")]

mod account;
mod all;
mod credentials;
mod delete;
mod deploy;
#[cfg(all(unix, feature = "local"))]
mod guide;
mod localstack;
mod modules;
mod moto;
pub(crate) mod program;
mod runs;
mod serverless;
#[cfg(unix)]
mod sync;
#[cfg(unix)]
mod sync_images;
mod uploads;
mod usage;
#[cfg(unix)]
mod watching;

/// A part of the test against moto.
type Part = fn(&moto::Moto);

/// One server for all: it takes longer to start than to ask.
#[test]
fn against_moto() {
    let Some(moto) = moto::Moto::start() else { return };
    let parts: [(&str, Part); 21] = [
        ("the whole account as boto3 lists it", account::the_whole_account_as_boto3_tells_it),
        ("what is named", account::what_is_named),
        ("what a template needs", account::what_a_template_needs),
        ("what was asked is recorded and repeats offline", runs::what_was_asked_is_recorded_and_repeats_offline),
        ("rules and values that exist", runs::rules_and_values_that_exist),
        ("secrets stay where they are", runs::secrets_stay_where_they_are),
        ("secret values are not asked about", runs::secret_values_are_not_asked_about),
        ("several templates", runs::several_templates),
        ("a deployment, from the first to the last", deploy::from_the_first_to_the_last),
        ("deployments of twelve stacks", all::twelve_stacks),
        ("what CloudFormation rejects", deploy::what_is_refused),
        ("a deployment with files in a bucket", deploy::with_files_in_a_bucket),
        ("serverless projects as plain resources", serverless::three_projects),
        ("loops are unrolled and all is deleted", delete::loops_are_unrolled_and_all_is_deleted),
        ("modules from a bucket", modules::modules_from_a_bucket),
        ("without --live nothing is asked", runs::without_live_nothing_is_asked),
        ("what is uploaded is there", uploads::what_is_uploaded_is_there),
        ("a bucket elsewhere", uploads::a_bucket_elsewhere),
        ("no such bucket", uploads::no_such_bucket),
        ("the managed bucket", uploads::the_managed_bucket),
        ("the repositories of a stack", uploads::the_repositories_of_a_stack),
    ];
    #[cfg(unix)]
    let parts = parts.into_iter().chain([
        ("sync: changes and idle time", sync::changes_and_idle_time as Part),
        ("sync: images of a loop", sync_images::images_of_a_loop),
    ]);
    #[cfg(all(unix, feature = "local"))]
    let parts = parts.chain([("the samples of the guide", guide::samples as Part)]);
    for (name, part) in parts {
        eprintln!("-- {name}");
        part(&moto);
    }
}

/// Moto checks no signature, so that botocore has to.
#[test]
fn signatures_are_those_of_botocore() {
    let Some(programs) = moto::installed() else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/live/signatures.py");
    let output = std::process::Command::new(programs.join("python"))
        .args([script, env!("CARGO_BIN_EXE_formwork")])
        .output()
        .expect("python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(
        text.lines().collect::<Vec<_>>(),
        [
            "/2013-04-01/hostedzone?maxitems=100 route53 us-east-1 True",
            "/2013-04-01/hostedzone?maxitems=100&marker=a%20b%2Bc%2F%3D route53 us-east-1 True",
            "DescribeKeyPairs ec2 eu-west-1 True",
        ]
    );
}
