// Which panes are seen: chips on a wide screen, tabs on a phone.
import type {Results, State, Store} from './state';
import {byId, html, put, show} from './svg';

const chips: [string, string][] = [['data', 'data'], ['weights', 'weight'], ['bound', 'bound'], ['verdict', 'verdict'], ['strips', 'strips'],
                                   ['lift', 'lift']];
const tabs: [string, string][] = [['data', 'data'], ['weights', 'weight'], ['bound', 'mistakes'], ['verdict', 'proof'], ['rows', 'rows']];

export class Panes {
  private buttons = new Map<string, HTMLButtonElement>();
  private tabs: HTMLButtonElement[] = [];

  constructor(private store: Store) {
    const place = byId('pane-chips');
    for (const [name, text] of chips) {
      const button = html('button', {type: 'button', class: 'chip', 'aria-pressed': 'true', 'data-pane': name}, text);
      button.addEventListener('click', () => {
        const {panes} = store.state;
        const seen = panes.includes(name);
        store.set({panes: seen ? panes.filter(one => one !== name) : [...panes, name]}, 'view');
      });
      this.buttons.set(name, button);
      place.append(button);
    }
    const list = byId('tabs');
    tabs.forEach(([name, text], i) => {
      const tab = html('button', {type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `${name === 'rows' ? 'fold' : 'pane'}-${name}`,
                                  'aria-selected': 'false', tabindex: -1}, text);
      tab.addEventListener('click', () => this.choose(name));
      tab.addEventListener('keydown', event => {
        const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (!by) return;
        event.preventDefault();
        const next = (i + by + tabs.length) % tabs.length;
        this.choose(tabs[next]![0]);
        this.tabs[next]!.focus();
      });
      this.tabs.push(tab);
      list.append(tab);
    });
    byId('verdict-line').addEventListener('click', () => this.choose('verdict'));
    this.choose('data');
    // On a phone the panes scroll, and must be reached by keys for that.
    const narrow = matchMedia('(max-width: 639px)');
    const reach = () => { byId('panes').tabIndex = narrow.matches ? 0 : -1; };
    narrow.addEventListener('change', reach);
    reach();
  }

  private choose(name: string): void {
    document.documentElement.dataset['tab'] = name;
    tabs.forEach(([one], i) => {
      put(this.tabs[i]!, 'aria-selected', String(one === name));
      this.tabs[i]!.tabIndex = one === name ? 0 : -1;
    });
    // The table is one element: on a phone it stands in a tab, else below the timeline.
    if (name === 'rows' && !this.store.state.panes.includes('rows')) this.store.set({panes: [...this.store.state.panes, 'rows']}, 'view');
  }

  update(state: State, _results: Results): void {
    const many = state.features > 2, lifted = state.map === 'products' && state.features === 2;
    const counts = state.learner === 'perceptron' || state.learner === 'dual';
    const has = (name: string) => state.panes.includes(name);
    const seen: Record<string, boolean> = {
      data: has('data') && !many, weights: has('weights') && !many, bound: has('bound') && counts, verdict: has('verdict'),
      strips: many && (has('strips') || has('data')), lift: lifted && (has('lift') || has('data')),
    };
    // With a map there is no plane of weights to show, and the lift takes its place.
    if (lifted && seen['lift']) seen['weights'] = false;
    byId('pane-data').classList.toggle('none', many);
    let count = 0;
    for (const [name, on] of Object.entries(seen)) {
      byId(`pane-${name}`).classList.toggle('off', !on);
      if (on) count++;
    }
    for (const [name, button] of this.buttons) {
      put(button, 'aria-pressed', String(seen[name] ?? false));
      const apt: Record<string, boolean> = {data: !many, weights: !many, bound: counts, strips: many, lift: lifted};
      show(button, apt[name] ?? true);
    }
    byId('panes').dataset['count'] = String(count);
  }
}
