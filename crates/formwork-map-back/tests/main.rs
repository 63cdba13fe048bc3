//! Reports of each tool, in the form in which it prints them, on the lines of a template with two loops.
//!
//! Holds reference/map-back.md#reports, reference/map-back.md#lookup, reference/map-back.md#sarif,
//! reference/map-back.md#merging, reference/map-back.md#suppression.

use formwork_map_back::report::{self, Kind, Tool};
use formwork_map_back::{Located, Locator, MapError, Merged, SourceMap, is_suppressed, map_lines, merged};
use serde_json::{Value, json};

const TEMPLATE: &str = include_str!("data/template.yaml");
const EXPANDED: &str = include_str!("data/expanded.yaml");
const MAP: &str = include_str!("data/map.json");

fn map() -> SourceMap {
    SourceMap::parse(MAP).expect("a map")
}

fn text(file: &str) -> Option<String> {
    (file == "template.yaml").then(|| TEMPLATE.to_owned())
}

/// The sites of a report, and the report with them.
fn mapped(kind: Kind, report: &Value) -> (Vec<Merged>, Value) {
    let (map, printed) = (map(), report.to_string());
    assert_eq!(Kind::of(&printed), kind, "it is guessed");
    let read = report::read(kind, &printed, &map.output.path).expect("a report");
    let locator = Locator::new(&map, Some(EXPANDED));
    let located: Vec<Located> = read.findings.iter().map(|finding| locator.locate(finding.clone())).collect();
    let one = merged(located.clone(), false);
    let text = read.rewritten(&located, &one, &text, &map.output.path);
    (one, serde_json::from_str(&text).expect("JSON"))
}

fn sites(merged: &[Merged]) -> Vec<(String, u32, u32, usize)> {
    let site = |one: &Merged| {
        let site = one.first.site.clone().expect("a site");
        (one.first.finding.rule.clone(), site.line, site.column, one.count)
    };
    merged.iter().map(site).collect()
}

