// Data space: rows as points that can be added, dragged, flipped and removed; half-spaces, boundary, hulls, θ.
import {addRow, decimal, flipRow, mostRows, moveRow, removeRow} from './acts';
import type {GeometryAnswer, Point} from '../shared/engine';
import {loupe} from './loupe';
import {say} from './live';
import {instead, Plane} from './plane';
import type {Results, Row, State, Store} from './state';
import {arrowHead, crossPath, diamondPath, html, put, show, svg, write} from './svg';
import {ui, type Tool} from './ui';
import {classifier, moment, number} from './view';

type Mark = {root: SVGGElement, shape: SVGPathElement, ring: SVGPathElement | null, count: SVGTextElement | null,
             counted: string, key: string, place: string};

const circle = (r: number) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
/** A ring with a bar, of a row that is wrong; a thick ring, of the one being corrected; a thin one, of a support vector. */
const rings: Record<string, string> = {wrong: circle(11) + 'M-8 8L8 -8', support: circle(11), corrected: circle(13), none: ''};

export class DataPane {
  readonly plane: Plane;
  private marks: Mark[] = [];
  private points = svg('g', {class: 'points', role: 'list', 'aria-label': 'rows'});
  private tints = {positive: svg('path', {class: 'tint pos'}), negative: svg('path', {class: 'tint neg'})};
  private hulls = {positive: svg('path', {class: 'hull pos'}), negative: svg('path', {class: 'hull neg'})};
  private boundary = svg('path', {class: 'boundary'});
  private margins = svg('path', {class: 'margin'});
  private arrow = svg('path', {class: 'theta-line'});
  private head = svg('path', {class: 'theta-head'});
  private arrowName = svg('text', {class: 'theta-name'}, 'θ');
  private spokes = svg('g', {class: 'spokes'});
  private witness = svg('path', {class: 'witness', d: diamondPath(8)});
  private cells = svg('g', {class: 'cells'});
  /** Shows the tools of a regression, whose rows have no classes, or all. */
  tools: ((regression: boolean) => void) | null = null;
  private zero = svg('text', {class: 'line-name'}, 'z = 0');
  private note = html('p', {class: 'instead'});
  private hint: HTMLElement;
  private drag: {index: number, moved: boolean, from: Point, pointer: number, dx: number, dy: number} | null = null;
  private focusNext: number | null = null;
  private naming = 0;
  private shownLit: number | null = null;

  constructor(place: HTMLElement, private store: Store, resized: () => void) {
    this.plane = new Plane(place, 'data', resized);
    place.append(this.note);
    this.hint = place.parentElement!.querySelector('.hint')!;
    const decoration = svg('g', {'aria-hidden': 'true', class: 'decoration'});
    decoration.append(this.tints.positive, this.tints.negative, this.cells, this.hulls.positive, this.hulls.negative, this.margins,
                      this.boundary, this.zero, this.arrow, this.head, this.arrowName, this.spokes, this.witness);
    this.plane.scene.append(decoration, this.points);
    this.listen();
  }

