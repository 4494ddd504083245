// The bound: ‖θ‖ after k mistakes lies between k·γ and R·√k, and the two meet at (R/γ)². Bounds are dashed, what was measured is dots.
import type {BoundAnswer} from '../shared/engine';
import type {Results, State} from './state';
import {pixel, put, show, svg, write} from './svg';
import {mistakesUpTo, moment, number, position} from './view';

const edge = {left: 42, right: 34, top: 12, bottom: 22};

export class BoundPane {
  private root: SVGSVGElement;
  private wedge = svg('path', {class: 'wedge'});
  private lower = svg('path', {class: 'bound-line'});
  private upper = svg('path', {class: 'bound-line'});
  private meet = svg('path', {class: 'meet'});
  private meetName = svg('text', {class: 'meet-name', 'text-anchor': 'end'});
  private lowerName = svg('text', {class: 'bound-name', 'text-anchor': 'end'}, 'k·γ');
  private upperName = svg('text', {class: 'bound-name', 'text-anchor': 'end'}, 'R·√k');
  private later = svg('path', {class: 'dots later'});
  private dots = svg('path', {class: 'dots'});
  private now = svg('circle', {class: 'dot-now', r: 5});
  private axes = svg('g', {class: 'axes', 'aria-hidden': 'true'});
  private title: HTMLElement;
  private note: HTMLElement;
  private drawn = '';
  private width = 400;
  private height = 200;

  constructor(pane: HTMLElement, place: HTMLElement, resized: () => void) {
    this.title = pane.querySelector('h2')!;
    this.note = pane.querySelector('.note')!;
    this.root = svg('svg', {class: 'chart', role: 'img'}, this.axes, this.wedge, this.lower, this.upper, this.meet, this.meetName, this.lowerName,
                    this.upperName, this.later, this.dots, this.now);
    place.append(this.root);
    new ResizeObserver(() => {
      const width = Math.max(160, place.clientWidth), height = Math.max(100, place.clientHeight);
      if (width === this.width && height === this.height) return;
      [this.width, this.height] = [width, height];
      resized();
    }).observe(place);
  }

  update(state: State, results: Results): void {
    const events = results.events;
    const counts = (state.learner === 'perceptron' || state.learner === 'dual') && events !== null;
    show(this.root, counts);
    if (!counts || !events) {
      write(this.title, 'Mistakes and the bound');
      write(this.note, state.regression ? 'A regression corrects every row, so there are no mistakes to count.' :
          'This learner doesn’t correct row by row; the bound is for perceptrons.');
      return;
    }
    const sums = mistakesUpTo(events), total = sums[events.count - 1] ?? 0;
    const fromZero = state.init.every(text => Number(text) === 0) && (state.origin || Number(state.initOffset) === 0);
    const kernel = state.learner === 'dual' && state.kernel !== 'linear';
    const bound = fromZero && !kernel ? results.bound : null;
    this.words(state, results, total, fromZero);
    const curve = bound ? results.curve : null;
    const most = Math.max(1, total, curve && curve.length >= 3 ? curve[curve.length - 3]! : 0);
    this.draw(state, results, curve, most, Number(state.rate) || 1);
  }

  private words(state: State, results: Results, total: number, fromZero: boolean): void {
    const visit = moment(state, results), k = visit?.mistakes ?? 0;
    const kernel = state.learner === 'dual' && state.kernel !== 'linear', bound = kernel ? null : results.bound;
    const so = k === total ? `${total} mistakes` : `${k} of ${total} mistakes`;
    if (!bound) write(this.title, kernel ? so : `${so}, and no bound`);
    else write(this.title, fromZero ? `${so}; the theory allows at most ${bound.mistakes_text}` : `${so}`);
    const verdict = String(results.certify?.['verdict'] ?? '');
    if (kernel) {
      write(this.note, 'Just the count: the bound is in the kernel’s own space, whose R and γ aren’t shown.');
    } else if (bound && fromZero) {
      const norm = state.origin ? '‖θ‖' : '‖(θ, θ0)‖', rows = state.origin ? 'x' : '(x, 1)';
      write(this.note, `k·γ ≤ ${norm} ≤ R·√k, and the two meet at (R/γ)². R = ${number(bound.radius)} is the length of the longest row ${rows}, ` +
            `γ = ${number(bound.margin)} the largest margin of any classifier on such rows.`);
    } else if (!fromZero) {
      write(this.note, 'The bound holds only from θ = 0; this run starts elsewhere.');
    } else {
      write(this.note, verdict === 'separable' ? 'No bound is known for these rows.' :
          'Without a separator, nothing bounds the mistakes: the run goes on forever, or until it runs out of passes.');
    }
  }

