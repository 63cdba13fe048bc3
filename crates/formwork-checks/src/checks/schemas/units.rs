//! Numbers with a unit, as `14 days`, in the unit of their property.

/// Units of time, in seconds.
const TIMES: [(&[&str], u64); 5] = [
    (&["s", "sec", "secs", "second", "seconds"], 1),
    (&["m", "min", "mins", "minute", "minutes"], 60),
    (&["h", "hr", "hrs", "hour", "hours"], 3_600),
    (&["d", "day", "days"], 86_400),
    (&["w", "week", "weeks"], 604_800),
];

/// Units of memory, in bytes.
const SIZES: [(&[&str], u64); 4] = [
    (&["b", "byte", "bytes"], 1),
    (&["k", "kb", "kib"], 1 << 10),
    (&["mb", "mib"], 1 << 20),
    (&["g", "gb", "gib"], 1 << 30),
];

/// Returns the number to write for `30s`, `128 MB`, `14 days` as the value of a property; `None` when the unit of the property
/// is not known.
pub(super) fn number(text: &str, property: &str) -> Option<String> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let number: u64 = text.get(..end)?.parse().ok()?;
    let unit = text.get(end..)?.trim_start().to_ascii_lowercase();
    let of =
        |table: &[(&[&str], u64)]| table.iter().find(|(names, _)| names.contains(&unit.as_str())).map(|(_, of)| *of);
    if unit == "%" || unit == "percent" {
        return Some(number.to_string());
    }
    let (written, wanted) = match (of(&TIMES), of(&SIZES)) {
        // `m` is minutes for a time, and megabytes for a memory.
        (_, _) if unit == "m" && property.contains("Memory") => (1 << 20, unit_of_size(property)?),
        (Some(time), _) => (time, unit_of_time(property)?),
        (None, Some(size)) => (size, unit_of_size(property)?),
        (None, None) => return None,
    };
    let total = number.checked_mul(written)?;
    (total % wanted == 0).then(|| (total / wanted).to_string())
}

fn unit_of_time(property: &str) -> Option<u64> {
    let has = |words: &[&str]| words.iter().any(|word| property.contains(word));
    match () {
        () if has(&["InDays", "Days", "BackupRetention", "SnapshotRetention"]) => Some(86_400),
        () if has(&["Hours"]) => Some(3_600),
        () if has(&["Minutes"]) => Some(60),
        () if has(&["Millis", "InMs"]) => None,
        () if has(&[
            "Timeout", "Period", "Delay", "Second", "Interval", "Duration", "TTL", "Ttl", "Age", "Cooldown", "Window",
        ]) =>
        {
            Some(1)
        }
        () => None,
    }
}

fn unit_of_size(property: &str) -> Option<u64> {
    match property {
        "MemorySize" | "Memory" | "MemoryReservation" => Some(1 << 20),
        "MaximumMessageSize" => Some(1),
        "VolumeSize" | "AllocatedStorage" | "SizeInGiB" | "MaxAllocatedStorage" => Some(1 << 30),
        "Size" => Some(1 << 20),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_in_the_unit_of_the_property() {
        for (text, property, want) in [
            ("14 days", "MessageRetentionPeriod", Some("1209600")),
            ("14 days", "RetentionInDays", Some("14")),
            ("7 days", "BackupRetentionPeriod", Some("7")),
            ("30s", "Timeout", Some("30")),
            ("5m", "Timeout", Some("300")),
            ("1 GB", "MemorySize", Some("1024")),
            ("128 MB", "MemorySize", Some("128")),
            ("256 KB", "MaximumMessageSize", Some("262144")),
            ("20 GB", "VolumeSize", Some("20")),
            ("90 seconds", "TimeoutInMinutes", None),
            ("3 apples", "Timeout", None),
            ("50%", "TargetValue", Some("50")),
        ] {
            assert_eq!(number(text, property).as_deref(), want, "{text} {property}");
        }
    }
}
