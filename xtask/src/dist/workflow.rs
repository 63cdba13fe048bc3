//! The workflow that releases knows every platform, and names actions by digest.

use super::archive;
use super::npm::Named;
use super::platform::PLATFORMS;
use super::wheel;

fn workflow() -> String {
    let path = crate::command::repository().join(".github/workflows/release.yml");
    std::fs::read_to_string(path).expect("the workflow")
}

/// A pattern of the workflow, such as `files/formwork-*-TARGET.zip`, fits a file of a release.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.trim_start_matches("files/").split('*');
    let Some(rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    parts.try_fold(rest, |rest, part| rest.split_once(part).map(|(_, rest)| rest)).is_some()
        && pattern.rsplit('*').next().is_some_and(|end| name.ends_with(end))
}

#[test]
fn every_platform_is_built_installed_and_attested() {
    let text = workflow();
    let patterns: Vec<&str> =
        text.split([' ', '"']).filter(|word| word.starts_with("files/") && word.contains('*')).collect();
    for platform in &PLATFORMS {
        let triple = platform.triple;
        assert!(text.contains(&format!(", target: {triple}}}")), "{triple} is not built");
        assert!(text.contains(&format!("\n          - {triple}\n")), "{triple} is not attested");
        let named = Named::of(platform).map(|named| named.file_name());
        // pip takes no wheel for systems without glibc on one with it.
        let wheel = Some(wheel::file_name(platform)).filter(|_| !triple.ends_with("-musl"));
        for name in [Some(archive::file_name(platform)), named, wheel].into_iter().flatten() {
            assert!(patterns.iter().any(|pattern| fits(pattern, &name)), "{name} is not installed");
        }
    }
}

#[test]
fn actions_are_named_by_digest_and_version() {
    let directory = crate::command::repository().join(".github/workflows");
    let mut count = 0;
    for entry in std::fs::read_dir(directory).expect("the workflows") {
        let text = std::fs::read_to_string(entry.expect("an entry").path()).expect("a workflow");
        for uses in text.lines().filter_map(|line| line.split_once("uses: ")).map(|(_, uses)| uses) {
            let (digest, version) =
                uses.split_once('@').and_then(|(_, rest)| rest.split_once(" # v")).unwrap_or_else(|| panic!("{uses}"));
            assert!(digest.len() == 40 && digest.chars().all(|c| c.is_ascii_hexdigit()), "{uses}");
            assert!(version.split('.').all(|part| part.parse::<u32>().is_ok()), "{uses}");
            count += 1;
        }
    }
    assert!(count > 15, "{count}");
}

#[test]
fn patterns_fit_files_of_a_release() {
    assert!(fits("files/formwork_cfn-*-win_amd64.whl", "formwork_cfn-0.1.0-py3-none-win_amd64.whl"));
    assert!(!fits("files/formwork_cfn-*-win_amd64.whl", "formwork_cfn-0.1.0-py3-none-macosx_11_0_arm64.whl"));
    assert!(!fits("files/formwork-*-a.zip", "formwork-0.1.0-a.zip.sum"));
}
