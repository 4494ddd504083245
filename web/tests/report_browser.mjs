// A browser for the tests, and what they all look for.
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';

export const kChromium = process.env.LINSEP_CHROMIUM ?? '/usr/bin/chromium';
export const kSizes = {desk: {width: 1280, height: 800}, phone: {width: 390, height: 844}};

/** Why tests in a browser can't run here, or "". */
export function missing() {
  const require = createRequire(import.meta.url);
  try {
    require.resolve('playwright-core');
  } catch {
    return 'web/node_modules is missing: run npm ci in web/';
  }
  return existsSync(kChromium) ? '' : `${kChromium} is missing`;
}

export async function launch() {
  const {chromium} = await import('playwright-core');
  return chromium.launch({executablePath: kChromium, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--font-render-hinting=none', '--disable-lcd-text']});
}

/** One font for all machines, set before the page draws; a report's charts take theirs from --font. */
const kFont = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root { --font: "DejaVu Sans" !important; } html, body, button, input, select, textarea { font-family: "DejaVu Sans" !important; } ' +
    'code, pre, textarea { font-family: "DejaVu Sans Mono" !important; } html { scroll-behavior: auto !important; } * { caret-color: transparent !important; }');
  document.adoptedStyleSheets = [sheet];
}`;

/** A page of `url` that keeps what must not be: console lines, errors, requests but for `own`. */
export async function open(browser, url, options = {}) {
  const context = await browser.newContext({viewport: kSizes.desk, colorScheme: 'light', reducedMotion: 'reduce', ...options});
  await context.addInitScript(kFont);
  const page = await context.newPage();
  const faults = [];
  page.on('console', (line) => faults.push(`console ${line.type()}: ${line.text()}`));
  page.on('pageerror', (error) => faults.push(`error: ${error.stack}`));
  page.on('request', (request) => {
    if (request.url().split('#')[0] !== url && !request.url().startsWith('blob:')) {
      faults.push(`request: ${request.url()}`);
    }
  });
  page.setDefaultTimeout(120_000);
  await page.goto(url);
  return {page, faults, close: () => context.close()};
}

const kAxe = createRequire(import.meta.url);
/** Serious and critical findings of axe in the page as it is now. A script tag would be refused by the policy. */
export async function axe(page) {
  await page.evaluate(readFileSync(kAxe.resolve('axe-core/axe.min.js'), 'utf8'));
  const found = await page.evaluate(() => globalThis.axe.run(document, {resultTypes: ['violations']}));
  return found.violations.filter((one) => one.impact === 'serious' || one.impact === 'critical')
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).slice(0, 5).join(', ')}`);
}
