// The example of docs/reference/wasm.md prints what is shown there.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {engineText, loaded, modulePath, root} from './engine.mjs';

await loaded();
const page = readFileSync(join(root, 'docs', 'reference', 'wasm.md'), 'utf8');
const block = language => page.match(new RegExp('```' + language + '\n([^]*?)```'))[1];
const folder = mkdtempSync(join(tmpdir(), 'linsep-wasm-'));
writeFileSync(join(folder, 'engine.mjs'), await engineText());
writeFileSync(join(folder, 'and.mjs'), block('js').replace('build/wasm/linsep.wasm', modulePath));
const printed = execFileSync(process.execPath, ['and.mjs'], {cwd: folder, encoding: 'utf8'});
rmSync(folder, {recursive: true});
assert.equal(printed, block('text'));
console.log('the example prints what is shown');
