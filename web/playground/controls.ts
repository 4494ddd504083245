// The settings: one row of menus and fields. What a learner doesn't have isn't shown.
import {losses} from './address';
import type {Learner, State, Store} from './state';
import {html, show, write} from './svg';

type Field = {label: HTMLElement, shown: (state: State) => boolean, read: (state: State) => void};

const learners: [Learner, string][] = [['perceptron', 'Perceptron'], ['dual', 'Dual perceptron'], ['basic', 'Basic'],
                                       ['least-squares', 'Least squares'], ['margin', 'Margin'], ['regression', 'Regression']];

const aboveZero = (text: string) => Number(text) > 0 && Number.isFinite(Number(text));
const is = (...names: Learner[]) => (state: State) => names.includes(state.learner);

export class Controls {
  private fields: Field[] = [];
  private problem = html('p', {class: 'problem', role: 'alert'});

  constructor(private place: HTMLElement, private store: Store) {
    this.choose('learner', 'Learner', learners, s => s.learner, v => this.learner(v as Learner), () => true);
    this.choose('order', 'Order', [['given', 'given'], ['shuffled', 'shuffled'], ['drawn', 'drawn']], s => s.order,
                v => store.set({order: v as State['order'], k: null}), is('perceptron', 'regression'));
    this.type('seed', 'Seed', s => String(s.seed), text => /^\d{1,9}$/.test(text) ? {seed: Number(text)} : 'a whole number from 0',
              s => is('perceptron', 'regression')(s) && s.order !== 'given');
    this.type('rate', 'η', s => s.rate, text => aboveZero(text) ? {rate: text} : 'a number above 0', is('perceptron', 'regression'));
    this.type('init', 'Start', startText, text => this.start(text), is('perceptron'));
    this.choose('map', 'Map', [['none', 'none'], ['products', 'products'], ['polynomial:2', 'squares and products']], s => s.map,
                v => store.set({map: v as State['map'], k: null, weights: null, init: zeros(store.state), initOffset: '0'}),
                s => s.features === 2 && !s.regression && !(s.learner === 'dual' && s.kernel !== 'linear'));
    this.choose('kernel', 'Kernel', [['linear', 'linear'], ['polynomial:2:1', '(x·x′ + 1)²'], ['gaussian:0.5', 'gaussian, γ = 0.5']],
                s => s.kernel, v => store.set({kernel: v, map: 'none', k: null, weights: null}), is('dual'));
    this.choose('variant', 'Variant', [['last', 'last θ'], ['averaged', 'averaged'], ['voted', 'voted']], s => s.variant,
                v => store.set({variant: v as State['variant'], k: null}), is('perceptron'));
    this.type('passes', 'Passes', s => String(s.passes),
              text => /^[1-9]\d{0,5}$/.test(text) ? {passes: Number(text)} : 'a whole number from 1 to 999999', is('perceptron', 'dual', 'regression'));
    this.choose('loss', 'Loss', losses.map(name => [name, name.replaceAll('-', ' ')]), s => s.loss,
                v => store.set({loss: v}), s => s.learner === 'margin' && !s.hard);
    this.type('C', 'C', s => s.C, text => aboveZero(text) ? {C: text} : 'a number above 0', s => s.learner === 'margin' && !s.hard);
    this.tick('hard', 'hard margin', s => s.hard, hard => store.set({hard}), is('margin'));
    this.choose('rule', 'Rule', [['signed', 'signed'], ['squared', 'squared']], s => s.rule,
                v => store.set({rule: v as State['rule']}), is('regression'));
    this.tick('origin', 'through the origin', s => s.origin, origin => store.set({origin, initOffset: '0', k: null, weights: null}), () => true);
    this.tick('x0axis', 'x0 as an axis', s => s.x0axis, x0axis => store.set({x0axis, window: null}, 'view'), s => s.features === 1 && !s.regression);
    place.append(this.problem);
    show(this.problem, false);
  }

