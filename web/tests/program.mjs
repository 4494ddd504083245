// The linsep program for tests: what it answers for a state of the playground.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export const program = process.env.LINSEP ?? '';
const folder = mkdtempSync(join(tmpdir(), 'linsep-web-'));

export function run(args, allowed = [0]) {
  const made = spawnSync(program, args, {encoding: 'utf8', maxBuffer: 1 << 26});
  if (!allowed.includes(made.status)) throw new Error(`${args.join(' ')}: ${made.status} ${made.stderr}`);
  return made.stdout;
}

/** The rows of a state as a file. */
export function dataFile(state) {
  const path = join(folder, 'data.svm');
  const label = row => state.regression ? row.y : row.y > 0 ? '+1' : '-1';
  writeFileSync(path, state.rows.map(row => `${label(row)} ${row.x.map((x, index) => `${index + 1}:${x}`).join(' ')}`).join('\n') + '\n');
  return path;
}

/** The options that `train` has for a state, as the playground's own command has them. */
export function options(state) {
  const given = ['--learner', state.learner];
  const visits = ['perceptron', 'dual', 'regression'].includes(state.learner);
  if (visits && state.passes !== 100) given.push('--passes', String(state.passes));
  if (visits && state.learner !== 'dual' && state.order !== 'given') given.push('--order', state.order, '--seed', String(state.seed));
  if (visits && state.learner !== 'dual' && Number(state.rate) !== 1) given.push('--rate', state.rate);
  if (state.learner === 'perceptron') {
    if (state.init[0] === 'basic') given.push('--init', 'basic');
    else if (state.init.some(one => Number(one) !== 0)) given.push('--init', state.init.join(','));
    if (Number(state.initOffset) !== 0 && !state.origin) given.push('--init-offset', state.initOffset);
    if (state.variant !== 'last') given.push('--variant', state.variant);
  }
  if (state.learner === 'regression') given.push('--rule', state.rule);
  if (state.learner === 'margin') given.push(...(state.hard ? ['--hard'] : ['--C', state.C, '--gap', '1e-9', '--loss', state.loss]));
  if (state.origin) given.push('--origin');
  if (state.map !== 'none') given.push('--map', state.map);
  return given;
}

export function train(state) {
  return JSON.parse(run(['train', dataFile(state), ...options(state), '--json'], [0, 1]));
}

export function certify(state) {
  const given = [...(state.origin ? ['--origin'] : []), ...(state.map === 'none' ? [] : ['--map', state.map])];
  return JSON.parse(run(['certify', dataFile(state), ...given, '--json'], [0, 1]));
}

/** The witness as `certify` prints it: row and exact weight. */
export function witness(state) {
  const given = [...(state.origin ? ['--origin'] : []), ...(state.map === 'none' ? [] : ['--map', state.map])];
  return [...run(['certify', dataFile(state), ...given], [0, 1]).matchAll(/^ {2}(\d+) +\S+ +(\S+)$/gm)].map(one => [Number(one[1]), one[2]]);
}

/** The rows that the model of a state gets wrong, from 1, and each row's distance from its boundary. */
export function judged(state) {
  const model = join(folder, 'model.json');
  run(['train', dataFile(state), ...options(state), '-o', model], [0, 1]);
  return JSON.parse(run(['inspect', model, dataFile(state), '--json'])).data;
}
