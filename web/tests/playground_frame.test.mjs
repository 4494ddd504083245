// A frame's questions to the engine, the store's history and steps through a run, without a browser. The engine here is a fake with recorded
// answers for AND, which notes what it is asked: the numbers themselves are tested in tests/wasm and in playground_presets.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {load} from './bundle.mjs';

const folder = fileURLToPath(new URL('../playground/', import.meta.url));
const {solve, Memory} = await load(folder + 'solve.ts');
const {jobOf} = await load(folder + 'spec.ts');
const {Store, defaults, mostUndo} = await load(folder + 'state.ts');
const {target} = await load(folder + 'steps.ts');
const {correctionSentence} = await load(folder + 'verdict.ts');
const {formula, number} = await load(folder + 'view.ts');

/** Visit, pass, row, before, after, mistake, θ0, ‖θ‖, θ1, θ2: the first six visits of the perceptron on AND. */
const visits = [
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [1, 1, 1, 0, 1, 1, -1, 1, 0, 0], [2, 1, 2, 1, 1, 0, -1, 1, 0, 0], [3, 1, 3, 1, 1, 0, -1, 1, 0, 0],
  [4, 1, 4, -1, 2, 1, 0, Math.SQRT2, 1, 1], [5, 2, 1, 0, 1, 1, -1, Math.sqrt(3), 1, 1], [6, 2, 2, 0, 2, 1, -2, Math.sqrt(5), 1, 0],
];
const events = {count: 7, stride: 10, features: 2, mistakesOnly: false, visits: 6, values: Float64Array.from(visits.flat())};

class FakeEngine {
  asked = [];
  fails = null;

  constructor() {
    const answers = {
      rows: {rows: 4, features: 2, classes: ['-1', '1']}, train: {model: {theta: [1, 0], offset: -2, formula: '', norm: 1, terms: []}, margins: []},
      events, certify: {verdict: 'separable', proof: '{}', words: [], witness: []},
      bound: {radius: 1.73205, margin: 0.242536, mistakes: 51, mistakes_text: '51'}, curve: new Float64Array(6), gram: new Float64Array(16),
    };
    for (const [name, answer] of Object.entries(answers)) {
      this[name] = (...given) => this.note(name, given, answer);
    }
    this.geometry = request => this.note(`geometry ${request.pane}`, [request], {window: {x_low: 0, x_high: 1, y_low: 0, y_high: 1}, margins: []});
  }

  note(name, given, answer) {
    this.asked.push(name);
    if (this.fails === name) throw new Error(`no ${name} today`);
    this.given = {...this.given, [name]: given};
    return answer;
  }

  /** What was asked since the last time. */
  news() {
    return this.asked.splice(0).join(', ');
  }
}

const frame = {dataAspect: 1, weightsAspect: 1, held: null};
const job = change => jobOf({...defaults(), ...change}, frame);

test('a new set of rows is trained, proven, bounded, measured and drawn, in this order', () => {
  const engine = new FakeEngine();
  solve(engine, job({}), new Memory());
  assert.equal(engine.news(), 'rows, train, events, certify, bound, curve, geometry data, geometry data, geometry weights');
});

test('another visit asks for its two pictures and nothing else', () => {
  const engine = new FakeEngine(), memory = new Memory();
  solve(engine, job({}), memory);
  engine.news();
  const out = solve(engine, job({k: 4}), memory);
  assert.equal(engine.news(), 'geometry data, geometry weights');
  assert.deepEqual(engine.given['geometry data'][0].theta, [1, 1]);
  assert.equal('train' in out, false);
});

test('another rate trains again, and proves nothing again', () => {
  const engine = new FakeEngine(), memory = new Memory();
  solve(engine, job({}), memory);
  engine.news();
  solve(engine, job({rate: '0.5'}), memory);
  assert.equal(engine.news(), 'train, events, geometry data, geometry weights');
});

test('a part that fails says why and leaves the others; the next frame asks everything anew', () => {
  const engine = new FakeEngine(), memory = new Memory();
  engine.fails = 'certify';
  const out = solve(engine, job({}), memory);
  assert.deepEqual(out.errors, ['no certify today']);
  assert.ok(out.train && out.geometry.data);
  engine.news();
  engine.fails = null;
  assert.deepEqual(solve(engine, job({}), memory).errors, []);
  assert.match(engine.news(), /^rows, train, events, certify/);
});

