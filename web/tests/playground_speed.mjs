// How fast the built playground is; run by hand, prints what it measured.
//
//   node web/tests/playground_speed.mjs FOLDER      FOLDER as made by `node web/build.mjs playground FOLDER --wasm FILE`
//
// A traced drag of 200 moves at 500 rows: from one animation frame to the next by the clock, and what the page's thread worked in it by its own clock,
// which other programs on the machine don't stretch; from the start of loading to the first answer on the screen; sizes of the files.
import {createServer} from 'node:http';
import {existsSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync} from 'node:zlib';
import {chromium} from 'playwright-core';

const folder = process.argv[2];
const files = ['index.html', 'play.js', 'play.css', 'linsep.wasm'];
if (!folder || !files.every(name => existsSync(join(folder, name)))) {
  process.stderr.write('Usage: node web/tests/playground_speed.mjs FOLDER (index.html, play.js, play.css and linsep.wasm in it)\n');
  process.exit(2);
}

const types = {html: 'text/html', js: 'text/javascript', css: 'text/css', wasm: 'application/wasm'};
const server = createServer((request, response) => {
  const name = new URL(request.url, 'http://page').pathname.slice(1) || 'index.html';
  if (!files.includes(name)) return response.writeHead(404).end();
  return response.writeHead(200, {'content-type': types[name.split('.').pop()]}).end(readFileSync(join(folder, name)));
});
await new Promise(done => server.listen(0, '127.0.0.1', done));
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']});

/** 500 rows of two classes, drawn by a fixed generator. */
function rows() {
  let seed = 12345;
  const next = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  return Array.from({length: 500}, (_, i) => {
    const y = i % 2 ? 1 : -1;
    return `${y > 0 ? '+' : '-'}${(y * 2 + (next() - 0.5) * 3).toFixed(2)},${((next() - 0.5) * 4).toFixed(2)}`;
  }).join(';');
}

async function load(hash) {
  const page = await (await browser.newContext({viewport: {width: 1280, height: 800}})).newPage();
  page.setDefaultTimeout(120000);
  await page.goto(address + hash, {timeout: 120000});
  await page.waitForSelector('html[data-ready=yes]', {state: 'attached', timeout: 120000});
  const ready = await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))));
  return {page, ready};
}

const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))];

/** Milliseconds of its own clock that the page's thread worked between two animation frames. */
function workByFrame(events) {
  const threads = new Map();
  for (const event of events) if (event.name === 'FireAnimationFrame') threads.set(event.tid, (threads.get(event.tid) ?? 0) + 1);
  const thread = [...threads].sort((a, b) => b[1] - a[1])[0]?.[0];
  const of = name => events.filter(event => event.tid === thread && event.name === name).sort((a, b) => a.ts - b.ts);
  const starts = of('FireAnimationFrame').map(event => event.ts), sums = starts.map(() => 0);
  let frame = 0;
  for (const task of of('RunTask')) {
    while (frame + 1 < starts.length && starts[frame + 1] <= task.ts + (task.dur ?? 0)) frame++;
    sums[frame] += (task.tdur ?? 0) / 1000;
  }
  return sums.slice(1, -1);
}

const loads = [];
for (let i = 0; i < 5; i++) {
  const {page, ready} = await load('#v=1&d=and');
  loads.push(ready);
  await page.context().close();
}
console.log(`load to interactive: ${loads.map(ms => ms.toFixed(0)).join(', ')} ms (asked: at most 1000)`);

const {page} = await load(`#v=1&d=${rows()}`);
await page.waitForTimeout(500);
const count = await page.locator('.plane-data .point').count();
const box = await page.locator('.plane-data .point[data-row="250"] .hit').boundingBox();
await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
await page.mouse.down();
const session = await page.context().newCDPSession(page), traced = [];
session.on('Tracing.dataCollected', ({value}) => traced.push(...value));
await session.send('Tracing.start', {categories: 'devtools.timeline,disabled-by-default-devtools.timeline', transferMode: 'ReportEvents'});
await page.evaluate(() => {
  const frames = globalThis.measured = {gaps: [], long: []};
  let last = performance.now();
  const tick = now => {
    frames.gaps.push(now - last);
    last = now;
    frames.timer = requestAnimationFrame(tick);
  };
  frames.timer = requestAnimationFrame(tick);
  new PerformanceObserver(list => frames.long.push(...list.getEntries().map(entry => entry.duration))).observe({type: 'longtask'});
});
// Two hundred moves on a circle, one a frame, as a mouse gives them.
for (let i = 1; i <= 200; i++) {
  const angle = i / 200 * 2 * Math.PI;
  await page.mouse.move(box.x + box.width / 2 + 60 * Math.sin(angle), box.y + box.height / 2 + 40 * (1 - Math.cos(angle)));
}
const measured = await page.evaluate(() => {
  cancelAnimationFrame(globalThis.measured.timer);
  return globalThis.measured;
});
await page.mouse.up();
const ended = new Promise(done => session.once('Tracing.tracingComplete', done));
await session.send('Tracing.end');
await ended;
const work = workByFrame(traced);
const gaps = measured.gaps.slice(1), within = gaps.filter(ms => ms <= 16.7 + 0.5).length / gaps.length;
console.log(`drag of 200 moves at ${count} rows: ${gaps.length} frames, median ${quantile(gaps, 0.5).toFixed(1)} ms, 95 % within ${quantile(gaps, 0.95).toFixed(1)} ms, ` +
            `most ${Math.max(...gaps).toFixed(1)} ms; ${(within * 100).toFixed(1)} % of frames within 16.7 ms (asked: 95 %); ${measured.long.length} tasks over 50 ms`);
console.log(`the page's thread worked ${quantile(work, 0.5).toFixed(1)} ms a frame (median), 95 % within ${quantile(work, 0.95).toFixed(1)} ms, by its own clock`);

let all = 0;
for (const name of files) {
  const bytes = statSync(join(folder, name)).size;
  all += bytes;
  console.log(`${name}: ${bytes} bytes, ${gzipSync(readFileSync(join(folder, name))).length} compressed`);
}
console.log(`all files: ${all} bytes (asked: at most 2,000,000)`);
await browser.close();
server.close();
