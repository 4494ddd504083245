// The data space: rows or cells, lines, hulls and the witness.
import {chip, choice, markRow, onRow, say} from './controls.ts';
import {className, cut, headline, plural, rows, shown, type Picture, type Places, type Row} from './document.ts';
import {colorOf, kPlus, lineOf, shapeOf, swatch} from './marks.ts';
import type {Section} from './section.ts';
import type {Chart} from './chart.ts';

function placed(places: Places, path: string, more: Row): Row[] {
  return places.x.map((x, order) => ({...more, path, order, x, y: places.y[order]}));
}

/** What is switched on. */
interface Shown { hulls: boolean; witness: boolean; margins: boolean; halves: boolean }

function areas(picture: Picture, on: Shown): Row[] {
  const out: Row[] = [];
  if (on.halves && picture.half_spaces) {
    for (const side of ['negative', 'positive'] as const) {
      const color = side === 'positive' ? 'var(--pos)' : 'var(--neg)';
      out.push(...placed(picture.half_spaces[side], `half-${side}`, {fill: color, stroke: 'none', opacity: 0.08}));
    }
  }
  (picture.paths ?? []).forEach((path, index) => {
    if (on.hulls && path.kind.startsWith('hull-')) {
      const color = path.kind === 'hull-positive' ? 'var(--pos)' : 'var(--neg)';
      out.push(...placed(path.points, `hull-${index}`, {fill: color, stroke: color, opacity: 0.1}));
    }
  });
  return out;
}

function lines(picture: Picture, on: Shown): Row[] {
  const out: Row[] = [];
  (picture.paths ?? []).forEach((path, index) => {
    if (path.model > 0) {
      return;
    }
    if (path.kind === 'boundary') {
      out.push(...placed(path.points, `line-${index}`, {stroke: 'var(--ink)', width: 2, dash: [1, 0] as never}));
    } else if (path.kind.startsWith('margin-') && on.margins) {
      out.push(...placed(path.points, `line-${index}`, {stroke: 'var(--muted)', width: 1, dash: [5, 3] as never}));
    }
  });
  return out;
}

/** Width of the plot and its height, with equal scales where the document asks for them. */
export function planeSize(picture: Picture, most: number): (given: number) => {width: number; height: number} {
  return (given) => {
    const across = Math.max(160, Math.min(most, given) - 74);
    const plane = picture.plane;
    if (!plane || plane.kind === 'feature') {
      return {width: across, height: 130};
    }
    const wide = plane.x.high - plane.x.low;
    const high = plane.y.high - plane.y.low;
    if (!plane.equal_scales || !(wide > 0) || !(high > 0)) {
      return {width: across, height: Math.min(across, 460)};
    }
    const unit = Math.min(across / wide, Math.max(across, 300) / high);
    return {width: Math.round(unit * wide), height: Math.round(unit * high)};
  };
}

export function pointRows(picture: Picture, grey: boolean): Row[] {
  const {points} = picture;
  return rows(points, ['row', 'x', 'y', 'label', 'margin', 'role', 'id', 'together'].filter((name) => points?.[name] !== undefined))
    .map((row) => ({...row, shape: shapeOf(row.label), color: grey ? 'var(--muted)' : colorOf(picture, row.label),
      role: grey ? 'row' : row.role, size: Number(points?.shown) > 500 ? 36 : Number(points?.shown) <= 40 ? 110 : 64}));
}

export function rowWords(picture: Picture, row: Row): string {
  const {plane} = picture;
  const name = row.id ? ` (${cut(String(row.id))})` : '';
  const place = plane?.kind === 'feature' ? `${cut(plane.x.name)} = ${shown(row.x)}` :
    `${cut(plane?.x.name ?? 'x')} = ${shown(row.x)}, ${cut(plane?.y.name ?? 'y')} = ${shown(row.y)}`;
  const margin = typeof row.margin === 'number' ? `, y·z = ${shown(row.margin)}` : '';
  const state = row.role === 'wrong' ? ', wrong' : row.role === 'support' ? ', support vector' : '';
  const more = Number(row.together) > 1 ? `; ${shown(row.together)} rows here` : '';
  return `Row ${shown(row.row)}${name}, class ${className(picture, row.label)}: ${place}${margin}${state}${more}`;
}

