// What the playground's presets come to: by the module and by the program.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';

import {runAll} from './command_line.mjs';
import {certifyWords, trainWords} from './drawn.mjs';
import {loaded, program} from './engine.mjs';

const {Engine, bytes} = await loaded();
const engine = await Engine.load(bytes);
let checks = 0, failed = 0;

/** What is typed in the presets: "- 0,0 · + 1,1". */
const typed = text => text.split('·').map(row => row.trim().replaceAll(',', ' ')).join('\n') + '\n';
const spec = (learner, options = {}, map = 'none') => ({learner, options, map});
const perceptron = (options, map) => spec('perceptron', options, map);

const not = typed('+ 0 · - 1'), and = typed('- 0,0 · - 0,1 · - 1,0 · + 1,1'), or = typed('- 0,0 · + 0,1 · + 1,0 · + 1,1');
const xor = typed('- 0,0 · + 0,1 · + 1,0 · - 1,1'), three = typed('+ -1,-1 · - 1,0 · + -1,1.5'), far = typed('+ -1,-1 · - 1,0 · + -1,10');
const origin = {origin: true};

function rolled(shape) {
  return Array.from({length: 16}, (_, s) => Array.from({length: 16}, (_, j) => shape.some(k => (k + s) % 16 === j) ? 1 : 0));
}
const translations = [...rolled([0, 1, 2, 3]).map(row => ['+', ...row]), ...rolled([0, 1, 3, 6]).map(row => ['-', ...row])]
  .map(row => row.join(' ')).join('\n') + '\n';
const outlier = last => typed(`- -2,0 · - -1,1 · - -1,-1 · + 1,0 · + ${last},1 · + ${last},-1`);
const comparison = engine.generate('comparison', 1).text;

/** [name, rows, features, what is asked, what comes out]; `bound` is asked of the module alone, as the program has no verb for it. */
const presets = [
  ['not', not, 1, perceptron(), {mistakes: 5, passes: 4, theta: [-2], offset: 1}],
  ['not', not, 1, {bound: false}, 10],
  ['and', and, 2, perceptron(), {mistakes: 18, passes: 9, theta: [3, 2], offset: -4}],
  ['and', and, 2, {bound: false}, 51],
  ['and', and, 2, {}, {verdict: 'separable', margin: 0.353553}],
  ...[[1, 22], [2, 15], [3, 20]].map(([seed, mistakes]) => ['and', and, 2, perceptron({order: 'shuffled', seed}), {mistakes}]),
  ['or', or, 2, perceptron(), {mistakes: 9, theta: [2, 2], offset: -1}],
  ['or', or, 2, {bound: false}, 27],
  ['xor', xor, 2, perceptron({passes: 10}), {mistakes: 40, converged: false}],
  ['xor', xor, 2, {}, {verdict: 'overlapping', common_point: [0.5, 0.5], shares: [0.5, 0.5, 0.5, 0.5]}],
  ['xor', xor, 2, perceptron({}, 'products'), {mistakes: 29, theta: [2, 2, -5], offset: -1}],
  ['two steps', typed('+ 2,1 · - 1,2'), 2, perceptron(origin), {mistakes: 2, theta: [1, -1], offset: 0}],
  ['three points', three, 2, perceptron(origin), {mistakes: 2, theta: [-2, 0.5]}],
  ['three points', three, 2, perceptron({...origin, init: [-1, -1]}), {mistakes: 1}],
  ['three points', typed('- 1,0 · + -1,1.5 · + -1,-1'), 2, perceptron(origin), {mistakes: 1, theta: [-1, 0]}],
  ['three points', three, 2, {bound: true}, 3.25],
  ['far point', far, 2, perceptron(origin), {mistakes: 6, mistakes_by_row: [5, 0, 1], theta: [-6, 5]}],
  ['far point', far, 2, perceptron({...origin, init: [-1, -1]}), {mistakes: 5}],
  ['far point', typed('- 1,0 · + -1,10 · + -1,-1'), 2, perceptron(origin), {mistakes: 1}],
  ['far point', far, 2, {bound: true}, 101],
  ['needs an offset', typed('+ 1 · - 2'), 1, {}, {verdict: 'separable'}],
  ['needs an offset', typed('+ 1 · - 2'), 1, origin, {verdict: 'overlapping'}],
  ['quasi', typed('- 0,0 · + 0,1 · - 0,2 · + 1,1 · + 2,0'), 2, {}, {verdict: 'quasi-separable', separated_rows: [{row: 4}, {row: 5}]}],
  ['same row twice', typed('+ 1,1 · - 1,1'), 2, {}, {verdict: 'overlapping', shares: [1, 1]}],
  ['translations', translations, 16, spec('basic'), {theta: Array(16).fill(0)}],
  ['translations', translations, 16, {}, {verdict: 'overlapping', witness_rows: 17}],
  ['outlier', outlier(2), 2, spec('basic'), {training_mistakes: 0}],
  ['outlier', outlier(8), 2, spec('basic'), {training_mistakes: 1, wrong: [4]}],
  ['outlier', outlier(8), 2, spec('least-squares'), {training_mistakes: 1, wrong: [4]}],
  ['outlier', outlier(8), 2, perceptron(), {training_mistakes: 0, theta: [2, 0], offset: -1}],
  ['comparison', comparison, 2, perceptron(), {training_mistakes: 0, mistakes: 232, passes: 95}],
  ['comparison', comparison, 2, spec('least-squares'), {training_mistakes: 7}],
  ['comparison', comparison, 2, spec('basic'), {training_mistakes: 13}],
  ['comparison', comparison, 2, spec('margin', {hard: true}), {margin: 0.1008}],
  ...[[0.2, 45], [0.5, 182], [1, 138]].map(([rate, mistakes]) => ['three rates', comparison, 2, perceptron({rate, init: 'basic'}), {mistakes}]),
  ['four points', typed('+ 1.25,0 · + 2,0 · - 0,1 · - 0,-1'), 2, spec('margin', {C: 1, gap: 1e-9}), {theta: [1.25, 0], offset: -1, objective: 0.304688}],
  ['a line', typed('1.1 1 · 2.9 2 · 5 3 · 7.1 4'), 1, spec('regression', {rate: 0.05, rule: 'signed', passes: 50}), {theta: [1.952], offset: -0.735}],
];

