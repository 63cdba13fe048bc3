// Parses flow charts with Mermaid's own parser: node mermaid.mjs PACKAGES FILE...
// Prints what it refuses, and ends with status 1 if that is anything but the broken chart that it tries itself.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [packages, ...files] = process.argv.slice(2);
const require = createRequire(join(packages, 'index.js'));
const { JSDOM } = require('jsdom');
// It sanitizes labels with the document of a browser.
const { window } = new JSDOM('');
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import(pathToFileURL(join(packages, 'node_modules/mermaid/dist/mermaid.core.mjs')));

const refusal = async (text) => {
    try {
        const { diagramType } = await mermaid.parse(text);
        return diagramType.startsWith('flowchart') ? undefined : `a ${diagramType}`;
    } catch (error) {
        return error.message;
    }
};

let status = 0;
for (const file of files) {
    const why = await refusal(readFileSync(file, 'utf8'));
    if (why !== undefined) {
        console.log(`${file}: ${why}`);
        status = 1;
    }
}
if ((await refusal('flowchart LR\n n1["a --> b\n')) === undefined) {
    console.log('the broken chart is not refused');
    status = 1;
}
if (status === 0) console.log(`${files.length} parsed, a broken one refused`);
process.exit(status);
