// How long the module takes. No test: figures for docs/reference/wasm.md.   node tests/wasm/times.mjs
import {gzipSync} from 'node:zlib';

import {loaded} from './engine.mjs';

const {Engine, bytes} = await loaded();

/** The median of seven runs, in milliseconds. */
function milliseconds(work) {
  const times = Array.from({length: 7}, () => {
    const began = performance.now();
    work();
    return performance.now() - began;
  });
  return times.sort((a, b) => a - b)[3].toFixed(1);
}

const began = performance.now();
const engine = await Engine.load(bytes);
const first = performance.now();
console.log(`size ${(bytes.length / 1e6).toFixed(2)} MB, ${(gzipSync(bytes, {level: 9}).length / 1e3).toFixed(0)} kB compressed`);
console.log(`load ${(first - began).toFixed(1)} ms`);

const rows = noise => Array.from({length: 500}, (_, i) => {
  const x = Math.sin(12.9898 * i) * 3, y = Math.cos(78.233 * i) * 3;
  return `${x + 0.5 * y + noise * Math.sin(i * i) > 0.3 ? '+' : '-'} ${x.toFixed(3)} ${y.toFixed(3)}`;
}).join('\n');
for (const [name, noise] of [['separable', 0], ['overlapping', 2]]) {
  const text = rows(noise);
  console.log(`500 rows, ${name}: rows ${milliseconds(() => engine.rows(text, 2))} ms, certify ${milliseconds(() => engine.certify())} ms`,
    `perceptron of 100 passes with visits ${milliseconds(() => { engine.train({learner: 'perceptron', options: {passes: 100}}); engine.events(); })} ms`);
  const {theta, offset} = engine.train({learner: 'margin'}).model;
  console.log(`  margin ${milliseconds(() => engine.train({learner: 'margin'}))} ms, geometry ${milliseconds(() => engine.geometry({pane: 'data', window: null, theta, offset, hulls: true}))} ms`,
    `weights ${milliseconds(() => engine.geometry({pane: 'weights', window: null, theta, offset, slice: 'at'}))} ms`);
}
