// Twelve lessons. Each sets a state, says one sentence, asks for one act and is done when state and answers say so: `done` looks at
// nothing else but what `see` noted of earlier states in the same lesson, and the row that was chosen last.
import {findPreset, presetState} from './presets';
import type {Results, Row, State} from './state';
import {moment} from './view';

/** What a lesson remembers while it is open. */
export type Seen = {marks: Set<string>, chosen: number | null};

export type Lesson = {
  title: string;
  sentence: string;
  task: string;
  /** How, for who is stuck: with a keyboard, and by touch. */
  hint: string;
  /** The pane that a phone shows first. */
  tab: 'data' | 'weights' | 'bound';
  set: Partial<State>;
  see?(s: State, r: Results): string[];
  done(s: State, r: Results, seen: Seen): boolean;
};

export const nothingSeen = (): Seen => ({marks: new Set(), chosen: null});

const settled = (r: Results): boolean => !r.busy && r.error === null;

/** Mistakes of the whole run, as `train` counts them. */
function mistakes(r: Results): number | null {
  const counted = r.train?.['mistakes'];
  return typeof counted === 'number' ? counted : null;
}

const atEnd = (s: State, r: Results): boolean => {
  const now = moment(s, r);
  return s.weights === null && now !== null && now.last > 0 && now.index === now.last;
};

const verdict = (r: Results): unknown => r.certify?.['verdict'];
const written = (row: Row): string => `${row.y > 0 ? '+' : '-'}${row.x.map(Number).join(',')}`;
const presetRows = (name: string): Row[] => findPreset(name)!.state.rows!;

/** The preset's rows, in whatever order. */
function sameRows(s: State, name: string): boolean {
  return s.rows.map(written).sort().join(';') === presetRows(name).map(written).sort().join(';');
}

/** A whole state for a lesson: the preset's, and what the lesson changes. */
function start(preset: string, change: Partial<State>): Partial<State> {
  const {lesson: _, ...state} = presetState(preset)!;
  return {...state, ...change};
}

/** In which ways this run differs from the preset's: where it starts, which row comes first, how rows are drawn. */
function waysOfOneMistake(s: State, r: Results): string[] {
  if (!settled(r) || mistakes(r) !== 1 || r.train?.['converged'] !== true || !sameRows(s, 'three-points')) return [];
  if (s.learner !== 'perceptron' && s.learner !== 'dual') return [];
  const started = s.init.some(one => Number(one) !== 0);
  const ordered = s.rows.map(written).join(';') !== presetRows('three-points').map(written).join(';');
  return [[started ? 'start' : '', ordered ? 'rows' : '', s.order !== 'given' ? s.order : ''].filter(Boolean).join(' ')].filter(Boolean);
}

/** The two far positives of `outlier`: moved so far that the boundary between the means passes the near one. */
function movedOut(s: State): boolean {
  return s.rows.length === 6 && s.rows.slice(0, 4).every((row, i) => written(row) === written(presetRows('outlier')[i]!)) &&
         s.rows.slice(4).every(row => row.y > 0 && Number(row.x[0]) >= 7.5);
}

