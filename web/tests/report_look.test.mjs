// What the report looks like: screenshots against those in web/tests/screenshots. LINSEP_UPDATE=1 writes them anew; look at them.
import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {kSizes, launch, missing, open} from './report_browser.mjs';
import {makeReports, reports} from './report_made.mjs';

const program = process.env.LINSEP;
const why = missing() || (program && existsSync(program) ? '' : 'LINSEP does not name the program') ||
  (existsSync('/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf') ? '' : 'DejaVu Sans is missing');
if (why !== '') {
  process.stdout.write(`skipped: ${why}\n`);
  process.exit(77);
}
const kept = join(dirname(fileURLToPath(import.meta.url)), 'screenshots');
const kMost = 0.001; // of the pixels may differ

let browser;
let made;
before(async () => {
  made = reports(program);
  makeReports(made);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  made?.remove();
});

/** Report, section, window, scheme. */
const kLooks = [
  ['and', 'space', 'desk', 'light'], ['xor', 'space', 'phone', 'dark'], ['comparison', 'comparison', 'desk', 'dark'],
  ['cells', 'threshold', 'desk', 'light'], ['cells', 'space', 'phone', 'light'],
];
for (const [name, section, size, colorScheme] of kLooks) {
  test(`${section} of ${name} looks as it did: ${size}, ${colorScheme}`, async () => {
    const {PNG} = await import('pngjs');
    const {default: pixelmatch} = await import('pixelmatch');
    const {page, close} = await open(browser, made.url(`${name}.html`), {viewport: kSizes[size], colorScheme});
    await page.waitForSelector('html.drawn', {state: 'attached'});
    const taken = await page.locator(`#${section} figure`).screenshot();
    await close();
    const file = join(kept, `${name}-${section}-${size}-${colorScheme}.png`);
    if (process.env.LINSEP_UPDATE) {
      mkdirSync(kept, {recursive: true});
      writeFileSync(file, taken);
      return;
    }
    const [now, then] = [PNG.sync.read(taken), PNG.sync.read(readFileSync(file))];
    assert.deepEqual([now.width, now.height], [then.width, then.height], `${file}: another size`);
    const differ = pixelmatch(now.data, then.data, null, now.width, now.height, {threshold: 0.1});
    if (differ > kMost * now.width * now.height) {
      const other = join(made.folder, '..', `linsep-${name}-${section}-${size}-${colorScheme}.png`);
      writeFileSync(other, taken);
      assert.fail(`${differ} pixels differ from ${file}; see ${other}`);
    }
  });
}
