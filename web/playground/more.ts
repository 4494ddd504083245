// The last line: the formula of the moment, α, and what opens beside the panes: rows, Gram matrix, command line.
import type {Results, State, Store} from './state';
import {byId, html, put, show, write} from './svg';
import {ui} from './ui';
import {classifier, corrections, formula, moment, names, number} from './view';

export class More {
  private formula = byId('formula');
  private formulaOf = byId('formula-of');
  private alpha = byId('alpha');
  private gram = byId('gram');
  private command = byId('command');
  private buttons = new Map<string, HTMLButtonElement>();
  private drawn: Float64Array | null = null;

  constructor(store: Store) {
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-fold]')) {
      const name = button.dataset['fold']!;
      button.addEventListener('click', () => {
        const {panes} = store.state;
        store.set({panes: panes.includes(name) ? panes.filter(one => one !== name) : [...panes, name]}, 'view');
      });
      this.buttons.set(name, button);
    }
    byId('copy-command').addEventListener('click', () => void navigator.clipboard?.writeText(this.command.textContent ?? ''));
  }

  update(state: State, results: Results): void {
    const now = classifier(state, results);
    const kernel = state.learner === 'dual' && state.kernel !== 'linear';
    write(this.formula, kernel ? 'z = Σ α·y·K(row, x) + θ0' : now ? formula(now.theta, now.offset, names(state, results)) : '');
    write(this.formulaOf, now ? `Shown, ${whose(state, results)}:` : '');
    const counts = (state.learner === 'perceptron' || state.learner === 'dual') && results.events && !state.weights;
    show(this.alpha, !!counts);
    if (counts) this.alphas(state, results);
    for (const [name, button] of this.buttons) {
      const open = state.panes.includes(name);
      put(button, 'aria-expanded', String(open));
      show(byId(`fold-${name}`), open);
    }
    show(byId('drawer'), [...this.buttons.keys()].some(name => state.panes.includes(name)));
    write(this.command, state.weights ? 'θ was set by hand: no command gives it.' : results.train?.command ?? '');
    if (state.panes.includes('gram')) this.matrix(state, results);
  }

  private alphas(state: State, results: Results): void {
    const alpha = corrections(state, results);
    const from = state.init.every(text => Number(text) === 0) && Number(state.initOffset) === 0;
    const rate = Number(state.rate) === 1 ? '' : `${number(Number(state.rate))}·`;
    const x = state.map === 'none' ? 'x' : 'φ(x)';
    const text = alpha.length <= 24 ? alpha.join(' ') : `${alpha.slice(0, 24).join(' ')} …`;
    write(this.alpha, `α = ${text}   θ = ${from ? '' : 'start + '}${rate}Σ α·y·${x}`);
  }

  private matrix(state: State, results: Results): void {
    const {gram} = results, n = state.rows.length;
    if (!gram || gram.length !== n * n) {
      this.drawn = null;
      return void this.gram.replaceChildren(html('p', {}, n > 200 ? 'The Gram matrix is shown for at most 200 rows.' : ''));
    }
    if (gram === this.drawn) return;
    this.drawn = gram;
    if (n > 24) return void this.gram.replaceChildren(html('p', {}, `${n} × ${n} numbers, which are listed for at most 24 rows.`));
    const head = html('tr', {}, html('td', {}), ...state.rows.map((_, j) => html('th', {scope: 'col'}, String(j + 1))));
    const body = state.rows.map((row, i) => {
      const name = html('th', {scope: 'row', class: row.y > 0 ? 'pos' : 'neg'}, `${row.y > 0 ? '+' : '○'} ${i + 1}`);
      const line = html('tr', {'data-row': i + 1}, name,
                        ...state.rows.map((_, j) => html('td', {}, number(gram[i * n + j]!, 4))));
      line.addEventListener('pointerenter', () => ui.light(i));
      line.addEventListener('pointerleave', () => ui.light(null));
      return line;
    });
    const table = html('table', {}, html('caption', {}, 'x·x′ of every pair of rows: all that the dual needs'),
                       html('thead', {}, head),                       html('tbody', {}, ...body));
    put(table, 'class', 'gram-table');
    this.gram.replaceChildren(table);
  }
}

/** Which classifier is shown, where others are spoken of. */
function whose(state: State, results: Results): string {
  if (state.weights) return 'set by hand';
  const visit = moment(state, results);
  if (!visit) return 'as trained';
  if (state.k === null && state.variant !== 'last') return state.variant;
  return visit.index === 0 ? 'at the start' : `after visit ${visit.visit}`;
}