fn sarif(tool: &str, uri: &str, results: &Value) -> Value {
    let mut results = results.clone();
    for result in results.as_array_mut().expect("results") {
        result["locations"][0]["physicalLocation"]["artifactLocation"] = json!({"uri": uri});
    }
    json!({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": tool}}, "columnKind": "utf16CodeUnits", "results": results}]})
}

fn region(rule: &str, message: &str, region: &Value) -> Value {
    json!({"ruleId": rule, "level": "error", "message": {"text": message}, "partialFingerprints": {"primaryLocationLineHash": "1"},
           "locations": [{"physicalLocation": {"region": region}}]})
}

#[test]
fn matches_of_cfn_lint_are_found_by_their_path() {
    let one = |line: u32, id: &str| {
        json!({"Filename": "build/expanded.yaml", "Level": "Error", "Message": "'Nam' was unexpected",
               "Location": {"Start": {"LineNumber": line, "ColumnNumber": 7}, "End": {"LineNumber": line, "ColumnNumber": 10},
                            "Path": ["Resources", id, "Properties", "Nam"]},
               "Rule": {"Id": "E3002", "Source": "https://example.com/E3002"}})
    };
    let other = json!({"Filename": "other.yaml", "Level": "Warning", "Message": "m", "Rule": {"Id": "W1"},
                       "Location": {"Start": {"LineNumber": 1, "ColumnNumber": 1}, "End": {"LineNumber": 1, "ColumnNumber": 1}, "Path": []}});
    // The lines of the second one are wrong: its path is not.
    let (found, report) = mapped(Kind::CfnLint, &json!([one(5, "OrdersQueue"), other, one(1, "EmailsQueue")]));
    assert_eq!(sites(&found), [("E3002".to_owned(), 9, 11, 2)]);
    assert_eq!(report.as_array().map(Vec::len), Some(2), "other files stay");
    assert_eq!(report[0]["Filename"], "template.yaml");
    assert_eq!(report[0]["Location"]["Start"], json!({"ColumnNumber": 11, "LineNumber": 9}));
    assert_eq!(report[0]["Location"]["End"], json!({"ColumnNumber": 14, "LineNumber": 9}));
    assert_eq!(report[0]["FormworkInstances"][1], "Resources.EmailsQueue.Properties.Nam");
    assert_eq!(report[1]["Filename"], "other.yaml");
}

#[test]
fn results_of_checkov_are_about_the_whole_resource() {
    let results = json!([
        region("CKV_AWS_20", "no public READ", &json!({"startLine": 10, "endLine": 13})),
        region("CKV_AWS_20", "no public READ", &json!({"startLine": 14, "endLine": 17})),
    ]);
    let (found, report) = mapped(Kind::Sarif, &sarif("Checkov", "build/dir/expanded.yaml", &results));
    assert_eq!(sites(&found), [("CKV_AWS_20".to_owned(), 13, 7, 2)]);
    let result = &report["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"], json!({"uri": "template.yaml", "uriBaseId": "%SRCROOT%"}));
    assert_eq!((&place["region"]["startLine"], &place["region"]["endLine"]), (&json!(13), &json!(16)));
    assert!(place["region"]["snippet"]["text"].as_str().is_some_and(|text| text.contains("${Item}Bucket")));
    assert_eq!(result["occurrenceCount"], 2);
    assert_eq!(result["properties"]["formwork"]["instances"], json!(["Resources.LogsBucket", "Resources.DataBucket"]));
    assert_eq!(result["relatedLocations"][0]["message"]["text"], "iteration Item=Logs of loop Buckets");
    assert_eq!(result["partialFingerprints"]["primaryLocationLineHash"], Value::Null);
    assert_eq!(result["partialFingerprints"]["formworkSite/v1"].as_str().map(str::len), Some(64));
    assert_eq!(report["runs"][0]["columnKind"], "unicodeCodePoints");
    assert_eq!(report["runs"][0]["tool"]["driver"]["name"], "Checkov");
    assert_eq!(report["runs"][0]["results"].as_array().map(Vec::len), Some(1));
}

#[test]
fn results_of_guard_are_found_by_the_path_in_their_message() {
    let message = |id: &str, line: u32| {
        format!(
            "Check was not compliant as property value [Path=/Resources/{id}/Properties/AccessControl[L:{line},C:21] Value=\"PublicRead\"] equal to it."
        )
    };
    let whole = json!({"startLine": 1, "startColumn": 1});
    let results = json!([
        region("NO_PUBLIC", &message("LogsBucket", 12), &whole),
        region("NO_PUBLIC", &message("DataBucket", 16), &whole)
    ]);
    let (found, _) = mapped(Kind::Sarif, &sarif("cfn-guard", "tmp/a/expanded.yaml", &results));
    assert_eq!(sites(&found), [("NO_PUBLIC".to_owned(), 16, 11, 2)]);
    // Without a path, the column of a place is a hint.
    let results = json!([region("OTHER", "no path", &json!({"startLine": 13, "startColumn": 6}))]);
    let (found, _) = mapped(Kind::Sarif, &sarif("cfn-guard", "expanded.yaml", &results));
    assert_eq!(sites(&found), [("OTHER".to_owned(), 16, 11, 1)]);
}

#[test]
fn results_of_trivy_without_lines_name_their_resource() {
    let nothing = json!({"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1});
    let lines = json!({"startLine": 11, "startColumn": 1, "endLine": 13, "endColumn": 1});
    let results = json!([
        region("AVD-1", "Resource 'DataBucket' is public", &nothing),
        region("AVD-2", "public", &lines),
        region("AVD-3", "the template is public", &nothing),
    ]);
    let (found, report) = mapped(Kind::Sarif, &sarif("Trivy", "a/expanded.yaml", &results));
    assert_eq!(sites(&found[..2]), [("AVD-1".to_owned(), 13, 7, 1), ("AVD-2".to_owned(), 13, 7, 1)]);
    assert!(found[2].first.site.is_none());
    assert_eq!(report["runs"][0]["results"].as_array().map(Vec::len), Some(3));
}

#[test]
fn results_about_other_files_stay_as_they_are() {
    for uri in ["expanded.yml", "xexpanded.yaml", "expanded.yaml/other"] {
        let report = sarif("cfn-lint", uri, &json!([region("E1", "m", &json!({"startLine": 5, "startColumn": 7}))]));
        let (found, after) = mapped(Kind::Sarif, &report);
        assert!(found.is_empty(), "{uri}");
        assert_eq!(after["runs"][0]["results"], report["runs"][0]["results"]);
    }
    // Percent-encoded, below a base.
    let mut report =
        sarif("cfn-lint", "expanded%2Eyaml", &json!([region("E1", "m", &json!({"startLine": 5, "startColumn": 7}))]));
    report["runs"][0]["originalUriBaseIds"] = json!({"EXECUTIONROOT": {"uri": "file:///work/"}});
    report["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uriBaseId"] =
        "EXECUTIONROOT".into();
    assert_eq!(sites(&mapped(Kind::Sarif, &report).0), [("E1".to_owned(), 9, 11, 1)]);
}

#[test]
fn messages_that_differ_in_more_than_items_stay_apart() {
    let at = json!({"startLine": 5, "startColumn": 7});
    let results = json!([
        region("E1", "OrdersQueue is wrong", &at),
        region("E1", "EmailsQueue is wrong", &json!({"startLine": 9, "startColumn": 7})),
        region("E1", "OrdersQueue is odd", &at),
    ]);
    let (found, _) = mapped(Kind::Sarif, &sarif("cfn-lint", "expanded.yaml", &results));
    assert_eq!(found.iter().map(|one| one.count).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn events_name_the_place_of_their_resource() {
    let report = json!({"StackEvents": [
        {"LogicalResourceId": "EmailsQueue", "ResourceStatus": "CREATE_FAILED", "ResourceStatusReason": "no"},
        {"LogicalResourceId": "stack", "ResourceStatus": "ROLLBACK_IN_PROGRESS"},
    ]});
    let (_, report) = mapped(Kind::Events, &report);
    assert_eq!(report["StackEvents"][0]["FormworkSource"], json!({"File": "template.yaml", "Line": 6, "Column": 7}));
    assert_eq!(report["StackEvents"][1].get("FormworkSource"), None);
}

#[test]
fn places_in_a_text_are_replaced() {
    let (text, count) = map_lines(
        "see (build/expanded.yaml:9:7) or expanded.yaml:13, not other.yaml:9:7 or expanded.yaml alone\né expanded.yaml:5:7: x\n",
        &map(),
    );
    assert_eq!(
        text,
        "see (template.yaml:9:11) or template.yaml:16, not other.yaml:9:7 or expanded.yaml alone\né template.yaml:9:11: x\n"
    );
    assert_eq!(count, 3);
}

#[test]
fn comments_of_scanners_suppress_all_copies() {
    let results = json!([region("CKV_AWS_20", "m", &json!({"startLine": 10, "endLine": 13}))]);
    let (found, _) = mapped(Kind::Sarif, &sarif("Checkov", "expanded.yaml", &results));
    let with = |comment: &str| {
        TEMPLATE
            .replace("        Type: AWS::S3::Bucket", &format!("        # {comment}\n        Type: AWS::S3::Bucket"))
    };
    let located = &found[0].first;
    assert!(is_suppressed(located, &with("checkov:skip=CKV_AWS_20:by design")));
    assert!(!is_suppressed(located, &with("checkov:skip=CKV_AWS_2")));
    assert!(!is_suppressed(located, &with("checkov:skip=CKV_AWS_201")));
    assert!(!is_suppressed(located, TEMPLATE));
}

#[test]
fn what_tools_print_for_check_is_read() {
    let printed = json!({"results": {"failed_checks": [
        {"check_id": "CKV_1", "check_name": "n", "resource": "AWS::S3::Bucket.LogsBucket", "file_line_range": [1, 2]}
    ]}});
    let found = Tool::Checkov.findings(&printed.to_string(), "expanded.yaml").expect("a report");
    let located = Locator::new(&map(), Some(EXPANDED)).locate(found[0].clone()).site.map(|site| site.line);
    assert_eq!(located, Some(13));
    let printed = json!([{"rule": "F3002", "severity": "FATAL", "message": "m", "line": 5, "column": 7, "url": null}]);
    let found = Tool::Validate.findings(&printed.to_string(), "expanded.yaml").expect("a report");
    assert_eq!(Locator::new(&map(), None).locate(found[0].clone()).site.map(|site| site.line), Some(9));
    assert!(Tool::CfnLint.findings("Traceback", "expanded.yaml").is_err());
    assert!(Tool::CfnLint.findings("", "expanded.yaml").expect("nothing").is_empty());
}

#[test]
fn maps_and_reports_that_cannot_be_used_are_refused() {
    assert_eq!(SourceMap::parse(&MAP.replace("source_map\": 1", "source_map\": 2")).err(), Some(MapError::Version(2)));
    assert!(matches!(SourceMap::parse("{}"), Err(MapError::Malformed(_))));
    let cut = report::read(Kind::of("[{\"a\": "), "[{\"a\": ", "expanded.yaml").expect_err("it is cut off");
    assert!(cut.to_string().contains("was cut off"), "{cut}");
}
