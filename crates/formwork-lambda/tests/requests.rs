//! Requests as CloudFormation sends them.
//!
//! Holds reference/macro.md#request, reference/macro.md#fragment, reference/macro.md#parameters,
//! reference/macro.md#response, reference/macro.md#sources.

use std::path::Path;

use formwork::{Format, Goal, Limits, MemoryHost, Options, Session, Values, reformat};
use serde_json::{Value, json};

/// A request of a template, with every key that CloudFormation sends.
fn request(fragment: &Value, values: &Value) -> Value {
    json!({
        "accountId": "123456789012",
        "fragment": fragment,
        "transformId": "123456789012::Formwork",
        "requestId": "c3f7f5f5-0c11-4c0b-9d2a-7f6f1f3a9f10",
        "region": "eu-west-1",
        "params": {},
        "templateParameterValues": values,
    })
}

/// The response, and what was logged.
fn respond(request: &Value) -> (Value, Vec<String>) {
    let response = formwork_lambda::respond(&request.to_string());
    (serde_json::from_str(&response.body).expect("JSON"), response.log)
}

fn expanded(fragment: &Value, values: &Value) -> Value {
    let (response, log) = respond(&request(fragment, values));
    assert_eq!(response["status"], "success", "{response}");
    assert_eq!(response["requestId"], "c3f7f5f5-0c11-4c0b-9d2a-7f6f1f3a9f10");
    assert!(log.is_empty(), "{log:?}");
    response["fragment"].clone()
}

fn message(request: &Value) -> String {
    let (response, _) = respond(request);
    assert_eq!((&response["status"], &response["fragment"]), (&json!("failure"), &Value::Null), "{response}");
    assert_eq!(response["requestId"], request["requestId"]);
    response["errorMessage"].as_str().expect("a message").to_owned()
}

fn topics(collection: &Value) -> Value {
    json!({
        "Parameters": {"Names": {"Type": "CommaDelimitedList"}, "Stage": {"Type": "String", "Default": "dev"}},
        "Resources": {"Fn::ForEach::Topics": ["Name", collection, {
            "Topic${Name}": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Fn::Sub": "${Name} of ${Stage}"}}}
        }]}
    })
}

#[test]
fn values_of_parameters_are_strings_and_lists() {
    let expected = json!({
        "TopicOrders": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Fn::Sub": "Orders of ${Stage}"}}},
        "TopicUsers": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Fn::Sub": "Users of ${Stage}"}}},
    });
    for names in [json!("Orders,Users"), json!(["Orders", "Users"])] {
        let fragment = expanded(&topics(&json!({"Ref": "Names"})), &json!({"Names": names, "Stage": "prod"}));
        assert_eq!(fragment["Resources"], expected);
        assert_eq!(fragment["Transform"], Value::Null);
    }
}

#[test]
fn a_parameter_may_be_called_as_the_keys_of_parameter_files() {
    let fragment = json!({
        "Parameters": {"Parameters": {"Type": "CommaDelimitedList"}, "Tags": {"Type": "String"}},
        "Resources": {"Fn::ForEach::T": ["N", {"Ref": "Parameters"}, {"T${N}": {"Type": "AWS::SNS::Topic"}}]}
    });
    let result = expanded(&fragment, &json!({"Parameters": ["A"], "Tags": "x"}));
    assert_eq!(result["Resources"], json!({"TA": {"Type": "AWS::SNS::Topic"}}));
}

#[test]
fn region_and_account_are_known() {
    let fragment = json!({"Resources": {"Fn::ForEach::T": [
        "N", [{"Ref": "AWS::Region"}, {"Ref": "AWS::AccountId"}, {"Ref": "AWS::Partition"}],
        {"T&{N}": {"Type": "AWS::SNS::Topic"}}
    ]}});
    let result = expanded(&fragment, &json!({}));
    let names: Vec<&String> = result["Resources"].as_object().expect("an object").keys().collect();
    assert_eq!(names, ["Teuwest1", "T123456789012", "Taws"]);
}

