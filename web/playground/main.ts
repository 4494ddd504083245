// The page: loads the engine, joins store, worker and panes. As a worker the same file runs the engine.
import {decode, encode} from './address';
import {mountBring} from './bring';
import {BoundPane} from './bound';
import {Controls} from './controls';
import {DataPane, mountTools} from './data';
import {EngineClient, runWorker} from './engine_worker';
import {figures} from './figures';
import {mountKeys, showKeys} from './keys';
import {mountWeights} from './hand_weights';
import {mountLessons, openLesson} from './lesson_bar';
import {lessons} from './lessons';
import {LiftPane} from './lift';
import {say} from './live';
import {More} from './more';
import {Panes} from './panes';
import {isOneFile, loadParts} from './parts';
import {findPreset, presets, presetState} from './presets';
import {mountRows} from './rows_table';
import {jobOf, visitsRows} from './spec';
import type {Solved} from './solve';
import {Store, type Results, type State} from './state';
import {StripsPane} from './strips';
import {byId, html, show, write} from './svg';
import {Timeline} from './timeline';
import {mountTheme} from './theme';
import {ui} from './ui';
import {VerdictPane} from './verdict';
import {WeightsPane} from './weights';
import type {VerifyAnswer} from '../shared/engine';

class Page {
  private store = new Store();
  private engine: EngineClient | null = null;
  private data: DataPane;
  private weights: WeightsPane;
  private parts: {update(state: State, results: Results): void}[];
  private waits = false;
  private asked = '';
  private writing = 0;
  private seen = location.hash;  // the address last read or written
  /** What is wrong with the address that was given last; it is said until something changes. */
  private wrongAddress = '';
  private wrongFor: State | null = null;

  constructor() {
    const again = () => this.changed();
    const {store} = this;
    // First, so that whoever listens as well sees that an answer is still to come.
    store.subscribe(again);
    this.data = new DataPane(byId('place-data'), store, again);
    this.weights = new WeightsPane(byId('pane-weights'), byId('place-weights'), store, again);
    const check = (proof: string) => void this.engine?.ask([{method: 'verify', args: [proof]}]).then(
      ([answer]) => store.answer({checked: answer as VerifyAnswer}), (error: Error) => store.answer({error: error.message}));
    this.parts = [
      new Panes(store), this.data, this.weights, new BoundPane(byId('pane-bound'), byId('place-bound'), again),
      new VerdictPane(byId('pane-verdict'), store, check), new LiftPane(byId('pane-lift'), byId('place-lift'), again),
      new StripsPane(byId('pane-strips'), byId('place-strips')), new Timeline(byId('timeline'), store), new More(store),
      new Controls(byId('controls'), store),
    ];
    mountTools(byId('tools'), this.data);
    mountTheme(byId<HTMLButtonElement>('theme'));
    this.header();
    mountLessons(byId('lessons'), store);
    mountWeights(byId('by-hand'), store);
    mountRows(byId('rows'), store);
    mountBring(byId('bring'), store, {report: async () => String((await this.engine?.ask([{method: 'report', args: []}]))?.[0] ?? '')});
    mountKeys(store, document);
    // A row of the table is a row as well.
    for (const name of ['pointerover', 'focusin'] as const) {
      byId('rows').addEventListener(name, event => {
        const row = (event.target as Element).closest('[data-row]')?.getAttribute('data-row');
        ui.light(row ? Number(row) - 1 : null);
      });
    }
    byId('rows').addEventListener('pointerleave', () => ui.light(null));
    ui.listeners.push(() => {
      this.data.lit();
      this.weights.light();
    });
  }

  private header(): void {
    const {store} = this;
    const preset = byId<HTMLSelectElement>('preset'), lesson = byId<HTMLSelectElement>('lesson');
    preset.append(html('option', {value: ''}, 'own rows'), ...presets.map(one => html('option', {value: one.name}, one.title)));
    lesson.append(html('option', {value: ''}, 'Lessons …'), ...lessons.map((one, i) => html('option', {value: i + 1}, `${i + 1}. ${one.title}`)));
    preset.addEventListener('change', () => {
      const state = presetState(preset.value);
      if (!state) return;
      const {panes, lesson: open, k} = store.state;
      // Who is at the start of a run comes to the start of the next.
      store.set({...state, panes, lesson: open, k: k === 0 && visitsRows(state) ? 0 : null}, 'data');
    });
    lesson.addEventListener('change', () => {
      if (lesson.value) openLesson(store, Number(lesson.value));
      else store.set({lesson: null}, 'view');
    });
    byId('first-lesson').addEventListener('click', () => openLesson(store, 1));
    byId('undo').addEventListener('click', () => store.undo());
    byId('redo').addEventListener('click', () => store.redo());
    byId('help').addEventListener('click', () => showKeys());
    byId('share').addEventListener('click', () => void this.share());
    byId('pane-weights').querySelector<HTMLInputElement>('.keep-slice')!.addEventListener('change', event =>
      store.set({keepSlice: (event.target as HTMLInputElement).checked}, 'view'));
    for (const button of document.querySelectorAll<HTMLElement>('[data-for]')) {
      button.addEventListener('click', () => byId(button.dataset['for']!).click());
    }
    const sheet = byId('sheet');
    sheet.addEventListener('click', () => {
      const open = byId('settings').classList.toggle('open');
      sheet.setAttribute('aria-expanded', String(open));
    });
  }

