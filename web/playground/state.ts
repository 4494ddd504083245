// The playground's state: one plain object, of which the page is a function; its history; the engine's newest answers.
//
// No DOM here: tests, lessons and the address use it in node as well.
import type {BoundAnswer, CertifyAnswer, Events, GeometryAnswer, TrainAnswer, VerifyAnswer} from '../shared/engine';

/** A row: its class (or target, in a regression) and its features, decimals as typed. */
export type Row = {y: number, x: string[]};

export type Learner = 'perceptron' | 'dual' | 'basic' | 'least-squares' | 'margin' | 'regression';

export type State = {
  /** The preset's name while the rows are the preset's. */
  preset: string | null;
  rows: Row[];
  features: number;
  regression: boolean;
  learner: Learner;
  order: 'given' | 'shuffled' | 'drawn';
  seed: number;
  rate: string;
  /** The start: one number a feature, or ['basic'] for the basic linear classifier. */
  init: string[];
  initOffset: string;
  map: 'none' | 'products' | 'polynomial:2';
  origin: boolean;
  variant: 'last' | 'averaged' | 'voted';
  passes: number;
  C: string;
  loss: string;
  hard: boolean;
  rule: 'signed' | 'squared';
  kernel: string;
  /** Index of the visit shown; null is the end. */
  k: number | null;
  /** A classifier set by hand, shown instead of the run's. */
  weights: {theta: string[], offset: string} | null;
  /** What the data pane shows: x low, x high, y low, y high; null is chosen around the rows. */
  window: [number, number, number, number] | null;
  panes: string[];
  keepSlice: boolean;
  x0axis: boolean;
  lesson: number | null;
};

/** The engine's newest answers. After an error the last good ones stay, and `error` says what is wrong. */
export type Results = {
  train: TrainAnswer | null;
  events: Events | null;
  certify: CertifyAnswer | null;
  bound: BoundAnswer | null;
  /** Triples k, k·γ, R·√k for the wedge. */
  curve: Float64Array | null;
  /** By pane: `data`, `weights`. */
  geometry: Record<string, GeometryAnswer>;
  gram: Float64Array | null;
  /** Means of the features by class. */
  means: {positive: number[], negative: number[]} | null;
  /** What the second checker said of the newest proof, once it was asked. */
  checked: VerifyAnswer | null;
  error: string | null;
  busy: boolean;
};

export type Kind = 'data' | 'setting' | 'view';
export type Listener = (state: State, results: Results) => void;

export const mostUndo = 50;

export function defaults(): State {
  return {
    preset: 'and',
    rows: [{y: -1, x: ['0', '0']}, {y: -1, x: ['0', '1']}, {y: -1, x: ['1', '0']}, {y: 1, x: ['1', '1']}],
    features: 2, regression: false,
    learner: 'perceptron', order: 'given', seed: 1, rate: '1', init: ['0', '0'], initOffset: '0',
    map: 'none', origin: false, variant: 'last', passes: 100, C: '1', loss: 'hinge', hard: false, rule: 'signed', kernel: 'linear',
    k: null, weights: null, window: null, panes: ['data', 'weights', 'bound', 'verdict'], keepSlice: false, x0axis: false, lesson: null,
  };
}

export function noResults(): Results {
  return {train: null, events: null, certify: null, bound: null, curve: null, geometry: {}, gram: null, means: null,
          checked: null, error: null, busy: false};
}

/** Rows as the engine reads them, "y a b" a line. */
export function rowsText(state: State): string {
  return state.rows.map(row => `${classText(row.y, state.regression)} ${row.x.join(' ')}`).join('\n') + '\n';
}

function classText(y: number, regression: boolean): string {
  return regression ? String(y) : y > 0 ? '+1' : '-1';
}

/** Holds the state, tells listeners of changes, and goes back and forth over changes of data and settings. */
export class Store {
  state: State;
  results: Results = noResults();
  private past: State[] = [];
  private future: State[] = [];
  private listeners: Listener[] = [];
  private held = false;
  private heldHas = false;

  constructor(state: State = defaults()) {
    this.state = state;
  }

  /**
   * Changes the state. `data` and `setting` can be undone, `view` can't. Rows that change without a preset's name
   * in the same change are no longer the preset's.
   */
  set(change: Partial<State>, kind: Kind = 'setting'): void {
    if (kind !== 'view') this.remember();
    const next = {...this.state, ...change};
    if (change.rows && !('preset' in change)) next.preset = null;
    this.state = next;
    this.tell();
  }

  /** Until `release`, changes count as one for undo: a drag is one step. */
  hold(): void {
    this.held = true;
    this.heldHas = false;
  }

  release(): void {
    this.held = false;
    this.heldHas = false;
  }

  undo(): void {
    this.step(this.past, this.future);
  }

  redo(): void {
    this.step(this.future, this.past);
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** Takes newer answers of the engine. */
  answer(change: Partial<Results>): void {
    this.results = {...this.results, ...change};
    this.tell();
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  private remember(): void {
    if (this.held && this.heldHas) return;
    this.heldHas = this.held;
    this.past.push(this.state);
    if (this.past.length > mostUndo) this.past.shift();
    this.future = [];
  }

  private step(from: State[], to: State[]): void {
    const next = from.pop();
    if (!next) return;
    to.push(this.state);
    // What is only looked at stays as it is.
    const {panes, lesson, keepSlice, x0axis} = this.state;
    this.state = {...next, panes, lesson, keepSlice, x0axis};
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener(this.state, this.results);
  }
}
