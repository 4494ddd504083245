// The lift: rows at (x1, x2, x1·x2) in an oblique view that the engine fixes, with the plane that separates them there.
import type {GeometryAnswer, Path, Point} from '../shared/engine';
import type {Results, State} from './state';
import {crossPath, put, show, svg} from './svg';
import {ui} from './ui';

export class LiftPane {
  private root: SVGSVGElement;
  private sheet = svg('path', {class: 'lift-plane'});
  private axes = svg('g', {class: 'lift-axes'});
  private stems = svg('path', {class: 'stems'});
  private points = svg('g', {class: 'lift-points'});
  private width = 400;
  private height = 300;

  constructor(private pane: HTMLElement, place: HTMLElement, resized: () => void) {
    this.root = svg('svg', {class: 'chart', role: 'img'}, this.sheet, this.axes, this.stems, this.points);
    place.append(this.root);
    new ResizeObserver(() => {
      const width = Math.max(160, place.clientWidth), height = Math.max(120, place.clientHeight);
      if (width === this.width && height === this.height) return;
      [this.width, this.height] = [width, height];
      resized();
    }).observe(place);
  }

  update(state: State, results: Results): void {
    const answer = results.geometry['data'], lift = answer?.lift;
    show(this.pane, state.map === 'products' && state.features === 2 && !!lift);
    if (!answer || !lift || state.map !== 'products') return;
    const place = this.fit([...lift.screen, ...lift.plane, ...(lift.feet ?? []), ...(lift.axes ?? []).flat()]);
    const path = (points: Path) => points.length ? 'M' + points.map(p => place(p).map(v => v.toFixed(1)).join(' ')).join('L') + 'Z' : '';
    put(this.root, 'viewBox', `0 0 ${this.width} ${this.height}`);
    put(this.sheet, 'd', path(lift.plane));
    this.drawAxes(lift, place);
    put(this.stems, 'd', (lift.feet ?? []).map((foot, i) => path([foot, lift.screen[i]!])).join(''));
    this.points.replaceChildren(...lift.screen.map((point, i) => this.mark(state, answer, i, place(point))));
    put(this.root, 'aria-label', 'The rows lifted to (x1, x2, x1·x2), and the plane z = 0 there.');
  }

  private mark(state: State, answer: GeometryAnswer, i: number, [x, y]: Point): SVGElement {
    const positive = (state.rows[i]?.y ?? 1) > 0, wrong = !((answer.margins[i] ?? 1) > 0);
    const mark = svg('g', {class: `point ${positive ? 'pos' : 'neg'}${wrong ? ' wrong' : ''}${ui.lit === i ? ' lit' : ''}`,
                           transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`}, svg('circle', {class: 'halo', r: 15}));
    if (wrong) mark.append(svg('path', {class: 'ring', d: 'M-11 0a11 11 0 1 0 22 0a11 11 0 1 0 -22 0M-8 8L8 -8'}));
    mark.append(positive ? svg('path', {class: 'shape', d: crossPath(7)}) : svg('circle', {class: 'shape', r: 6}));
    return mark;
  }

  private drawAxes(lift: NonNullable<GeometryAnswer['lift']>, place: (p: Point) => Point): void {
    const names = ['x1', 'x2', 'x1·x2'];
    this.axes.replaceChildren(...(lift.axes ?? []).flatMap(([from, to], i) => {
      const a = place(from), b = place(to);
      return [svg('path', {class: 'grid zero', d: `M${a.map(v => v.toFixed(1)).join(' ')}L${b.map(v => v.toFixed(1)).join(' ')}`}),
              svg('text', {class: 'axis-name', x: (b[0] + 4).toFixed(1), y: (b[1] - 4).toFixed(1)}, names[i] ?? '')];
    }));
  }

  /** One scale for both directions, so that the view stays the engine's. */
  private fit(all: Point[]): (p: Point) => Point {
    const xs = all.map(p => p[0]), ys = all.map(p => p[1]), edge = 26;
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const scale = Math.min((this.width - 2 * edge) / Math.max(1e-9, right - left), (this.height - 2 * edge) / Math.max(1e-9, high - low));
    const x0 = (this.width - scale * (right - left)) / 2, y0 = (this.height + scale * (high - low)) / 2;
    return ([x, y]) => [x0 + (x - left) * scale, y0 - (y - low) * scale];
  }
}
