//! Finds the route of a request (reference/local.md#routes).

use super::{Api, Kind, Route};
use formwork_base::percent;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Segment<'a> {
    Exact(&'a str),
    Variable(&'a str),
    Greedy(&'a str),
}

/// Returns the route of a request, and the values of its path variables.
pub(crate) fn find<'a>(api: &'a Api, method: &str, path: &str) -> Option<(&'a Route, Vec<(String, String)>)> {
    let path = match api.kind {
        Kind::Http if path.len() > 1 => path.strip_suffix('/').unwrap_or(path),
        _ => path,
    };
    let takes = |route: &Route| route.method == "ANY" || route.method == method;
    let matched = api.routes.iter().filter_map(|route| Some((rank(&route.path, path)?, route)));
    let mut matched: Vec<_> = matched.collect();
    if api.kind == Kind::Rest {
        // The resource is chosen first, regardless of its methods.
        let best = matched.iter().map(|(rank, _)| rank).min()?.clone();
        matched.retain(|(rank, _)| *rank == best);
    }
    let taken = matched.into_iter().filter(|(_, route)| takes(route));
    let (_, route) = taken.min_by_key(|(rank, route)| (rank.clone(), route.method == "ANY"))?;
    Some((route, variables(&route.path, path)))
}

/// Returns the methods of all routes whose path matches.
pub(crate) fn methods(api: &Api, path: &str) -> Vec<String> {
    let matched = api.routes.iter().filter_map(|route| Some((rank(&route.path, path)?, route)));
    let matched: Vec<_> = matched.collect();
    let Some(best) = matched.iter().map(|(rank, _)| rank.clone()).min() else { return Vec::new() };
    let mut methods: Vec<String> = Vec::new();
    for (_, route) in matched.into_iter().filter(|(rank, _)| *rank == best) {
        if !methods.contains(&route.method) {
            methods.push(route.method.clone());
        }
    }
    methods
}

/// `true` if two patterns match the same paths: names of variables do not matter.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let shape = |path: &str| -> Vec<String> {
        let shown = |segment: &Segment<'_>| match segment {
            Segment::Exact(text) => format!("={text}"),
            Segment::Variable(_) => "{}".to_owned(),
            Segment::Greedy(_) => "{+}".to_owned(),
        };
        segments(path).iter().map(shown).collect()
    };
    a == b || (a != "$default" && b != "$default" && shape(a) == shape(b))
}

fn segments(pattern: &str) -> Vec<Segment<'_>> {
    let pattern = pattern.strip_prefix('/').unwrap_or(pattern);
    if pattern.is_empty() {
        return Vec::new();
    }
    let segment = |text| match Some(text).and_then(|text: &str| text.strip_prefix('{')?.strip_suffix('}')) {
        Some(name) => match name.strip_suffix('+') {
            Some(name) => Segment::Greedy(name),
            None => Segment::Variable(name),
        },
        None => Segment::Exact(text),
    };
    pattern.split('/').map(segment).collect()
}

/// Splits the path of a request; an escaped slash is not a separator.
fn parts(path: &str) -> Vec<&str> {
    let path = path.strip_prefix('/').unwrap_or(path);
    if path.is_empty() { Vec::new() } else { path.split('/').collect() }
}

/// Ranks a match, smaller values first: by segment 0 for exact, 1 for a variable, 2 for a greedy one, 3 for `$default`.
/// `None` when the pattern does not match.
fn rank(pattern: &str, path: &str) -> Option<Vec<u8>> {
    if pattern == "$default" {
        return Some(vec![3]);
    }
    let (segments, parts) = (segments(pattern), parts(path));
    let mut rank = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        let part = *parts.get(at)?;
        match segment {
            Segment::Exact(text) if *text == part || *text == percent::decoded(part) => rank.push(0),
            Segment::Variable(_) if !part.is_empty() => rank.push(1),
            Segment::Greedy(_) if !parts[at..].concat().is_empty() => {
                rank.push(2);
                return (at + 1 == segments.len()).then_some(rank);
            }
            _ => return None,
        }
    }
    (segments.len() == parts.len()).then_some(rank)
}

