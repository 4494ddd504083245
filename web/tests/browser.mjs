// A page in a browser for tests: a server of one folder, chromium, and what the page says that it shouldn't.
import {existsSync, readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {extname, join, normalize} from 'node:path';

const kinds = {'.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.svg': 'image/svg+xml'};
export const chromiumPath = process.env.LINSEP_CHROMIUM ?? '/usr/bin/chromium';

/** Serves the files of a folder; `asked` collects what was asked for. */
export async function serve(folder) {
  const asked = [];
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url, 'http://localhost').pathname);
    asked.push(path);
    const file = join(folder, path === '/' ? 'index.html' : path);
    if (!file.startsWith(folder) || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {'content-type': kinds[extname(file)] ?? 'application/octet-stream'}).end(readFileSync(file));
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  return {address: `http://127.0.0.1:${server.address().port}/`, asked, close: () => new Promise(done => server.close(done))};
}

export async function openBrowser() {
  const {chromium} = await import('playwright-core');
  return chromium.launch({executablePath: chromiumPath, args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync']});
}

/** What the page says on its console, throws, or asks for elsewhere. */
export function complaints(page, address) {
  const said = [];
  page.on('console', message => said.push(`console: ${message.text()}`));
  page.on('pageerror', error => said.push(`thrown: ${error.message}`));
  page.on('request', request => { if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(address)) said.push(`request: ${request.url()}`); });
  page.on('requestfailed', request => said.push(`failed: ${request.url()}`));
  return said;
}

/** Serious findings of axe on the page as it is. */
export async function axe(page, source) {
  await page.evaluate(source);
  const found = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
  return found.violations.filter(one => one.impact === 'serious' || one.impact === 'critical')
    .map(one => `${one.id}: ${one.nodes.slice(0, 3).map(node => node.html.slice(0, 160)).join(' | ')}`);
}
