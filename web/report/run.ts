// Sections of a run: progress, mistakes, mistakes by row.
import {choice, markRow} from './controls.ts';
import {className, headline, plural, rows, shown, type Row} from './document.ts';
import {colorOf, shapeOf, swatch} from './marks.ts';
import type {Section} from './section.ts';

export function progress(section: Section): void {
  const {history} = section.picture;
  const passes = rows(history?.passes).filter((row) => typeof row.objective === 'number');
  const draw = (by: 'pass' | 'seconds'): void => {
    section.clear();
    const at = passes.map((row): Row => ({...row, at: row[by]}));
    const last = at[at.length - 1];
    const words = {x: by};
    const say = (row: Row): string => [`Pass ${shown(row.pass)} (${shown(row.seconds)} s): objective ${shown(row.objective)}`,
      ...(typeof row.lower_bound === 'number' ? [`at least ${shown(row.lower_bound)}`] : []),
      ...(typeof row.gap === 'number' ? [`gap ${shown(row.gap)}`] : [])].join(', ');
    const objective = section.chart({
      template: 'progress', label: `${headline(section.picture, 'progress')} Objective by ${by}, ${plural(last.pass, 'pass', 'passes')}.`,
      words, data: {passes: at, ends: [], cursor: []}, size: (width) => ({width, height: 260}),
      cursor: {rows: at, x: (row) => row.at, say, moved: (row) => gap?.set('cursor', row ? [row] : [])},
    });
    const gap = at.some((row) => typeof row.gap === 'number' && row.gap > 0) ? section.chart({
      template: 'gap', label: `Gap by ${by}, from ${shown(at[0].gap)} to ${shown(last.gap)}.`, words,
      data: {passes: at, cursor: [], asked: history?.gap_asked && history.gap_asked > 0 ?
        [{gap: history.gap_asked, text: `asked: at most ${shown(history.gap_asked)}`}] : []},
      size: (width) => ({width, height: 140}),
    }) : undefined;
    void objective;
  };
  if (passes.length === 0) {
    return;
  }
  if (passes.some((row) => typeof row.seconds === 'number' && row.seconds > 0)) {
    section.controls.append(choice('by', ['pass', 'seconds'], 0, (index) => draw(index === 0 ? 'pass' : 'seconds')));
  }
  draw('pass');
  section.entry(swatch({color: 'var(--ink)'}), 'objective');
  if (passes.some((row) => typeof row.lower_bound === 'number')) {
    section.entry(swatch({color: 'var(--feasible)', dash: [5, 3], width: 1.5}), 'lower bound: no weights are better');
  }
  section.saves(passes);
}

export function mistakes(section: Section): void {
  const {history, bound} = section.picture;
  const grouped = rows(history?.bars).filter((row) => typeof row.mistakes === 'number');
  const bars = grouped.length > 0 ? grouped : rows(history?.passes).filter((row) => typeof row.mistakes === 'number');
  const group = history?.group ?? 1;
  if (bars.length === 0) {
    return;
  }
  const words = {x: group > 1 ? `pass, in groups of ${shown(group)}` : 'pass'};
  const wide = (width: number): number => Math.min(width, 110 + 48 * bars.length);
  section.chart({
    template: 'mistakes', label: `${headline(section.picture, 'mistakes')} Mistakes by pass, ${plural(history?.passes_made, 'pass', 'passes')}.`,
    words, data: {bars, cursor: []}, size: (width) => ({width: wide(width), height: 190}),
    cursor: {rows: bars, x: (row) => row.pass,
      say: (row) => `${group > 1 ? `Group of pass ${shown(row.pass)}` : `Pass ${shown(row.pass)}`}: ${plural(row.mistakes, 'mistake')}`},
  });
  const sum = bars[bars.length - 1].mistakes_so_far;
  if (bars.length > 1 && typeof sum === 'number') {
    const near = bound !== undefined && bound.mistakes <= 3 * sum;
    section.chart({
      template: 'mistake_sum', label: `Mistakes so far by pass: ${shown(sum)} in all${bound ? `; the theory allows at most ${bound.mistakes_text ?? shown(bound.mistakes)}` : ''}.`,
      words, data: {bars, bound: near ? [{mistakes: bound.mistakes, text: `at most ${bound.mistakes_text ?? shown(bound.mistakes)}: (R/γ)²`}] : [], cursor: []},
      size: (width) => ({width: wide(width), height: 180}),
      cursor: {rows: bars, x: (row) => row.pass, say: (row) => `After pass ${shown(row.pass)}: ${plural(row.mistakes_so_far, 'mistake')}`},
    });
    if (bound && !near) {
      section.note(`The theory allows at most ${bound.mistakes_text ?? shown(bound.mistakes)} mistakes, (R/γ)²: too many to draw.`);
    }
  }
  section.saves(rows(history?.passes));
}

export function alpha(section: Section): void {
  const {picture} = section;
  const list = rows(picture.alpha?.rows).map((row): Row => (
    {...row, class: className(picture, row.label), shape: shapeOf(row.label), color: colorOf(picture, row.label)}));
  if (list.length === 0) {
    return;
  }
  section.chart({
    template: 'alpha', label: `${headline(picture, 'rows')} Mistakes of ${plural(list.length, 'row')}, most often first.`,
    data: {rows: list, cursor: []}, size: (width) => ({width: Math.min(width, 110 + 48 * list.length), height: 210}),
    cursor: {rows: list, x: (row) => row.row, press: (row) => markRow(Number(row.row)),
      say: (row) => `Row ${shown(row.row)}${row.id ? ` (${shown(row.id)})` : ''}, class ${shown(row.class)}: ${plural(row.alpha, 'mistake')}`},
  });
  if (picture.alpha?.rest) {
    section.note(picture.alpha.rest);
  }
  section.saves(rows(picture.alpha?.rows));
}
