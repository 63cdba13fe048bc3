//! Checks for values that CloudFormation would reject: all of them are reported before anything is sent
//! (reference/deploy.md#before-the-network).

use formwork_project::{Config, Failure};
use formwork_run::service_names::{
    check_bucket, check_capability, check_change_set, check_description, check_region, check_role, check_stack,
    check_tags, check_topics, check_type,
};

use super::DeployArgs;

#[derive(Debug, Default)]
pub(super) struct Problems(Vec<String>);

impl Problems {
    pub(super) fn add<T>(&mut self, result: Result<T, impl Into<String>>) -> Option<T> {
        result.map_err(|why| self.0.push(why.into())).ok()
    }

    /// Records an error in the value of a setting, with the line of the setting.
    fn at(&mut self, place: &str, result: Result<(), impl Into<String>>) {
        self.add(result.map_err(|why| format!("{place}{}", why.into())));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn into_result(self) -> Result<(), Failure> {
        if self.0.is_empty() { Ok(()) } else { Err(self.0.join("\nerror: ").into()) }
    }
}

/// Checks the values of the command line, and those of the configuration file that it does not override.
pub(super) fn check(args: &DeployArgs, section: &Config, problems: &mut Problems) {
    let text = |given: &Option<String>, key: &str| match given {
        Some(value) => Some((String::new(), value.clone())),
        None => section.text(key).map(|value| (section.place(key), value)),
    };
    let words = |given: Option<&[String]>, key: &str| match given {
        Some(words) => Some((String::new(), words.to_vec())),
        // Values of other types are reported where they are read.
        None => section.words(key).ok().flatten().map(|words| (section.place(key), words)),
    };
    if let Some((place, name)) = text(&args.inputs.stack_name, "stack_name") {
        problems.at(&place, check_stack(&name));
    }
    if let Some((place, region)) = text(&args.inputs.region, "region") {
        problems.at(&place, check_region(&region));
    }
    let given = (!args.stack.capabilities.is_empty()).then_some(&args.stack.capabilities[..]);
    if let Some((place, names)) = words(given, "capabilities") {
        let names = names.iter().flat_map(|name| name.split(',')).filter(|name| !name.is_empty());
        names.for_each(|name| problems.at(&place, check_capability(name)));
    }
    if let Some((place, tags)) = words(args.stack.tags.as_deref(), "tags") {
        for why in check_tags(&tags) {
            problems.at(&place, Err(why));
        }
    }
    if let Some((place, arn)) = text(&args.stack.role_arn, "role_arn") {
        problems.at(&place, check_role(&arn));
    }
    if let Some((place, topics)) = words(args.stack.notification_arns.as_deref(), "notification_arns") {
        for why in check_topics(&topics) {
            problems.at(&place, Err(why));
        }
    }
    if let Some(name) = &args.change_set.change_set_name {
        problems.add(check_change_set("--change-set-name", name));
    }
    for name in args.change_set.resource_types.iter().flatten() {
        problems.add(check_type(name));
    }
    if let Some(words) = &args.change_set.description {
        problems.add(check_description(words));
    }
    let is_managed = args.upload.resolve_s3 || args.upload.no_resolve_s3;
    match &args.upload.s3_bucket {
        Some(name) => {
            problems.add(check_bucket("--s3-bucket", name));
        }
        None if is_managed => {}
        None => {
            if let Some(name) = section.unused_text("s3_bucket") {
                problems.at(&section.place("s3_bucket"), check_bucket("--s3-bucket", &name));
            }
        }
    }
}
