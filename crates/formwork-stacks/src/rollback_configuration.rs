//! Parses the value of `--rollback-configuration`: the JSON of the AWS CLI, inline or in a file.

use std::path::Path;

use formwork_deploy::RollbackConfiguration;
use formwork_project::{Failure, FileFailure};
use serde_json::Value;

const TRIGGERS: usize = 5;

/// Alarms can be watched for at most this many minutes.
const MINUTES: u64 = 180;

/// Maximum size in bytes of a file.
const BYTES: u64 = 1 << 20;

const FORM: &str = "write `{\"RollbackTriggers\": [{\"Arn\": \"...\", \"Type\": \"AWS::CloudWatch::Alarm\"}], \"MonitoringTimeInMinutes\": 5}`";

/// Parses the value: JSON, or `file://FILE` with JSON.
///
/// # Errors
/// Everything that CloudFormation would reject.
pub fn read(word: &str) -> Result<RollbackConfiguration, Failure> {
    let (name, text) = match word.strip_prefix("file://") {
        Some(path) => {
            let bytes = formwork::disk::read_named(Path::new(path), BYTES).map_err(|error| {
                format!("--rollback-configuration: {}", FileFailure::unread(Path::new(path), &error).message)
            })?;
            (path, String::from_utf8_lossy(&bytes).into_owned())
        }
        None => ("--rollback-configuration", word.to_owned()),
    };
    let wrong = |why: &str| format!("{name} {why}\n  help: {FORM}");
    let value: Value = serde_json::from_str(&text)
        .map_err(|_| wrong(&format!("is not JSON: {}", formwork::why_not_json(text.as_bytes()))))?;
    let object = value.as_object().ok_or_else(|| wrong("is not an object"))?;
    let mut found = RollbackConfiguration::default();
    for (key, value) in object {
        match key.as_str() {
            "RollbackTriggers" => found.triggers = Some(triggers(value).map_err(|why| wrong(&why))?),
            "MonitoringTimeInMinutes" => {
                let minutes = value.as_u64().filter(|minutes| *minutes <= MINUTES);
                let minutes =
                    minutes.ok_or_else(|| wrong("has a MonitoringTimeInMinutes that is not a number from 0 to 180"))?;
                found.monitoring_minutes = Some(minutes);
            }
            other => return Err(wrong(&format!("has an unknown key `{other}`")).into()),
        }
    }
    Ok(found)
}

fn triggers(value: &Value) -> Result<Vec<(String, String)>, String> {
    let list = value.as_array().ok_or("has RollbackTriggers that are not a list")?;
    if list.len() > TRIGGERS {
        return Err(format!("has {} RollbackTriggers, and at most {TRIGGERS} are allowed", list.len()));
    }
    let one = |trigger: &Value| {
        let text = |key| trigger.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
        let arn = text("Arn").filter(|arn| arn.starts_with("arn:"));
        let is_whole = trigger.as_object().is_some_and(|object| object.len() == 2);
        arn.zip(text("Type")).filter(|_| is_whole).ok_or("has a trigger without `Arn` and `Type`".to_owned())
    };
    list.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_aws_cli_takes() {
        let arn = "arn:aws:cloudwatch:eu-west-1:111122223333:alarm:a";
        let text = format!(
            r#"{{"RollbackTriggers": [{{"Arn": "{arn}", "Type": "AWS::CloudWatch::Alarm"}}], "MonitoringTimeInMinutes": 5}}"#
        );
        let triggers = Some(vec![(arn.to_owned(), "AWS::CloudWatch::Alarm".to_owned())]);
        assert_eq!(read(&text).ok(), Some(RollbackConfiguration { triggers, monitoring_minutes: Some(5) }));
        for (wrong, why) in [
            ("[", "is not JSON"),
            ("[]", "is not an object"),
            ("{\"Triggers\": []}", "unknown key `Triggers`"),
            ("{\"RollbackTriggers\": {}}", "not a list"),
            ("{\"RollbackTriggers\": [{\"Arn\": \"a\", \"Type\": \"b\"}]}", "without `Arn`"),
            ("{\"MonitoringTimeInMinutes\": 181}", "from 0 to 180"),
            ("file://nowhere.json", "nowhere.json"),
        ] {
            let error = String::from(read(wrong).expect_err(wrong));
            assert!(error.contains(why), "{error}");
        }
    }
}
