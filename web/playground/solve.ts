// One frame's questions to the engine, in order, each asked again only where what it depends on has changed.
// No DOM: it runs in the worker and in node.
import type {BoundAnswer, CertifyAnswer, Events, GeometryAnswer, GeometryRequest, Kernel, Spec, TrainAnswer, VerifyAnswer, Window} from '../shared/engine';

/** What of the engine is used; ../shared/engine.ts has it. */
export interface Engine {
  version(): string;
  rows(text: string, features: number, regression?: boolean): {rows: number, features: number, classes: string[], means?: Means};
  generate(name: string, seed: number): {text: string, rows: number, features: number};
  train(spec: Spec): TrainAnswer;
  events(): Events;
  certify(options: {origin?: boolean, map?: string, mistakes?: boolean}): CertifyAnswer;
  verify(proof: string): VerifyAnswer;
  bound(origin: boolean, map?: string): BoundAnswer | null;
  /** To the bound, or to `most`. */
  curve(most?: number): Float64Array;
  geometry(request: GeometryRequest): GeometryAnswer;
  scores(points: Float64Array, features: number): Float64Array;
  gram(kernel: Kernel): Float64Array;
  picture(spec: {title?: string, rows?: number}): string;
  report(): string;
}

export type Means = {positive: number[], negative: number[]};

export type Job = {
  text: string;
  features: number;
  regression: boolean;
  empty: boolean;
  spec: Spec;
  origin: boolean;
  map: string;
  bound: boolean;
  k: number | null;
  /** The model's own θ is shown, not a visit's. */
  ofModel: boolean;
  weights: {theta: number[], offset: number} | null;
  window: Window | null;
  dataAspect: number;
  weightsAspect: number;
  margins: boolean;
  x0: boolean;
  keepSlice: boolean;
  gram: Kernel | null;
};

/** What is new: parts that are as before are left out. */
export type Solved = {
  train?: TrainAnswer | null;
  events?: Events | null;
  certify?: CertifyAnswer | null;
  bound?: BoundAnswer | null;
  curve?: Float64Array | null;
  means?: Means | null;
  geometry?: Record<string, GeometryAnswer>;
  gram?: Float64Array | null;
  checked?: null;
  errors: string[];
};

/** What the last job left in the engine. */
export class Memory {
  keys: Record<string, string> = {};
  train: TrainAnswer | null = null;
  events: Events | null = null;
  verdict = '';
  window: Window | null = null;

  forget(): void {
    this.keys = {};
  }

  /** Whether a part must be made anew for this key. */
  differs(part: string, key: unknown): boolean {
    const text = JSON.stringify(key);
    if (this.keys[part] === text) return false;
    this.keys[part] = text;
    return true;
  }
}

export function solve(engine: Engine, job: Job, memory: Memory): Solved {
  const out: Solved = {errors: []};
  if (job.empty) {
    memory.forget();
    memory.train = memory.events = null;
    return {train: null, events: null, certify: null, bound: null, curve: null, gram: null, checked: null, errors: []};
  }
  // A part that fails says so and leaves the others; the engine was made anew by then, so nothing of it is taken for known.
  const part = (make: () => void) => {
    try {
      make();
    } catch (error) {
      memory.forget();
      out.errors.push(error instanceof Error ? error.message : String(error));
    }
  };
  const data = [job.text, job.features, job.regression];
  part(() => {
    if (!memory.differs('rows', data)) return;
    out.means = engine.rows(job.text, job.features, job.regression).means ?? null;
  });
  if (out.errors.length) return out;
  part(() => makeTrain(engine, job, memory, out, data));
  part(() => makeVerdict(engine, job, memory, out, data));
  part(() => makeGeometry(engine, job, memory, out));
  part(() => {
    if (!memory.differs('gram', [data, job.gram])) return;
    out.gram = job.gram && job.text.split('\n').length <= 201 ? engine.gram(job.gram) : null;
  });
  return out;
}

function makeTrain(engine: Engine, job: Job, memory: Memory, out: Solved, data: unknown): void {
  if (!memory.differs('train', [data, job.spec])) return;
  out.train = memory.train = engine.train(job.spec);
  const events = engine.events();
  out.events = memory.events = events.count > 0 ? events : null;
}

function makeVerdict(engine: Engine, job: Job, memory: Memory, out: Solved, data: unknown): void {
  const map = job.map === 'none' ? undefined : job.map;
  if (memory.differs('certify', [data, job.origin, map])) {
    out.checked = null;
    out.certify = job.regression ? null : engine.certify(map ? {origin: job.origin, map} : {origin: job.origin});
    memory.verdict = String(out.certify?.['verdict'] ?? '');
  }
  const mistakes = Number(memory.train?.['mistakes'] ?? 0);
  if (memory.differs('bound', [data, job.origin, map, job.bound, mistakes])) {
    const bound = job.regression || !job.bound || memory.verdict !== 'separable' ? null : engine.bound(job.origin, map);
    out.bound = bound;
    out.curve = bound ? engine.curve(shownMistakes(bound.mistakes, memory)) : null;
  }
}

/** How far to the right the wedge is drawn: to the bound, or, where it lies far beyond the run, a few times the run's mistakes. */
function shownMistakes(bound: number, memory: Memory): number {
  const mistakes = Math.max(10, Number(memory.train?.['mistakes'] ?? 0));
  return bound > 8 * mistakes ? 3 * mistakes : bound;
}

/** θ and θ0 that are drawn. */
function shown(job: Job, memory: Memory): {theta: number[], offset: number} | null {
  if (job.weights) return job.weights;
  const events = memory.events, model = memory.train?.model;
  if (job.ofModel || !events) return model ? {theta: model.theta, offset: model.offset} : null;
  const at = Math.min(job.k ?? events.count - 1, events.count - 1) * events.stride;
  return {theta: Array.from(events.values.subarray(at + 8, at + 8 + events.features)), offset: events.values[at + 6]!};
}

