// Weight space: a classifier is a point, each row a line that forbids one side, what is left is hatched; the path of corrections.
import {decimal} from './acts';
import type {GeometryAnswer, Point} from '../shared/engine';
import {instead, Plane} from './plane';
import type {Results, State, Store} from './state';
import {arrowHead, html, put, show, svg, write} from './svg';
import {ui} from './ui';
import {classifier, eventAt, moment, number} from './view';

/** Beyond so many rows lines have no ticks on their good side and no numbers. */
const named = 40;

export class WeightsPane {
  readonly plane: Plane;
  private feasible: SVGPathElement;
  private lines = {positive: svg('path', {class: 'row-line pos'}), negative: svg('path', {class: 'row-line neg'})};
  private sides = {positive: svg('path', {class: 'row-side pos'}), negative: svg('path', {class: 'row-side neg'})};
  private numbers = svg('g', {class: 'row-numbers'});
  private lit = svg('path', {class: 'row-line lit'});
  private litSide = svg('path', {class: 'row-side lit'});
  private trail = svg('path', {class: 'trail'});
  private heads = svg('path', {class: 'trail-heads'});
  private last = svg('path', {class: 'trail last'});
  private lastHead = svg('path', {class: 'trail-heads last'});
  private point = svg('g', {class: 'theta-point', tabindex: 0, role: 'slider', 'aria-label': 'θ', 'data-theta': true},
                      svg('circle', {class: 'hit', r: 16}),
                      svg('circle', {class: 'dot', r: 6}), svg('text', {x: 9, y: -8}, 'θ'));
  private note = html('p', {class: 'instead'});
  private caption: HTMLElement;
  private hint: HTMLElement;
  private answer: GeometryAnswer | null = null;
  private dragging = false;

  constructor(private pane: HTMLElement, place: HTMLElement, private store: Store, resized: () => void) {
    this.plane = new Plane(place, 'weights', resized);
    this.feasible = svg('path', {class: 'feasible', fill: 'url(#hatch-weights)'});
    this.caption = pane.querySelector('.slice')!;
    this.hint = pane.querySelector('.hint')!;
    place.append(this.note);
    const decoration = svg('g', {'aria-hidden': 'true'}, this.feasible, this.sides.positive, this.sides.negative, this.lines.positive,
                           this.lines.negative, this.litSide, this.lit, this.numbers, this.trail, this.heads, this.last, this.lastHead);
    this.plane.scene.append(decoration, this.point);
    this.listen();
  }

  private listen(): void {
    const root = this.plane.root;
    root.addEventListener('pointerdown', event => {
      if (!this.point.contains(event.target as Node) || event.button !== 0) return;
      event.preventDefault();
      this.dragging = true;
      this.point.focus({preventScroll: true});
      root.setPointerCapture(event.pointerId);
      this.store.hold();
    });
    root.addEventListener('pointermove', event => {
      const [x, y] = this.plane.at(event);
      if (this.dragging) this.put(this.plane.scale.back(x, y), this.plane.scale.step);
      else if (event.pointerType === 'mouse') ui.light(this.nearest(x, y));
    });
    for (const name of ['pointerup', 'pointercancel']) root.addEventListener(name, () => this.end());
    root.addEventListener('pointerleave', () => {
      if (!this.dragging) ui.light(null);
    });
  }

  private end(): void {
    if (!this.dragging) return;
    this.dragging = false;
    this.store.release();
  }

  /** Sets the classifier by hand, in the plane that is shown. */
  private put(at: Point, step: number): void {
    const {state, results} = this.store;
    const now = classifier(state, results);
    if (!now) return;
    const {window} = this.plane.scale;
    const x = decimal(Math.min(Math.max(at[0], window.x_low), window.x_high), step);
    const y = decimal(Math.min(Math.max(at[1], window.y_low), window.y_high), step);
    const sign = now.offset < 0 ? '-1' : '1';
    const weights = state.features === 1 ? {theta: [y], offset: x} :
        {theta: [x, y], offset: state.keepSlice && now.offset !== 0 && !state.origin ? sign : String(state.origin ? 0 : now.offset)};
    this.store.set({weights}, 'setting');
  }

