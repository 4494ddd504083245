// linsep.wasm as a class: rows in, the command line's answers out. No DOM: it runs in a page, in a worker and in node.
//
// Every call is synchronous. What linsep refuses is thrown as an EngineError in its own words; the rows stay as they were.
// Should the module itself break, a new instance is made and the rows are handed to it again.

export type Point = [number, number];
export type Path = Point[];
export type Window = {x_low: number, x_high: number, y_low: number, y_high: number};

/** Options by the command line's names: {passes: 100, order: 'shuffled', init: [0, 0]}. */
export type Spec = {learner: string, options?: Record<string, string | number | boolean | number[]>, map?: string};

export type RowsAnswer = {
  rows: number, features: number, classes: string[],
  /** Of every feature by class; not in a regression. */
  means?: {positive: number[], negative: number[]},
};

/** The object of `linsep train --json`, and what is shown beside it. */
export type TrainAnswer = {
  model: {theta: number[], offset: number, formula: string, norm: number, terms: {name: string, weight: number}[]},
  mistakes_by_row: number[],
  /** y·z of each row; a regression has residuals y − z instead. */
  margins: number[], residuals?: number[],
  /** Rows with a mistake, from 1, and rows that hold the margin. */
  wrong: number[], support: number[],
  /** The command that gives the same answer, the rows in data.svm. */
  command: string,
  words: string,
  [name: string]: unknown,
};

/** Row-major, `stride` numbers for a visit: visit, pass, row (from 1), y·z before, y·z after, mistake, θ0, ‖θ‖, θ…
 *  Visit 0 is the start, of row 0. */
export type Events = {count: number, stride: number, features: number, mistakesOnly: boolean, visits: number, values: Float64Array};

/** The object of `linsep certify --json`, and what is shown beside it. */
export type CertifyAnswer = {
  verdict: string,
  /** The sealed certificate as `certify -o` writes it; '' where nothing is proven. */
  proof: string,
  words: string[],
  witness: {row: number, alpha: string, share: number}[],
  common_point?: number[],
  separator?: {theta: number[], offset: number, formula: string},
  [name: string]: unknown,
};

export type VerifyAnswer = {valid: boolean, reason: string, proven: string[], [name: string]: unknown};
export type BoundAnswer = {radius: number, margin: number, mistakes: number, mistakes_text: string};

export type GeometryRequest = {
  pane: 'data' | 'weights',
  /** null: chosen around the rows. */
  window: Window | null,
  /** Width over height in pixels, for equal scales. */
  aspect?: number,
  theta: number[], offset: number, map?: string,
  margins?: boolean, hulls?: boolean, witness?: boolean,
  /** One feature: the plane (x0, x1) with the rows at x0 = 1. */
  x0?: boolean,
  slice?: 'offset' | 'origin' | 'at', scale_offset?: boolean,
};

export type GeometryAnswer = {
  window: Window, x_ticks: number[], y_ticks: number[],
  boundary: Path[], margin_positive: Path[], margin_negative: Path[],
  positive: Path, negative: Path,
  /** Curved boundaries: the sign of z in the cells of a grid, row-major from the lowest y. */
  tint?: {columns: number, rows: number, positive: (0 | 1)[]},
  theta?: {from: Point, to: Point},
  hulls?: {positive: Path, negative: Path},
  /** A point that both hulls have in common. */
  witness_point?: Point,
  feasible?: Path,
  lines?: {row: number, ends: Path, good: Point, good_everywhere: boolean, wrong_everywhere: boolean}[],
  point?: Point,
  margins: number[],
  lift?: {points: [number, number, number][], screen: Point[], feet: Point[], plane: Path, axes: [Point, Point][]},
  /** Where a pane has nothing to show: why. */
  text?: string,
};

export type Kernel = {kind: string, degree?: number, constant?: number, gamma?: number};

/** In linsep's own words. `answer` is the whole object: also `file`, `line`, `column` and `option` where they are known. */
export class EngineError extends Error {
  constructor(message: string, readonly answer: Record<string, unknown> = {}) {
    super(message);
    this.name = 'EngineError';
  }
}

type Exports = WebAssembly.Exports & Record<string, (...args: number[]) => number>;
type Given = {text: string, features: number, regression: boolean};

const notThere = 52; // the errno ENOSYS: there are no files, no clock and no random numbers

export class Engine {
  /** The last answer of a call as it came, numbers as linsep writes them. */
  text = '';
  private exports!: Exports;
  private memory!: WebAssembly.Memory;
  private given: Given | null = null;

  private constructor(private readonly module: WebAssembly.Module) {
    this.start();
  }

  static async load(bytes: BufferSource): Promise<Engine> {
    return new Engine(await WebAssembly.compile(bytes));
  }

  version(): string {
    const at = this.exports['version']!();
    const bytes = new Uint8Array(this.memory.buffer, at);
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  }

  /** Lines "y a b": y is +, − or a class, in a regression a number; decimals as typed. */
  rows(text: string, features: number, regression = false): RowsAnswer {
    const answer = this.call('rows', text, features, regression ? 1 : 0) as RowsAnswer;
    this.given = {text, features, regression};
    return answer;
  }

