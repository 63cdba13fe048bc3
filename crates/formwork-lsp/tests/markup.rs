//! Nothing in a template is markup in the editor: every string of the templates here is an image, a link, HTML, a
//! heading or the end of a block of code, and a parser of Markdown reads every answer.

use std::collections::BTreeSet;

use formwork::{ColumnUnit, LineIndex};
use pulldown_cmark::{Event, Options, Parser, Tag};
use serde_json::{Value, json};

use crate::client::{Client, Folder, capabilities, uri};

/// What a stranger writes. `EVIL` is in each, so that it is seen where a text is shown.
const HOSTILE: [&str; 12] = [
    "![EVIL](https://evil.example)",
    "[EVIL](command:evil)",
    "`EVIL` ![x](https://evil.example) `",
    "``` EVIL\n\n# heading\n\n![x](https://evil.example)",
    "<img src=\"https://evil.example/EVIL\">",
    "EVIL\n\n---\n\n# heading",
    "https://evil.example/EVIL www.evil.example",
    "EVIL | a ![x](https://evil.example) |",
    "**EVIL** \\` &lt;b&gt; \\[x](https://evil.example)",
    "1. EVIL",
    "- EVIL\n    code",
    "<https://evil.example/EVIL>\r\n\r\n~~~~~~~",
];

/// Templates in which a text is wherever an author may write one: the text in YAML, quoted.
fn files(text: &str) -> Vec<(&'static str, String)> {
    let text = serde_json::to_string(text).unwrap();
    let template = r#"Transform: AWS::LanguageExtensions
Description: TEXT
Parameters:
  Env: {Type: String, Default: TEXT, AllowedValues: [TEXT], AllowedPattern: TEXT, Description: TEXT}
  Open: {Type: String, Description: TEXT}
  TEXT: {Type: TEXT, Default: TEXT}
Mappings:
  Names: {first: {key: TEXT}, TEXT: {TEXT: TEXT}}
Conditions:
  IsOpen: !Equals [!Ref Open, TEXT]
  IsProd: !Equals [!Ref Env, TEXT]
  TEXT: !Equals [!Ref TEXT, TEXT]
Modules:
  Net: {Source: ./net.yaml, Properties: {Name: TEXT, Own: !Ref Env}}
  Sub: {Source: TEXT}
Resources:
  Fn::ForEach::Each:
    - Item
    - [TEXT, two]
    - Topic&{Item}:
        Type: AWS::SNS::Topic
        Properties: {TopicName: !Ref Item, DisplayName: !Sub "${Item}-&{Item}"}
  Queue:
    Type: AWS::SQS::Queue
    Condition: IsProd
    Properties:
      QueueName: !If [IsProd, TEXT, !Ref Env]
      Tags: [{Key: TEXT, Value: !FindInMap [Names, first, key]}, {Key: a, Value: !FindInMap [Names, TEXT, TEXT]}]
  TEXT: {Type: TEXT, Properties: {TEXT: TEXT}}
  Stack:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: ./child.yaml, Parameters: {Name: TEXT}}
Outputs:
  Name: {Value: !GetAtt Queue.Arn, Description: TEXT, Export: {Name: TEXT}}
  Joined: {Value: !Join [TEXT, [TEXT, !Ref Queue, !Ref AWS::Region]]}
  TEXT: {Value: !Ref TEXT}
"#;
    let module = "Parameters:\n  Name: {Type: String, Default: TEXT, Description: TEXT}\n  Own: {Type: String}\nResources:\n  Topic:\n    Type: AWS::SNS::Topic\n    Properties: {TopicName: !Ref Name}\nOutputs:\n  Arn: {Value: !Ref Topic, Description: TEXT}\n";
    let values = "Env: TEXT\nOpen: TEXT\nOth: x\n";
    let written = [("template.yaml", template), ("net.yaml", module), ("child.yaml", module), ("params.yaml", values)];
    written.map(|(name, content)| (name, content.replace("TEXT", &text))).to_vec()
}

/// What Markdown has that the server never writes: what loads, leads away, or looks like words of the server.
fn markup(markdown: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut outside = markdown.to_owned();
    let all = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    for (event, range) in Parser::new_ext(markdown, all).into_offset_iter() {
        match event {
            Event::Start(Tag::Image { .. } | Tag::Link { .. } | Tag::Heading { .. } | Tag::BlockQuote(_))
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::Rule => {
                found.insert(format!("{event:?}"));
            }
            Event::Code(_) | Event::Start(Tag::CodeBlock(_)) => {
                outside.replace_range(range.clone(), &" ".repeat(range.len()));
            }
            _ => {}
        }
    }
    // Many editors make links of addresses without any mark, but for escaped ones.
    let outside = outside.replace("\\:", "").replace("\\.", "");
    for address in ["://", "www.", "WWW."] {
        if outside.contains(address) {
            found.insert(address.to_owned());
        }
    }
    found
}

