// Rows of many features as strips of squares, one a feature, above them the means of both classes and θ.
import type {Results, State} from './state';
import {html, put, show, svg} from './svg';
import {classifier, number} from './view';

const square = 12, gap = 1;

export class StripsPane {
  private drawn = '';

  constructor(private pane: HTMLElement, private place: HTMLElement) {}

  update(state: State, results: Results): void {
    show(this.pane, state.features > 2);
    if (state.features <= 2) return;
    const margins = results.train?.margins ?? [], theta = classifier(state, results);
    const key = JSON.stringify([state.rows, margins, results.means, theta]);
    if (key === this.drawn) return;
    this.drawn = key;
    const of = (positive: boolean) => state.rows.map((row, i) => ({row, i})).filter(({row}) => row.y > 0 === positive);
    const column = (positive: boolean) => html('div', {class: 'strip-class'},
      html('h3', {class: positive ? 'pos' : 'neg'}, positive ? '+ rows' : '○ rows'),
      ...of(positive).map(({row, i}) => this.strip(row.x.map(Number), positive, `${i + 1}`, margins[i])));
    const parts: HTMLElement[] = [html('div', {class: 'strip-columns'}, column(true), column(false))];
    const {means} = results;
    if (means) {
      parts.unshift(html('div', {class: 'strip-means'}, html('h3', {}, 'Means of the two classes'),
                      this.strip(means.positive, true, 'mean +', undefined), this.strip(means.negative, false, 'mean ○', undefined),
                      html('p', {}, means.positive.join() === means.negative.join() ?
                           `The two means are the same picture: ${number(means.positive[0] ?? 0)} in every square.`.replace(
                             'in every square', means.positive.every(v => v === means.positive[0]) ? 'in every square' : 'in the first square') :
                           'The two means differ.')));
    }
    this.place.replaceChildren(...parts);
  }

  /** Full squares are 1, empty ones 0; between them by area. */
  private strip(values: number[], positive: boolean, name: string, margin: number | undefined): HTMLElement {
    const width = values.length * (square + gap);
    const root = svg('svg', {class: 'strip', viewBox: `0 0 ${width} ${square + 1}`, width, height: square + 1, role: 'img'});
    put(root, 'aria-label', `${name}: ${values.map(v => number(v)).join(' ')}`);
    let empty = '', full = '';
    values.forEach((value, j) => {
      const side = square * Math.sqrt(Math.min(1, Math.max(0, Math.abs(value)))), x = j * (square + gap);
      empty += `M${x + 0.5} 0.5h${square - 1}v${square - 1}h${-(square - 1)}Z`;
      if (side > 0) full += `M${x + (square - side) / 2} ${(square - side) / 2}h${side}v${side}h${-side}Z`;
    });
    root.append(svg('path', {class: 'empty', d: empty}), svg('path', {class: `full ${positive ? 'pos' : 'neg'}`, d: full}));
    const wrong = margin !== undefined && !(margin > 0);
    return html('div', {class: 'strip-row'}, html('span', {class: 'strip-name'}, name), root,
                html('span', {class: 'strip-wrong'}, wrong ? 'wrong' : ''));
  }
}
