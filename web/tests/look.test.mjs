// What the report and the playground look like: screenshots against the small pictures of web/tests/look (how: look.mjs).
//
//   LINSEP=…/linsep LINSEP_WASM=…/linsep.wasm node tests/look.test.mjs            LINSEP_UPDATE=1 keeps new pictures: look at the whole ones
//
// LINSEP_SHOTS=FOLDER keeps the whole screenshots there. Where chromium, DejaVu Sans or the program is missing it ends with 77: skipped.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {serve} from './browser.mjs';
import {compared, kMostOfTile, looksSame, reduced} from './look.mjs';
import {settle} from './playground_page.mjs';
import {kSizes, launch, missing, open} from './report_browser.mjs';
import {makeReports, reports} from './report_made.mjs';

const [program, wasm] = [process.env.LINSEP ?? '', process.env.LINSEP_WASM ?? ''];
const why = missing() || (existsSync(program) ? '' : 'LINSEP does not name the program') ||
  (existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf') ? '' : 'DejaVu Sans is missing');
if (why !== '') {
  process.stdout.write(`skipped: ${why}\n`);
  process.exit(77);
}
const tests = dirname(fileURLToPath(import.meta.url));
const kept = join(tests, 'look');
const shots = process.env.LINSEP_SHOTS ?? join(tmpdir(), 'linsep-look');

let browser, made, server, site;
before(async () => {
  mkdirSync(shots, {recursive: true});
  made = reports(program);
  makeReports(made, ['and', 'xor', 'cells', 'long']);
  site = mkdtempSync(join(tmpdir(), 'linsep-look-site-'));
  if (existsSync(wasm)) execFileSync(process.execPath, [join(tests, '../build.mjs'), 'playground', site, '--wasm', wasm]);
  server = await serve(site);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
  made?.remove();
  if (site) rmSync(site, {recursive: true});
});

/** A page's name, its window and its colours; of a report the whole page, of the playground the window. */
const kLooks = [
  ['report-and', 'desk', 'light'], ['report-xor', 'phone', 'dark'], ['report-cells', 'desk', 'dark'], ['report-long', 'phone', 'light'],
  ['play-start', 'desk', 'light'], ['play-start', 'phone', 'light'], ['play-xor', 'desk', 'dark'], ['play-xor', 'phone', 'dark'],
  ['play-comparison', 'desk', 'light'], ['play-regression', 'desk', 'light'], ['play-mistakes', 'phone', 'light'],
];
const kAddresses = {'play-start': '', 'play-xor': '#v=1&d=xor', 'play-comparison': '#v=1&d=comparison', 'play-regression': '#v=1&d=a-line', 'play-mistakes': '#v=1&d=and'};

/** Opens the page, lets `act` change it, gives a screenshot. */
async function shot([name, size, colorScheme], act = async () => undefined) {
  const play = name.startsWith('play-');
  const url = play ? server.address + kAddresses[name] : made.url(`${name.slice('report-'.length)}.html`);
  const {page, close} = await open(browser, url, {viewport: kSizes[size], colorScheme});
  try {
    if (play) {
      await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
      if (name === 'play-mistakes') await page.locator('#tab-bound').click();
      await settle(page);
    } else {
      await page.waitForSelector('html.drawn', {state: 'attached'});
    }
    await act(page);
    return await page.screenshot({fullPage: !play});
  } finally {
    await close();
  }
}

const fileOf = look => join(kept, `${look.join('-')}.png`);
const withModule = look => look[0].startsWith('report-') || existsSync(wasm);

for (const look of kLooks) {
  test(`${look.join(', ')} looks as it did`, {skip: withModule(look) ? false : 'no linsep.wasm'}, async () => {
    const taken = await shot(look), whole = join(shots, `${look.join('-')}.png`);
    writeFileSync(whole, taken);
    if (process.env.LINSEP_UPDATE) {
      mkdirSync(kept, {recursive: true});
      writeFileSync(fileOf(look), reduced(taken));
      return;
    }
    const found = compared(taken, readFileSync(fileOf(look)));
    if (process.env.LINSEP_SHOTS) process.stdout.write(`# ${look.join('-')}: ${found.worst.toFixed(4)}\n`);
    assert.ok(looksSame(found), `${found.size || `${(100 * found.worst).toFixed(1)} % of a tile differ (at most ${100 * kMostOfTile} %), at ${found.at.join(', ')} px`}: see ${whole}`);
  });
}

// The comparison itself: it lets pass what another version of the browser may do, and finds what a reader would.
const start = ['play-start', 'desk', 'light'], cells = ['report-cells', 'desk', 'dark'];
const style = text => page => page.evaluate(rule => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rule);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}, text);

for (const [what, look, rule] of [
  ['text that is half a pixel further', start, 'body { transform: translate(0.5px, 0.4px); }'], ['text with other edges', start, '* { -webkit-font-smoothing: none; text-rendering: geometricPrecision; }'],
  ['a page moved by a pixel', cells, 'main { position: relative; top: 1px; left: 1px; }'], ['letters a little wider', cells, 'body { letter-spacing: 0.002em; }'],
]) {
  test(`${what} passes: ${look[0]}`, {skip: withModule(look) ? false : 'no linsep.wasm'}, async () => {
    const found = compared(await shot(look, style(rule)), readFileSync(fileOf(look)));
    if (process.env.LINSEP_SHOTS) process.stdout.write(`# ${what}: ${found.worst.toFixed(4)} ${found.size}\n`);
    assert.ok(looksSame(found), JSON.stringify(found));
  });
}

for (const [what, look, rule] of [
  ['the data space is missing', start, '#place-data { visibility: hidden; }'], ['the weight space is missing', start, '#place-weights { visibility: hidden; }'],
  ['the bound is missing', start, '#place-bound { visibility: hidden; }'], ['the verdict is missing', start, '#pane-verdict .scroll { visibility: hidden; }'],
  ['the page has no style', start, 'body * { all: revert; }'],
  ['a chart is missing', cells, '#distances .chart { visibility: hidden; }'], ['a box is wider than its place', cells, '#threshold .plots { width: 130%; }'],
  ['numbers overflow their cells', cells, '#threshold .matrix text { font-size: 34px !important; }'], ['colours of classes are swapped', cells, ':root { --pos: #f0a05a !important; --neg: #6db3f2 !important; }'],
]) {
  test(`${what}: that is found in ${look[0]}`, {skip: withModule(look) ? false : 'no linsep.wasm'}, async () => {
    const found = compared(await shot(look, style(rule)), readFileSync(fileOf(look)));
    if (process.env.LINSEP_SHOTS) process.stdout.write(`# ${what}: ${found.worst.toFixed(4)} ${found.size}\n`);
    assert.ok(!looksSame(found), JSON.stringify(found));
  });
}
