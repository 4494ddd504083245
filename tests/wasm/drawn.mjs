// Drawn sets of rows and settings, the same for the same seed.

/** A small generator of numbers: the same on every machine. */
export class Draw {
  constructor(seed) {
    this.state = BigInt(seed) * 0x9e3779b97f4a7c15n + 1n;
  }
  below(n) {
    this.state = (this.state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
    return Number((this.state >> 33n) % BigInt(n));
  }
  of(list) {
    return list[this.below(list.length)];
  }
  chance(percent) {
    return this.below(100) < percent;
  }
}

const decimals = [
  draw => String(draw.below(5) - 2),
  draw => String((draw.below(41) - 20) / 4),
  draw => ((draw.below(2001) - 1000) / 100).toFixed(2),
  draw => `${draw.below(9) + 1}.${draw.below(1e6)}e${draw.below(7) - 3}`,
  draw => (draw.chance(50) ? '-' : '') + `0.${String(draw.below(1e9)).padStart(9, '0')}`,
];

/** {text, features, regression}: 2 to 40 rows of one or two features, with ties, duplicates, now and then of one class. */
export function drawRows(draw) {
  const features = 1 + draw.below(2), count = 2 + draw.below(39), regression = draw.chance(12);
  const decimal = draw.of(decimals), one = draw.chance(4), split = draw.chance(60);
  const rows = [];
  for (let i = 0; i < count; i++) {
    if (i > 0 && draw.chance(12)) {  // a duplicate, perhaps of the other class
      const [label, ...values] = draw.of(rows);
      rows.push([draw.chance(30) && !regression && !one ? (label === '+' ? '-' : '+') : label, ...values]);
      continue;
    }
    const values = Array.from({length: features}, () => decimal(draw));
    const side = Number(values[0]) + (features > 1 ? 0.5 * Number(values[1]) : 0) > 0.25;
    const label = one ? '+' : split ? (side ? '+' : '-') : draw.of(['+', '-']);
    rows.push([regression ? decimal(draw) : label, ...values]);
  }
  if (!one && !regression) {  // both classes are there
    rows[0][0] = '+';
    rows[1][0] = '-';
  }
  return {text: rows.map(row => row.join(' ')).join('\n') + '\n', features, regression};
}

const maps = ['none', 'none', 'products', 'polynomial:2', 'polynomial:3'];
const orders = draw => draw.of([{}, {order: 'shuffled', seed: 1 + draw.below(9)}, {order: 'drawn', seed: 1 + draw.below(9)}]);
// Of more columns, the last digits depend on how many products the processor sums at once: docs/reference/wasm.md.
const mostColumns = {'least-squares': {'polynomial:2': 'products', 'polynomial:3': 'products'}};
const origin = draw => draw.chance(25) ? {origin: true} : {};

const learners = {
  perceptron: (draw, features, map) => ({
    ...orders(draw), ...origin(draw), ...(draw.chance(40) ? {rate: draw.of([0.2, 0.5, 3])} : {}),
    ...(draw.chance(40) ? {variant: draw.of(['averaged', 'voted'])} : {}), ...(draw.chance(50) ? {passes: 1 + draw.below(50)} : {}),
    ...(draw.chance(30) && map === 'none' ? {init: draw.of([Array.from({length: features}, () => draw.below(5) / 2 - 1), 'basic'])} : {}),
  }),
  dual: draw => ({...origin(draw), ...draw.of([{}, {kernel: 'polynomial', degree: 2 + draw.below(2)}, {kernel: 'gaussian', gamma: 0.5}]), passes: 1 + draw.below(60)}),
  basic: origin,
  'least-squares': draw => ({...origin(draw), ...(draw.chance(40) ? {ridge: 0.5} : {})}),
  margin: draw => ({
    ...origin(draw), ...draw.of([{}, {C: draw.of([0.1, 1, 100])}, {hard: true}, {loss: draw.of(['logistic', 'squared-hinge'])}, {gap: 1e-6}]),
  }),
};

/** {learner, options, map}. */
export function drawSpec(draw, {features, regression}) {
  if (regression) {
    return {learner: 'regression', map: 'none', options: {...orders(draw), ...origin(draw), rule: draw.of(['signed', 'squared']), rate: draw.of([0.001, 0.01]), passes: 1 + draw.below(60)}};
  }
  const learner = draw.of(Object.keys(learners)), drawn = draw.of(maps);
  const map = mostColumns[learner]?.[drawn] ?? drawn;
  return {learner, map, options: learners[learner](draw, features, map)};
}

/** {origin, map, mistakes}. */
export function drawQuestion(draw) {
  return {origin: draw.chance(25), map: draw.of(['none', 'none', 'products', 'polynomial:2']), mistakes: draw.chance(20)};
}

const optionWords = ([name, value]) => value === true ? [`--${name}`] : [`--${name}=${Array.isArray(value) ? value.join(',') : value}`];
const mapWords = map => map && map !== 'none' ? ['--map', map] : [];

/** The command line's words for the same. */
export function trainWords({learner, options, map}) {
  return ['train', '--learner', learner, ...Object.entries(options ?? {}).flatMap(optionWords), ...mapWords(map), '--json', '--full'];
}
export function certifyWords({origin, map, mistakes}) {
  return ['certify', ...(origin ? ['--origin'] : []), ...mapWords(map), ...(mistakes ? ['--mistakes'] : []), '-o', 'proof.json', '--json', '--full'];
}