  /** The rows of a generator, which are the rows from now on. */
  generate(name: string, seed: number): {text: string, rows: number, features: number} {
    const answer = this.call('generate', name, seed) as {text: string, rows: number, features: number};
    this.given = {text: answer.text, features: answer.features, regression: false};
    return answer;
  }

  train(spec: Spec): TrainAnswer {
    const answer = this.ask('train', spec) as TrainAnswer;
    answer.margins ??= [];
    return answer;
  }

  /** Of the last run; without one, or of a learner that visits no rows, none. */
  events(): Events {
    const at = this.guarded(() => this.exports['events']!());
    const head = new Float64Array(this.memory.buffer, at, 5);
    const [count, stride, features, mistakesOnly, visits] = head as unknown as [number, number, number, number, number];
    const values = new Float64Array(this.memory.buffer, at + 40, count * stride).slice();
    return {count, stride, features, mistakesOnly: mistakesOnly !== 0, visits, values};
  }

  certify(options: {origin?: boolean, map?: string, mistakes?: boolean} = {}): CertifyAnswer {
    return this.ask('certify', options) as CertifyAnswer;
  }

  /** What the second checker says of a proof about these rows. */
  verify(proof: string): VerifyAnswer {
    return this.call('verify', proof) as VerifyAnswer;
  }

  /** R and γ of the rows with their x0 = 1 and the most mistakes of a perceptron from θ = 0; null where rows aren't separable. */
  bound(origin = false, map = 'none'): BoundAnswer | null {
    return (this.ask('bound', {origin, map}) as {bound: BoundAnswer | null}).bound;
  }

  /** Triples k, k·γ, R·√k from k = 0 to the bound, at most 200, of the last `bound`. */
  curve(): Float64Array {
    return this.numbers('curve');
  }

  geometry(request: GeometryRequest): GeometryAnswer {
    return this.ask('geometry', request) as GeometryAnswer;
  }

  /** z of the last model at points, `features` numbers each. */
  scores(points: Float64Array, features: number): Float64Array {
    return this.guarded(() => {
      const at = this.exports['alloc']!(Math.max(8, points.byteLength));
      new Float64Array(this.memory.buffer, at, points.length).set(points);
      const failed = this.exports['scores']!(at, points.length, features);
      this.exports['release']!(at);
      if (failed) this.refuse();
      return this.results();
    });
  }

  /** n × n values of the kernel, n ≤ 200. */
  gram(kernel: Kernel = {kind: 'linear'}): Float64Array {
    this.ask('gram', kernel);
    return this.results();
  }

  /** The picture document of the rows and the last run, as JSON. */
  picture(spec: {title?: string, rows?: number} = {}): string {
    return (this.ask('picture', spec) as {picture: string}).picture;
  }

  /** The report of the same as one HTML file; '' where the module has none. */
  report(spec: {title?: string, rows?: number} = {}): string {
    return (this.ask('report', spec) as {html: string}).html;
  }

  private start(): void {
    const files: Record<string, () => number> = {};
    for (const wanted of WebAssembly.Module.imports(this.module)) files[wanted.name] = () => notThere;
    const instance = new WebAssembly.Instance(this.module, {wasi_snapshot_preview1: files});
    this.exports = instance.exports as Exports;
    this.memory = instance.exports['memory'] as WebAssembly.Memory;
    this.exports['_initialize']?.();
  }

  /** A call that broke the instance (no memory, endless recursion) makes a new one, with the rows of before. */
  private guarded<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (error instanceof EngineError) throw error;
      this.start();
      const given = this.given;
      if (given) this.call('rows', given.text, given.features, given.regression ? 1 : 0);
      throw new EngineError(`linsep stopped: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private ask(name: string, request: object): unknown {
    return this.call(name, JSON.stringify(request));
  }

  private call(name: string, text: string, ...more: number[]): unknown {
    const bytes = new TextEncoder().encode(text);
    return this.guarded(() => {
      const exported = this.exports[name];
      if (!exported) throw new EngineError(`this build of linsep has no ${name}`);
      const at = this.exports['alloc']!(Math.max(1, bytes.length));
      new Uint8Array(this.memory.buffer, at, bytes.length).set(bytes);
      const failed = exported(at, bytes.length, ...more);
      this.exports['release']!(at);
      if (failed) this.refuse();
      return this.answer();
    });
  }

  private answer(): unknown {
    const at = this.exports['answer']!(), size = this.exports['answer_size']!();
    this.text = new TextDecoder().decode(new Uint8Array(this.memory.buffer, at, size).slice());
    return JSON.parse(this.text);
  }

  private refuse(): never {
    const answer = this.answer() as Record<string, unknown>;
    throw new EngineError(String(answer['error']), answer);
  }

  private numbers(name: string): Float64Array {
    return this.guarded(() => {
      if (this.exports[name]!()) this.refuse();
      return this.results();
    });
  }

  /** The numbers of the last call that has some. */
  private results(): Float64Array {
    const at = this.exports['numbers']!(), count = this.exports['number_count']!();
    return new Float64Array(this.memory.buffer, at, count).slice();
  }
}
