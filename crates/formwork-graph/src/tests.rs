//! Graphs of small templates, and laws of layouts.

use proptest::prelude::*;

use crate::layout::{Layout, Rect, layout};
use crate::render::{dot, json, mermaid, svg};
use crate::select::{Direction, Selection};
use crate::{Cluster, ClusterKind, Edge, EdgeKind, Graph, Node, NodeKind};

fn node(id: &str, cluster: Option<usize>) -> Node {
    Node {
        id: id.to_owned(),
        kind: NodeKind::Resource,
        type_name: "AWS::SQS::Queue".to_owned(),
        label: id.to_owned(),
        loop_name: None,
        module: None,
        key: None,
        cluster,
        file: None,
        line: None,
        is_absent: false,
        count: 1,
    }
}

fn edge(from: usize, to: usize) -> Edge {
    Edge { from, to, kinds: vec![EdgeKind::Ref], is_certain: true, is_implied: false, is_cycle: false, count: 1 }
}

fn graph(ids: &[&str], edges: &[(usize, usize)]) -> Graph {
    let nodes = ids.iter().map(|id| node(id, None)).collect();
    let edges = edges.iter().map(|&(from, to)| edge(from, to)).collect();
    let mut graph = Graph { nodes, edges, ..Graph::default() };
    crate::cycles::mark(&mut graph);
    graph
}

#[test]
fn cycles_are_found() {
    let graph = graph(&["A", "B", "C", "D"], &[(0, 1), (1, 2), (2, 1), (3, 3)]);
    assert_eq!(graph.cycles(), [vec!["B", "C"], vec!["D"]]);
    let marked: Vec<bool> = graph.edges.iter().map(|edge| edge.is_cycle).collect();
    assert_eq!(marked, [false, true, true, true]);
}

#[test]
fn what_a_transform_takes_apart_closes_no_cycle() {
    let mut graph = graph(&["Api", "Logs", "A", "B"], &[(0, 1), (1, 0), (2, 3), (3, 2), (3, 0)]);
    graph.nodes[0].type_name = "AWS::Serverless::Api".to_owned();
    crate::cycles::mark(&mut graph);
    assert_eq!(graph.cycles(), [vec!["A", "B"]]);
    assert!(!graph.edges[0].is_cycle && !graph.edges[1].is_cycle && graph.edges[2].is_cycle);
}

#[test]
fn what_conditions_decide_closes_no_cycle() {
    let mut graph = graph(&["A", "B"], &[(0, 1), (1, 0)]);
    graph.edges[0].is_certain = false;
    crate::cycles::mark(&mut graph);
    assert!(graph.cycles().is_empty());
    assert!(graph.edges.iter().all(|edge| !edge.is_cycle));
}

#[test]
fn a_dependency_that_others_imply_is_marked() {
    let mut graph = graph(&["A", "B", "C"], &[(0, 1), (1, 2), (0, 2)]);
    graph.edges[2].kinds = vec![EdgeKind::DependsOn];
    crate::cycles::mark(&mut graph);
    assert!(graph.edges[2].is_implied);
    assert!(dot::render(&graph).contains("\"A\" -> \"C\" [style=dotted, label=\"implied\"];"));
}

#[test]
fn a_focus_follows_edges_each_way() {
    let graph = graph(&["A", "B", "C", "D"], &[(0, 1), (1, 2), (3, 2)]);
    let ids = |direction, depth| {
        let selection =
            Selection { focus: vec!["B".to_owned()], direction: Some(direction), depth, ..Selection::default() };
        let found = selection.apply(&graph).expect("it is there");
        found.nodes.iter().map(|node| node.id.clone()).collect::<String>()
    };
    assert_eq!(ids(Direction::In, None), "AB");
    assert_eq!(ids(Direction::Out, None), "BC");
    // D uses C, too, but does not use or serve B.
    assert_eq!(ids(Direction::Both, None), "ABC");
    assert_eq!(ids(Direction::Both, Some(0)), "B");
    let missing = Selection { focus: vec!["X".to_owned()], ..Selection::default() };
    assert_eq!(missing.apply(&graph), Err(crate::select::UnknownNode("X".to_owned())));
}