#[test]
fn keys_that_are_not_known_and_keys_that_are_missing() {
    let mut asked = request(&topics(&json!(["A"])), &json!({"Names": "x"}));
    asked["somethingNew"] = json!({"a": [1]});
    let (with_more, _) = respond(&asked);
    let id = &asked["requestId"];
    let (with_less, _) = respond(&json!({"requestId": id, "fragment": topics(&json!(["A"]))}));
    assert_eq!(with_more, with_less);
    assert_eq!(with_less["status"], "success");
    for broken in ["", "[]", "{}", r#"{"requestId": "1"}"#, r#"{"fragment": {}}"#, "{\"requestId\": \"secret"] {
        let response = formwork_lambda::respond(broken);
        let parsed: Value = serde_json::from_str(&response.body).expect("JSON");
        assert_eq!(parsed["status"], "failure", "{broken}");
        assert!(parsed["errorMessage"].as_str().expect("a message").starts_with("this is not a request of"));
        assert!(!response.body.contains("secret"));
    }
}

#[test]
fn parameters_of_the_transform() {
    let fragment = json!({"Resources": {"T": {"Type": "AWS::SNS::Topic", "Properties": {
        "DisplayName": {"Fn::Join": ["-", ["a", {"Ref": "AWS::Region"}]]}
    }}}});
    let name = |values: &str| {
        let mut asked = request(&fragment, &json!({}));
        asked["params"] = json!({"Values": values});
        respond(&asked).0["fragment"]["Resources"]["T"]["Properties"]["DisplayName"].clone()
    };
    assert_eq!(name("keep"), json!({"Fn::Join": ["-", ["a", {"Ref": "AWS::Region"}]]}));
    assert_eq!(name("pin"), name("keep"));
    assert_eq!(name("all"), "a-eu-west-1");
    let refused = |params: Value| {
        let mut asked = request(&fragment, &json!({}));
        asked["params"] = params;
        message(&asked)
    };
    let wrong = "the parameter Values of the transform Formwork is not keep, pin or all";
    assert_eq!(refused(json!({"Values": "hidden"})), wrong);
    assert_eq!(refused(json!({"Values": ["hidden"]})), wrong);
    assert_eq!(
        refused(json!({"Value": "all"})),
        "unknown parameter Value of the transform Formwork; its only parameter is Values"
    );
}

#[test]
fn errors_name_their_place_by_its_path() {
    let fragment = json!({
        "Resources": {
            "Fn::ForEach::Topics": ["Name", ["a-b", "ab"], {"Topic&{Name}": {"Type": "AWS::SNS::Topic"}}],
            "Q": {"Type": "AWS::SQS::Queue", "Properties": {"DelaySeconds": {"Fn::FindInMap": ["M", "a", "b"]}}}
        }
    });
    assert_eq!(
        message(&request(&fragment, &json!({}))).lines().collect::<Vec<_>>(),
        [
            "Resources.Fn::ForEach::Topics.2.Topic&{Name}: error[FW0303]: two items of loop Topics generate the key Topicab [Name=ab]",
            "Resources.Q.Properties.DelaySeconds: error[FW0403]: mapping M does not exist",
        ]
    );
}

#[test]
fn nothing_is_read_beside_the_template() {
    let why = "the macro reads no files; run `formwork expand` or `formwork package` before the template is uploaded";
    let local = json!({"Modules": {"Shop": {"Source": "./shop.yaml"}}, "Resources": {}});
    let expected = format!("Modules.Shop.Source: error[FW0701]: the module ./shop.yaml cannot be read: {why}");
    assert_eq!(message(&request(&local, &json!({}))), expected);
    let remote = json!({"Modules": {"Shop": {"Source": "https://example.com/shop.yaml"}}, "Resources": {}});
    let expected = format!("Modules.Shop.Source: error[FW0713]: https://example.com/shop.yaml is not fetched: {why}");
    assert_eq!(message(&request(&remote, &json!({}))), expected);
    let include = json!({
        "Resources": {"Fn::Transform": {"Name": "AWS::Include", "Parameters": {"Location": "./more.yaml"}}}
    });
    let location = "Resources.Fn::Transform.Parameters.Location";
    let expected = format!("{location}: error[FW0010]: the included file ./more.yaml cannot be read: {why}");
    assert_eq!(message(&request(&include, &json!({}))), expected);
}

