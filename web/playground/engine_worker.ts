// The engine in a worker. A request is {id, calls: [{method, args}]}, its answer {id, answers} or {id, error}.
//
// The bundle is one file: `play.js` runs as the page, and as the worker where there is no document. The page keeps one request
// under way and only the newest of those that wait, so the newest wins; a request that takes longer than the limit ends with its worker.
import {Engine as LinsepEngine} from '../shared/engine';
import {Memory, solve, type Engine, type Job, type Solved} from './solve';

type Call = {method: string, args: unknown[]};
type Request = {id: number, calls: Call[]};
type Reply = {id: number, answers?: unknown[], error?: string};

/** The worker's side. */
export function runWorker(): void {
  let engine: Engine | null = null;
  const memory = new Memory();
  const answer = async (call: Call): Promise<unknown> => {
    if (call.method === 'load') {
      engine = await LinsepEngine.load(call.args[0] as ArrayBuffer) as unknown as Engine;
      return engine.version();
    }
    if (!engine) throw new Error('the engine is not loaded');
    if (call.method === 'solve') return solve(engine, call.args[0] as Job, memory);
    if (call.method === 'generate') memory.forget();
    const method = (engine as unknown as Record<string, (...args: unknown[]) => unknown>)[call.method];
    if (!method) throw new Error(`the engine has no ${call.method}`);
    return method.apply(engine, call.args);
  };
  let turn: Promise<void> = Promise.resolve();
  self.onmessage = (event: MessageEvent<Request>) => {
    const {id, calls} = event.data;
    turn = turn.then(async () => {
      const reply: Reply = {id};
      try {
        reply.answers = [];
        for (const call of calls) reply.answers.push(await answer(call));
      } catch (error) {
        delete reply.answers;
        reply.error = error instanceof Error ? error.message : String(error);
      }
      self.postMessage(reply);
    });
  };
}

const limit = 20_000;

/** The page's side. */
export class EngineClient {
  private worker: Worker | null = null;
  private next = 1;
  private waiting = new Map<number, {done: (answers: unknown[]) => void, failed: (error: Error) => void}>();
  private under: Job | null = null;
  private newest: Job | null = null;
  private timer = 0;
  private restarts = 0;

  constructor(private script: string, private bytes: ArrayBuffer, private solved: (answer: Solved) => void,
              private failed: (text: string) => void) {}

  /** Starts the worker and loads the engine; its version. */
  async start(): Promise<string> {
    const worker = new Worker(this.script);
    this.worker = worker;
    worker.onmessage = (event: MessageEvent<Reply>) => this.take(event.data);
    worker.onerror = event => {
      event.preventDefault();
      this.restart(`The engine stopped: ${event.message || 'its worker could not be started'}`);
    };
    const [version] = await this.ask([{method: 'load', args: [this.bytes]}]);
    return String(version);
  }

  /** Single calls, in turn. */
  ask(calls: Call[]): Promise<unknown[]> {
    const id = this.next++;
    return new Promise((done, failed) => {
      this.waiting.set(id, {done, failed});
      this.worker?.postMessage({id, calls});
    });
  }

  /** A state's answers; a state that came later takes the place of one that waits. */
  solve(job: Job): void {
    if (this.under) {
      this.newest = job;
      return;
    }
    this.under = job;
    this.timer = window.setTimeout(() => this.restart(`Stopped after ${limit / 1000} seconds: try fewer passes or rows.`), limit);
    this.ask([{method: 'solve', args: [job]}]).then(
      ([answer]) => this.ended(() => this.solved(answer as Solved)),
      (error: Error) => this.ended(() => this.failed(error.message)));
  }

  get busy(): boolean {
    return this.under !== null;
  }

  private ended(tell: () => void): void {
    clearTimeout(this.timer);
    this.under = null;
    const job = this.newest;
    this.newest = null;
    if (job) this.solve(job);
    tell();
  }

  private take(reply: Reply): void {
    const one = this.waiting.get(reply.id);
    this.waiting.delete(reply.id);
    if (!one) return;
    if (reply.error !== undefined) one.failed(new Error(reply.error));
    else one.done(reply.answers ?? []);
  }

  /** Ends the worker, says why, and starts another. */
  private restart(why: string): void {
    this.worker?.terminate();
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    if (++this.restarts <= 5) void this.start().catch(() => undefined);
    if (waiting.length === 0) this.failed(why);
    for (const one of waiting) one.failed(new Error(why));
  }
}