/// Every Markdown in an answer.
fn markdowns(answer: &Value, found: &mut Vec<String>) {
    match answer {
        Value::Array(items) => items.iter().for_each(|item| markdowns(item, found)),
        Value::Object(members) => {
            if members.get("kind") == Some(&json!("markdown")) {
                found.push(members["value"].as_str().unwrap().to_owned());
            }
            members.values().for_each(|value| markdowns(value, found));
        }
        _ => {}
    }
}

/// Of how many words of a template one is asked about: each string has others.
const EACH: usize = 4;

/// Asks about places of a file; returns how many answers have the author's text.
fn look(
    client: &mut Client,
    (name, text): (&str, &str),
    folder: &Folder,
    (round, is_markdown): (usize, bool),
) -> usize {
    let index = LineIndex::new(text);
    let document = json!({"uri": uri(&folder.path.join(name))});
    let mut hostile = 0;
    let (mut seen, mut documented) = (BTreeSet::new(), BTreeSet::new());
    // The begin of every word, and of every string.
    let is_word = |c: char| c.is_ascii_alphanumeric();
    let begins = |at: &usize| text[*at..].starts_with(is_word) && !text[..*at].ends_with(is_word);
    for (number, offset) in (0..text.len()).filter(begins).enumerate().skip(round % EACH).step_by(EACH) {
        let at = index.position(text, offset as u32, ColumnUnit::Utf8);
        let params = json!({"textDocument": document, "position": {"line": at.line, "character": at.column}});
        let mut answers = vec![client.request("textDocument/hover", params.clone()).unwrap()];
        if number % 3 == 0 {
            let proposals = client.request("textDocument/completion", params).unwrap();
            for item in proposals["items"].as_array().unwrap() {
                if item.get("data").is_some() && documented.insert(item.to_string()) {
                    answers.push(client.request("completionItem/resolve", item.clone()).unwrap());
                }
            }
        }
        let mut found = Vec::new();
        for answer in &answers {
            markdowns(answer, &mut found);
        }
        assert!(is_markdown || found.is_empty(), "{found:?}");
        for markdown in found.into_iter().filter(|markdown| seen.insert(markdown.clone())) {
            let markup = markup(&markdown);
            assert!(markup.is_empty(), "{name}, {}:{}: {markup:?} in\n{markdown}", at.line, at.column);
            hostile += usize::from(markdown.contains("EVIL"));
        }
        if !is_markdown {
            hostile += answers.iter().filter(|answer| answer.to_string().contains("EVIL")).count();
        }
    }
    hostile
}

#[test]
fn no_text_of_a_template_is_markup() {
    for (round, hostile) in HOSTILE.into_iter().enumerate() {
        let files = files(hostile);
        let own: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let folder = Folder::new(&own);
        let mut client = Client::in_folder(&folder.path, "utf-8", true);
        for (name, text) in &own {
            client.open(&folder.path.join(name), text);
        }
        let shown: usize = own.iter().map(|file| look(&mut client, *file, &folder, (round, true))).sum();
        assert!(shown > 5, "{shown} answers have {hostile}");
        client.shut_down();
    }
}

#[test]
fn clients_without_markdown_see_none() {
    let files = files(HOSTILE[2]);
    let own: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = Folder::new(&own);
    let mut plain = capabilities("utf-8", true);
    plain["textDocument"]["hover"]["contentFormat"] = json!(["plaintext"]);
    plain["textDocument"]["completion"]["completionItem"]["documentationFormat"] = json!(["plaintext"]);
    let mut client = Client::with(&folder.path, &plain, &Value::Null);
    for (name, text) in &own {
        client.open(&folder.path.join(name), text);
    }
    let shown: usize = own.iter().map(|file| look(&mut client, *file, &folder, (0, false))).sum();
    assert!(shown > 5);
    // It is what the author wrote.
    let at = files[0].1.find("Open: {Type").unwrap();
    let at = LineIndex::new(&files[0].1).position(&files[0].1, at as u32, ColumnUnit::Utf8);
    let place = json!({"line": at.line, "character": at.column});
    let params = json!({"textDocument": {"uri": uri(&folder.path.join("template.yaml"))}, "position": place});
    let answer = client.request("textDocument/hover", params).unwrap();
    assert!(answer["contents"]["value"].as_str().unwrap().contains(&format!("\n{}", HOSTILE[2])), "{answer}");
    client.shut_down();
}