  private async share(): Promise<void> {
    await this.write();
    const copied = await navigator.clipboard?.writeText(location.href).then(() => true, () => false);
    say(copied ? 'The address is copied.' : 'The address is in the address bar.');
    const button = byId('share');
    write(button, copied ? 'Copied' : 'In the bar');
    setTimeout(() => write(button, 'Share'), 1500);
  }

  /** Puts the state into the address, without a step in the browser's history. An address just typed or followed stays: it is read next. */
  private async write(): Promise<void> {
    const text = await encode(this.store.state);
    if (location.hash !== this.seen) return;
    if (location.hash !== text) history.replaceState(null, '', text);
    this.seen = location.hash;
    document.documentElement.dataset['address'] = 'written';
  }

  private async read(): Promise<void> {
    const hash = location.hash;
    const known = hash.length < 2 || hash === await encode(this.store.state);
    const {state, error} = known ? {} : await decode(hash);
    if (hash !== location.hash) return;  // a later address is being read
    this.seen = hash;
    document.documentElement.dataset['read'] = hash;
    this.wrongAddress = error ?? '';
    if (state) this.store.set(state, 'setting');
    this.wrongFor = this.store.state;
    this.trouble(this.wrongAddress);
  }

  async start(): Promise<void> {
    // Without an address: the start of a run, and what its signs mean.
    byId<HTMLDetailsElement>('start').open = location.hash.length < 2;
    if (location.hash.length < 2) this.store.set({k: 0}, 'view');
    await this.read();
    addEventListener('hashchange', () => void this.read());
    const {script, module} = await loadParts();
    this.engine = new EngineClient(script, module, solved => this.take(solved),
                                   text => this.store.answer({error: text, busy: false}));
    document.documentElement.dataset['engine'] = await this.engine.start();
    this.changed();
  }

  private take(solved: Solved): void {
    const {errors, geometry, ...rest} = solved;
    const all = geometry ? {...this.store.results.geometry, ...geometry} : this.store.results.geometry;
    this.store.answer({...rest, geometry: all, error: errors[0] ?? null, busy: this.engine!.busy});
    document.documentElement.dataset['ready'] = 'yes';
  }

  /** Asks the engine where the state asks for something else, and draws in the next frame. */
  private changed(): void {
    const {state} = this.store;
    if (state !== this.wrongFor) this.wrongAddress = '';
    const held = ui.held;
    const job = jobOf(state, {dataAspect: this.data.plane.aspect, weightsAspect: this.weights.plane.aspect,
                              held: held ? [held.x_low, held.x_high, held.y_low, held.y_high] : null});
    const key = JSON.stringify(job);
    if (this.engine && key !== this.asked) {
      this.asked = key;
      this.store.results.busy = true;
      this.engine.solve(job);
    }
    clearTimeout(this.writing);
    document.documentElement.dataset['address'] = 'later';
    this.writing = window.setTimeout(() => void this.write(), 300);
    if (this.waits) return;
    this.waits = true;
    requestAnimationFrame(() => {
      this.waits = false;
      this.draw();
    });
  }

  private draw(): void {
    const {state, results} = this.store;
    for (const part of this.parts) part.update(state, results);
    document.documentElement.dataset['busy'] = results.busy ? 'yes' : 'no';
    this.trouble(this.wrongAddress || (results.error ?? ''));
    byId<HTMLButtonElement>('undo').disabled = !this.store.canUndo;
    byId<HTMLButtonElement>('redo').disabled = !this.store.canRedo;
    const preset = byId<HTMLSelectElement>('preset'), lesson = byId<HTMLSelectElement>('lesson');
    if (preset.value !== (state.preset ?? '')) preset.value = state.preset ?? '';
    if (lesson.value !== String(state.lesson ?? '')) lesson.value = String(state.lesson ?? '');
    const note = state.lesson === null && state.preset ? findPreset(state.preset)?.note ?? '' : '';
    show(byId('start'), state.lesson === null);
    write(byId('preset-note'), note);
    show(byId('preset-note'), note !== '');
  }

  /** What went wrong, in its own words; the last good picture stays. */
  private trouble(text: string): void {
    const place = byId('trouble');
    write(place, text);
    show(place, text !== '');
  }
}

/** Without the engine: a sentence, and pictures that were drawn before. */
function withoutEngine(why: string): void {
  document.documentElement.dataset['ready'] = 'no';
  document.body.replaceChildren(html('main', {class: 'without'}, html('h1', {}, 'linsep playground'), html('p', {role: 'alert'}, why),
    html('p', {}, 'The linsep program answers the same questions on the command line: linsep train, linsep certify, linsep report, linsep plot.'),
    html('div', {class: 'figures'}, ...figures())));
}

function begin(): void {
  if (typeof WebAssembly === 'undefined') return withoutEngine('This browser has no WebAssembly, or it is switched off.');
  if (location.protocol === 'file:' && !isOneFile()) {
    return withoutEngine('Browsers don’t let this page load its engine from a disk. Open play.html instead, which is the playground in ' +
                         'one file, or serve the folder, for instance with: python3 -m http.server');
  }
  const page = new Page();
  page.start().catch((error: unknown) => withoutEngine(error instanceof Error ? error.message : String(error)));
}

if (typeof document === 'undefined') runWorker();
else begin();
