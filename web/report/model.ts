// Weights, the proof's means, least mistakes, confusion of several classes, residuals.
import {button, choice, element, markRow} from './controls.ts';
import {className, cut, headline, plural, rows, shown, type Row} from './document.ts';
import {hatch, kPlus, swatch} from './marks.ts';
import type {Section} from './section.ts';

/** Names may be the same: a number before each keeps them apart, and the axis shows what follows the tab. */
const keyed = (index: number, name: unknown): string => `${String(index).padStart(3, '0')}\t${cut(String(name)).replaceAll('\t', ' ')}`;

export function weights(section: Section): void {
  const {picture} = section;
  const all = rows(picture.weights?.heaviest).map((row, index): Row => (
    {...row, key: keyed(index, row.name), text: row.text ?? shown(row.weight), color: Number(row.weight) < 0 ? 'var(--neg)' : 'var(--pos)'}));
  if (all.length === 0) {
    return;
  }
  const draw = (count: number): void => {
    section.clear();
    const some = all.slice(0, count);
    // Room for the numbers at the ends of the bars, on the sides that have some.
    const [low, high] = [Math.min(0, ...some.map((row) => Number(row.weight))), Math.max(0, ...some.map((row) => Number(row.weight)))];
    const room = 0.22 * (high - low) || 1;
    section.chart({
      template: 'weights', params: {domain: [low < 0 ? low - room : 0, high > 0 ? high + room : 0]}, label: `${headline(picture, 'weights')} The ${plural(some.length, 'heaviest weight')}.`,
      data: {weights: some, zero: [{weight: 0}], cursor: []}, size: (width) => ({width, height: 22 * some.length + 56}),
      cursor: {rows: some, y: (row) => row.key, say: (row) => `${cut(String(row.name))}: ${shown(row.text)}`},
    });
  };
  if (all.length > 20) {
    section.controls.append(choice('weights', ['20', shown(all.length)], 0, (index) => draw(index === 0 ? 20 : all.length)));
  }
  draw(20);
  section.saves(rows(picture.weights?.heaviest));
}

export function proof(section: Section): void {
  const {picture} = section;
  const means = rows(picture.proof?.means).flatMap((row, index): Row[] => [
    {key: keyed(index, row.name), class: 'positive', mean: row.positive, fill: 'var(--pos)', color: 'var(--pos)'},
    {key: keyed(index, row.name), class: 'negative', mean: row.negative, fill: hatch('neg'), color: 'var(--neg)'}]);
  if (means.length === 0) {
    return;
  }
  section.chart({template: 'means', label: `Weighted means of the classes in ${plural(means.length / 2, 'feature')}: they are the same.`,
    data: {means}, size: (width) => ({width, height: 17 * means.length + 56})});
  section.entry(swatch({shape: 'square', color: 'var(--pos)', fill: 'var(--pos)'}), `class ${className(picture, 1)}`);
  section.entry(swatch({shape: 'square', color: 'var(--neg)', fill: hatch('neg')}), `class ${className(picture, 0)}`);
  section.saves(rows(picture.proof?.means));
}

/** Row numbers of the witness become buttons that mark the row in the data space. */
export function witnessButtons(): void {
  for (const cell of document.querySelectorAll<HTMLTableCellElement>('#proof table tbody th')) {
    const row = Number(cell.textContent?.replaceAll(',', ''));
    if (Number.isInteger(row) && document.querySelector('figure[data-chart="space"] .chart')) {
      cell.replaceChildren(button(cell.textContent ?? '', () => markRow(row), {class: 'row', 'aria-label': `Mark row ${cell.textContent} in the data space`}));
    }
  }
}

export function least(section: Section): void {
  const {picture} = section;
  const [low, high] = [picture.proof?.mistakes_at_least, picture.proof?.mistakes_at_most];
  const models = (picture.models ?? []).filter((model) => typeof model.mistakes === 'number');
  if (low === undefined && high === undefined) {
    return;
  }
  const most = Math.max(low ?? 0, high ?? 0, ...models.map((model) => Number(model.mistakes)));
  const total = picture.about.rows ?? most;
  // The scale runs to all rows unless what is drawn would shrink to a sliver there.
  const end = most * 5 < total ? Math.max(1, most * 2) : Math.max(1, total);
  const parts: Row[] = [{from: 0, to: low ?? 0, fill: 'var(--muted)', stroke: 'var(--muted)'}];
  if (high !== undefined && high > (low ?? 0)) {
    parts.push({from: low ?? 0, to: high, fill: hatch('ink'), stroke: 'var(--muted)'});
  }
  const ticks = models.map((model, index): Row => ({mistakes: model.mistakes ?? 0, y: index % 2 === 0 ? 24 : 84, text: `${cut(model.name)}: ${shown(model.mistakes)}`}));
  section.chart({template: 'least', label: `${headline(picture, 'least')} Between ${shown(low)} and ${shown(high)} of ${shown(total)} rows.`,
    params: {rows: end}, data: {parts, ticks}, size: (width) => ({width, height: 128})});
  section.entry(swatch({shape: 'square', color: 'var(--muted)', fill: 'var(--muted)'}), `every ${picture.proof?.classifier ?? 'linear classifier'}: at least ${shown(low)}`);
  if (high !== undefined) {
    section.entry(swatch({shape: 'square', color: 'var(--muted)', fill: hatch('ink')}), `the best: at most ${shown(high)}`);
  }
  if (end < total) {
    section.note(`The scale ends at ${shown(end)} of ${shown(total)} rows.`);
  }
  section.saves(parts.concat(ticks).map(({fill: _fill, stroke: _stroke, y: _y, ...row}) => row));
  tenAtATime();
}

