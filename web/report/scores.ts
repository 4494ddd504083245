// Sections of a model's scores: distances and the threshold, which share one slider; calibration.
import {element} from './controls.ts';
import {className, headline, plural, rows, shown, type Row} from './document.ts';
import {hatch, kPlus, swatch} from './marks.ts';
import type {Section} from './section.ts';

const moved = new Set<(index: number) => void>();

export function distances(section: Section): void {
  const {picture} = section;
  const bins = rows(picture.distances?.bins);
  if (bins.length === 0) {
    return;
  }
  const bars = bins.flatMap((bin): Row[] => [
    {low: bin.low, high: bin.high, rows: Number(bin.positive), fill: Number(bin.high) <= 0 ? hatch('pos') : 'var(--pos)', stroke: 'var(--pos)'},
    {low: bin.low, high: bin.high, rows: -Number(bin.negative), fill: Number(bin.low) >= 0 ? hatch('neg') : 'var(--neg)', stroke: 'var(--neg)'},
  ]).filter((bar) => bar.rows !== 0);
  const margin = picture.distances?.margin;
  const rules: Row[] = [{at: 0, stroke: 'var(--ink)', width: 2, dash: [1, 0] as never}];
  if (margin) {
    rules.push(...[-margin, margin].map((at): Row => ({at, stroke: 'var(--muted)', width: 1, dash: [5, 3] as never})));
  }
  const [low, high] = [Number(bins[0].low), Number(bins[bins.length - 1].high)];
  const inside = rules.filter((rule) => Number(rule.at) >= low && Number(rule.at) <= high);
  const chart = section.chart({
    template: 'distances', label: `${headline(picture, 'distances')} Rows by signed distance from ${shown(low)} to ${shown(high)}.`,
    data: {bars, rules: inside, zero: [{rows: 0}], threshold: [], labels: [], cursor: []}, size: (width) => ({width, height: 250}),
    cursor: {rows: bins, x: (row) => (Number(row.low) + Number(row.high)) / 2,
      place: (row) => ({...row, rows: row.positive, to: -Number(row.negative)}),
      say: (row) => `Distance from ${shown(row.low)} to ${shown(row.high)}: ${plural(row.positive, 'row')} of class ${className(picture, 1)}, ` +
        `${shown(row.negative)} of class ${className(picture, 0)}`},
  });
  moved.add((index) => {
    const at = picture.thresholds?.distance?.[index];
    chart.set('threshold', typeof at === 'number' && at >= low && at <= high ? [{at}] : []);
  });
  section.entry(swatch({shape: kPlus, color: 'var(--pos)'}), `up: class ${className(picture, 1)}`);
  section.entry(swatch({shape: 'circle', color: 'var(--neg)'}), `down: class ${className(picture, 0)}`);
  section.entry(swatch({shape: 'square', color: 'var(--ink)', fill: hatch('ink'), width: 1}), 'hatched: wrong');
  section.entry(swatch({color: 'var(--ink)'}), 'boundary z = 0');
  if (margin) {
    section.entry(swatch({color: 'var(--muted)', dash: [5, 3], width: 1}), 'z = ±1');
  }
  section.saves(bins);
}

const kCurve = {x: 0, y: 0, x2: 1, y2: 1};

