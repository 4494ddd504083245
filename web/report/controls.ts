// Buttons, the live region, and what stands around a chart.

export function element<K extends keyof HTMLElementTagNameMap>(
    name: K, attributes: Record<string, string> = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function button(label: string | Node[], press: (self: HTMLButtonElement) => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = element('button', {type: 'button', ...attributes}, ...(typeof label === 'string' ? [label] : label));
  made.addEventListener('click', () => press(made));
  return made;
}

/** A button that is on or off. */
export function chip(label: (Node | string)[], on: boolean, change: (on: boolean) => void): HTMLButtonElement {
  return button(label.map((one) => (typeof one === 'string' ? document.createTextNode(one) : one)), (self) => {
    const now = self.getAttribute('aria-pressed') !== 'true';
    self.setAttribute('aria-pressed', String(now));
    change(now);
  }, {'aria-pressed': String(on), class: 'chip'});
}

/** One of several, as radio buttons that look like one control. */
export function choice(legend: string, options: string[], chosen: number, change: (index: number) => void): HTMLFieldSetElement {
  const name = `choice-${legend.replace(/\W+/g, '-')}`;
  return element('fieldset', {class: 'choice'}, element('legend', {}, legend), ...options.map((option, index) => {
    const input = element('input', {type: 'radio', name, value: String(index)});
    input.checked = index === chosen;
    input.addEventListener('change', () => change(index));
    return element('label', {}, input, option);
  }));
}

let live: HTMLElement | null = null;
/** Says a text to whoever listens to the page. */
export function say(text: string): void {
  live ??= document.querySelector('.live');
  if (live) {
    live.textContent = text;
  }
}

export async function copy(text: string, self: HTMLButtonElement): Promise<void> {
  const label = self.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A page opened as a file may not use the clipboard: select the text in a field, as browsers always could.
    const field = element('textarea', {class: 'live'});
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
    self.focus();
  }
  self.textContent = 'Copied';
  say('Copied');
  setTimeout(() => { self.textContent = label; }, 1500);
}

const listeners = new Set<(row: number) => void>();
/** Rows that one section points at are shown by others. */
export function onRow(listen: (row: number) => void): void {
  listeners.add(listen);
}
export function markRow(row: number): void {
  for (const listen of listeners) {
    listen(row);
  }
}

/** Header cells become buttons that sort; numbers by value, a dash last. */
export function sortable(table: HTMLTableElement): void {
  const heads = [...table.querySelectorAll<HTMLTableCellElement>('thead th')];
  const body = table.tBodies[0];
  heads.forEach((head, column) => {
    const label = head.textContent ?? '';
    const sort = (): void => {
      const down = head.getAttribute('aria-sort') === 'ascending';
      for (const other of heads) {
        other.removeAttribute('aria-sort');
      }
      head.setAttribute('aria-sort', down ? 'descending' : 'ascending');
      const key = (row: HTMLTableRowElement): string => row.cells[column].textContent ?? '';
      const number = (text: string): number => Number(text.replaceAll(',', ''));
      const order = [...body.rows].sort((a, b) => {
        const [left, right] = [key(a), key(b)];
        const [x, y] = [number(left), number(right)];
        if (Number.isNaN(x) !== Number.isNaN(y)) {
          return Number.isNaN(x) ? 1 : -1;
        }
        const by = Number.isNaN(x) ? left.localeCompare(right, 'en') : x - y;
        return down ? -by : by;
      });
      body.append(...order);
      say(`Sorted by ${label}, ${down ? 'largest' : 'smallest'} first`);
    };
    head.replaceChildren(button(label, sort, {class: 'sort'}));
  });
}
