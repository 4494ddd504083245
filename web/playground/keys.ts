// All keys of the page, and the dialog that lists them.
import {decimal, flipRow, nudgeRow, removeRow, reorderRow} from './acts';
import {say} from './live';
import type {Store} from './state';
import {player, step, type Step} from './steps';
import {classifier} from './view';

export const keys: [string, string][] = [
  ['→, ←', 'next row, previous row'],
  ['Shift and →, ←', 'next mistake, previous mistake'],
  ['Page Down, Page Up', 'next pass, previous pass'],
  ['Home, End', 'start and end of the run'],
  ['Space', 'play, stop'],
  ['N', 'a new point'],
  ['Tab', 'through the points'],
  ['Arrows on a point', 'move it by 0.05; with Shift by 0.5'],
  ['F', 'flip the class of the point'],
  ['Delete', 'remove the point'],
  ['[ and ]', 'put the row earlier or later in the order of visits'],
  ['Arrows on θ', 'move θ by 0.05; with Shift by 0.5'],
  ['Escape', 'leave the point'],
  ['Z, Shift and Z', 'undo, redo'],
  ['?', 'this list'],
];

const steps: Record<string, [Step, Step]> = {
  ArrowRight: ['row', 'mistake'], ArrowLeft: ['row-back', 'mistake-back'], PageDown: ['pass', 'pass'], PageUp: ['pass-back', 'pass-back'],
  Home: ['start', 'start'], End: ['end', 'end'],
};
const directions: Record<string, [number, number]> = {ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};

/** Where keys are text or have their own meaning already. */
function typesHere(target: Element | null): boolean {
  return target !== null && target.closest('input:not([type=checkbox]):not([type=radio]):not([type=file]), textarea, select, [contenteditable]') !== null;
}

const pressedHere = (target: Element | null): boolean => target?.closest('button, summary, a[href], input, [role=button], [role=tab], [role=radio]') != null;
const focusRow = (row: number): void => document.querySelector<SVGElement>(`.point[data-row="${row + 1}"]`)?.focus();

function pointKey(event: KeyboardEvent, store: Store, row: number, onPlane: boolean): boolean {
  const by = directions[event.key];
  if (by && onPlane) {
    const far = event.shiftKey ? 0.5 : 0.05;
    movePoint(store, row, by[0] * far, by[1] * far);
    const now = store.state.rows[row];
    if (now) say(`row ${row + 1} at (${now.x.join(', ')})${store.state.regression ? `, y ${now.y}` : ''}`);
    return true;
  }
  switch (event.key) {
    case 'f': case 'F':
      flipRow(store, row);
      say(`row ${row + 1} is of class ${(store.state.rows[row]?.y ?? 0) > 0 ? '+1' : '−1'}`);
      return true;
    case 'Delete': case 'Backspace':
      removeRow(store, row);
      say(`row ${row + 1} removed`);
      focusRow(Math.min(row, store.state.rows.length - 1));
      return true;
    case '[': case ']': {
      const to = reorderRow(store, row, event.key === '[' ? -1 : 1);
      say(to === row ? `row ${row + 1} stays where it is` : `row ${row + 1} is now row ${to + 1}`);
      if (onPlane) focusRow(to);
      else document.querySelector<HTMLElement>(`tr[data-row="${to + 1}"] button`)?.focus();
      return true;
    }
    case 'Escape':
      if (document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement) document.activeElement.blur();
      return onPlane;
    default: return false;
  }
}

/** Moves a row in the plane that is shown: of one feature along its axis, in a regression upwards by y. */
function movePoint(store: Store, row: number, right: number, up: number): void {
  const {features, regression, x0axis, rows} = store.state;
  if (regression && up !== 0) {
    const now = rows[row];
    if (now) store.set({rows: rows.map((one, i) => i === row ? {...one, y: Number(decimal(now.y + up, 0.05))} : one)}, 'data');
  } else {
    nudgeRow(store, row, features === 1 ? [x0axis && !regression ? up : right] : [right, up]);
  }
}

/** Moves θ in the weight space: its axes are θ0 and θ1 of one feature, θ1 and θ2 of two. */
function thetaKey(event: KeyboardEvent, store: Store): boolean {
  const by = directions[event.key];
  const now = by && classifier(store.state, store.results);
  if (!by || !now) return false;
  const far = event.shiftKey ? 0.5 : 0.05;
  const moved = (value: number, along: number): string => along === 0 ? String(value) : decimal(value + along * far, 0.05);
  const single = store.state.features === 1;
  const theta = now.theta.map((value, i) => moved(value, single ? by[1] : by[i] ?? 0));
  const offset = single ? moved(now.offset, by[0]) : String(now.offset);
  store.set({weights: {theta, offset}}, 'setting');
  say(`θ = ${theta.length === 1 ? theta[0] : `(${theta.join(', ')})`}, θ0 = ${offset}`);
  return true;
}

function pageKey(event: KeyboardEvent, store: Store, target: Element | null): boolean {
  const along = steps[event.key];
  if (along) {
    player.stop();
    step(store, along[event.shiftKey ? 1 : 0]);
    return true;
  }
  switch (event.key) {
    case ' ':
      if (pressedHere(target)) return false;
      player.toggle(store);
      return true;
    case 'n': case 'N':
      document.dispatchEvent(new CustomEvent('new-point'));
      return true;
    case 'z': store.undo(); return true;
    case 'Z': case 'y': case 'Y': store.redo(); return true;
    case '?': showKeys(); return true;
    default: return false;
  }
}

function press(event: KeyboardEvent, store: Store): void {
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
  const target = event.target instanceof Element ? event.target : null;
  const undoKey = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'z';
  if (typesHere(target) || event.altKey || ((event.ctrlKey || event.metaKey) && !undoKey)) return;
  if (undoKey) {
    if (event.shiftKey) store.redo();
    else store.undo();
    return event.preventDefault();
  }
  const row = target?.closest('[data-row]');
  const onPlane = target?.closest('.point') != null;
  const used = (target?.closest('[data-theta]') && thetaKey(event, store)) ||
               (row && pointKey(event, store, Number(row.getAttribute('data-row')) - 1, onPlane)) || pageKey(event, store, target);
  if (used) event.preventDefault();
}

let dialog: HTMLDialogElement | null = null;

function makeDialog(): HTMLDialogElement {
  const made = document.createElement('dialog');
  made.id = 'keys';
  made.setAttribute('aria-labelledby', 'keys-title');
  const title = document.createElement('h2');
  title.id = 'keys-title';
  title.textContent = 'Keys';
  const table = document.createElement('table');
  const body = document.createElement('tbody');
  for (const [key, does] of keys) {
    const tr = document.createElement('tr');
    const th = document.createElement('th');
    th.scope = 'row';
    th.textContent = key;
    const td = document.createElement('td');
    td.textContent = does;
    tr.append(th, td);
    body.append(tr);
  }
  table.append(body);
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.autofocus = true;
  close.addEventListener('click', () => made.close());
  made.append(title, table, close);
  document.body.append(made);
  return made;
}

/** Opens the list of keys. */
export function showKeys(): void {
  dialog ??= makeDialog();
  if (!dialog.open) dialog.showModal();
}

/** Listens to the keys of the page. */
export function mountKeys(store: Store, root: HTMLElement | Document): void {
  root.addEventListener('keydown', event => press(event as KeyboardEvent, store));
}
