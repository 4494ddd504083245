// The sixteen sets of rows that the playground knows by name, each with its settings and what comes out of it. Every number in a
// note is one that the command line prints for these rows and settings; tests/playground.test.mjs holds the page to them.

import {comparisonText} from './preset_comparison';
import {defaults} from './state';
import type {Row, State} from './state';

export type Preset = {name: string; title: string; note: string; state: Partial<State>};

/** Rows from text: "- 0,0; + 1,1". The sign is the class; decimals stay as typed. */
export function rowsOf(text: string): Row[] {
  return text.split(';').map((part) => {
    const [sign, values] = part.trim().split(' ');
    return {y: sign === '+' ? 1 : -1, x: values!.split(',')};
  });
}

/** Pictures of 16 squares on a ring: the shape at each of the 16 places. */
function translated(shape: number[], y: 1 | -1): Row[] {
  return Array.from({length: 16}, (_, shift) => {
    const x = Array<string>(16).fill('0');
    for (const square of shape) x[(square + shift) % 16] = '1';
    return {y, x};
  });
}

function preset(name: string, title: string, rows: Row[], change: Partial<State>, note: string): Preset {
  const features = rows[0]!.x.length;
  const init = Array<string>(features).fill('0');
  return {name, title, note, state: {preset: name, rows, features, init, ...change}};
}

const line: Row[] = [['1.1', '1'], ['2.9', '2'], ['5', '3'], ['7.1', '4']].map(([y, x]) => ({y: Number(y), x: [x!]}));

export const presets: Preset[] = [
  preset('not', 'NOT', rowsOf('+ 0; - 1'), {}, '5 mistakes in 4 passes; the theory allows at most 10: z = -2·x1 + 1.'),
  preset('and', 'AND', rowsOf('- 0,0; - 0,1; - 1,0; + 1,1'), {},
    '18 mistakes in 9 passes; the theory allows at most 51: z = 3·x1 + 2·x2 - 4. The largest margin is 0.353553. Shuffled with seeds 1, 2 and 3: 22, 15 and 20 mistakes.'),
  preset('or', 'OR', rowsOf('- 0,0; + 0,1; + 1,0; + 1,1'), {}, '9 mistakes; the theory allows at most 27: z = 2·x1 + 2·x2 - 1.'),
  preset('xor', 'XOR', rowsOf('- 0,0; + 0,1; + 1,0; - 1,1'), {},
    '4 mistakes in every pass: not separable. All four rows prove it; both hulls contain (0.5, 0.5). With the map products: 29 mistakes, z = 2·x1 + 2·x2 - 5·x1·x2 - 1.'),
  preset('two-steps', 'Two steps', rowsOf('+ 2,1; - 1,2'), {origin: true}, '2 mistakes: θ = (2, 1), then (1, -1).'),
  preset('three-points', 'Three points', rowsOf('+ -1,-1; - 1,0; + -1,1.5'), {origin: true},
    'From 0: 2 mistakes, θ = (-2, 0.5); the theory allows at most 3 ((R/γ)² is 3.25). From (-1, -1): 1. Rows in the order 2, 3, 1: 1, θ = (-1, 0).'),
  preset('far-point', 'Far point', rowsOf('+ -1,-1; - 1,0; + -1,10'), {origin: true},
    '6 mistakes; the theory allows at most 101: α = 5, 0, 1 and θ = (-6, 5). From (-1, -1): 5. Rows in the order 2, 3, 1: 1.'),
  preset('needs-an-offset', 'Needs an offset', rowsOf('+ 1; - 2'), {}, "Separable; through the origin it isn't."),
  preset('quasi', 'Quasi-separable', rowsOf('- 0,0; + 0,1; - 0,2; + 1,1; + 2,0'), {},
    'Rows 4 and 5 can be separated, but the other three can’t: a logistic regression sends x1 to +∞.'),
  preset('same-row-twice', 'Same row twice', rowsOf('+ 1,1; - 1,1'), {}, 'Not separable: two rows prove it.'),
  preset('translations', 'Translations', [...translated([0, 1, 2, 3], 1), ...translated([0, 1, 3, 6], -1)], {learner: 'basic'},
    'Both class means are 0.25 in every square, so θ = 0. Not separable: 17 rows prove it.'),
  preset('outlier', 'Outlier', rowsOf('- -2,0; - -1,1; - -1,-1; + 1,0; + 2,1; + 2,-1'), {learner: 'basic'},
    'No row is wrong. With the last two rows at x1 = 8, row 4 is wrong, by least squares as well; the perceptron finds z = 2·x1 - 1 and no row is wrong.'),
  preset('comparison', 'Comparison', rowsOf(comparisonText), {},
    'Rows that are wrong: perceptron 0 (232 mistakes, 95 passes), least squares 7, basic 13. The largest margin of any classifier is 0.1008.'),
  preset('three-rates', 'Three rates', rowsOf(comparisonText), {init: ['basic'], rate: '0.2'},
    "From the basic classifier, η = 0.2, 0.5 and 1 give 45, 182 and 138 mistakes: unless θ starts at 0 the rate matters, in no regular way."),
  preset('four-points', 'Four points', rowsOf('+ 1.25,0; + 2,0; - 0,1; - 0,-1'), {learner: 'margin'},
    'C = 1: z = 1.25·x1 - 1, objective 0.304688, distances 0.45, 1.2, 0.8 and 0.8; z = 1 and z = -1 are 1.6 apart.'),
  preset('a-line', 'A line', line, {regression: true, learner: 'regression', rate: '0.05', passes: 50},
    'Signed: θ = 1.952 and θ0 = -0.735 after 50 passes. Squared: it runs away.'),
];

export function findPreset(name: string): Preset | undefined {
  return presets.find((one) => one.name === name);
}

/** The whole state of a preset: the defaults and what the preset sets. */
export function presetState(name: string): State | undefined {
  const found = findPreset(name);
  return found && {...defaults(), ...structuredClone(found.state)};
}