/** Long lists of sets of rows, ten at a time. */
function tenAtATime(): void {
  const table = document.querySelectorAll<HTMLTableElement>('#least details.numbers table')[1];
  const list = table ? [...table.tBodies[0].rows] : [];
  if (list.length <= 10) {
    return;
  }
  let from = 0;
  const words = element('span', {class: 'readout'});
  const show = (to: number): void => {
    from = Math.max(0, Math.min(to, Math.floor((list.length - 1) / 10) * 10));
    list.forEach((row, index) => { row.hidden = index < from || index >= from + 10; });
    words.textContent = `Sets ${from + 1} to ${Math.min(from + 10, list.length)} of ${list.length}`;
  };
  table.closest('.scroll')?.after(element('div', {class: 'controls'}, button('Ten before', () => show(from - 10)),
    button('Next ten', () => show(from + 10)), words));
  show(0);
}

export function confusion(section: Section): void {
  const {confusion: given} = section.picture;
  if (!given) {
    return;
  }
  const k = given.classes.length;
  const counts = given.counts.map((count, i): Row => ({truth: keyed(Math.floor(i / k), given.classes[Math.floor(i / k)]),
    answer: keyed(i % k, given.classes[i % k]), rows: count, color: Math.floor(i / k) === i % k ? 'var(--pos)' : 'var(--neg)'}));
  const name = (key: unknown): string => String(key).split('\t')[1];
  section.chart({
    template: 'confusion', label: `${headline(section.picture, 'confusion')} Rows by true and predicted class, ${shown(k)} classes.`,
    params: {letters: Math.max(...given.counts.map((count) => shown(count).length))}, data: {counts, cursor: []}, size: (width) => ({width: Math.min(width, 600), height: Math.min(width, 600)}),
    cursor: {rows: counts, x: (row) => row.answer, y: (row) => row.truth,
      say: (row) => `${plural(row.rows, 'row')} of class ${name(row.truth)} predicted as ${name(row.answer)}`},
  }, 'square');
  section.entry(swatch({shape: 'square', color: 'var(--pos)', fill: 'var(--pos)'}), 'right');
  section.entry(swatch({shape: 'square', color: 'var(--neg)', fill: 'var(--neg)'}), 'wrong');
  section.saves(counts.map((row) => ({truth: name(row.truth), answer: name(row.answer), rows: row.rows})));
}

export function residuals(section: Section): void {
  const {residuals: given} = section.picture;
  const bins = rows(given?.bins);
  if (!given || bins.length === 0) {
    return;
  }
  section.chart({
    template: 'residuals', label: `${headline(section.picture, 'residuals')} Residuals from ${shown(bins[0].low)} to ${shown(bins[bins.length - 1].high)}.`,
    data: {bins, zero: [{at: 0}], cursor: []}, size: (width) => ({width, height: 230}),
    cursor: {rows: bins, x: (row) => (Number(row.low) + Number(row.high)) / 2, say: (row) => `Residual from ${shown(row.low)} to ${shown(row.high)}: ${plural(row.rows, 'row')}`},
  });
  const at = rows(given, ['row', 'predicted', 'label']);
  if (at.length > 0) {
    section.chart({
      template: 'predicted', label: `Labels against predictions, ${plural(at.length, 'row')}.`, params: {domain: [given.low, given.high]},
      data: {rows: at, chance: [{x: given.low, y: given.low, x2: given.high, y2: given.high}], cursor: []},
      size: (width) => ({width: Math.min(width, 440), height: Math.min(width, 440)}),
      cursor: {rows: at, x: (row) => row.predicted, y: (row) => row.label, say: (row) => `Row ${shown(row.row)}: prediction ${shown(row.predicted)}, label ${shown(row.label)}`},
    }, 'square');
  }
  section.entry(swatch({shape: kPlus, color: 'var(--ink)'}), 'line y = z: no residual');
  section.saves(bins);
}
