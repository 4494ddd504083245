// The rows as a table to type in: class, values, order. What can't be read stays in its field, is said with its line and column, and
// the last good rows stay in the pictures.
import {addRow, flipRow, mostRows, removeRow, reorderRow} from './acts';
import {isDecimal} from './address';
import {say} from './live';
import type {Row, Store} from './state';

/** What is wrong with a value, or null. */
export function valueError(text: string, line: number, column: number): string | null {
  if (isDecimal(text)) return null;
  const shown = text.length > 40 ? text.slice(0, 40) + '…' : text;
  return `Line ${line}, column ${column}: ${text === '' ? 'a number is missing' : `"${shown}" isn't a number`}.`;
}

const typed = (input: HTMLInputElement): string => input.value.trim().replace(/^−/, '-');

function element<K extends keyof HTMLElementTagNameMap>(tag: K, text = '', label = ''): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (label) made.setAttribute('aria-label', label);
  return made;
}

class RowsTable {
  private readonly body = element('tbody');
  private readonly head = element('thead');
  private readonly error = element('p');
  private shape = '';
  private filled: Row[] = [];

  constructor(private readonly el: HTMLElement, private readonly store: Store) {
    el.classList.add('rows');
    const table = element('table');
    table.append(element('caption', 'Rows, in the order of visits'), this.head, this.body);
    this.error.className = 'error';
    this.error.setAttribute('role', 'alert');
    const add = element('button', 'Add a row');
    add.type = 'button';
    add.dataset['act'] = 'add';
    add.addEventListener('click', () => this.add());
    const scroller = element('div');
    scroller.className = 'rows-scroll';
    scroller.tabIndex = 0;
    scroller.setAttribute('role', 'region');
    scroller.setAttribute('aria-label', 'Rows table');
    scroller.append(table);
    el.append(scroller, this.error, add);
    store.subscribe(() => this.look());
    this.look();
  }

  private add(): void {
    const {rows, features, regression} = this.store.state;
    const last = rows[rows.length - 1];
    const y = regression ? 0 : last ? last.y : 1;
    if (!addRow(this.store, y, Array<string>(features).fill('0'))) return say(`At most ${mostRows} rows.`);
    say(`Row ${rows.length + 1} added.`);
    this.body.rows[rows.length]?.querySelector<HTMLElement>('[data-column]')?.focus();
  }

  private look(): void {
    const {rows, features, regression} = this.store.state;
    const shape = `${rows.length} ${features} ${regression}`;
    if (shape !== this.shape) this.build(shape);
    rows.forEach((row, line) => {
      if (this.filled[line] !== row) this.fill(line, row);
    });
    this.filled = rows;
  }

  private build(shape: string): void {
    const {rows, features, regression} = this.store.state;
    this.shape = shape;
    const top = element('tr');
    for (const name of ['row', regression ? 'y' : 'class', ...Array.from({length: features}, (_, j) => `x${j + 1}`)]) {
      const cell = element('th', name);
      cell.scope = 'col';
      top.append(cell);
    }
    const acts = element('th', 'order and removal');
    acts.scope = 'col';
    top.append(acts);
    this.head.replaceChildren(top);
    this.error.textContent = '';
    this.filled = [];
    this.body.replaceChildren(...rows.map((_, line) => this.line(line)));
  }

  private line(line: number): HTMLTableRowElement {
    const {features, regression} = this.store.state;
    const tr = element('tr');
    tr.dataset['row'] = String(line + 1);
    const name = element('th', String(line + 1));
    name.scope = 'row';
    tr.append(name, this.cell(regression ? this.input(line, -1, `y of row ${line + 1}`) : this.classButton(line)));
    for (let column = 0; column < features; ++column) tr.append(this.cell(this.input(line, column, `x${column + 1} of row ${line + 1}`)));
    const acts = element('td');
    acts.append(this.button('↑', `Move row ${line + 1} up`, 'up', () => this.reorder(line, -1)),
                this.button('↓', `Move row ${line + 1} down`, 'down', () => this.reorder(line, 1)),
                this.button('×', `Remove row ${line + 1}`, 'remove', () => this.remove(line)));
    tr.append(acts);
    return tr;
  }

  private cell(inside: HTMLElement): HTMLTableCellElement {
    const made = element('td');
    made.append(inside);
    return made;
  }

