//! The notation of shapes, read. `outputs.txt` describes it.

use std::collections::BTreeMap;

use serde_json::Value;

/// A type.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Type {
    /// `any`
    Any,
    /// `string`, `integer`, `boolean` or `null`
    Plain(String),
    /// A value that it is.
    Constant(Value),
    /// A shape.
    Named(String),
    /// `[T]`
    List(Box<Type>),
    /// `{T}`
    Map(Box<Type>),
    /// `(A, B)`
    Tuple(Vec<Type>),
    /// `A | B`
    OneOf(Vec<Type>),
}

/// A key of an object.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Key {
    pub(super) name: String,
    pub(super) is_required: bool,
    pub(super) value: Type,
    pub(super) words: Option<String>,
}

/// The meaning of a name.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Shape {
    /// A type, such as one of several strings.
    Alias(Type),
    Object(Vec<Key>),
}

/// A file with a schema.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) root: Type,
}

/// Everything.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Document {
    pub(super) files: Vec<File>,
    pub(super) shapes: BTreeMap<String, Shape>,
}

impl Type {
    /// The shapes that it names.
    pub(super) fn names(&self) -> Vec<String> {
        match self {
            Type::Named(name) => vec![name.clone()],
            Type::List(of) | Type::Map(of) => of.names(),
            Type::Tuple(parts) | Type::OneOf(parts) => parts.iter().flat_map(Type::names).collect(),
            Type::Any | Type::Plain(_) | Type::Constant(_) => Vec::new(),
        }
    }
}

impl Shape {
    /// The shapes that it names.
    pub(super) fn names(&self) -> Vec<String> {
        match self {
            Shape::Alias(of) => of.names(),
            Shape::Object(keys) => keys.iter().flat_map(|key| key.value.names()).collect(),
        }
    }
}

/// Reads a text.
///
/// # Errors
/// The line that is wrong, and why.
pub(super) fn parse(text: &str) -> Result<Document, String> {
    let (mut document, mut open) = (Document::default(), None);
    for (at, line) in text.lines().enumerate() {
        let error = |why: String| format!("line {}: {why}", at + 1);
        let (code, words) = match line.split_once(" # ") {
            Some((code, words)) => (code, Some(words.trim().to_owned())),
            None => (line, None),
        };
        if code.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(rest) = code.strip_prefix("file ") {
            let (name, root) = rest.split_once(' ').ok_or_else(|| error("a file has a type".to_owned()))?;
            let title = words.ok_or_else(|| error("a file has a title".to_owned()))?;
            document.files.push(File { name: name.to_owned(), title, root: whole(root).map_err(error)? });
        } else if code.starts_with(' ') {
            let (name, value) = code.trim().split_once(' ').ok_or_else(|| error("a key has a type".to_owned()))?;
            let key = Key {
                name: name.trim_end_matches('?').to_owned(),
                is_required: !name.ends_with('?'),
                value: whole(value).map_err(error)?,
                words,
            };
            match open.as_ref().and_then(|open| document.shapes.get_mut(open)) {
                Some(Shape::Object(keys)) => keys.push(key),
                _ => return Err(error(format!("the key {name} is not below an object"))),
            }
        } else {
            let (name, shape) = match code.trim().split_once(' ') {
                Some((name, alias)) => (name, Shape::Alias(whole(alias).map_err(error)?)),
                None => (code.trim(), Shape::Object(Vec::new())),
            };
            if document.shapes.insert(name.to_owned(), shape).is_some() {
                return Err(error(format!("duplicate shape {name}")));
            }
            open = Some(name.to_owned());
        }
    }
    Ok(document)
}

/// Reads a type that is the whole text.
fn whole(text: &str) -> Result<Type, String> {
    let (found, rest) = one_of(text)?;
    if rest.trim().is_empty() { Ok(found) } else { Err(format!("{} follows a type", rest.trim())) }
}

fn one_of(text: &str) -> Result<(Type, &str), String> {
    let (first, mut rest) = single(text.trim_start())?;
    let mut types = vec![first];
    while let Some(after) = rest.trim_start().strip_prefix('|') {
        let (next, left) = single(after.trim_start())?;
        types.push(next);
        rest = left;
    }
    Ok((if types.len() == 1 { types.remove(0) } else { Type::OneOf(types) }, rest))
}

fn single(text: &str) -> Result<(Type, &str), String> {
    let end = |rest: &'_ str, close: char| {
        rest.trim_start().strip_prefix(close).map(str::len).ok_or_else(|| format!("{text} has no `{close}`"))
    };
    let tail = |length: usize| &text[text.len() - length..];
    if let Some(rest) = text.strip_prefix('[') {
        let (of, rest) = one_of(rest)?;
        Ok((Type::List(Box::new(of)), tail(end(rest, ']')?)))
    } else if let Some(rest) = text.strip_prefix('{') {
        let (of, rest) = one_of(rest)?;
        Ok((Type::Map(Box::new(of)), tail(end(rest, '}')?)))
    } else if let Some(rest) = text.strip_prefix('(') {
        let (first, mut rest) = one_of(rest)?;
        let mut parts = vec![first];
        while let Some(after) = rest.trim_start().strip_prefix(',') {
            let (next, left) = one_of(after)?;
            parts.push(next);
            rest = left;
        }
        Ok((Type::Tuple(parts), tail(end(rest, ')')?)))
    } else {
        let length = match text.strip_prefix('"') {
            Some(rest) => rest.find('"').map(|at| at + 2).ok_or_else(|| format!("{text} has no end"))?,
            None => text.find(|c: char| !c.is_alphanumeric() && c != '-').unwrap_or(text.len()),
        };
        Ok((word(&text[..length])?, &text[length..]))
    }
}

fn word(word: &str) -> Result<Type, String> {
    match word {
        "" => Err("a type is missing".to_owned()),
        "any" => Ok(Type::Any),
        "string" | "integer" | "boolean" | "null" => Ok(Type::Plain(word.to_owned())),
        _ if word.starts_with(|c: char| c == '"' || c.is_ascii_digit()) => {
            serde_json::from_str(word).map(Type::Constant).map_err(|error| format!("{word}: {error}"))
        }
        _ => Ok(Type::Named(word.to_owned())),
    }
}
