use formwork_base::{Limits, SourceMap, VirtualPath};

use super::*;

/// Returns the facts of a snapshot with these sections, and the places of its errors.
fn facts(sections: &str) -> (Tree, AccountData, Vec<String>) {
    let text = format!("{{\"FormworkAccountSnapshot\": \"1\", {sections}}}");
    let (mut tree, mut sources, mut diagnostics) = (Tree::new(), SourceMap::new(), Diagnostics::new());
    let file = sources.add(VirtualPath::new("a.json"), text.as_str()).expect("room");
    let document = formwork_syntax::read(&mut tree, &sources, file, &Limits::default(), &mut diagnostics);
    let mut facts = AccountData::default();
    facts.add_document(&mut tree, document.root, &mut diagnostics);
    let place = |found: &Diagnostic| {
        assert_eq!((found.code, found.severity), (codes::ACCOUNT_FILE, Severity::Error), "{text}");
        sources.slice(found.primary.as_ref().expect("a place").span).to_owned()
    };
    let wrong = diagnostics.iter().map(place).collect();
    (tree, facts, wrong)
}

fn vpc(attributes: &str) -> (Tree, NodeId, Vec<String>) {
    let (tree, facts, wrong) = facts(&format!("\"Types\": {{\"AWS::EC2::VPC::Id\": {{\"vpc-1\": {attributes}}}}}"));
    let (listing, is_complete) = facts.listing(&tree, "AWS::EC2::VPC::Id").expect("it is captured");
    assert!(is_complete);
    let node = listing.values[0].1;
    (tree, node, wrong)
}

#[test]
fn attributes_of_a_wrong_shape_are_unknown() {
    for (attributes, place) in [
        ("[\"a\"]", "[\"a\"]"),
        ("\"a\"", "\"a\""),
        ("{\"VpcId\": null}", "null"),
        ("{\"VpcId\": [\"a\"]}", "[\"a\"]"),
        ("{\"VpcId\": {\"a\": \"b\"}}", "{\"a\": \"b\"}"),
    ] {
        let (tree, node, wrong) = vpc(attributes);
        assert_eq!(wrong, [place], "{attributes}");
        assert_eq!(attribute(&tree, node, "VpcId"), Attribute::Unknown, "{attributes}");
    }
    let (tree, node, wrong) = vpc("null");
    assert!(wrong.is_empty());
    assert_eq!(attribute(&tree, node, "VpcId"), Attribute::Absent);
    assert_eq!(tag(&tree, node, "Team"), Attribute::Absent);
    let (tree, node, wrong) = vpc("{\"VpcId\": \"a\"}");
    assert!(wrong.is_empty() && matches!(attribute(&tree, node, "VpcId"), Attribute::Value(_)));
    assert_eq!(attribute(&tree, node, "Other"), Attribute::Absent);
}

#[test]
fn tags_are_an_object_or_a_list_of_pairs() {
    for tags in ["{\"Team\": \"a\"}", "[{\"Key\": \"Team\", \"Value\": \"a\"}]"] {
        let (tree, node, wrong) = vpc(&format!("{{\"Tags\": {tags}}}"));
        assert!(wrong.is_empty(), "{tags}: {wrong:?}");
        let Attribute::Value(value) = tag(&tree, node, "Team") else { panic!("{tags}") };
        assert_eq!(tree.text(value), "a");
        assert_eq!(tag(&tree, node, "Other"), Attribute::Absent);
    }
    for (tags, place) in [
        ("\"a\"", "\"a\""),
        ("null", "null"),
        ("{\"Team\": [\"a\"]}", "[\"a\"]"),
        ("[\"Team\"]", "\"Team\""),
        ("[{\"Key\": \"Team\"}]", "{\"Key\": \"Team\"}"),
    ] {
        let (tree, node, wrong) = vpc(&format!("{{\"Tags\": {tags}}}"));
        assert_eq!(wrong, [place], "{tags}");
        assert_eq!(tag(&tree, node, "Team"), Attribute::Unknown, "{tags}");
    }
}

#[test]
fn what_is_refused_is_unknown_and_never_empty() {
    for (sections, place) in [
        ("\"Types\": []", "[]"),
        ("\"Types\": {\"T\": [\"a\"]}", "[\"a\"]"),
        ("\"Types\": {\"T\": null}", "null"),
        ("\"Types\": {\"T\": {}}, \"Incomplete\": \"T\"", "\"T\""),
        ("\"Types\": {\"T\": {}}, \"Incomplete\": [[\"T\"]]", "[[\"T\"]]"),
    ] {
        let (tree, facts, wrong) = facts(sections);
        assert_eq!(wrong, [place], "{sections}");
        assert_eq!(facts.exists(&tree, "T", "a"), None, "{sections}");
        assert_eq!(facts.all_of(&tree, "T"), None, "{sections}");
    }
    for (stored, place) in [
        ("[]", "[]"),
        ("{\"/n\": \"a\"}", "\"a\""),
        ("{\"/n\": {\"Value\": [\"a\"]}}", "{\"Value\": [\"a\"]}"),
        ("{\"/n\": {\"Type\": \"SecureString\", \"Value\": \"a\"}}", "\"/n\""),
        ("{\"/n\": {\"Value\": \"a\", \"Version\": []}}", "{\"Value\": \"a\", \"Version\": []}"),
    ] {
        let (tree, facts, wrong) = facts(&format!("\"SsmParameters\": {stored}"));
        assert_eq!(wrong, [place], "{stored}");
        for name in ["/n", "/n:3"] {
            assert_eq!(facts.stored(&tree, name), Stored::Unknown, "{stored} {name}");
        }
    }
    for sections in
        ["\"Exports\": []", "\"Absent\": []", "\"Absent\": {\"T\": \"a\"}", "\"Region\": {}", "\"CapturedAt\": []"]
    {
        assert_eq!(facts(sections).2.len(), 1, "{sections}");
    }
}