  private button(text: string, label: string, act: string, run: () => void): HTMLButtonElement {
    const made = element('button', text, label);
    made.type = 'button';
    made.dataset['act'] = act;
    made.addEventListener('click', run);
    return made;
  }

  private classButton(line: number): HTMLButtonElement {
    const made = this.button('', '', 'class', () => flipRow(this.store, line));
    made.dataset['column'] = 'y';
    // The signs can be typed, too.
    made.addEventListener('keydown', event => {
      const y = event.key === '+' ? 1 : event.key === '-' ? -1 : 0;
      if (y !== 0 && this.store.state.rows[line]?.y !== y) flipRow(this.store, line);
      if (y !== 0) event.preventDefault();
    });
    return made;
  }

  private input(line: number, column: number, label: string): HTMLInputElement {
    const made = element('input', '', label);
    made.type = 'text';
    made.inputMode = 'text';
    made.size = 7;
    made.autocomplete = 'off';
    made.spellcheck = false;
    made.dataset['column'] = column < 0 ? 'y' : String(column);
    made.addEventListener('input', () => this.read(line, column, made));
    made.addEventListener('change', () => this.read(line, column, made));
    return made;
  }

  private read(line: number, column: number, input: HTMLInputElement): void {
    const text = typed(input);
    const wrong = valueError(text, line + 1, column + 2);
    input.setAttribute('aria-invalid', String(wrong !== null));
    this.error.textContent = wrong ?? this.otherError(input);
    if (wrong !== null) return;
    const row = this.store.state.rows[line];
    if (!row) return;
    const next: Row = column < 0 ? {...row, y: Number(text)} : {...row, x: row.x.map((old, j) => j === column ? text : old)};
    if (next.y === row.y && next.x.join() === row.x.join()) return;
    this.store.set({rows: this.store.state.rows.map((old, i) => i === line ? next : old)}, 'data');
  }

  /** What is wrong in another field. */
  private otherError(but: HTMLInputElement): string {
    for (const input of this.body.querySelectorAll<HTMLInputElement>('input[aria-invalid=true]')) {
      if (input === but) continue;
      const line = Number(input.closest('tr')!.dataset['row']);
      const column = input.dataset['column'] === 'y' ? 1 : Number(input.dataset['column']) + 2;
      return valueError(typed(input), line, column) ?? '';
    }
    return '';
  }

  private reorder(line: number, by: -1 | 1): void {
    const to = reorderRow(this.store, line, by);
    if (to === line) return;
    say(`Row ${line + 1} is now row ${to + 1}.`);
    this.body.rows[to]?.querySelector<HTMLElement>(`[data-act=${by < 0 ? 'up' : 'down'}]`)?.focus();
  }

  private remove(line: number): void {
    removeRow(this.store, line);
    say(`Row ${line + 1} removed.`);
    const near = this.body.rows[Math.min(line, this.body.rows.length - 1)];
    (near?.querySelector<HTMLElement>('[data-act=remove]') ?? this.el.querySelector<HTMLElement>('[data-act=add]'))?.focus();
  }

  private fill(line: number, row: Row): void {
    const tr = this.body.rows[line];
    if (!tr) return;
    const flip = tr.querySelector<HTMLButtonElement>('button[data-act=class]');
    if (flip) {
      const sign = row.y > 0 ? '+ 1' : '○ −1';
      if (flip.textContent !== sign) flip.textContent = sign;
      flip.className = row.y > 0 ? 'positive' : 'negative';
      flip.setAttribute('aria-label', `Class of row ${line + 1}: ${row.y > 0 ? '+1' : '−1'}. Press to flip.`);
    }
    for (const input of tr.querySelectorAll('input')) {
      const text = input.dataset['column'] === 'y' ? String(row.y) : row.x[Number(input.dataset['column'])] ?? '';
      const wrong = input.getAttribute('aria-invalid') === 'true';
      // What is typed stays as typed until the row itself changes.
      if (wrong ? input.dataset['was'] === text : typed(input) !== '' && Number(typed(input)) === Number(text) && document.activeElement === input) continue;
      if (input.value !== text) input.value = text;
      input.dataset['was'] = text;
      if (wrong) {
        input.removeAttribute('aria-invalid');
        this.error.textContent = this.otherError(input);
      }
    }
  }
}

/** Fills `el` with the table. */
export function mountRows(el: HTMLElement, store: Store): void {
  new RowsTable(el, store);
}