  /** The row whose line is within 7 pixels, from 0. */
  private nearest(x: number, y: number): number | null {
    let best = 7, found: number | null = null;
    for (const line of this.answer?.lines ?? []) {
      if (line.ends.length < 2) continue;
      const [a, b] = [line.ends[0]!, line.ends[1]!].map(([u, v]) => [this.plane.scale.x(u), this.plane.scale.y(v)]) as [Point, Point];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      const away = length > 0 ? Math.abs((b[0] - a[0]) * (a[1] - y) - (a[0] - x) * (b[1] - a[1])) / length : Infinity;
      if (away < best) [best, found] = [away, line.row - 1];
    }
    return found;
  }

  update(state: State, results: Results): void {
    const answer = results.geometry['weights'];
    const why = this.why(state, answer);
    this.answer = why ? null : answer ?? null;
    show(this.plane.root, !why);
    show(this.note, !!why);
    show(this.caption, !why && state.features === 2 && !state.origin);
    show(this.hint, !why);
    if (why || !answer) return void instead(this.plane.place, undefined, why ?? '');
    const one = state.features === 1;
    this.plane.fit(answer, one ? 'θ0' : 'θ1', one ? 'θ1' : 'θ2');
    put(this.feasible, 'd', this.plane.scale.path(answer.feasible ?? [], true));
    this.rows(state, answer);
    this.path(state, results);
    this.theta(state, answer);
    this.slice(state, results, answer);
    this.light();
    const hatched = (answer.feasible ?? []).length > 0, verdict = String(results.certify?.['verdict'] ?? '');
    const right = hatched ? 'Hatched: right on every row.' : verdict === 'overlapping' || verdict === 'quasi-separable' ?
        'Nothing is hatched: no θ is right on every row.' : 'Nothing is hatched: no θ in view is right on every row.';
    write(this.hint, `${right} Each row is a line, ticked on the side where it is right. Drag θ.`);
    this.hint.classList.toggle('needed', !hatched);
    put(this.plane.root, 'aria-label', `Weight space. ${right}`);
  }

  private why(state: State, answer: GeometryAnswer | undefined): string | null {
    if (state.features > 2) return `${state.features} weights: no plane can show them.`;
    if (state.map !== 'none') return 'A map adds weights: θ has more than two, and no plane can show them. The lifted rows show the plane instead.';
    if (state.learner === 'dual' && state.kernel !== 'linear') return 'With a kernel there is no θ: the classifier is α and the rows.';
    if (state.regression) return 'A regression has no good side: every row pulls on θ, none forbids a half-plane.';
    return answer?.text || null;
  }

  private rows(state: State, answer: GeometryAnswer): void {
    const {scale} = this.plane;
    const parts = {positive: '', negative: ''}, sides = {positive: '', negative: ''};
    const few = state.rows.length <= named;
    const ends: SVGTextElement[] = [];
    for (const line of answer.lines ?? []) {
      const which = (state.rows[line.row - 1]?.y ?? 1) > 0 ? 'positive' : 'negative';
      parts[which] += scale.path(line.ends);
      if (!few || line.ends.length < 2) continue;
      sides[which] += this.ticks(line.ends, line.good);
      ends.push(this.label(line.row, line.ends, which, ends.length));
    }
    for (const which of ['positive', 'negative'] as const) {
      this.lines[which].classList.toggle('many', !few);
      put(this.lines[which], 'd', parts[which]);
      put(this.sides[which], 'd', sides[which]);
    }
    if (ends.length || this.numbers.firstChild) this.numbers.replaceChildren(...ends);
  }

  /** Short strokes on a line's good side. */
  private ticks(ends: Point[], good: Point): string {
    const {scale} = this.plane;
    const [a, b] = [ends[0]!, ends[1]!].map(([x, y]) => [scale.x(x), scale.y(y)]) as [Point, Point];
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
    let out = '';
    for (let s = 7; s < length; s += 14) {
      const x = a[0] + (b[0] - a[0]) * s / length, y = a[1] + (b[1] - a[1]) * s / length;
      out += `M${x.toFixed(1)} ${y.toFixed(1)}l${(good[0] * 6).toFixed(1)} ${(-good[1] * 6).toFixed(1)}`;
    }
    return out;
  }

  /** The row's number near its line's end, on its good side; lines that end together are numbered one after another along it. */
  private label(row: number, ends: Point[], which: string, nth: number): SVGTextElement {
    const {scale} = this.plane;
    const [a, b] = [ends[0]!, ends[1]!];
    const t = 0.94 - 0.05 * (nth % 4);
    const x = scale.x(a[0] + (b[0] - a[0]) * t), y = scale.y(a[1] + (b[1] - a[1]) * t);
    const line = this.store.results.geometry['weights']?.lines?.find(one => one.row === row);
    const good = line?.good ?? [0, 0];
    return svg('text', {class: which === 'positive' ? 'pos' : 'neg', x: (x + good[0] * 14).toFixed(1), y: (y - good[1] * 14 + 4).toFixed(1),
                        'text-anchor': 'middle'}, String(row));
  }

