// What the module refuses is said in words, with its place; the rows of before stay, and the next call works.
import assert from 'node:assert/strict';

import {loaded} from './engine.mjs';

const {Engine, EngineError, bytes} = await loaded();
const engine = await Engine.load(bytes);
const and = '- 0 0\n- 0 1\n- 1 0\n+ 1 1\n';

/** The error of a call; afterwards AND is trained as ever. */
function refused(call) {
  let error = null;
  try {
    call();
  } catch (thrown) {
    error = thrown;
  }
  assert(error instanceof EngineError, `it was not refused: ${call}`);
  assert.equal(engine.train({learner: 'perceptron'}).mistakes, 18);
  return error;
}

assert.throws(() => engine.train({learner: 'perceptron'}), /there are no rows yet/);
assert.throws(() => engine.certify(), /there are no rows yet/);
engine.rows(and, 2);

const number = refused(() => engine.rows('+ 1 2\n- 1 x\n', 2));
assert.equal(number.answer.line, 2);
assert.match(number.message, /expected a number, found 'x'/);
for (const odd of ['nan', 'inf', '1e400', '0x10', '1,5', '--1', '1e', '<b>1</b>', ';', '1:2', 'x'.repeat(100_000)]) {
  assert.equal(refused(() => engine.rows(`+ 1 2\n- ${odd} 1\n`, 2)).answer.line, 2, odd.slice(0, 10));
}
assert.equal(refused(() => engine.rows('+ 1 2\n- 1\n', 2)).answer.line, 2);
assert.match(refused(() => engine.rows('', 2)).message, /there are no rows/);
assert.match(refused(() => engine.rows('a 1 1\nb 1 2\nc 1 3\n', 2)).message, /classes|class/);
assert.match(refused(() => engine.train({learner: 'perceptrn'})).message, /did you mean 'perceptron'/);
assert.match(refused(() => engine.train({learner: 'perceptron', options: {rate: -1}})).message, /--rate takes/);
assert.match(refused(() => engine.train({learner: 'perceptron', options: {speed: 1}})).message, /no option --speed/);
assert.match(refused(() => engine.train({learner: 'perceptron', map: 'cubes'})).message, /cubes/);
assert.match(refused(() => engine.train({learner: 'regression'})).message, /classes/);
assert.match(refused(() => engine.generate('comparisn', 1)).message, /comparison/);
assert.match(refused(() => engine.verify('{"linsep_certificate": 99}')).message, /proof\.json/);
assert.match(refused(() => engine.verify('no JSON')).message, /proof\.json/);
assert.match(refused(() => engine.geometry({pane: 'data', window: null, theta: [1], offset: 0})).message, /2 features/);
assert.match(refused(() => engine.geometry({pane: 'data', window: {x_low: 1, x_high: 0, y_low: 0, y_high: 1}, theta: [1, 1], offset: 0})).message, /window/);
assert.match(refused(() => engine.gram({kind: 'sigmoid'})).message, /sigmoid/);

// A proof about other rows isn't accepted, nor one that was changed.
const {proof} = engine.certify();
engine.rows(and.replace('+ 1 1', '+ 1 2'), 2);
assert.equal(engine.verify(proof).valid, false);
engine.rows(and, 2);
assert.equal(engine.verify(proof).valid, true);
assert.equal(engine.verify(proof.replace('"separable"', '"overlapping"')).valid, false);

// Extreme values are answered or refused, never wrong: what separates is proven as written.
engine.rows('+ 1e300 1\n- -1e300 1\n+ 1e-300 2\n', 2);
assert.equal(engine.certify().verdict, 'separable');
engine.rows(and, 2);
assert.equal(engine.train({learner: 'perceptron'}).mistakes, 18);
console.log('refusals are in words, and the engine goes on');
