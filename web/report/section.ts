// Section: the place of a chart in the page, its controls and what can be saved.
import {Chart, type ChartSpec} from './chart.ts';
import {button, element} from './controls.ts';
import type {Picture, Row} from './document.ts';
import {csv, save} from './save.ts';

export class Section {
  readonly controls = element('div', {class: 'controls'});
  readonly plots = element('div', {class: 'plots'});
  readonly legend = element('ul', {class: 'legend'});
  readonly charts: Chart[] = [];

  private constructor(readonly id: string, readonly picture: Picture, private readonly figure: HTMLElement) {
    const caption = figure.querySelector('figcaption');
    figure.insertBefore(this.controls, caption);
    figure.insertBefore(this.plots, caption);
    figure.insertBefore(this.legend, caption);
  }

  /** Draws section `id` where the page has a place for it. A chart that fails leaves sentences and tables, and says so. */
  static draw(id: string, picture: Picture, draw: (section: Section) => void): void {
    const figure = document.querySelector<HTMLElement>(`figure[data-chart="${id}"]`);
    if (!figure) {
      return;
    }
    const section = new Section(id, picture, figure);
    try {
      draw(section);
    } catch (error) {
      section.plots.append(element('p', {class: 'note'}, `This chart could not be drawn: ${String(error)}`));
    }
    for (const part of [section.controls, section.legend]) {
      if (part.childElementCount === 0) {
        part.remove();
      }
    }
  }

  /** A chart; `css` decides how wide its place is. */
  chart(spec: ChartSpec, css = 'wide', title = ''): Chart {
    const place = element('div', {class: `plot ${css}`});
    if (title !== '') {
      place.append(element('p', {class: 'plot-title'}, title));
    }
    this.plots.append(place);
    const made = new Chart(spec, place, null);
    this.charts.push(made);
    return made;
  }

  /** The legend stands beside the chart where there is room. */
  beside(): void {
    this.figure.classList.add('beside');
  }

  entry(mark: Node, ...words: (Node | string)[]): void {
    this.legend.append(element('li', {}, mark, ...words));
  }

  note(text: string): void {
    this.figure.insertBefore(element('p', {class: 'note'}, text), this.figure.querySelector('figcaption'));
  }

  clear(): void {
    for (const chart of this.charts.splice(0)) {
      chart.remove();
    }
    this.plots.replaceChildren();
  }

  /** "Save" below the section: a picture, a spec for each chart, and the rows that were drawn. */
  saves(rows: Row[]): void {
    const kinds: [string, string][] = [['SVG', 'picture'], ['CSV', 'rows'], ['Vega-Lite', 'spec with its rows']];
    const list = kinds.map(([kind, what]) => button(kind, () => {
      if (kind === 'CSV') {
        save(`${this.id}.csv`, 'text/csv', csv(rows));
        return;
      }
      this.charts.forEach((chart, index) => chart.saveAs(kind, index === 0 ? this.id : `${this.id}-${index + 1}`));
    }, {'aria-label': `Save ${this.id} as ${kind}: ${what}`}));
    const box = element('details', {class: 'save'}, element('summary', {}, 'Save'), element('div', {class: 'controls'}, ...list));
    const numbers = this.figure.parentElement?.querySelector(':scope > details.numbers');
    if (numbers) {
      numbers.before(box);
    } else {
      this.figure.after(box);
    }
  }
}