/** Two squares a cell, side by side, area by count. */
export function squares(picture: Picture): {squares: Row[]; most: number} {
  const {cells} = picture;
  const out: Row[] = [];
  let most = 1;
  if (cells) {
    const across = cells.x.length - 1;
    for (let i = 0; i < cells.negative.length; ++i) {
      const [low, high] = [cells.x[i % across], cells.x[(i % across) + 1]];
      const [bottom, top] = [cells.y[Math.floor(i / across)], cells.y[Math.floor(i / across) + 1]];
      for (const label of [0, 1]) {
        const count = label === 1 ? cells.positive[i] : cells.negative[i];
        if (count > 0) {
          most = Math.max(most, count);
          out.push({x: low + (high - low) * (label === 1 ? 0.72 : 0.28), y: (bottom + top) / 2, rows: count, label,
            color: colorOf(picture, label), low, high, bottom, top});
        }
      }
    }
  }
  return {squares: out, most};
}

function witness(picture: Picture, on: Shown): {spokes: Row[]; common: Row[]} {
  const common = picture.proof?.common_point;
  if (!on.witness || !common) {
    return {spokes: [], common: []};
  }
  const spokes = rows(picture.proof?.witness).filter((row) => typeof row.x === 'number' && typeof row.y === 'number')
    .map((row): Row => ({x: row.x, y: row.y, x2: common.x, y2: common.y, width: 1 + 5 * Number(row.share)}));
  return {spokes, common: [{x: common.x, y: common.y}]};
}

function chips(section: Section, on: Shown, redraw: () => void): void {
  const {picture} = section;
  const kinds = new Set((picture.paths ?? []).map((path) => path.kind));
  const offer = (there: boolean, key: keyof Shown, label: (Node | string)[]): void => {
    if (there) {
      section.controls.append(chip(label, on[key], (now) => {
        on[key] = now;
        redraw();
      }));
    } else {
      on[key] = false;
    }
  };
  offer(kinds.has('hull-positive') || kinds.has('hull-negative'), 'hulls',
    [swatch({shape: 'square', color: 'var(--pos)', width: 1}), 'hulls']);
  offer(picture.proof?.common_point !== undefined, 'witness',
    [swatch({shape: 'diamond', color: 'var(--witness)', fill: 'var(--witness)'}), 'witness']);
  offer(kinds.has('margin-positive') || kinds.has('margin-negative'), 'margins',
    [swatch({color: 'var(--muted)', dash: [5, 3], width: 1}), 'z = ±1']);
  offer(picture.half_spaces !== undefined && kinds.has('boundary'), 'halves', [swatch({shape: 'square', color: 'var(--grid)', fill: 'var(--grid)'}), 'half-spaces']);
}

function legend(section: Section, points: Row[]): void {
  const {picture} = section;
  const classes = picture.about.classes ?? [];
  const order = classes.length === 2 ? [1, 0] : [...classes.keys()].slice(0, 12);
  for (const label of order) {
    const color = colorOf(picture, label);
    if (points.length > 0) {
      section.entry(swatch({shape: shapeOf(label), color}), `class ${className(picture, label)}`);
    } else {
      section.entry(swatch({shape: 'square', color, fill: color}), `${label === 1 ? 'right' : 'left'} square of a cell: class ${className(picture, label)}`);
    }
  }
  if ((picture.paths ?? []).some((path) => path.kind === 'boundary' && path.model <= 0)) {
    section.entry(swatch({color: 'var(--ink)'}), 'boundary z = 0');
  }
  const count = (role: string): number => points.filter((row) => row.role === role).length;
  if (count('support') > 0) {
    section.entry(swatch({shape: 'ring', color: 'var(--ink)', width: 1}), `support vector (${shown(count('support'))})`);
  }
  if (count('wrong') > 0) {
    section.entry(swatch({shape: 'barred', color: 'var(--ink)', width: 1.25}), `wrong (${shown(count('wrong'))})`);
  }
  if (picture.proof?.common_point) {
    section.entry(swatch({shape: 'diamond', color: 'var(--witness)', fill: 'var(--witness)'}), 'point of both hulls');
  }
}

