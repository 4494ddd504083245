// Chart: a template of src/picture/specs with the document's rows in it, drawn by Vega without eval.
import specs from 'linsep:specs';
import {expressionInterpreter} from 'vega-interpreter';
import {changeset, Error as OnlyErrors, parse, View} from 'vega';
import {element, say} from './controls.ts';
import type {Row} from './document.ts';
import {csv, inLight, save, wholeSvg} from './save.ts';

export interface ChartSpec {
  template: string;
  /** What the chart is called: its finding and ranges. */
  label: string;
  words?: Record<string, string>;
  params?: Record<string, unknown>;
  data: Record<string, Row[]>;
  /** The plot for a container of so many px. */
  size: (width: number) => {width: number; height: number};
  /** Rows that pointer and arrow keys go through, where they lie, and what is said of each. */
  cursor?: {
    rows: Row[]; x?: (row: Row) => unknown; y?: (row: Row) => unknown; say: (row: Row) => string;
    place?: (row: Row) => Row; press?: (row: Row) => void; moved?: (row: Row | null) => void;
  };
  /** Datasets that "Save CSV" gives; all without. */
  csv?: Row[];
}

function filled(value: unknown, words: Record<string, string>): unknown {
  if (typeof value === 'string') {
    const found = /^\{\{(\w+)\}\}$/.exec(value);
    return found ? words[found[1]] ?? '' : value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => filled(one, words));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one, words)]));
  }
  return value;
}

/** Said once, below the first chart that can be read mark by mark. */
let hint = matchMedia('(hover: none)').matches ? 'Tap a mark to read it.' : 'Point at a mark, or press the arrow keys, to read it.';

type Named = {name: string; value?: unknown; values?: unknown};

export class Chart {
  readonly box: HTMLElement;
  readonly readout: HTMLElement;
  private view: View;
  private readonly rowsNow: Record<string, Row[]>;
  private at = -1;
  private hint = '';
  private readonly resize: ResizeObserver;

  constructor(private readonly spec: ChartSpec, parent: HTMLElement, before: Node | null) {
    this.rowsNow = {...spec.data};
    this.box = element('div', {class: `chart ${spec.template}`, role: 'img', 'aria-label': spec.label});
    this.readout = element('p', {class: 'readout', 'aria-hidden': 'true'});
    parent.insertBefore(this.box, before);
    const {vega} = specs[spec.template];
    const whole = filled(vega, spec.words ?? {}) as {signals?: Named[]; data: Named[]; config?: Record<string, unknown>};
    for (const signal of whole.signals ?? []) {
      if (spec.params && signal.name in spec.params) {
        signal.value = spec.params[signal.name];
      }
    }
    for (const data of whole.data) {
      if (data.name in this.rowsNow) {
        data.values = this.rowsNow[data.name].map((row) => ({...row}));
      }
    }
    const font = getComputedStyle(document.body).fontFamily;
    this.view = new View(parse(whole as never, {font} as never, {ast: true}),
      {renderer: 'svg', expr: expressionInterpreter, hover: false, logLevel: OnlyErrors, container: this.box} as never);
    // Vega gives its container a role and a name of its own.
    this.box.setAttribute('role', 'img');
    this.box.setAttribute('aria-label', spec.label);
    this.box.removeAttribute('aria-roledescription');
    this.fit();
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(parent);
    if (spec.cursor) {
      this.listen(spec.cursor);
      [this.hint, hint] = [hint, ''];
      this.readout.textContent = this.hint;
      this.readout.classList.add('hint');
      parent.insertBefore(this.readout, before);
    }
  }

  /** Other rows for a dataset. */
  set(name: string, rows: Row[]): void {
    this.rowsNow[name] = rows;
    this.view.change(name, changeset().remove(() => true).insert(rows.map((row) => ({...row})))).run();
  }

  param(name: string, value: unknown): void {
    this.view.signal(name, value).run();
  }

  /** Puts the cursor on a row of `cursor.rows`, or nowhere. */
  go(index: number, aloud: boolean): void {
    const {cursor} = this.spec;
    if (!cursor || index === this.at) {
      return;
    }
    this.at = index;
    const row = index < 0 ? null : cursor.rows[index];
    this.set('cursor', row ? [cursor.place ? cursor.place(row) : row] : []);
    this.readout.textContent = row ? cursor.say(row) : this.hint;
    this.readout.classList.toggle('hint', row === null);
    if (row && aloud) {
      say(cursor.say(row));
    }
    cursor.moved?.(row);
  }

  async svg(): Promise<string> {
    return wholeSvg(await this.view.toSVG());
  }