fn variables(pattern: &str, path: &str) -> Vec<(String, String)> {
    if pattern == "$default" {
        return Vec::new();
    }
    let parts = parts(path);
    let value = |(at, segment): (usize, Segment<'_>)| match segment {
        Segment::Exact(_) => None,
        Segment::Variable(name) => Some((name.to_owned(), percent::decoded(parts.get(at)?))),
        Segment::Greedy(name) => {
            let rest: Vec<String> = parts.get(at..)?.iter().map(|part| percent::decoded(part)).collect();
            Some((name.to_owned(), rest.join("/")))
        }
    };
    segments(pattern).into_iter().enumerate().filter_map(value).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::Format;
    use super::*;

    pub(crate) fn api(kind: Kind, routes: &[(&str, &str)]) -> Api {
        let route = |(method, path): &(&str, &str)| Route {
            method: (*method).to_owned(),
            path: (*path).to_owned(),
            function: format!("{method} {path}"),
            format: Format::V1,
            operation: None,
            authorizer: None,
            open: None,
        };
        Api {
            id: "Api".into(),
            kind,
            function_url: None,
            stage: "Prod".into(),
            variables: Vec::new(),
            binary: Vec::new(),
            cors: None,
            routes: routes.iter().map(route).collect(),
        }
    }

    fn found(api: &Api, method: &str, path: &str) -> Option<String> {
        find(api, method, path).map(|(route, _)| route.function.clone())
    }

    #[test]
    fn the_closest_route_wins_and_a_method_before_any() {
        let routes = [
            ("ANY", "$default"),
            ("ANY", "/{proxy+}"),
            ("GET", "/users/{id}"),
            ("ANY", "/users/{id}"),
            ("GET", "/users/me"),
        ];
        let api = api(Kind::Http, &routes);
        assert_eq!(found(&api, "GET", "/users/me").as_deref(), Some("GET /users/me"));
        assert_eq!(found(&api, "GET", "/users/me/").as_deref(), Some("GET /users/me"));
        assert_eq!(found(&api, "POST", "/users/me").as_deref(), Some("ANY /users/{id}"));
        assert_eq!(found(&api, "GET", "/users/7").as_deref(), Some("GET /users/{id}"));
        assert_eq!(found(&api, "GET", "/a/b/c").as_deref(), Some("ANY /{proxy+}"));
        assert_eq!(found(&api, "GET", "/").as_deref(), Some("ANY $default"));
        assert_eq!(found(&api, "GET", "/Users/me").as_deref(), Some("ANY /{proxy+}"));
    }

    #[test]
    fn rest_apis_choose_the_resource_first() {
        let api = api(Kind::Rest, &[("GET", "/users"), ("ANY", "/{proxy+}"), ("GET", "/")]);
        assert_eq!(found(&api, "POST", "/users"), None);
        assert_eq!(found(&api, "GET", "/users").as_deref(), Some("GET /users"));
        assert_eq!(found(&api, "GET", "/users/").as_deref(), Some("ANY /{proxy+}"));
        assert_eq!(found(&api, "GET", "/").as_deref(), Some("GET /"));
        assert_eq!(found(&super::tests::api(Kind::Rest, &[("GET", "/users")]), "GET", "/users/"), None);
    }

    #[test]
    fn an_escaped_slash_does_not_split() {
        let api = api(Kind::Rest, &[("GET", "/a/{id}"), ("GET", "/b/{rest+}")]);
        let values = |path| find(&api, "GET", path).map(|(_, values)| values);
        assert_eq!(values("/a/x%2Fy%20z"), Some(vec![("id".into(), "x/y z".into())]));
        assert_eq!(values("/b/x/y%2Fz"), Some(vec![("rest".into(), "x/y/z".into())]));
        assert_eq!(values("/a/"), None);
        assert_eq!(values("/b"), None);
    }

    #[test]
    fn duplicates_are_found_whatever_their_variables_are_called() {
        let api = api(Kind::Rest, &[("GET", "/a/{id}"), ("GET", "/a/b"), ("GET", "/a/{name}"), ("POST", "/a/{id}")]);
        assert_eq!(api.duplicates(), [(0, 2)]);
    }
}