export const lessons: Lesson[] = [
  {
    title: 'Points and half-spaces',
    sentence: 'A row is a point; a classifier is a line that cuts the plane in half.',
    task: 'Set θ = −2 and θ0 = 1: each row ends up on its own side.',
    hint: 'Type the numbers into θ1 and θ0 under the data space.',
    tab: 'data',
    set: start('not', {panes: ['data', 'verdict'], weights: {theta: ['1'], offset: '1'}}),
    done: s => s.preset === 'not' && s.weights !== null && Number(s.weights.theta[0]) === -2 && Number(s.weights.offset) === 1,
  },
  {
    title: 'Weight space',
    sentence: 'In weight space, a classifier is a point and each row rules out half of the plane; what remains is feasible.',
    task: 'Move θ into the hatched region.',
    hint: 'Drag the dot in the weight space, or go to it with Tab and move it with the arrow keys.',
    tab: 'weights',
    set: start('not', {panes: ['data', 'weights'], weights: {theta: ['1'], offset: '-1'}}),
    done: (s, r) => s.preset === 'not' && s.weights !== null && settled(r) && rightByHand(s, r),
  },
  {
    title: 'A slice of three weights',
    sentence: 'Three weights need a slice: at θ0 = −1 AND shows three lines. Where is the fourth?',
    task: 'Find the row that needs only θ0 < 0.',
    hint: 'Click or tap the row in the data space, or go to it with Tab, or go to its line in the rows table.',
    tab: 'weights',
    set: start('and', {panes: ['data', 'weights'], weights: {theta: ['1', '1'], offset: '-1'}}),
    done: (s, _, seen) => s.preset === 'and' && seen.chosen === 0,
  },
  {
    title: 'A mistake moves θ',
    sentence: 'On a mistake θ moves by y·x, so y·z grows by ‖x‖².',
    task: 'Press “mistake” twice.',
    hint: 'The button is at the bottom; its key is Shift and →.',
    tab: 'weights',
    set: start('two-steps', {panes: ['data', 'weights'], k: 0}),
    done: (s, r) => s.preset === 'two-steps' && s.weights === null && moment(s, r)?.mistakes === 2,
  },
  {
    title: 'Order and start',
    sentence: 'The order of rows and the start of θ change how many mistakes it makes, but it always ends.',
    task: 'Reach 1 mistake in two ways.',
    hint: 'Type −1, −1 into “Start” (on a phone under ⋮). Then start from 0 again and put row 1 last: with ] on the point, or with ↓ in the rows table.',
    tab: 'data',
    set: start('three-points', {panes: ['data', 'weights', 'rows']}),
    see: waysOfOneMistake,
    done: (_s, _r, seen) => seen.marks.size >= 2,
  },
  {
    title: 'The dual: counting mistakes',
    sentence: 'One correction may not be enough: row 1 needs four in a row. θ is the sum of its mistakes: 5 × row 1 + row 3.',
    task: 'Open the Gram matrix, choose the learner “Dual perceptron” and go to the end: the same run.',
    hint: 'The Gram matrix opens at the bottom (on a phone under “rows”), the learner is the first of the settings (on a phone under ⋮); End goes to the end.',
    tab: 'data',
    set: start('far-point', {panes: ['data', 'weights'], k: 0}),
    done: (s, r) => s.preset === 'far-point' && s.learner === 'dual' && s.panes.includes('gram') && settled(r) && atEnd(s, r) && mistakes(r) === 6,
  },
  {
    title: 'Why it must end',
    sentence: 'Each mistake adds at least γ along the best separator and at most R² to ‖θ‖². The two curves meet, so it must end.',
    task: 'Step to the end: 18 mistakes; the theory allows at most 51.',
    hint: 'Press “mistake” or “pass” until nothing moves, or End.',
    tab: 'bound',
    set: start('and', {panes: ['data', 'bound', 'verdict'], k: 0}),
    done: (s, r) => s.preset === 'and' && settled(r) && atEnd(s, r) && mistakes(r) === 18,
  },
  {
    title: 'When no line is enough',
    sentence: 'XOR never ends. Both hulls contain (½, ½), and no half-space both contains and excludes a point.',
    task: 'Move a point until the verdict changes.',
    hint: 'Drag a point past the line through its neighbours, or go to it with Tab and press Shift and an arrow.',
    tab: 'data',
    set: start('xor', {panes: ['data', 'verdict']}),
    done: (s, r) => s.rows.length === 4 && s.map === 'none' && settled(r) && bothClasses(s) && verdict(r) === 'separable',
  },
  {
    title: 'Same averages',
    sentence: 'The shifted copies of A and those of B have the same average, so no weights can tell them apart.',
    task: 'Compare the two means above the strips, then let “Least squares” try: its θ is 0 as well.',
    hint: 'Every square of both means is 0.25. The learner is the first of the settings (on a phone under ⋮).',
    tab: 'data',
    set: start('translations', {panes: ['strips', 'verdict']}),
    done: (s, r) => s.preset === 'translations' && s.learner === 'least-squares' && settled(r) && r.train?.['learner'] === 'least-squares' &&
                    r.train.model.theta.every(one => Math.abs(one) < 1e-9) && verdict(r) === 'overlapping',
  },
  {
    title: 'One more feature',
    sentence: 'One more feature, x1·x2, separates XOR.',
    task: 'Switch the map to “products” and go to the end of the run: count to 29.',
    hint: 'The map is among the settings (on a phone under ⋮); End goes to the end.',
    tab: 'data',
    set: start('xor', {panes: ['data', 'verdict'], k: 0}),
    done: (s, r) => s.preset === 'xor' && s.map === 'products' && settled(r) && atEnd(s, r) && mistakes(r) === 29,
  },
  {
    title: 'What averages miss',
    sentence: 'Averages miss what mistakes don’t: distant positives pull the boundary past the near one.',
    task: 'Move rows 5 and 6 right, to x1 = 8, and try three learners: basic, least squares, perceptron.',
    hint: 'Type 8 into the rows table, or drag; then try each learner and see which row is wrong.',
    tab: 'data',
    set: start('outlier', {panes: ['data', 'verdict', 'rows']}),
    see: (s, r) => movedOut(s) && settled(r) && r.train?.['learner'] === s.learner ? [s.learner] : [],
    done: (_s, _r, seen) => ['basic', 'least-squares', 'perceptron'].every(one => seen.marks.has(one)),
  },
  {
    title: 'The widest margin',
    sentence: 'Many lines separate; only the rows on the edge decide the widest margin. λ trades width against losses.',
    task: 'Delete a row that isn’t a support vector: nothing moves.',
    hint: 'Support vectors have a thin ring. Go to the row without one and press Delete, or choose “remove” and tap it, or remove it in the rows table.',
    tab: 'data',
    set: start('four-points', {panes: ['data', 'verdict']}),
    see: (s, r) => s.preset === 'four-points' && s.learner === 'margin' && settled(r) ? [modelText(r)] : [],
    done: (s, r, seen) => s.rows.length === 3 && s.learner === 'margin' && settled(r) && r.train?.['rows'] === 3 && onlyMissing(s, 'four-points') &&
                          seen.marks.has(modelText(r)),
  },
];

function rightByHand(s: State, r: Results): boolean {
  const margins = r.geometry['weights']?.margins ?? r.geometry['data']?.margins;
  return margins !== undefined && margins.length === s.rows.length && margins.every(one => one > 0);
}

/** θ and θ0 of the model to six digits; what is less than a millionth counts as 0. */
function modelText(r: Results): string {
  const model = r.train?.model;
  return model ? [...model.theta, model.offset].map(one => Math.abs(one) < 1e-6 ? '0' : one.toPrecision(6)).join(' ') : 'none';
}

function bothClasses(s: State): boolean {
  return s.rows.some(row => row.y > 0) && s.rows.some(row => row.y < 0);
}

/** Some of the preset's rows and no other ones. */
function onlyMissing(s: State, name: string): boolean {
  const left = presetRows(name).map(written);
  return s.rows.every(row => {
    const at = left.indexOf(written(row));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