#[test]
fn a_part_of_a_template_is_refused() {
    let part = json!({"Topic": {"Type": "AWS::SNS::Topic"}});
    let expected = "the fragment is not a template; list Formwork in the section Transform, and not in Fn::Transform";
    assert_eq!(message(&request(&part, &json!({}))), expected);
}

#[test]
fn other_transforms_may_follow() {
    let fragment = json!({
        "Globals": {"Function": {"Runtime": "python3.13"}},
        "Resources": {
            "Fn::ForEach::Functions": ["Name", ["A", "B"], {
                "${Name}": {"Type": "AWS::Serverless::Function", "Properties": {"Handler": "app.handler", "InlineCode": "x"}}
            }]
        },
        "Outputs": {"Role": {"Value": {"Fn::GetAtt": ["ARole", "Arn"]}}}
    });
    let result = expanded(&fragment, &json!({}));
    assert_eq!(result["Resources"]["B"]["Properties"]["Handler"], "app.handler");
    assert_eq!(result["Outputs"], fragment["Outputs"]);
}

#[test]
fn what_the_language_transform_has_to_compute_stays() {
    let fragment = json!({
        "Parameters": {"Names": {"Type": "CommaDelimitedList"}},
        "Resources": {"Q": {"Type": "AWS::SQS::Queue", "Properties": {"DelaySeconds": {"Fn::Length": {"Ref": "Names"}}}}}
    });
    let computed = expanded(&fragment, &json!({"Names": "a,b"}));
    assert_eq!(computed["Resources"]["Q"]["Properties"]["DelaySeconds"], 2);
    let mut asked = request(&fragment, &json!({"Names": "a,b"}));
    asked["params"] = json!({"Values": "keep"});
    assert_eq!(respond(&asked).0["fragment"], fragment);
}

#[test]
fn a_response_that_is_too_large_is_a_failure() {
    let names: Vec<String> = (0..500).map(|number| format!("N{number}")).collect();
    let large = json!({"Resources": {"Fn::ForEach::T": ["Name", names, {
        "${Name}": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": "x".repeat(13_000)}}
    }]}});
    let text = message(&request(&large, &json!({})));
    assert!(text.starts_with("the processed template is too large: its response has 65"), "{text}");
    assert!(text.contains("returns at most 6291556; "), "{text}");
}

/// What Lambda does not take back is not returned, whether it grew here or was sent.
#[test]
fn a_fragment_that_is_too_large_is_a_failure() {
    let topic = |size: usize| json!({"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": "x".repeat(size)}});
    let resources: serde_json::Map<String, Value> =
        (0..100).map(|number| (format!("T{number}"), topic(63_000))).collect();
    let text = message(&request(&json!({"Resources": resources}), &json!({})));
    assert!(text.starts_with("the processed template is too large: its response has 63"), "{text}");
}