  private learner(learner: Learner): void {
    const {state} = this.store;
    const regression = learner === 'regression';
    if (regression === state.regression) return this.store.set({learner, k: null, weights: null});
    // Classes become targets and targets classes: by their sign.
    const rows = state.rows.map(row => ({...row, y: regression ? row.y : row.y > 0 ? 1 : -1}));
    this.store.set({learner, regression, rows, k: null, weights: null, map: 'none'}, 'data');
  }

  private start(text: string): Partial<State> | string {
    const {state} = this.store;
    if (text.trim() === 'basic') return {init: ['basic'], initOffset: '0'};
    const [weights = '', offset = '0'] = text.split(';');
    const parts = weights.split(/[\s,]+/).filter(Boolean);
    const given = parts.length === 1 && Number(parts[0]) === 0 ? zeros(state) : parts;
    const fine = [...given, offset.trim()].every(part => part !== '' && Number.isFinite(Number(part)));
    if (!fine || given.length !== state.features) {
      const numbers = state.features === 1 ? 'a number' : `${state.features} numbers`;
      return `0, basic, or ${numbers}, then a semicolon and θ0 where it isn’t 0: −1, −1; 0.5`;
    }
    return {init: given, initOffset: offset.trim()};
  }

  private add(name: string, label: string, control: HTMLElement, shown: Field['shown'], read: Field['read'], after = false): void {
    control.id = `control-${name}`;
    const text = html('span', {}, label);
    const wrap = html('label', {class: after ? 'tick' : 'field', 'data-control': name}, ...(after ? [control, text] : [text, control]));
    this.place.append(wrap);
    this.fields.push({label: wrap, shown, read});
  }

  private choose(name: string, label: string, options: [string, string][], get: (s: State) => string, set: (value: string) => void,
                 shown: Field['shown']): void {
    const select = html('select', {}, ...options.map(([value, text]) => html('option', {value}, text)));
    select.addEventListener('change', () => set(select.value));
    this.add(name, label, select, shown, state => {
      if (select.value !== get(state)) select.value = get(state);
    });
  }

  private type(name: string, label: string, get: (s: State) => string, set: (text: string) => Partial<State> | string, shown: Field['shown']): void {
    const input = html('input', {type: 'text', inputmode: name === 'init' ? 'text' : 'decimal', autocomplete: 'off', spellcheck: 'false'});
    input.addEventListener('change', () => {
      const change = set(input.value.replace(/−/g, '-').trim());
      const bad = typeof change === 'string';
      input.setAttribute('aria-invalid', String(bad));
      show(this.problem, bad);
      if (bad) return write(this.problem, `${label}: ${change}.`);
      this.store.set({...change, k: null, weights: null});
    });
    this.add(name, label, input, shown, state => {
      if (document.activeElement === input && input.getAttribute('aria-invalid') === 'true') return;
      if (input.value !== get(state)) input.value = get(state);
    });
  }

  private tick(name: string, label: string, get: (s: State) => boolean, set: (on: boolean) => void, shown: Field['shown']): void {
    const input = html('input', {type: 'checkbox'});
    input.addEventListener('change', () => set(input.checked));
    this.add(name, label, input, shown, state => {
      input.checked = get(state);
    }, true);
  }

  update(state: State): void {
    for (const field of this.fields) {
      const on = field.shown(state);
      show(field.label, on);
      if (on) field.read(state);
    }
  }
}

function zeros(state: State): string[] {
  return Array.from({length: state.features}, () => '0');
}

function startText(state: State): string {
  if (state.init[0] === 'basic') return 'basic';
  const zero = state.init.every(text => Number(text) === 0), offset = Number(state.initOffset) !== 0 ? `; ${state.initOffset}` : '';
  return (zero && !offset ? '0' : state.init.join(', ') + offset).replace(/-/g, '−');
}