  private listen(): void {
    const root = this.plane.root;
    root.addEventListener('pointerdown', event => this.down(event));
    root.addEventListener('pointermove', event => this.move(event));
    root.addEventListener('pointerup', event => this.up(event));
    root.addEventListener('pointercancel', () => this.end());
    root.addEventListener('pointerleave', () => {
      if (!this.drag) ui.light(null);
    });
    this.points.addEventListener('focusin', event => ui.light(rowOf(event.target)));
    this.points.addEventListener('focusout', () => ui.light(null));
    root.addEventListener('wheel', event => {
      event.preventDefault();
      this.zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, this.plane.scale.back(...this.plane.at(event)));
    }, {passive: false});
    document.addEventListener('new-point', () => this.add(this.middle()));
  }

  private middle(): Point {
    const {x_low, x_high, y_low, y_high} = this.plane.scale.window;
    return [(x_low + x_high) / 2, (y_low + y_high) / 2];
  }

  /** Widens (above 1) or narrows what is seen, about a place that stays. */
  zoom(by: number, about: Point = this.middle()): void {
    const {x_low, x_high, y_low, y_high} = this.plane.scale.window;
    const end = (value: number, centre: number) => Number((centre + (value - centre) * by).toPrecision(6));
    const window: State['window'] = [end(x_low, about[0]), end(x_high, about[0]), end(y_low, about[1]), end(y_high, about[1])];
    const width = window[1] - window[0];
    if (width > 1e-6 && width < 1e9) this.store.set({window}, 'view');
  }

  /** Shows the window that the engine chooses around the rows. */
  fitRows(): void {
    this.store.set({window: null}, 'view');
  }

  /** The features of a place in the plane, as decimals; of one feature only one coordinate counts. A regression's plane has no x2: it is kept. */
  private features(at: Point, fine: boolean, kept = '0'): string[] {
    const step = fine ? this.plane.scale.step / 10 : this.plane.scale.step;
    const {state} = this.store;
    if (state.features === 1) return [decimal(state.x0axis ? at[1] : at[0], step)];
    if (state.regression) return [decimal(at[0], step), kept];
    return [decimal(at[0], step), decimal(at[1], step)];
  }

  private add(at: Point): void {
    const {state} = this.store;
    if (state.features > 2) return;
    const x = this.features(at, false);
    const y = state.regression ? Number(decimal(at[1], this.plane.scale.step)) : ui.tool === '○' ? -1 : 1;
    this.focusNext = state.rows.length;
    if (!addRow(this.store, y, x)) return say(`The playground takes at most ${mostRows} rows.`);
    say(`row ${state.rows.length + 1} added at (${x.join(', ')})`);
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    const row = rowOf(event.target);
    if (row === null) {
      if (event.target === this.plane.back || this.plane.scene.contains(event.target as Node)) this.empty(event);
      return;
    }
    event.preventDefault();
    this.marks[row]?.root.focus({preventScroll: true});
    if (ui.tool === 'remove') {
      removeRow(this.store, row);
      return say(`row ${row + 1} removed`);
    }
    const [px, py] = this.plane.at(event);
    const [x, y] = this.place(this.store.state, this.store.state.rows[row]!);
    this.drag = {index: row, moved: false, from: [px, py], pointer: event.pointerId, dx: this.plane.scale.x(x) - px, dy: this.plane.scale.y(y) - py};
    this.plane.root.setPointerCapture(event.pointerId);
    this.store.hold();
  }

  private empty(event: PointerEvent): void {
    const start = this.plane.at(event);
    if (ui.tool === 'move') return this.pan(event.pointerId, start);
    if (ui.tool !== '+' && ui.tool !== '○') return;
    const place = this.plane.scale.back(...start);
    const done = (up: PointerEvent) => {
      const end = this.plane.at(up);
      if (up.type === 'pointerup' && Math.hypot(end[0] - start[0], end[1] - start[1]) < 8) this.add(place);
    };
    this.plane.root.addEventListener('pointerup', done, {once: true});
  }

  /** Until the pointer is lifted the plane moves along with it. */
  private pan(pointer: number, start: Point): void {
    const {scale, root} = this.plane, {x_low, x_high, y_low, y_high} = scale.window;
    const from = scale.back(...start);
    const move = (event: PointerEvent) => {
      const to = scale.back(...this.plane.at(event));
      const round = (value: number) => Number(value.toPrecision(6));
      const [dx, dy] = [from[0] - to[0], from[1] - to[1]];
      this.store.set({window: [round(x_low + dx), round(x_high + dx), round(y_low + dy), round(y_high + dy)]}, 'view');
    };
    root.setPointerCapture(pointer);
    root.addEventListener('pointermove', move);
    for (const name of ['pointerup', 'pointercancel']) root.addEventListener(name, () => root.removeEventListener('pointermove', move), {once: true});
  }

  private move(event: PointerEvent): void {
    if (!this.drag) {
      if (event.pointerType === 'mouse') ui.light(rowOf(event.target));
      return;
    }
    const [px, py] = this.plane.at(event);
    if (!this.drag.moved && Math.hypot(px - this.drag.from[0], py - this.drag.from[1]) < 3) return;
    const {scale} = this.plane;
    const x = Math.min(Math.max(px + this.drag.dx, scale.left), scale.left + scale.width);
    const y = Math.min(Math.max(py + this.drag.dy, scale.top), scale.top + scale.height);
    const at = scale.back(x, y);
    this.drag.moved = true;
    ui.held = scale.window;
    const {state} = this.store;
    const features = this.features(at, event.altKey, state.rows[this.drag.index]?.x[1]);
    if (state.regression) {
      const target = Number(decimal(at[1], scale.step));
      const rows = state.rows.map((row, i) => i === this.drag!.index ? {y: target, x: features} : row);
      this.store.set({rows}, 'data');
    } else {
      moveRow(this.store, this.drag.index, features);
    }
    if (event.pointerType !== 'mouse') loupe(this.plane, px, py, `(${features.join(', ').replace(/-/g, '−')})`);
  }

  private up(event: PointerEvent): void {
    if (!this.drag || this.drag.pointer !== event.pointerId) return;
    const {index, moved} = this.drag;
    const row = this.store.state.rows[index];
    this.end();
    if (!row) return;
    // A tap with the other class's tool flips the row.
    if (!moved && event.pointerType !== 'mouse' && ui.tool === (row.y > 0 ? '○' : '+')) flipRow(this.store, index);
    if (moved) say(`row ${index + 1} moved to (${row.x.join(', ')})`);
  }

  private end(): void {
    this.drag = null;
    ui.held = null;
    loupe(this.plane, null, null);
    this.store.release();
    this.store.set({}, 'view');
  }

  /** Where a row stands in the plane. */
  private place(state: State, row: Row): Point {
    const first = Number(row.x[0]);
    if (state.regression) return [first, row.y];
    if (state.features === 1) return state.x0axis ? [1, first] : [first, 0];
    return [first, Number(row.x[1])];
  }

  update(state: State, results: Results): void {
    const answer = results.geometry['data'];
    const drawable = state.features <= 2;
    show(this.plane.root, drawable);
    show(this.note, !drawable);
    if (!drawable) {
      instead(this.plane.place, answer, `${state.features} features: no plane can show them. The strips show every row.`);
      return;
    }
    if (!answer) return;
    const axis = state.regression ? ['x1', 'y'] : state.features === 2 ? ['x1', 'x2'] : state.x0axis ? ['x0', 'x1'] : ['x1', ''];
    write(this.hint, state.regression ? hintOfRegression(state) : 'Click adds a row, drag moves one, F flips, Delete removes.');
    this.tools?.(state.regression);
    this.hint.classList.toggle('needed', state.regression && state.features === 2);
    this.plane.fit(state.features === 1 && !state.x0axis && !state.regression ? {...answer, y_ticks: []} : answer, axis[0]!, axis[1]!);
    this.shapes(answer, state, results);
    this.rows(state, results, answer);
    this.lit();
    put(this.plane.root, 'aria-label', `Data space: ${state.rows.length} rows. Tab goes through them.`);
  }

  private shapes(answer: GeometryAnswer, state: State, results: Results): void {
    const {scale} = this.plane;
    // Where θ is 0 and θ0 too, both half-spaces are everything: then neither is drawn.
    const now = classifier(state, results), nothing = state.regression || !!now && now.offset === 0 && now.theta.every(w => w === 0);
    put(this.tints.positive, 'd', nothing ? '' : scale.path(answer.positive ?? [], true));
    put(this.tints.negative, 'd', nothing ? '' : scale.path(answer.negative ?? [], true));
    this.tint(answer);
    put(this.boundary, 'd', scale.paths(answer.boundary ?? []));
    put(this.margins, 'd', scale.paths([...(answer.margin_positive ?? []), ...(answer.margin_negative ?? [])]));
    put(this.hulls.positive, 'd', scale.path(answer.hulls?.positive ?? [], true));
    put(this.hulls.negative, 'd', scale.path(answer.hulls?.negative ?? [], true));
    this.theta(answer);
    this.name(answer, state);
    this.proof(answer, state, results);
  }

  /** The name of the boundary, at its end that is nearer to the right. */
  private name(answer: GeometryAnswer, state: State): void {
    const path = answer.boundary?.[0];
    show(this.zero, !!path && path.length > 1);
    if (!path || path.length < 2) return;
    const {scale} = this.plane;
    // Beside the line near its lower end, on the side where z < 0.
    const [first, last] = path[0]![1] < path[path.length - 1]![1] ? [path[0]!, path[1]!] : [path[path.length - 1]!, path[path.length - 2]!];
    const [ax, ay, bx, by] = [scale.x(first[0]), scale.y(first[1]), scale.x(last[0]), scale.y(last[1])];
    const length = Math.hypot(bx - ax, by - ay) || 1, along = Math.min(26, length / 2);
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    // Upwards along the line, left is (uy, −ux) turned to the left of the screen.
    const left = uy < 0 ? -1 : 1, x = ax + ux * along + left * 8 * Math.abs(uy), y = ay + uy * along + (Math.abs(uy) < 0.5 ? -8 : 4);
    const room = x - 40 > scale.left;
    put(this.zero, 'text-anchor', room ? 'end' : 'start');
    put(this.zero, 'x', (room ? x : Math.max(ax, scale.left) + 12).toFixed(1));
    put(this.zero, 'y', Math.min(Math.max(y, scale.top + 14), scale.top + scale.height - 6).toFixed(1));
    write(this.zero, state.regression ? 'y = z' : 'z = 0');
  }

  /** Curved boundaries: the positive cells of a grid, joined by rows to few rectangles. */
  private tint(answer: GeometryAnswer): void {
    const tint = answer.tint;
    const {scale} = this.plane;
    if (!tint) return this.cells.replaceChildren();
    const parts = ['', ''];
    const width = scale.width / tint.columns, height = scale.height / tint.rows;
    for (let r = 0; r < tint.rows; r++) {
      for (let c = 0; c < tint.columns;) {
        const value = tint.positive[r * tint.columns + c]!;
        let end = c + 1;
        while (end < tint.columns && tint.positive[r * tint.columns + end] === value) end++;
        // Rows of the grid go upwards.
        const x = scale.left + c * width, y = scale.top + scale.height - (r + 1) * height;
        parts[value] += `M${x.toFixed(2)} ${y.toFixed(2)}h${((end - c) * width).toFixed(2)}v${height.toFixed(2)}h${(-(end - c) * width).toFixed(2)}Z`;
        c = end;
      }
    }
    const [negative, positive] = this.cells.children.length === 2 ? [this.cells.children[0]!, this.cells.children[1]!] :
        [svg('path', {class: 'tint neg', 'shape-rendering': 'crispEdges'}), svg('path', {class: 'tint pos', 'shape-rendering': 'crispEdges'})];
    put(negative, 'd', parts[0]!);
    put(positive, 'd', parts[1]!);
    if (this.cells.children.length !== 2) this.cells.replaceChildren(negative, positive);
  }

  private theta(answer: GeometryAnswer): void {
    const {scale} = this.plane;
    const arrow = answer.theta;
    show(this.arrowName, !!arrow);
    if (!arrow) {
      put(this.arrow, 'd', '');
      put(this.head, 'd', '');
      return;
    }
    const [x1, y1, x2, y2] = [scale.x(arrow.from[0]), scale.y(arrow.from[1]), scale.x(arrow.to[0]), scale.y(arrow.to[1])];
    put(this.arrow, 'd', `M${x1.toFixed(2)} ${y1.toFixed(2)}L${x2.toFixed(2)} ${y2.toFixed(2)}`);
    put(this.head, 'd', arrowHead(x1, y1, x2, y2, 11));
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    put(this.arrowName, 'x', (x2 + (x2 - x1) / length * 10 - 4).toFixed(1));
    put(this.arrowName, 'y', (y2 + (y2 - y1) / length * 10 + 5).toFixed(1));
  }

  /** ◆ at the point that both classes have in common, with a spoke to each row of the witness. */
  private proof(answer: GeometryAnswer, state: State, results: Results): void {
    const {scale} = this.plane;
    const point = answer.witness_point ?? (answer.hulls ? asPoint(results.certify?.common_point, state) : undefined);
    show(this.witness, !!point);
    this.spokes.replaceChildren();
    if (!point || state.map !== 'none') return show(this.witness, false);
    put(this.witness, 'transform', `translate(${scale.x(point[0]).toFixed(2)} ${scale.y(point[1]).toFixed(2)})`);
    for (const {row, share} of results.certify?.witness ?? []) {
      const at = state.rows[row - 1];
      if (!at) continue;
      const [x, y] = this.place(state, at);
      this.spokes.append(svg('path', {class: 'spoke', 'stroke-width': (1 + 4 * share).toFixed(2),
                                      d: scale.path([point, [x, y]])}));
    }
  }

  private rows(state: State, results: Results, answer: GeometryAnswer): void {
    while (this.marks.length > state.rows.length) this.marks.pop()!.root.remove();
    while (this.marks.length < state.rows.length) this.marks.push(this.mark(this.marks.length));
    const visit = state.weights ? null : moment(state, results);
    const support = new Set(results.train?.support ?? []);
    const coincident = this.coincidence(state);
    state.rows.forEach((row, i) => {
      const mark = this.marks[i]!, margin = answer.margins?.[i];
      const [x, y] = this.place(state, row);
      const wrong = !state.regression && margin !== undefined && !(margin > 0);
      const visited = visit !== null && visit.row === i + 1, corrected = visited && visit.mistake;
      const ring = corrected ? 'corrected' : wrong ? 'wrong' : support.has(i + 1) && state.k === null ? 'support' : 'none';
      const where = `translate(${this.plane.scale.x(x).toFixed(2)} ${this.plane.scale.y(y).toFixed(2)})`;
      if (where !== mark.place) mark.root.setAttribute('transform', mark.place = where);
      const key = `${ring}${visited}${wrong}${row.y > 0}${state.regression}`;
      if (key !== mark.key) {
        mark.key = key;
        const positive = row.y > 0 && !state.regression;
        const kind = state.regression ? 'target' : positive ? 'pos' : 'neg';
        put(mark.root, 'class', `point ${kind} ${ring}${visited ? ' visited' : ''}${corrected && wrong ? ' wrong' : ''}`);
        put(mark.shape, 'd', state.regression ? circle(4) : positive ? crossPath(7) : circle(6));
        const d = rings[ring]! + (corrected && wrong ? 'M-9 9L9 -9' : '');
        if (d && !mark.ring) mark.root.append(mark.ring = svg('path', {class: 'ring'}));
        if (mark.ring) put(mark.ring, 'd', d);
      }
      const counted = coincident[i]! > 1 ? `×${coincident[i]}` : '';
      if (counted !== mark.counted) {
        if (!mark.count) mark.root.append(mark.count = svg('text', {class: 'count', x: 11, y: -9}));
        mark.count.textContent = mark.counted = counted;
      }
    });
    // What is spoken follows when nothing has moved for a moment: five hundred names a frame would be felt.
    clearTimeout(this.naming);
    this.naming = window.setTimeout(() => state.rows.forEach((row, i) => {
      if (this.marks[i]) put(this.marks[i]!.root, 'aria-label', spoken(state, i, row, results.busy ? undefined : answer.margins?.[i]));
    }), this.drag ? 150 : 0);
    if (this.focusNext !== null && this.marks[this.focusNext]) {
      this.marks[this.focusNext]!.root.focus({preventScroll: true});
      this.focusNext = null;
    }
  }

  /** How many rows stand where this one stands; said by the first of them. */
  private coincidence(state: State): number[] {
    const first = new Map<string, number>(), counts = state.rows.map(() => 0);
    state.rows.forEach((row, i) => {
      const key = this.place(state, row).join();
      const at = first.get(key) ?? i;
      first.set(key, at);
      counts[at]!++;
    });
    return counts;
  }

  private mark(index: number): Mark {
    const shape = svg('path', {class: 'shape'});
    const root = svg('g', {class: 'point', tabindex: 0, role: 'listitem', 'data-row': index + 1}, svg('circle', {class: 'hit halo', r: 15}), shape);
    this.points.append(root);
    // Rings and numbers come with the rows that need them.
    return {root, shape, ring: null, count: null, counted: '', key: '', place: ''};
  }

  /** Shows which row is lit. */
  lit(): void {
    if (this.shownLit !== null) this.marks[this.shownLit]?.root.classList.remove('lit');
    if (ui.lit !== null) this.marks[ui.lit]?.root.classList.add('lit');
    this.shownLit = ui.lit;
  }
}

