// What comes out of each preset, by the command line and by the page alike. Left out: what a preset has not.
//
// change: what is set beside the preset. mistakes and passes: of the run. formula: the classifier. bound: at most so many mistakes, a whole number.
export const numbers = [
  {preset: 'not', mistakes: 5, passes: 4, formula: 'z = -2·x1 + 1', bound: '10', verdict: 'separable'},
  {preset: 'and', mistakes: 18, passes: 9, formula: 'z = 3·x1 + 2·x2 - 4', bound: '51', verdict: 'separable', margin: '0.353553'},
  {preset: 'and', change: {order: 'shuffled', seed: 1}, mistakes: 22},
  {preset: 'and', change: {order: 'shuffled', seed: 2}, mistakes: 15},
  {preset: 'and', change: {order: 'shuffled', seed: 3}, mistakes: 20},
  {preset: 'or', mistakes: 9, formula: 'z = 2·x1 + 2·x2 - 1', bound: '27', verdict: 'separable'},
  {preset: 'xor', mistakes: 400, passes: 100, verdict: 'overlapping', witness: ['1', '1', '1', '1'], common: [0.5, 0.5]},
  {preset: 'xor', change: {map: 'products'}, mistakes: 29, formula: 'z = 2·x1 + 2·x2 - 5·x1·x2 - 1', verdict: 'separable'},
  {preset: 'two-steps', mistakes: 2, formula: 'z = 1·x1 - 1·x2', verdict: 'separable'},
  {preset: 'three-points', mistakes: 2, formula: 'z = -2·x1 + 0.5·x2', bound: '3', verdict: 'separable'},
  {preset: 'three-points', change: {init: ['-1', '-1']}, mistakes: 1},
  {preset: 'three-points', order: [2, 3, 1], mistakes: 1, formula: 'z = -1·x1'},
  {preset: 'far-point', mistakes: 6, formula: 'z = -6·x1 + 5·x2', bound: '101', alpha: [5, 0, 1], verdict: 'separable'},
  {preset: 'far-point', change: {init: ['-1', '-1']}, mistakes: 5},
  {preset: 'far-point', order: [2, 3, 1], mistakes: 1},
  {preset: 'needs-an-offset', verdict: 'separable'},
  {preset: 'needs-an-offset', change: {origin: true}, verdict: 'overlapping'},
  {preset: 'quasi', verdict: 'quasi-separable', separated: [4, 5], infinite: 'x1'},
  {preset: 'same-row-twice', verdict: 'overlapping', rowsOfProof: 2},
  {preset: 'translations', formula: 'z = 0', verdict: 'overlapping', rowsOfProof: 17},
  {preset: 'outlier', wrong: []},
  {preset: 'outlier', far: true, wrong: [4]},
  {preset: 'outlier', far: true, change: {learner: 'least-squares'}, wrong: [4]},
  {preset: 'outlier', far: true, change: {learner: 'perceptron'}, wrong: [], formula: 'z = 2·x1 - 1'},
  {preset: 'comparison', mistakes: 232, passes: 95, wrong: []},
  {preset: 'comparison', change: {learner: 'least-squares'}, wrongs: 7},
  {preset: 'comparison', change: {learner: 'basic'}, wrongs: 13},
  {preset: 'comparison', change: {learner: 'margin', hard: true}, hardMargin: '0.1008'},
  {preset: 'three-rates', mistakes: 45},
  {preset: 'three-rates', change: {rate: '0.5'}, mistakes: 182},
  {preset: 'three-rates', change: {rate: '1'}, mistakes: 138},
  {preset: 'four-points', formula: 'z = 1.25·x1 - 1', objective: '0.304688', distances: ['0.45', '1.2', '0.8', '0.8']},
  {preset: 'a-line', theta: '1.952', offset: '-0.735'},
  {preset: 'a-line', change: {rule: 'squared'}, runsAway: true},
];

/** The state of a line of the table. */
export function stateOf(one, presetState) {
  const state = {...presetState(one.preset), ...one.change};
  if (one.order) Object.assign(state, {rows: one.order.map(number => state.rows[number - 1]), preset: null});
  if (one.far) Object.assign(state, {rows: state.rows.map((row, index) => index < 4 ? row : {...row, x: ['8', row.x[1]]}), preset: null});
  return state;
}