  private draw(state: State, results: Results, curve: Float64Array | null, most: number, rate: number): void {
    const events = results.events!;
    const width = this.width - edge.left - edge.right, height = this.height - edge.top - edge.bottom;
    let high = 1e-9;
    for (let i = 0; i < events.count; i++) high = Math.max(high, events.values[i * events.stride + 7]!);
    // η scales both curves; the dots are the run's own.
    if (curve && curve.length >= 3) high = Math.max(high, curve[curve.length - 1]! * rate);
    if (!Number.isFinite(high)) high = 1;
    const x = (k: number) => pixel(edge.left + k / most * width), y = (norm: number) => pixel(edge.top + height - norm / high * height);
    put(this.root, 'viewBox', `0 0 ${this.width} ${this.height}`);
    put(this.root, 'aria-label', `${this.title.textContent}. ${this.note.textContent}`);
    this.axis(most, high, x, y);
    this.curves(curve, results.bound, rate, x, y);
    const until = position(state, results), sums = mistakesUpTo(events);
    let done = '', later = '', at: [number, number] = [x(0), y(events.values[7]!)];
    for (let i = 1; i < events.count; i++) {
      if (!(events.values[i * events.stride + 5]! > 0)) continue;
      const px = x(sums[i]!), py = y(events.values[i * events.stride + 7]!);
      const dot = `M${(px - 2.5).toFixed(1)} ${py.toFixed(1)}a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0`;
      if (i <= until) [done, at] = [done + dot, [px, py]];
      else later += dot;
    }
    put(this.dots, 'd', done);
    put(this.later, 'd', later);
    put(this.now, 'cx', at[0].toFixed(1));
    put(this.now, 'cy', at[1].toFixed(1));
  }

  private curves(curve: Float64Array | null, bound: BoundAnswer | null, rate: number, x: (k: number) => number, y: (norm: number) => number): void {
    const low: string[] = [], up: string[] = [];
    for (let i = 0; curve && i + 2 < curve.length; i += 3) {
      low.push(`${x(curve[i]!).toFixed(1)} ${y(curve[i + 1]! * rate).toFixed(1)}`);
      up.push(`${x(curve[i]!).toFixed(1)} ${y(curve[i + 2]! * rate).toFixed(1)}`);
    }
    put(this.lower, 'd', low.length ? `M${low.join('L')}` : '');
    put(this.upper, 'd', up.length ? `M${up.join('L')}` : '');
    put(this.wedge, 'd', low.length ? `M${low.join('L')}L${[...up].reverse().join('L')}Z` : '');
    for (const one of [this.lowerName, this.upperName]) show(one, low.length > 1);
    // Whether the curves meet within what is drawn.
    const meets = curve !== null && bound !== null && curve[curve.length - 3]! >= bound.mistakes;
    for (const one of [this.meet, this.meetName]) show(one, meets);
    if (!curve || !bound || low.length < 2) return;
    const px = x(bound.mistakes);
    put(this.meet, 'd', `M${px.toFixed(1)} ${edge.top}V${y(0).toFixed(1)}`);
    put(this.meetName, 'x', (px - 6).toFixed(1));
    put(this.meetName, 'y', (y(0) - 8).toFixed(1));
    write(this.meetName, `at most ${bound.mistakes_text}`);
    const third = Math.floor(curve.length / 3 * 0.55) * 3;
    put(this.upperName, 'x', (x(curve[third]!) - 6).toFixed(1));
    put(this.upperName, 'y', (y(curve[third + 2]! * rate) - 6).toFixed(1));
    put(this.lowerName, 'x', (x(curve[third]!) + 34).toFixed(1));
    put(this.lowerName, 'y', (y(curve[third + 1]! * rate) + 16).toFixed(1));
  }

  private axis(most: number, high: number, x: (k: number) => number, y: (norm: number) => number): void {
    const key = [most, high, this.width, this.height].join();
    if (key === this.drawn) return;
    this.drawn = key;
    const parts: SVGElement[] = [];
    const bottom = y(0);
    for (const tick of ticks(most, 6, true)) {
      parts.push(svg('path', {class: 'grid', d: `M${x(tick).toFixed(1)} ${edge.top}V${bottom}`}),
                 svg('text', {x: x(tick).toFixed(1), y: bottom + 15, 'text-anchor': 'middle'}, number(tick)));
    }
    for (const tick of ticks(high, 4, false)) {
      // The axis's name stands at its top.
      if (y(tick) < edge.top + 12) continue;
      parts.push(svg('path', {class: 'grid', d: `M${edge.left} ${y(tick).toFixed(1)}H${this.width - edge.right}`}),
                 svg('text', {x: edge.left - 6, y: (y(tick) + 4).toFixed(1), 'text-anchor': 'end'}, number(tick)));
    }
    parts.push(svg('text', {class: 'axis-name', x: this.width - 4, y: bottom + 15, 'text-anchor': 'end'}, 'k'),
               svg('text', {class: 'axis-name', x: 2, y: edge.top}, '‖θ‖'));
    this.axes.replaceChildren(...parts);
  }
}

/** Round numbers from 0 to `high`, for axes that begin at 0. */
function ticks(high: number, most: number, whole: boolean): number[] {
  const rough = high / most, power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map(n => n * power).find(n => n >= rough) ?? power * 10;
  if (whole) step = Math.max(1, step);
  const out: number[] = [];
  for (let i = 0; i * step <= high * (1 + 1e-9); i++) out.push(i * step);
  return out;
}
