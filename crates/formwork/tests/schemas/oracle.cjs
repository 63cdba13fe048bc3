// What `@aws-cdk/cloudformation-diff` says about pairs of templates: node oracle.cjs PACKAGES PAIRS.json
// Prints an object for each pair: by logical ID what happens to the resource, and whether the database of the differ
// has its type and all properties that differ.
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');

const load = createRequire(join(process.argv[2], 'index.js'));
const { fullDiff } = load('@aws-cdk/cloudformation-diff');
const { loadAwsServiceSpecSync } = createRequire(load.resolve('@aws-cdk/cloudformation-diff'))('@aws-cdk/aws-service-spec');
const database = loadAwsServiceSpecSync();

const isKnown = (type, old, now) => {
    const found = database.lookup('resource', 'cloudFormationType', 'equals', type);
    if (found.length === 0) return false;
    const names = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
    const changed = [...names].filter((name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]));
    return changed.every((name) => name in found[0].properties);
};

const answer = ({ old, new: now }) => {
    const answers = {};
    let diff;
    try {
        diff = fullDiff(old, now);
    } catch {
        // It reads policies that are not as it expects them.
        return answers;
    }
    const ids = new Set([...Object.keys(old.Resources), ...Object.keys(now.Resources)]);
    for (const id of ids) {
        const [before, after] = [old.Resources[id], now.Resources[id]];
        const type = (after ?? before).Type;
        answers[id] = { impact: 'NO_CHANGE', known: isKnown(type, before?.Properties, after?.Properties) };
    }
    diff.resources.forEachDifference((id, change) => { answers[id].impact = change.changeImpact; });
    return answers;
};

const pairs = JSON.parse(readFileSync(process.argv[3], 'utf8'));
console.log(JSON.stringify(pairs.map(answer)));