/// Templates with an error near the value of a secret, each with the value of `Password` or more.
fn faults(secret: &str) -> Vec<(Value, Value)> {
    let parameter = |more: Value| {
        let mut declaration = json!({"Type": "String", "NoEcho": true});
        declaration.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        json!({"Password": declaration})
    };
    let template = |parameters: Value, resources: Value| json!({"Parameters": parameters, "Resources": resources});
    let topic = |name: Value| json!({"T": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": name}}});
    let secret_value = json!({"Password": secret});
    let reference = || topic(json!({"Ref": "Password"}));
    let mut list = parameter(json!({"Type": "CommaDelimitedList"}));
    list["Password"]["NoEcho"] = json!("true");
    let over = json!({"Fn::ForEach::L": ["N", {"Ref": "Password"}, {"T${N}": {"Type": "AWS::SNS::Topic"}}]});
    let mut looked_up = template(
        parameter(json!({})),
        json!({"Fn::ForEach::L": ["N", {"Fn::FindInMap": ["M", {"Ref": "Password"}, "a"]}, {"T${N}": {"Type": "AWS::SNS::Topic"}}]}),
    );
    looked_up["Mappings"] = json!({"M": {"k": {"a": ["x"]}}});
    vec![
        (template(parameter(json!({"AllowedValues": ["a", "b"]})), reference()), secret_value.clone()),
        (template(parameter(json!({"AllowedPattern": "[0-9]+"})), reference()), secret_value.clone()),
        (template(parameter(json!({"MaxLength": 2})), reference()), secret_value.clone()),
        (template(parameter(json!({"Type": "Number"})), reference()), secret_value.clone()),
        (template(parameter(json!({"Type": secret})), reference()), json!({})),
        (template(list, over), json!({"Password": [secret, "b"]})),
        (looked_up, secret_value.clone()),
        (
            template(json!({}), topic(json!({"Fn::Length": {"Ref": "Gone"}}))),
            json!({"Other": secret, "Gone": {"a": secret}}),
        ),
        (template(parameter(json!({})), topic(json!({"Fn::Length": {"Ref": "Password"}}))), secret_value.clone()),
        (
            template(parameter(json!({})), topic(json!({"Fn::Select": [{"Ref": "Password"}, ["a"]]}))),
            secret_value.clone(),
        ),
        (template(parameter(json!({"Default": secret, "MinLength": 900})), reference()), json!({"Password": secret})),
        (template(parameter(json!({})), topic(json!({"Fn::Cidr": [{"Ref": "Password"}, "x", "y"]}))), secret_value),
    ]
}

#[test]
fn secrets_are_in_no_message() {
    let secret = "hunter2-correct-horse";
    let mut failures = 0;
    for (fragment, values) in faults(secret) {
        for how in ["keep", "pin", "all"] {
            let mut asked = request(&fragment, &values);
            asked["params"] = json!({"Values": how});
            let response = formwork_lambda::respond(&asked.to_string());
            let parsed: Value = serde_json::from_str(&response.body).expect("JSON");
            if parsed["status"] == "failure" {
                failures += 1;
            }
            // What the author wrote into the template comes back with it.
            let said = format!("{}{}", parsed["errorMessage"], response.log.join("\n"));
            let is_authored = fragment.to_string().contains(secret) && parsed["status"] == "success";
            assert!(is_authored || !response.body.contains(secret), "{}", response.body);
            assert!(!said.contains(secret) || fragment["Parameters"]["Password"]["Type"] == secret, "{said}");
        }
    }
    assert!(failures > 20, "only {failures} requests failed");
}

#[test]
fn a_secret_stays_a_reference() {
    let fragment = json!({
        "Parameters": {"Password": {"Type": "String", "NoEcho": true}},
        "Resources": {"T": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Fn::Sub": "p-${Password}"}}}}
    });
    let mut asked = request(&fragment, &json!({"Password": "hunter2"}));
    asked["params"] = json!({"Values": "all"});
    assert_eq!(respond(&asked).0["fragment"], fragment);
}

/// Every example comes out as `formwork expand --values pin` prints it.
#[test]
fn examples_expand_as_they_do_on_the_command_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut compared = 0;
    for folder in std::fs::read_dir(root).expect("examples").flatten().filter(|entry| entry.path().is_dir()) {
        let path = folder.path().join("template.yaml");
        let text = std::fs::read_to_string(&path).expect("a template");
        if text.contains("\nPackages:") {
            continue;
        }
        let mut fragment: Value =
            serde_json::from_str(&reformat(&text, Format::Json, &Limits::default()).expect("JSON")).expect("JSON");
        fragment.as_object_mut().expect("an object").remove("Transform");
        let options = Options { values: Values::Pin, ..Options::default() };
        let session = Session::new(MemoryHost::new().with("template.yaml", text), options);
        let compiled = session.compile("template.yaml", Goal::Expand);
        let printed = compiled.output().expect("no errors").render(Some(Format::Json));
        let mut printed: Value = serde_json::from_str(&printed).expect("JSON");
        printed.as_object_mut().expect("an object").remove("Transform");
        let (response, _) = respond(&request(&fragment, &json!({})));
        assert_eq!(response["fragment"], printed, "{}: {response}", path.display());
        compared += 1;
    }
    assert!(compared >= 7, "{compared} examples were compared");
}
