// The numbers that presets promise are the ones that the program gives. (The page is held to the same table by playground.test.mjs.)
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {load} from './bundle.mjs';
import {numbers, stateOf} from './preset_numbers.mjs';
import {certify, judged, program, run, train} from './program.mjs';

const skip = program === '' ? 'LINSEP has no program' : false;
const {presetState} = await load(fileURLToPath(new URL('../playground/presets.ts', import.meta.url)));
const six = value => String(Number(value.toPrecision(6)));

/** θ as the page writes it. */
function formula(answer, state) {
  const names = ['x1', 'x2', 'x1·x2'];
  const order = state.map === 'products' ? [0, 1, 2] : answer.theta.map((_, index) => index);
  const parts = order.map(index => [answer.theta[index], names[index]]).filter(([weight]) => Math.abs(weight) >= 1e-6);
  if (Math.abs(answer.offset) >= 1e-6 || parts.length === 0) parts.push([answer.offset, '']);
  const text = ([weight, name]) => six(Math.abs(weight)) + (name ? `·${name}` : '');
  return 'z = ' + parts.map((part, index) => (index === 0 ? (part[0] < 0 ? '-' : '') : part[0] < 0 ? ' - ' : ' + ') + text(part)).join('');
}

for (const one of numbers) {
  const {preset, change = {}, order, far, ...promised} = one;
  test(`${preset} ${JSON.stringify({...change, order, far})}`, {skip}, () => {
    const state = stateOf(one, presetState);
    const answer = train(state);
    if (promised.mistakes !== undefined) assert.equal(answer.mistakes, promised.mistakes);
    if (promised.passes !== undefined) assert.equal(answer.passes, promised.passes);
    if (promised.formula !== undefined) assert.equal(formula(answer, state), promised.formula);
    if (promised.alpha !== undefined) assert.deepEqual(answer.mistakes_by_row, promised.alpha);
    if (promised.objective !== undefined) assert.equal(six(answer.objective), promised.objective);
    if (promised.theta !== undefined) assert.deepEqual([answer.theta[0].toFixed(3), answer.offset.toFixed(3)], [promised.theta, promised.offset]);
    if (promised.runsAway) assert.ok(Math.abs(answer.theta[0]) > 1e20);
    if (promised.wrongs !== undefined) assert.equal(answer.training_mistakes, promised.wrongs);
    if (promised.wrong !== undefined) assert.equal(answer.training_mistakes, promised.wrong.length);
    if (promised.distances !== undefined) assert.deepEqual(judged(state).distances.map(value => String(Number(value.toPrecision(4)))), promised.distances);
    if (promised.wrong?.length) assert.deepEqual(judged(state).margins.flatMap((margin, index) => margin > 0 ? [] : [index + 1]), promised.wrong);
    if (promised.verdict !== undefined) assert.equal(certify(state).verdict, promised.verdict);
    if (promised.margin !== undefined) assert.equal(six(certify(state).margin), promised.margin);
    if (promised.common !== undefined) assert.deepEqual(certify(state).common_point, promised.common);
    if (promised.witness !== undefined) assert.deepEqual(certify(state).witness.map(row => row.alpha), promised.witness);
    if (promised.rowsOfProof !== undefined) assert.equal(certify(state).witness.length, promised.rowsOfProof);
    if (promised.separated !== undefined) assert.deepEqual(certify(state).separated_rows.map(row => row.row), promised.separated);
    if (promised.hardMargin !== undefined) assert.equal(answer.margin.toFixed(4), promised.hardMargin);
  });
}

test('the rows of the comparison and of the translations are the generator’s', {skip}, () => {
  for (const name of ['comparison', 'translations']) {
    const rows = run(['generate', name]).trim().split('\n').map(line => {
      const [label, ...values] = line.split(' ');
      return [Number(label), ...values.map(value => Number(value.split(':')[1]))];
    });
    const mine = presetState(name).rows.map(row => [row.y, ...row.x.map(Number)]);
    const sorted = list => list.map(row => row.join()).sort();
    assert.deepEqual(name === 'comparison' ? mine : sorted(mine), name === 'comparison' ? rows : sorted(rows));
  }
});