const isTraining = asked => asked.learner !== undefined, isBound = asked => asked.bound !== undefined;

/** Numbers to the digits that are told, everything else as it is. */
function near(got, wanted) {
  if (typeof wanted === 'number') {
    const places = (String(wanted).split('.')[1] ?? '').length;
    return typeof got === 'number' && Math.abs(got - wanted) <= (Number.isInteger(wanted) ? 1e-6 : 0.6 * 10 ** -places);
  }
  if (Array.isArray(wanted)) return Array.isArray(got) && got.length === wanted.length && wanted.every((one, i) => near(got[i], one));
  if (wanted !== null && typeof wanted === 'object') return Object.keys(wanted).every(name => near(got?.[name], wanted[name]));
  return got === wanted;
}

function valueOf(answer, name) {
  if (name === 'shares') return answer.witness.map(row => row.share);
  if (name === 'witness_rows') return answer.witness.length;
  return answer[name];
}

function check(who, [name, , , asked], answer, wanted) {
  for (const [field, value] of Object.entries(wanted)) {
    if (who === 'program' && field === 'wrong') continue;  // the program's object has no such field
    ++checks;
    if (near(valueOf(answer, field), value)) continue;
    ++failed;
    console.log(`${name} by the ${who} (${JSON.stringify(asked)}): ${field} is ${JSON.stringify(valueOf(answer, field))}, not ${JSON.stringify(value)}`);
  }
}

const byProgram = presets.filter(([, , , asked]) => !isBound(asked));
const said = runAll(byProgram.map(([, text, , asked]) => ({text, calls: [isTraining(asked) ? trainWords(asked) : certifyWords(asked)]})));
byProgram.forEach((preset, i) => check('program', preset, JSON.parse(said[i][0].out), preset[4]));
for (const preset of presets) {
  const [name, text, features, asked, wanted] = preset;
  engine.rows(text, features, name === 'a line');
  if (isBound(asked)) {
    const {mistakes} = engine.bound(asked.bound);
    check('module', preset, {bound: Math.floor(mistakes * 100 + 0.5) / 100}, {bound: wanted});
  } else {
    check('module', preset, isTraining(asked) ? engine.train(asked) : engine.certify(asked), wanted);
  }
}

// The rows of the generator are the program's.
const generated = spawnSync(program, ['generate', 'comparison'], {encoding: 'utf8'}).stdout;
const numbers = line => line.trim().split(/\s+/).map(word => Number(word.replace(/^\d+:/, '')));
assert.deepEqual(comparison.replaceAll(/^([+-]) /gm, '$11 ').trim().split('\n').map(numbers), generated.trim().split('\n').map(numbers));
console.log(`${checks} checks of ${presets.length} questions, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