function rowOf(target: EventTarget | null): number | null {
  const point = (target as Element | null)?.closest?.('.point');
  return point ? Number(point.getAttribute('data-row')) - 1 : null;
}

function hintOfRegression(state: State): string {
  return state.features === 1 ? 'Upwards: the target y; the line is the prediction z. Click adds a row, drag moves one, Delete removes.' :
      'Upwards: the target y. The prediction z depends on x2 too, so this plane has no line of it.';
}

function asPoint(values: number[] | undefined, state: State): Point | undefined {
  if (!values || values.length === 0) return undefined;
  return state.features === 1 ? (state.x0axis ? [1, values[0]!] : [values[0]!, 0]) : [values[0]!, values[1] ?? 0];
}

/** "row 2, class −1, (0, 1), wrong, margin −1" */
export function spoken(state: State, index: number, row: Row, margin: number | undefined): string {
  const place = row.x.length > 4 ? `${row.x.length} features` : `(${row.x.join(', ').replace(/-/g, '−')})`;
  if (state.regression) return `row ${index + 1}, target ${number(row.y)}, ${place}`;
  const how = margin === undefined ? '' : `, ${margin > 0 ? 'right' : 'wrong'}, margin ${number(margin)}`;
  return `row ${index + 1}, class ${row.y > 0 ? '+1' : '−1'}, ${place}${how}`;
}