export function threshold(section: Section): void {
  const {picture} = section;
  const {thresholds} = picture;
  const at = rows(thresholds, ['threshold', 'distance', 'tp', 'fp', 'tn', 'fn', 'precision', 'recall', 'false_positive_rate', 'error', 'text'])
    .map((row, order) => ({...row, order}) as Row);
  if (!thresholds || at.length === 0) {
    return;
  }
  const [negative, positive] = [className(picture, 0), className(picture, 1)];
  const size = (width: number): {width: number; height: number} => ({width: Math.min(width, 300), height: Math.min(width, 300)});
  const roc = section.chart({
    template: 'roc', label: `Recall against the false-positive rate; area ${thresholds.area_text ?? ''}.`,
    data: {thresholds: at, chance: [kCurve], cursor: []}, size,
  }, 'third', `Area under the curve: ${thresholds.area_text ?? ''}`);
  const curve = section.chart({
    template: 'pr', label: `Precision against recall; average precision ${thresholds.precision_text ?? ''}.`,
    data: {thresholds: at.filter((row) => Number(row.tp) + Number(row.fp) > 0), chance: [{x: 0, x2: 1, y: thresholds.prevalence, y2: thresholds.prevalence}], cursor: []}, size,
  }, 'third', `Average precision: ${thresholds.precision_text ?? ''}`);
  const counts = (row: Row): Row[] => [
    {truth: positive, answer: positive, rows: row.tp, name: 'found', color: 'var(--pos)'},
    {truth: positive, answer: negative, rows: row.fn, name: 'missed', color: 'var(--muted)'},
    {truth: negative, answer: positive, rows: row.fp, name: 'false alarms', color: 'var(--muted)'},
    {truth: negative, answer: negative, rows: row.tn, name: 'rejected', color: 'var(--neg)'}];
  const most = Math.max(1, ...at.flatMap((row) => [Number(row.tp), Number(row.fp), Number(row.tn), Number(row.fn)]));
  const matrix = section.chart({
    template: 'matrix', label: 'Rows by true class and answer at this threshold.', params: {most, letters: shown(most).length}, data: {counts: counts(at[thresholds.chosen])}, size,
  }, 'third', 'Answers at this threshold');
  slider(section, at, thresholds.chosen, (index) => {
    const row = at[index];
    roc.set('cursor', [row]);
    curve.set('cursor', Number(row.tp) + Number(row.fp) > 0 ? [row] : []);
    matrix.set('counts', counts(row));
    for (const listen of moved) {
      listen(index);
    }
  });
  section.saves(at.map(({order: _order, ...row}) => row));
}

function slider(section: Section, at: Row[], chosen: number, show: (index: number) => void): void {
  // Thresholds descend; the slider's right end is the highest, as on the axis of distances.
  const last = at.length - 1;
  const input = element('input', {type: 'range', min: '0', max: String(last), step: '1', id: 'threshold-slider'});
  const words = element('output', {for: 'threshold-slider', class: 'readout'});
  const move = (): void => {
    const index = last - Number(input.value);
    const text = `${shown(at[index].text)}${index === chosen ? ' (the model’s own threshold)' : ''}`;
    words.textContent = text;
    input.setAttribute('aria-valuetext', text);
    show(index);
  };
  input.value = String(last - chosen);
  input.addEventListener('input', move);
  const back = element('button', {type: 'button'}, 'The model’s own');
  back.addEventListener('click', () => {
    input.value = String(last - chosen);
    move();
  });
  section.controls.append(element('label', {for: 'threshold-slider'}, 'Threshold of z'), input, back, words);
  move();
}

export function calibration(section: Section): void {
  const bins = rows(section.picture.calibration?.bins).filter((row) => Number(row.rows) > 0);
  if (bins.length === 0) {
    return;
  }
  section.chart({
    template: 'calibration', label: `${headline(section.picture, 'calibration')} Observed against predicted, ${plural(bins.length, 'bin')}.`,
    data: {bins, chance: [kCurve], cursor: []}, size: (width) => ({width: Math.min(width, 400), height: Math.min(width, 400)}),
    cursor: {rows: bins, x: (row) => row.predicted,
      say: (row) => `Predicted ${shown(row.predicted)}: observed ${shown(row.observed)}, between ${shown(row.low)} and ${shown(row.high)}; ${plural(row.rows, 'row')}`},
  });
  section.chart({template: 'calibration_rows', label: 'Rows by predicted probability.', data: {bins},
    size: (width) => ({width: Math.min(width, 400), height: 110})});
  section.saves(rows(section.picture.calibration?.bins));
}
