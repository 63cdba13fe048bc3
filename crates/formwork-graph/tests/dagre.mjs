// Counts the crossings of our drawings and of dagre's for the graphs that the ignored test of crossings.rs writes.
// Usage: npm install @dagrejs/dagre; node dagre.mjs graphs.jsonl
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const dagre = createRequire(process.cwd() + '/')('@dagrejs/dagre');

const turn = (p, q, r) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
const meet = ([a, b], [c, d]) => turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;

// Points where the insides of pieces of two edges meet.
function crossings(edges) {
  const pieces = edges.flatMap((points, edge) => points.slice(1).map((b, at) => {
    const a = points[at];
    return { ends: [a, b], edge, top: Math.min(a[1], b[1]), bottom: Math.max(a[1], b[1]) };
  }));
  pieces.sort((a, b) => a.top - b.top);
  let count = 0;
  pieces.forEach((one, at) => {
    for (let next = at + 1; next < pieces.length && pieces[next].top <= one.bottom; next++) {
      if (pieces[next].edge !== one.edge && meet(one.ends, pieces[next].ends)) count++;
    }
  });
  return count;
}

function drawnByDagre({ nodes, edges, clusters }) {
  const graph = new dagre.graphlib.Graph({ compound: clusters > 0 });
  graph.setGraph({});
  graph.setDefaultEdgeLabel(() => ({}));
  nodes.forEach(({ width, height }, at) => graph.setNode(`n${at}`, { width, height }));
  for (let at = 0; at < clusters; at++) graph.setNode(`c${at}`, {});
  nodes.forEach(({ cluster }, at) => cluster !== null && graph.setParent(`n${at}`, `c${cluster}`));
  edges.forEach(([from, to]) => graph.setEdge(`n${from}`, `n${to}`));
  dagre.layout(graph);
  return edges.map(([from, to]) => graph.edge(`n${from}`, `n${to}`).points.map(({ x, y }) => [x, y]));
}

const rows = new Map();
for (const line of readFileSync(process.argv[2], 'utf8').trim().split('\n')) {
  const graph = JSON.parse(line);
  const [ours, theirs] = [crossings(graph.ours), crossings(drawnByDagre(graph))];
  console.log(`${graph.shape} ${graph.count}: ${ours}, dagre ${theirs}, ratio ${(ours / theirs).toFixed(2)}`);
  rows.set(graph.shape, [...(rows.get(graph.shape) ?? []), theirs]);
}
for (const row of rows.values()) console.log(`    [${row.join(', ')}],`);