test('without rows nothing is asked', () => {
  const engine = new FakeEngine();
  assert.equal(solve(engine, job({rows: []}), new Memory()).train, null);
  assert.equal(engine.news(), '');
});

test('options are named as on the command line, defaults left out', () => {
  assert.deepEqual(job({}).spec, {learner: 'perceptron', options: {}});
  assert.deepEqual(job({order: 'shuffled', seed: 3, rate: '0.5', init: ['-1', '-1'], initOffset: '2', map: 'products'}).spec,
                   {learner: 'perceptron', options: {order: 'shuffled', seed: 3, rate: 0.5, init: [-1, -1], 'init-offset': 2}, map: 'products'});
  assert.deepEqual(job({learner: 'dual', kernel: 'gaussian:0.5'}).spec, {learner: 'dual', options: {kernel: 'gaussian', gamma: 0.5}});
  assert.deepEqual(job({learner: 'margin', hard: true, origin: true}).spec, {learner: 'margin', options: {hard: true, origin: true}});
});

test('undo goes back over fifty changes, a drag is one, and a look at another visit is none', () => {
  const store = new Store();
  for (let i = 1; i <= mostUndo + 10; i++) store.set({seed: i + 1});
  store.set({k: 3}, 'view');
  for (let i = 0; i < mostUndo + 10; i++) store.undo();
  assert.equal(store.state.seed, 11);
  assert.equal(store.canUndo, false);
  store.hold();
  for (let i = 0; i < 5; i++) store.set({rows: [{y: 1, x: [String(i), '0']}]}, 'data');
  store.release();
  assert.equal(store.state.preset, null);
  store.undo();
  assert.equal(store.state.rows.length, 4);
  assert.equal(store.state.preset, 'and');
  store.redo();
  assert.equal(store.state.rows.length, 1);
});

test('steps lead to rows, mistakes and the ends of passes', () => {
  const store = new Store();
  store.answer({events});
  const from = (k, step) => {
    store.set({k}, 'view');
    return target(store, step);
  };
  assert.deepEqual([from(0, 'row'), from(6, 'row'), from(0, 'row-back'), from(1, 'mistake'), from(4, 'mistake-back'), from(6, 'mistake')], [1, 6, 0, 4, 1, 6]);
  assert.deepEqual([from(0, 'pass'), from(2, 'pass'), from(4, 'pass'), from(6, 'pass-back'), from(null, 'start'), from(0, 'end')], [4, 4, 6, 4, 0, 6]);
});

test('a visit is told in one sentence', () => {
  const store = new Store();
  store.answer({events});
  const at = k => correctionSentence({...store.state, k}, store.results);
  assert.equal(at(4), 'row 4: y·z = −1 ≤ 0, so θ += (1, 1) and θ0 += 1. Now y·z = 2.');
  assert.equal(at(5), 'row 1: y·z = 0 ≤ 0, so θ −= (0, 0) and θ0 −= 1. Now y·z = 1.');
  assert.equal(at(2), 'row 2: y·z = 1 > 0, right: nothing changes.');
});

test('at the end of a run of which only mistakes are kept, the sentence tells the last mistake as such', () => {
  const store = new Store();
  const kept = {...events, mistakesOnly: true, visits: 14250, values: Float64Array.from(visits.filter((visit, i) => i === 0 || visit[5] > 0).flat())};
  kept.count = kept.values.length / kept.stride;
  store.answer({events: kept, train: {stopped_because: 'converged', passes: 95, model: {theta: [1, 0], offset: -2, terms: []}}});
  assert.equal(correctionSentence(store.state, store.results),
               'The last mistake, at visit 6: row 2: y·z = 0 ≤ 0, so θ −= (0, 1) and θ0 −= 1. Now y·z = 2. No later visit found one. Pass 95 made no mistake: done.');
});

test('formulas and numbers are written as the command line writes them', () => {
  assert.equal(formula([3, 2], -4, ['x1', 'x2']), 'z = 3·x1 + 2·x2 − 4');
  assert.equal(formula([-2], 1, ['x1']), 'z = −2·x1 + 1');
  assert.equal(formula([0, 0], 0, ['x1', 'x2']), 'z = 0');
  assert.deepEqual([number(1 / 3), number(-0), number(-123456), number(1234567), number(-1.5e-9), number(NaN)],
                   ['0.333333', '0', '−123456', '1.23457e+06', '−1.5e−09', 'not a number']);
});
