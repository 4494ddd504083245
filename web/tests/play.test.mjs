// The playground in one file, opened from a disk as by a double click, in Chromium and Firefox.
//
//   LINSEP_WASM=…/linsep.wasm node tests/play.test.mjs          LINSEP_CHROMIUM, LINSEP_FIREFOX: other browsers than the system's
//
// Where packages, chromium or the module is missing it ends with 77: skipped.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdtempSync, rmSync, statSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath, pathToFileURL} from 'node:url';

const web = fileURLToPath(new URL('../', import.meta.url));
const wasm = process.env.LINSEP_WASM ?? '';
const chromium = process.env.LINSEP_CHROMIUM ?? '/usr/bin/chromium';
const missing = [[join(web, 'node_modules/playwright-core'), 'web/node_modules'], [chromium, 'chromium'], [wasm, 'the module (LINSEP_WASM)']]
  .filter(([path]) => path === '' || !existsSync(path)).map(([, name]) => name);
if (missing.length > 0) {
  process.stdout.write(`Skipped: no ${missing.join(', no ')}\n`);
  process.exit(process.env.NODE_TEST_CONTEXT ? 0 : 77);
}

const {openBrowser} = await import('./browser.mjs');
const {firefoxPath, openFirefox} = await import('./firefox.mjs');
const {goTo, open, read, settle} = await import('./playground_page.mjs');

// Names of folders that people have.
const folder = mkdtempSync(join(tmpdir(), 'linsep play #1 é-'));
after(() => rmSync(folder, {recursive: true}));
const file = join(folder, 'play.html');
execFileSync(process.execPath, [join(web, 'build.mjs'), 'play', file, '--wasm', wasm], {stdio: 'pipe'});
const address = pathToFileURL(file).href;

test('the page is small enough to be sent', () => {
  const size = statSync(file).size;
  process.stdout.write(`play.html has ${size} bytes\n`);
  assert.ok(size < 2e6, String(size));
});

test('Chromium opens it from a disk, runs the engine and keeps the state in the address', async () => {
  const browser = await openBrowser();
  try {
    const {page, said} = await open(browser, address, {hash: '#v=1&d=and'});
    assert.match(await page.evaluate(() => document.documentElement.dataset.engine), /^\d+\.\d+/);
    const start = await read(page);
    assert.deepEqual([start.verdict, start.mistakes], ['separable', 18]);
    await goTo(page, '#v=1&d=xor');
    assert.equal((await read(page)).verdict, 'overlapping');
    // A change puts the state into the address, and the page stays the same.
    await page.selectOption('#preset', 'and');
    await settle(page);
    await page.waitForFunction(() => location.hash.includes('d=and'));
    assert.equal(await page.evaluate(() => location.href.split('#')[0]), address);
    assert.deepEqual(said, []);
  } finally {
    await browser.close();
  }
});

test('Firefox does too', {skip: !existsSync(firefoxPath) && `no ${firefoxPath}`}, async () => {
  const firefox = await openFirefox();
  const verdict = 'return document.querySelector("#pane-verdict .badge").textContent.toLowerCase()';
  try {
    await firefox.goto(`${address}#v=1&d=and`);
    await firefox.waitFor('return document.documentElement.dataset.ready !== undefined');
    assert.equal(await firefox.evaluate('return document.documentElement.dataset.ready'), 'yes');
    assert.match(await firefox.evaluate(verdict), /separable/);
    await firefox.evaluate('location.hash = "#v=1&d=xor"');
    await firefox.waitFor(`${verdict}.includes("overlapping")`);
    await firefox.evaluate('const preset = document.getElementById("preset"); preset.value = "and"; preset.dispatchEvent(new Event("change", {bubbles: true}))');
    await firefox.waitFor('return location.hash.includes("d=and")');
    assert.equal(await firefox.evaluate('return location.href.split("#")[0]'), address);
  } finally {
    await firefox.close();
  }
});
