// What of the answers is shown at the present visit: reading the run's events by index. Nothing is worked out but counts of mistakes so far.
import type {Events} from '../shared/engine';
import type {Results, State} from './state';

/** The classifier of the moment, and the visit that made it. */
export type Moment = {
  /** Position in the run: 0 is the start, `last` the end. */
  index: number;
  last: number;
  visit: number;
  pass: number;
  /** From 1; 0 at the start. */
  row: number;
  before: number;
  after: number;
  mistake: boolean;
  offset: number;
  norm: number;
  theta: number[];
  /** Mistakes up to and with this visit. */
  mistakes: number;
};

const tallied = new WeakMap<Events, Int32Array>();

/** Mistakes up to and with each visit. */
export function mistakesUpTo(events: Events): Int32Array {
  let sums = tallied.get(events);
  if (!sums) {
    sums = new Int32Array(events.count);
    for (let i = 1; i < events.count; i++) sums[i] = sums[i - 1]! + (events.values[i * events.stride + 5]! > 0 ? 1 : 0);
    tallied.set(events, sums);
  }
  return sums;
}

/** The position shown: `state.k` where the run has it, else its end. */
export function position(state: State, results: Results): number {
  const last = Math.max(0, (results.events?.count ?? 1) - 1);
  return state.k === null ? last : Math.min(Math.max(0, state.k), last);
}

export function eventAt(events: Events, index: number): Moment {
  const at = index * events.stride, v = events.values;
  return {
    index, last: events.count - 1, visit: v[at]!, pass: v[at + 1]!, row: v[at + 2]!, before: v[at + 3]!, after: v[at + 4]!,
    mistake: v[at + 5]! > 0, offset: v[at + 6]!, norm: v[at + 7]!,
    theta: Array.from(v.subarray(at + 8, at + 8 + events.features)), mistakes: mistakesUpTo(events)[index]!,
  };
}

/** The visit shown; null where the learner tells no visits. */
export function moment(state: State, results: Results): Moment | null {
  if (!results.events || results.events.count === 0) return null;
  return eventAt(results.events, position(state, results));
}

/** θ and θ0 of the moment: set by hand, of the visit, or of the model. */
export function classifier(state: State, results: Results): {theta: number[], offset: number} | null {
  if (state.weights) return {theta: state.weights.theta.map(Number), offset: Number(state.weights.offset)};
  // A variant's answer (the average, the vote) is the run's last word, not a visit of it.
  const model = results.train?.model;
  if (state.k === null && model && state.variant !== 'last') return {theta: model.theta, offset: model.offset};
  return moment(state, results) ?? (model ? {theta: model.theta, offset: model.offset} : null);
}

/** α of the moment: how often each row was corrected so far. */
export function corrections(state: State, results: Results): number[] {
  const counts = state.rows.map(() => 0);
  const events = results.events;
  if (!events) return results.train?.mistakes_by_row ?? counts;
  const until = position(state, results);
  for (let i = 1; i <= until; i++) {
    const row = events.values[i * events.stride + 2]!;
    if (events.values[i * events.stride + 5]! > 0 && row <= counts.length) counts[row - 1]!++;
  }
  return counts;
}

/** A number as the command line writes it: at most six digits, no trailing zeros; a true minus sign. */
export function number(value: number, digits = 6): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'not a number' : value > 0 ? '∞' : '−∞';
  if (value === 0) return '0';
  const power = Math.floor(Math.log10(Math.abs(Number(value.toPrecision(digits)))));
  if (power >= -4 && power < digits) return String(Number(value.toPrecision(digits))).replace('-', '−');
  const [mantissa = '', exponent = ''] = value.toExponential(digits - 1).split('e');
  return `${Number(mantissa)}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`.replace(/-/g, '−');
}

export function tuple(values: readonly number[], digits = 6): string {
  return values.length === 1 ? number(values[0]!, digits) : `(${values.map(v => number(v, digits)).join(', ')})`;
}

/** Names of the weights: x1, x2, … and what the map adds. */
export function names(state: State, results: Results): string[] {
  const terms = results.train?.model.terms;
  if (terms && terms.length) return terms.map(term => term.name);
  return Array.from({length: state.features}, (_, i) => `x${i + 1}`);
}

/** "z = 2·x1 + 1·x2 − 4" */
export function formula(theta: readonly number[], offset: number, name: readonly string[], digits = 6): string {
  const parts = theta.map((w, i) => ({w, text: `${number(Math.abs(w), digits)}·${name[i] ?? `x${i + 1}`}`})).filter(p => p.w !== 0);
  if (offset !== 0 || parts.length === 0) parts.push({w: offset, text: number(Math.abs(offset), digits)});
  return 'z = ' + parts.map((p, i) => (i ? (p.w < 0 ? ' − ' : ' + ') : p.w < 0 ? '−' : '') + p.text).join('');
}
