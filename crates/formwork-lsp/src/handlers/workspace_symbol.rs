//! `workspace/symbol`.

use formwork_ide::symbols::{matches_query, names};
use serde_json::{Value, json};

use super::document_symbol::kind;
use crate::at::At;
use crate::response::Answer;
use crate::uri;
use crate::view::View;

const MOST: usize = 500;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let query = params.get("query").and_then(Value::as_str).unwrap_or_default();
    let open = view.documents.keys().map(std::path::PathBuf::as_path);
    let mut paths: Vec<&std::path::Path> = open.chain(view.scanned.templates()).collect();
    paths.sort();
    paths.dedup();
    let mut found = Vec::new();
    for path in paths {
        let Some(at) = At::of(view, &uri::of_path(path))? else { continue };
        for one in names(&at.ide).into_iter().filter(|one| matches_query(&one.name, query)) {
            let made = json!({"name": one.name, "kind": kind(one.kind), "location": at.location(&one.name_range)});
            // A name that begins with the query, then the shortest.
            let begins = one.name.to_lowercase().starts_with(&query.to_lowercase());
            found.push((!begins, one.name.len(), one.name, made));
        }
    }
    found.sort_by(|a, b| (a.0, a.1, &a.2).cmp(&(b.0, b.1, &b.2)));
    Ok(found.into_iter().take(MOST).map(|(_, _, _, made)| made).collect())
}