/** The switch that says what a click or tap does, and buttons for what is seen. */
export function mountTools(place: HTMLElement, pane: DataPane): void {
  const words: [Tool, string, string][] = [['+', '+', 'Add positive rows'], ['○', '○', 'Add negative rows'], ['move', 'move', 'Only move rows'],
                                           ['remove', 'remove', 'Remove rows']];
  const group = html('div', {class: 'tools', role: 'radiogroup', 'aria-label': 'What a click does'});
  const buttons = words.map(([tool, text, label]) => {
    const button = html('button', {type: 'button', role: 'radio', 'aria-checked': 'false', 'aria-label': label, title: label}, text);
    button.classList.toggle('pos', tool === '+');
    button.classList.toggle('neg', tool === '○');
    button.addEventListener('click', () => choose(tool));
    group.append(button);
    return button;
  });
  const choose = (tool: Tool) => {
    ui.tool = tool;
    buttons.forEach((button, i) => {
      const on = words[i]![0] === tool;
      button.setAttribute('aria-checked', String(on));
      button.tabIndex = on ? 0 : -1;
    });
    document.documentElement.dataset['tool'] = words.findIndex(([one]) => one === tool) < 2 ? 'add' : tool;
  };
  group.addEventListener('keydown', event => {
    const by = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0;
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    let next = words.findIndex(([tool]) => tool === ui.tool);
    do next = (next + by + words.length) % words.length;
    while (buttons[next]!.hidden);
    choose(words[next]![0]);
    buttons[next]!.focus();
  });
  choose('+');
  pane.tools = regression => {
    const [add, negative] = buttons as [HTMLButtonElement, HTMLButtonElement];
    if (negative.hidden === regression) return;
    negative.hidden = regression;
    write(add, regression ? 'add' : '+');
    add.classList.toggle('pos', !regression);
    const label = regression ? 'Add rows' : words[0]![2];
    put(add, 'aria-label', label);
    put(add, 'title', label);
    if (regression && ui.tool === '○') choose('+');
  };
  const seen = html('div', {class: 'zoom', role: 'group', 'aria-label': 'What is seen'});
  for (const [text, label, act] of [['−', 'See more', () => pane.zoom(1.5)], ['+', 'See less', () => pane.zoom(1 / 1.5)],
                                    ['fit', 'Fit the rows', () => pane.fitRows()]] as [string, string, () => void][]) {
    const button = html('button', {type: 'button', 'aria-label': label, title: label}, text);
    button.addEventListener('click', act);
    seen.append(button);
  }
  place.append(group, seen);
}
