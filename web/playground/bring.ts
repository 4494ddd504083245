// Own rows in, results out: paste, open or drop CSV or svmlight; save rows, pictures, proof and report.
import {say} from './live';
import {readRows, writeCsv} from './reading';
import type {State, Store} from './state';

export type Tools = {report?: () => Promise<string>};

function element<K extends keyof HTMLElementTagNameMap>(tag: K, text = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  return made;
}

function button(text: string, name: string, act: () => void): HTMLButtonElement {
  const made = element('button', text);
  made.type = 'button';
  made.dataset['save'] = name;
  made.addEventListener('click', act);
  return made;
}

/** Gives the text to the reader as a file. */
function save(name: string, kind: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], {type: kind}));
  const link = element('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
  say(`${name} saved.`);
}

/** What a state has with rows read from text: they are nobody's preset, and start from 0. */
export function broughtState(text: string, wanted: {regression: boolean, names: string[]}): {change: Partial<State>, note: string} {
  const read = readRows(text, wanted);
  const change: Partial<State> = {preset: null, rows: read.rows, features: read.features, init: Array<string>(read.features).fill('0'), initOffset: '0',
                                  regression: read.regression, weights: null, window: null, k: null};
  return {change, note: read.note};
}

/** The picture of the data space as a file of its own: the styles of the page are written into it. */
function pictureText(): string | null {
  const svg = document.querySelector<SVGSVGElement>('[data-pane=data] svg, #data svg, #pane-data svg');
  if (!svg) return null;
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const from = [svg, ...svg.querySelectorAll<SVGElement>('*')];
  const to = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  const kept = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'opacity', 'font-family', 'font-size', 'text-anchor'];
  from.forEach((one, index) => {
    const style = getComputedStyle(one);
    for (const name of kept) to[index]!.style.setProperty(name, style.getPropertyValue(name));
    if (style.display === 'none') to[index]!.style.display = 'none';
  });
  const box = svg.getBoundingClientRect();
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(Math.round(box.width)));
  copy.setAttribute('height', String(Math.round(box.height)));
  copy.style.background = getComputedStyle(document.body).backgroundColor;
  return new XMLSerializer().serializeToString(copy);
}

function saveButtons(store: Store, tools: Tools, problem: (text: string) => void): HTMLElement {
  const group = element('div');
  group.className = 'save';
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', 'Save');
  group.append(
    button('Save CSV', 'csv', () => save('rows.csv', 'text/csv', writeCsv(store.state.rows, store.state.features, store.state.regression))),
    button('Save SVG', 'svg', () => {
      const text = pictureText();
      if (text === null) problem('The data space isn’t shown: there is no picture to save.');
      else save('data-space.svg', 'image/svg+xml', text);
    }),
    button('Save proof', 'proof', () => {
      const proof = store.results.certify?.proof;
      if (!proof) problem('There is no proof of these rows.');
      else save('proof.json', 'application/json', proof);
    }),
    button('Save report', 'report', () => {
      (tools.report?.() ?? Promise.resolve('')).then(
        text => text ? save('report.html', 'text/html', text) : problem('This page has no report built in: `linsep report` makes one.'),
        (error: unknown) => problem(error instanceof Error ? error.message : String(error)));
    }));
  return group;
}

function field(label: string, input: HTMLElement): HTMLLabelElement {
  const made = element('label', label + ' ');
  made.append(input);
  return made;
}

/** Fills `el` with a place to paste rows and buttons to save; a file dropped anywhere on the page is read as well. */
export function mountBring(el: HTMLElement, store: Store, tools: Tools = {}): void {
  el.classList.add('bring');
  const area = element('textarea');
  area.rows = 5;
  area.spellcheck = false;
  area.placeholder = '-1,0,0\n-1,0,1\n1,1,1';
  const names = element('input');
  names.type = 'text';
  names.placeholder = 'the first two';
  names.autocomplete = 'off';
  const regression = element('input');
  regression.type = 'checkbox';
  const file = element('input');
  file.type = 'file';
  file.accept = '.csv,.svm,.txt,.tsv,text/*';
  const error = element('p');
  error.className = 'error';
  error.setAttribute('role', 'alert');
  const note = element('p');
  note.className = 'note';

  const bring = (text: string): void => {
    note.textContent = '';
    error.textContent = '';
    try {
      const wanted = names.value.split(',').map(one => one.trim()).filter(Boolean);
      const {change, note: words} = broughtState(text, {regression: regression.checked, names: wanted});
      const learner = regression.checked ? 'regression' : store.state.learner === 'regression' ? 'perceptron' : store.state.learner;
      store.set({...change, learner}, 'data');
      note.textContent = words;
      say(words);
    } catch (wrong) {
      error.textContent = wrong instanceof Error ? wrong.message : String(wrong);
    }
  };
  const open = (given: File | undefined | null): void => {
    if (!given) return;
    if (given.size > 2_000_000) {
      error.textContent = `${given.name.slice(0, 60)} has ${given.size} bytes: the playground reads up to 2,000,000. The linsep program reads any size.`;
      return;
    }
    given.text().then(text => {
      area.value = text.length > 20000 ? '' : text;
      bring(text);
    }, (wrong: unknown) => { error.textContent = wrong instanceof Error ? wrong.message : String(wrong); });
  };
  file.addEventListener('change', () => open(file.files?.[0]));
  document.addEventListener('dragover', event => { if (event.dataTransfer?.types.includes('Files')) event.preventDefault(); });
  document.addEventListener('drop', event => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    open(event.dataTransfer.files[0]);
  });
  const use = element('button', 'Use these rows');
  use.type = 'button';
  use.dataset['act'] = 'use';
  use.addEventListener('click', () => bring(area.value));
  el.append(field('Rows as CSV or svmlight: the class first, then the features; at most 500 rows', area), field('Features by name', names),
            field('y is a number to predict (regression)', regression), field('Or open a file', file), use, error, note,
            saveButtons(store, tools, text => { error.textContent = text; }));
}
