// The builds of web/build.mjs as docs/start/playground.md and CMake run them: every file that a page asks for is there.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {gunzipSync} from 'node:zlib';

try {
  createRequire(import.meta.url).resolve('esbuild');
} catch {
  process.stdout.write('skipped: web/node_modules is missing: run npm ci in web/\n');
  process.exit(77);
}
const web = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Runs the build in a folder of its own; gives that folder's path and what was written there. */
function built(t, ...given) {
  const folder = mkdtempSync(join(tmpdir(), 'linsep-build-'));
  t.after(() => rmSync(folder, {recursive: true}));
  writeFileSync(join(folder, 'linsep.wasm'), 'any bytes');
  execFileSync(process.execPath, [join(web, 'build.mjs'), ...given.map(one => one.replace('HERE', folder))], {cwd: folder, stdio: 'pipe'});
  return folder;
}

for (const given of ['build/playground', './play', 'HERE/whole']) {
  test(`the playground built to ${given} has its script, style and module`, t => {
    const before = readdirSync(web);
    const folder = built(t, 'playground', given, '--wasm', 'linsep.wasm');
    const place = join(folder, given.replace('HERE', '.'));
    const page = readFileSync(join(place, 'index.html'), 'utf8');
    const asked = [...page.matchAll(/(?:src|href)="([^"#:]+)"/g)].map(found => found[1]);
    assert.deepEqual(asked.sort(), ['play.css', 'play.js']);
    for (const file of [...asked, 'linsep.wasm']) assert.ok(existsSync(join(place, file)) && statSync(join(place, file)).size > 0, file);
    assert.deepEqual(readdirSync(web), before, 'nothing is left beside the sources');
  });
}

test('the playground in one file asks for no other', t => {
  const folder = built(t, 'play', 'out/play.html', '--wasm', 'linsep.wasm');
  assert.deepEqual(readdirSync(join(folder, 'out')), ['play.html']);
  const page = readFileSync(join(folder, 'out/play.html'), 'utf8');
  const head = page.slice(0, page.indexOf('<style>'));
  assert.ok(!/(?:src|href)="(?!#|data:)/.test(page.replace(/<script.*?<\/script>|<style>.*?<\/style>/gs, '')));
  assert.match(head, /default-src 'none'; script-src 'sha256-[^' ]+' 'wasm-unsafe-eval'; worker-src blob:; style-src 'sha256-/);
  const module = /id="linsep-module">([^<]*)</.exec(page)[1];
  assert.equal(gunzipSync(Buffer.from(module, 'base64')).toString(), 'any bytes');
});

test('the report built to a relative path has its script and style', t => {
  const folder = built(t, 'report', 'out/page');
  assert.deepEqual(readdirSync(join(folder, 'out/page')).sort(), ['bundle.cc', 'licences.txt', 'report.css', 'report.js']);
});

test('a module that is missing is an error', t => {
  assert.throws(() => built(t, 'playground', 'out', '--wasm', 'elsewhere.wasm'), error => error.status === 1 && /elsewhere\.wasm: no such file/.test(String(error.stderr)));
});