  /** The template with rows, words and light colours: what another Vega-Lite draws. */
  lite(): string {
    const whole = filled(specs[this.spec.template].lite, this.spec.words ?? {}) as {params?: Named[]};
    const params = whole.params?.map((one) => ({...one, value: this.spec.params?.[one.name] ?? one.value}));
    return inLight(JSON.stringify({...whole, ...(params ? {params} : {}), datasets: this.rowsNow}, null, 1));
  }

  saveAs(kind: string, name: string): void {
    if (kind === 'SVG') {
      void this.svg().then((text) => save(`${name}.svg`, 'image/svg+xml', text));
    } else if (kind === 'CSV') {
      save(`${name}.csv`, 'text/csv', csv(this.spec.csv ?? Object.values(this.rowsNow)[0] ?? []));
    } else {
      save(`${name}.vl.json`, 'application/json', this.lite());
    }
  }

  remove(): void {
    this.resize.disconnect();
    this.view.finalize();
    this.box.remove();
    this.readout.remove();
  }

  private fit(): void {
    const parent = this.box.parentElement;
    const given = parent?.clientWidth ?? 0;
    if (given === 0) {
      return;
    }
    const {width, height} = this.spec.size(given);
    if (this.view.width() !== width || this.view.height() !== height || !this.view.container()) {
      this.view.width(width).height(height);
    }
    this.view.run();
  }

  private pixels(row: Row): [number, number] {
    const {cursor} = this.spec;
    const scaled = (name: string, value: unknown): number => {
      const scale = this.view.scale(name) as ((one: unknown) => number) & {bandwidth?: () => number};
      return scale(value) + (scale.bandwidth?.() ?? 0) / 2;
    };
    return [cursor?.x ? scaled('x', cursor.x(row)) : 0, cursor?.y ? scaled('y', cursor.y(row)) : 0];
  }

  private nearest(event: PointerEvent): number {
    const {cursor} = this.spec;
    const svg = this.box.querySelector('svg');
    if (!cursor || !svg) {
      return -1;
    }
    const [left, top] = this.view.origin();
    const place = svg.getBoundingClientRect();
    const x = event.clientX - place.left - left;
    const y = event.clientY - place.top - top;
    let best = -1;
    let least = cursor.x && cursor.y ? 24 * 24 : Infinity;
    cursor.rows.forEach((row, index) => {
      const [px, py] = this.pixels(row);
      const away = (cursor.x ? (px - x) ** 2 : 0) + (cursor.y ? (py - y) ** 2 : 0);
      if (away < least) {
        [best, least] = [index, away];
      }
    });
    return best;
  }

  private listen(cursor: NonNullable<ChartSpec['cursor']>): void {
    this.box.tabIndex = 0;
    this.box.addEventListener('pointermove', (event) => this.go(this.nearest(event), false));
    this.box.addEventListener('pointerleave', () => {
      if (document.activeElement !== this.box) {
        this.go(-1, false);
      }
    });
    this.box.addEventListener('click', () => {
      if (this.at >= 0) {
        cursor.press?.(cursor.rows[this.at]);
      }
    });
    this.box.addEventListener('blur', () => this.go(-1, false));
    this.box.addEventListener('keydown', (event) => this.key(event, cursor));
  }

  private key(event: KeyboardEvent, cursor: NonNullable<ChartSpec['cursor']>): void {
    const size = cursor.rows.length;
    const flat = !(cursor.x && cursor.y);
    const along = (axis: 0 | 1, way: number): number => {
      if (flat) {
        return this.at < 0 ? (way > 0 ? 0 : size - 1) : Math.min(size - 1, Math.max(0, this.at + way));
      }
      const places = cursor.rows.map((row) => this.pixels(row)[axis]);
      const order = [...places.keys()].sort((a, b) => places[a] - places[b] || a - b);
      const rank = this.at < 0 ? (way > 0 ? -1 : size) : order.indexOf(this.at);
      return order[Math.min(size - 1, Math.max(0, rank + way))];
    };
    const to: Record<string, () => number> = {
      ArrowLeft: () => along(0, -1), ArrowRight: () => along(0, 1), ArrowUp: () => along(1, -1), ArrowDown: () => along(1, 1),
      Home: () => 0, End: () => size - 1, Escape: () => -1,
    };
    if (event.key in to && size > 0) {
      event.preventDefault();
      this.go(to[event.key](), true);
      if (event.key === 'Escape') {
        this.box.blur();
      }
    } else if ((event.key === 'Enter' || event.key === ' ') && this.at >= 0 && cursor.press) {
      event.preventDefault();
      cursor.press(cursor.rows[this.at]);
    }
  }
}