  /** Corrections up to now, head to tail. */
  private path(state: State, results: Results): void {
    const events = results.events;
    const clear = () => [this.trail, this.heads, this.last, this.lastHead].forEach(one => put(one, 'd', ''));
    if (!events || state.keepSlice || state.weights) return clear();
    const {scale} = this.plane;
    const until = moment(state, results)!.index;
    const place = (i: number): Point => {
      const at = i * events.stride;
      const x = state.features === 1 ? events.values[at + 6]! : events.values[at + 8]!;
      const y = state.features === 1 ? events.values[at + 8]! : events.values[at + 9]!;
      return [scale.x(x), scale.y(y)];
    };
    const few = moment(state, results)!.mistakes <= 60;
    let from = place(0), d = '', heads = '', last = '', lastHead = '';
    for (let i = 1; i <= until; i++) {
      if (!(events.values[i * events.stride + 5]! > 0)) continue;
      const to = place(i);
      const segment = `M${from[0].toFixed(1)} ${from[1].toFixed(1)}L${to[0].toFixed(1)} ${to[1].toFixed(1)}`;
      if (i === until) {
        last = segment;
        lastHead = arrowHead(...from, ...to, 9);
      } else {
        d += segment;
        if (few) heads += arrowHead(...from, ...to, 6);
      }
      from = to;
    }
    put(this.trail, 'd', d);
    put(this.heads, 'd', heads);
    put(this.last, 'd', last);
    put(this.lastHead, 'd', lastHead);
    const y = until > 0 ? state.rows[eventAt(events, until).row - 1]?.y ?? 0 : 0;
    for (const one of [this.last, this.lastHead]) {
      one.classList.toggle('pos', y > 0);
      one.classList.toggle('neg', y < 0);
    }
  }

  private theta(state: State, answer: GeometryAnswer): void {
    show(this.point, !!answer.point);
    if (!answer.point) return;
    const {scale} = this.plane;
    put(this.point, 'transform', `translate(${scale.x(answer.point[0]).toFixed(2)} ${scale.y(answer.point[1]).toFixed(2)})`);
    const axis = state.features === 1 ? ['θ0', 'θ1'] : ['θ1', 'θ2'];
    put(this.point, 'aria-valuetext', `${axis[0]} = ${number(answer.point[0])}, ${axis[1]} = ${number(answer.point[1])}`);
    put(this.point, 'aria-valuenow', String(answer.point[0]));
    put(this.point, 'aria-valuemin', String(scale.window.x_low));
    put(this.point, 'aria-valuemax', String(scale.window.x_high));
  }

  private slice(state: State, results: Results, answer: GeometryAnswer): void {
    const now = classifier(state, results);
    if (!now) return;
    const everywhere = (answer.lines ?? []).filter(line => line.good_everywhere).map(line => line.row);
    const never = (answer.lines ?? []).filter(line => line.wrong_everywhere).map(line => line.row);
    const words = [`slice at θ0 = ${number(state.keepSlice && now.offset !== 0 ? Math.sign(now.offset) : now.offset)}`];
    if (everywhere.length) words.push(`${list(everywhere)} right everywhere here`);
    if (never.length) words.push(`${list(never)} wrong everywhere here`);
    write(this.caption.querySelector('.slice-text')!, words.join(' · '));
    this.pane.querySelector<HTMLInputElement>('.keep-slice')!.checked = state.keepSlice;
  }

  /** Draws the lit row's line over the others. */
  light(): void {
    const line = ui.lit === null ? undefined : this.answer?.lines?.find(one => one.row === ui.lit! + 1);
    put(this.lit, 'd', line ? this.plane.scale.path(line.ends) : '');
    put(this.litSide, 'd', line && line.ends.length > 1 ? this.ticks(line.ends, line.good) : '');
  }
}

function list(rows: number[]): string {
  const shown = rows.slice(0, 6).join(', ');
  return rows.length === 1 ? `row ${shown} is` : `rows ${shown}${rows.length > 6 ? ' …' : ''} are`;
}