#[test]
fn names_are_escaped_in_every_form() {
    let graph = graph(&["A\"<b>&`x|]\\"], &[]);
    assert!(dot::render(&graph).contains(r#""A\"<b>&`x|]\\""#));
    let (text, _) = mermaid::render(&graph).expect("small");
    assert!(text.contains("n1[\"A#34;#60;b#62;#38;#96;x#124;#93;#92;<br>SQS::Queue\"]"), "{text}");
    assert!(svg::render(&graph, "t").contains("A&quot;&lt;b&gt;&amp;`x|]\\"));
    assert!(json::render(&graph).contains(r#""id": "A\"<b>&`x|]\\""#));
}

#[test]
fn large_graphs_are_collapsed_for_mermaid_or_refused() {
    let ids: Vec<String> = (0..600).map(|at| format!("Q{at}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let edges: Vec<(usize, usize)> = (1..600).map(|at| (at, at / 2)).collect();
    let (text, notes) = mermaid::render(&graph(&ids, &edges)).expect("one service");
    assert!(text.contains("AWS#58;") || text.contains("AWS::SQS x 600"), "{text}");
    assert_eq!(notes.len(), 1);
}

/// Returns `true` if a piece of an edge runs through the inside of a box.
fn crosses(a: (i64, i64), b: (i64, i64), rect: &Rect) -> bool {
    let (left, right, top, bottom) = (a.0.min(b.0), a.0.max(b.0), a.1.min(b.1), a.1.max(b.1));
    left < rect.x + rect.width && right > rect.x && top < rect.y + rect.height && bottom > rect.y
}

fn errors(graph: &Graph, layout: &Layout) -> Vec<String> {
    let mut errors = Vec::new();
    for (at, a) in layout.nodes.iter().enumerate() {
        for (other, b) in layout.nodes.iter().enumerate().skip(at + 1) {
            if a.overlaps(b) {
                errors.push(format!("boxes {at} and {other} overlap"));
            }
        }
        for around in graph.around(graph.nodes[at].cluster) {
            let frame = &layout.clusters[around];
            let is_inside = frame.x < a.x
                && a.x + a.width < frame.x + frame.width
                && frame.y < a.y
                && a.y + a.height < frame.y + frame.height;
            if !is_inside {
                errors.push(format!("box {at} is outside of its cluster {around}"));
            }
        }
    }
    for (number, (edge, points)) in graph.edges.iter().zip(&layout.edges).enumerate() {
        for pair in points.windows(2) {
            if pair[0].0 != pair[1].0 && pair[0].1 != pair[1].1 {
                errors.push(format!("edge {number} is not orthogonal"));
            }
            if let Some(at) = layout.nodes.iter().position(|rect| crosses(pair[0], pair[1], rect)) {
                errors.push(format!("edge {number} runs through box {at}"));
            }
        }
        let touches = |node: usize, point: Option<&(i64, i64)>| {
            let rect = &layout.nodes[node];
            point.is_some_and(|&(x, y)| {
                rect.x <= x && x <= rect.x + rect.width && (y == rect.y || y == rect.y + rect.height)
            })
        };
        if edge.from != edge.to && !(touches(edge.from, points.first()) && touches(edge.to, points.last())) {
            errors.push(format!("edge {number} does not join its boxes: {points:?}"));
        }
    }
    errors
}

fn random(count: usize, edges: Vec<(usize, usize)>, parents: &[usize], places: &[usize]) -> Graph {
    let clusters: Vec<Cluster> = parents
        .iter()
        .enumerate()
        .map(|(at, parent)| Cluster {
            kind: ClusterKind::Module,
            label: format!("m{at}"),
            parent: (at > 0).then(|| parent % (at + 1)).and_then(|parent| parent.checked_sub(1)),
        })
        .collect();
    let nodes = (0..count)
        .map(|at| node(&format!("Node{at}"), (places[at % places.len()] % (clusters.len() + 1)).checked_sub(1)));
    let mut known = Vec::new();
    let edges = edges.into_iter().map(|(from, to)| (from % count, to % count)).filter(|pair| {
        let is_new = !known.contains(pair);
        known.push(*pair);
        is_new
    });
    let edges: Vec<Edge> = edges.map(|(from, to)| edge(from, to)).collect();
    let mut graph = Graph { nodes: nodes.collect(), edges, clusters, notes: Vec::new() }.tidy();
    crate::cycles::mark(&mut graph);
    graph
}

fn laid_out(graph: &Graph) -> Layout {
    let sizes: Vec<(i64, i64)> = (0..graph.nodes.len()).map(|at| (80 + (at as i64 % 5) * 17, 40)).collect();
    layout(graph, &sizes, &vec![60; graph.clusters.len()])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_boxes_overlap_and_no_edge_runs_through_one(
        count in 1_usize..60,
        edges in prop::collection::vec((0_usize..1000, 0_usize..1000), 0..90),
        parents in prop::collection::vec(0_usize..6, 0..6),
        places in prop::collection::vec(0_usize..6, 1..60),
    ) {
        let graph = random(count, edges, &parents, &places);
        let layout = laid_out(&graph);
        let errors = errors(&graph, &layout);
        prop_assert!(errors.is_empty(), "{}", errors.join("\n"));
        prop_assert_eq!(layout, laid_out(&graph));
    }
}

#[test]
fn ten_to_five_hundred_nodes_have_a_layout_without_errors() {
    for count in [10, 17, 30, 45, 70, 100, 140, 200, 280, 390, 500_usize] {
        // About 1.6 edges for each node, clusters of about ten.
        let edges = (0..count * 8 / 5).map(|at: usize| (at * 7919 % count, at * 104_729 % (count - 1))).collect();
        let parents: Vec<usize> = (0..count / 12).collect();
        let graph = random(count, edges, &parents, &(0..97).collect::<Vec<_>>());
        let layout = laid_out(&graph);
        let errors = errors(&graph, &layout);
        assert!(errors.is_empty(), "{count}: {}", errors.join("\n"));
    }
}
