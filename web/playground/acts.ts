// What can be done to the rows: by pointer, keys, table or lesson alike. Every act can be undone.
import type {Row, Store} from './state';

export const mostRows = 500;

/** A decimal near `value` on a grid of `step`, without trailing zeros. */
export function decimal(value: number, step: number): string {
  const digits = Math.min(12, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const text = (Math.round(value / step) * step).toFixed(digits);
  const short = text.includes('.') ? text.replace(/0+$/, '').replace(/\.$/, '') : text;
  return short === '-0' ? '0' : short;
}

function changed(store: Store, index: number, change: Partial<Row>): Row[] {
  return store.state.rows.map((row, i) => i === index ? {...row, ...change} : row);
}

/** Adds a row at the end; false where there are 500 already. */
export function addRow(store: Store, y: number, x: string[]): boolean {
  if (store.state.rows.length >= mostRows) return false;
  store.set({rows: [...store.state.rows, {y, x}]}, 'data');
  return true;
}

export function moveRow(store: Store, index: number, x: string[]): void {
  const row = store.state.rows[index];
  if (row && row.x.join() !== x.join()) store.set({rows: changed(store, index, {x})}, 'data');
}

/** Moves a row by so much along each feature, on a grid of 0.05 (or of the step itself). */
export function nudgeRow(store: Store, index: number, by: number[]): void {
  const row = store.state.rows[index];
  if (row) moveRow(store, index, row.x.map((text, j) => by[j] ? decimal(Number(text) + by[j]!, 0.05) : text));
}

export function flipRow(store: Store, index: number): void {
  const row = store.state.rows[index];
  if (row && !store.state.regression) store.set({rows: changed(store, index, {y: -row.y})}, 'data');
}

export function removeRow(store: Store, index: number): void {
  if (index in store.state.rows) store.set({rows: store.state.rows.filter((_, i) => i !== index)}, 'data');
}

/** Puts a row earlier (−1) or later (+1) in the order of visits; its new position. */
export function reorderRow(store: Store, index: number, by: -1 | 1): number {
  const rows = [...store.state.rows], to = index + by;
  if (!(index in rows) || !(to in rows)) return index;
  [rows[index], rows[to]] = [rows[to]!, rows[index]!];
  store.set({rows}, 'data');
  return to;
}