export function space(section: Section): void {
  const {picture} = section;
  const points = pointRows(picture, false);
  const cells = squares(picture);
  const plane = picture.plane;
  if (!plane || (points.length === 0 && cells.squares.length === 0)) {
    return;
  }
  const overlapping = picture.proof !== undefined && picture.proof.verdict !== 'separable';
  const on: Shown = {hulls: overlapping, witness: true, margins: true, halves: true};
  let chart: Chart | undefined;
  chips(section, on, () => {
    const {spokes, common} = witness(picture, on);
    chart?.set('areas', areas(picture, on));
    chart?.set('lines', lines(picture, on));
    chart?.set('spokes', spokes);
    chart?.set('common', common);
  });
  const size = planeSize(picture, 540);
  const range = `${cut(plane.x.name)} from ${shown(plane.x.low)} to ${shown(plane.x.high)}` +
    (plane.kind === 'feature' ? '' : `, ${cut(plane.y.name)} from ${shown(plane.y.low)} to ${shown(plane.y.high)}`);
  const draw = (binned: boolean): void => {
    section.clear();
    section.legend.replaceChildren();
    const {spokes, common} = witness(picture, on);
    const side = picture.cells ? (size(540).width / (picture.cells.x.length - 1)) / 2 : 8;
    chart = section.chart({
      template: 'space', label: `${headline(picture, 'space')} ${range}.`, words: {x: cut(plane.x.name), y: plane.kind === 'feature' ? '' : cut(plane.y.name)},
      params: {x_domain: [plane.x.low, plane.x.high], y_domain: [plane.y.low, plane.y.high], most: cells.most, cell: side * side * 1.6},
      data: {points: binned ? [] : points, cells: [], squares: binned ? cells.squares : [], areas: areas(picture, on), lines: lines(picture, on), spokes, common,
        names: [], marked: [], cursor: []},
      size,
      cursor: binned ? {
        rows: cells.squares, x: (row) => row.x, y: (row) => row.y,
        say: (row) => `${plural(row.rows, 'row')} of class ${className(picture, row.label)}: ${cut(plane.x.name)} from ${shown(row.low)} to ${shown(row.high)}, ` +
          `${cut(plane.y.name)} from ${shown(row.bottom)} to ${shown(row.top)}`,
      } : {rows: points, x: (row) => row.x, y: (row) => row.y, say: (row) => rowWords(picture, row), press: (row) => markRow(Number(row.row))},
    }, 'square');
    legend(section, binned ? [] : points);
  };
  const some = points.length > 0 && picture.points?.how !== 'all';
  if (some && cells.squares.length > 0) {
    section.controls.prepend(choice('show', ['all rows, in cells', `${shown(picture.points?.shown)} rows`], 0, (index) => draw(index === 0)));
  }
  draw(cells.squares.length > 0 && (some || points.length === 0));
  onRow((row) => {
    const found = points.filter((point) => point.row === row);
    chart?.set('marked', found);
    say(found.length > 0 ? `Marked in the data space: ${rowWords(picture, found[0])}` : `Row ${shown(row)} isn't one of the rows drawn`);
  });
  section.beside();
  section.saves(points.length === 0 ?
    cells.squares.map(({low, high, bottom, top, label, rows: count}) => ({low, high, bottom, top, class: className(picture, label), rows: count})) :
    points.map(({shape: _shape, color: _color, size: _size, ...row}) => row));
}

/** The rows in grey, by shape only, and one line for each classifier with its name at its end. */
export function comparison(section: Section): void {
  const {picture} = section;
  const plane = picture.plane;
  const models = picture.models ?? [];
  const binned = picture.points?.how === 'binned' || rows(picture.points, ['row']).length === 0;
  const points = binned ? [] : pointRows(picture, true);
  const cells = binned ? squares(picture) : {squares: [], most: 1};
  if (!plane) {
    return;
  }
  const on = models.map(() => true);
  const drawn = (): Row[] => (picture.paths ?? []).flatMap((path, index) => {
    const {color, dash} = lineOf(path.model);
    return path.kind === 'boundary' && on[path.model] ? placed(path.points, `line-${index}`, {stroke: color, width: 2, dash: dash as never}) : [];
  });
  const names = (): Row[] => models.flatMap((model, index) => (model.label_at && on[index] ?
    [{x: model.label_at.x, y: model.label_at.y, text: cut(model.name), color: lineOf(index).color}] : []));
  const chart = section.chart({
    template: 'space', label: `${headline(picture, 'comparison')} Rows and the boundaries of ${shown(models.length)} classifiers.`,
    words: {x: cut(plane.x.name), y: plane.kind === 'feature' ? '' : cut(plane.y.name)},
    params: {x_domain: [plane.x.low, plane.x.high], y_domain: [plane.y.low, plane.y.high], most: cells.most, cell: 60},
    data: {points, cells: [], squares: cells.squares.map((row) => ({...row, color: 'var(--muted)'})), areas: [], lines: drawn(), spokes: [], common: [], names: names(), marked: [], cursor: []},
    size: planeSize(picture, 720),
    cursor: {rows: points, x: (row) => row.x, y: (row) => row.y, say: (row) => rowWords(picture, {...row, margin: null})},
  }, 'square');
  models.forEach((model, index) => {
    section.controls.append(chip([swatch(lineOf(index)), cut(model.name)], true, (now) => {
      on[index] = now;
      chart.set('lines', drawn());
      chart.set('names', names());
    }));
  });
  for (const label of [1, 0]) {
    section.entry(swatch({shape: label === 1 ? kPlus : 'circle', color: 'var(--muted)'}), `class ${className(picture, label)}`);
  }
  section.saves(models.map(({label_at: _at, ...model}) => model as unknown as Row));
}