function makeGeometry(engine: Engine, job: Job, memory: Memory, out: Solved): void {
  const at = shown(job, memory);
  if (!at) return;
  if (at.theta.length === 0) return void (out.geometry = {data: ofKernel(engine, job, memory)});
  const map = job.map === 'none' ? {} : {map: job.map};
  const plane = job.features <= 2;
  out.geometry = {};
  if (plane) {
    const overlap = memory.verdict !== 'separable';
    out.geometry['data'] = engine.geometry({
      pane: 'data', window: dataWindow(engine, job, memory), aspect: job.dataAspect, ...at, ...map,
      margins: job.margins, hulls: overlap, witness: overlap,
      ...(job.x0 ? {x0: true} : {}),
    });
  }
  const weights = plane && job.map === 'none' && !job.regression;
  if (weights) {
    out.geometry['weights'] = engine.geometry({
      pane: 'weights', window: weightWindow(job, memory, at), aspect: job.weightsAspect, ...at,
      slice: job.features === 1 ? 'offset' : job.origin ? 'origin' : 'at', scale_offset: job.keepSlice,
    });
  }
}

const cells = 64;

/** A kernel's model has no θ: the sign of z in the cells of a grid, at the end of the run. */
function ofKernel(engine: Engine, job: Job, memory: Memory): GeometryAnswer {
  const empty = engine.geometry({pane: 'data', window: dataWindow(engine, job, memory), aspect: job.dataAspect,
                                 theta: Array<number>(job.features).fill(0), offset: 0});
  const {x_low, x_high, y_low, y_high} = empty.window;
  const points = new Float64Array(2 * cells * cells);
  for (let i = 0; i < cells * cells; i++) {
    points[2 * i] = x_low + (i % cells + 0.5) * (x_high - x_low) / cells;
    points[2 * i + 1] = y_low + (Math.floor(i / cells) + 0.5) * (y_high - y_low) / cells;
  }
  const flat = job.features === 1 ? points.filter((_, i) => i % 2 === 0) : points;
  const z = engine.scores(flat, job.features);
  const tint = {columns: cells, rows: cells, positive: Array.from(z, one => one >= 0 ? 1 as const : 0 as const)};
  return {...empty, boundary: [], positive: [], negative: [], tint, margins: memory.train?.margins ?? []};
}

/** Around the run's whole path, its θ and the origin, so that the plane stands still while the run is played; null where that isn't finite. */
function weightWindow(job: Job, memory: Memory, at: {theta: number[], offset: number}): Window | null {
  const one = job.features === 1;
  if (job.keepSlice && !one && !job.origin) return widened([-1, 1], [-1, 1], 1.2, job.weightsAspect);
  const place = job.weights ? [one ? at.offset : at.theta[0]!, one ? at.theta[0]! : at.theta[1]!] : [0, 0];
  const x: [number, number] = [Math.min(0, place[0]!), Math.max(0, place[0]!)];
  const y: [number, number] = [Math.min(0, place[1]!), Math.max(0, place[1]!)];
  const events = memory.events;
  for (let i = 0; events && i < events.count; i++) {
    const from = i * events.stride;
    const u = events.values[from + (one ? 6 : 8)]!, v = events.values[from + (one ? 8 : 9)]!;
    x[0] = Math.min(x[0], u);
    x[1] = Math.max(x[1], u);
    y[0] = Math.min(y[0], v);
    y[1] = Math.max(y[1], v);
  }
  const model = memory.train?.model;
  if (!events && model && !job.weights) {
    const [u, v] = one ? [model.offset, model.theta[0]!] : [model.theta[0]!, model.theta[1]!];
    return widened([Math.min(0, u), Math.max(0, u)], [Math.min(0, v), Math.max(0, v)], 0.6, job.weightsAspect);
  }
  return widened(x, y, 0.45, job.weightsAspect);
}

/** The state's window, or the engine's own around the rows with room to put points beside them. */
function dataWindow(engine: Engine, job: Job, memory: Memory): Window | null {
  if (job.window) return equal(job.window, job.dataAspect);
  if (memory.differs('window', [job.text, job.features, job.regression, job.dataAspect, job.x0])) {
    const {window} = engine.geometry({pane: 'data', window: null, aspect: job.dataAspect, theta: Array<number>(job.features).fill(0), offset: 0,
                                      ...(job.x0 ? {x0: true} : {})});
    memory.window = widened([window.x_low, window.x_high], [window.y_low, window.y_high], 0.14, job.dataAspect);
  }
  return memory.window;
}

/** The same window, widened so that both axes have one scale on this screen too. */
function equal(window: Window | null, aspect: number): Window | null {
  return window && widened([window.x_low, window.x_high], [window.y_low, window.y_high], 0, aspect);
}

/** A range of equal scales about both, wider by a share of the larger on each side. */
function widened(x: [number, number], y: [number, number], share: number, aspect: number): Window | null {
  const more = share && share * Math.max(x[1] - x[0], y[1] - y[0], 0.5);
  let [width, height] = [x[1] - x[0] + 2 * more, y[1] - y[0] + 2 * more];
  if (!Number.isFinite(width + height)) return null;
  width = Math.max(width, height * aspect);
  height = width / aspect;
  const [cx, cy] = [(x[0] + x[1]) / 2, (y[0] + y[1]) / 2];
  return {x_low: cx - width / 2, x_high: cx + width / 2, y_low: cy - height / 2, y_high: cy + height / 2};
}
