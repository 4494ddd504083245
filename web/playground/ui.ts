// What belongs to the screen only, not to the state: the row that is lit, what a click does, the window a drag holds still.
import type {Window} from '../shared/engine';

export type Tool = '+' | '○' | 'move' | 'remove';

export const ui = {
  /** The row under the pointer or with the focus, from 0, in any pane; null without. */
  lit: null as number | null,
  tool: '+' as Tool,
  /** While a point is dragged the window stays as it is. */
  held: null as Window | null,
  listeners: [] as (() => void)[],

  light(row: number | null): void {
    if (ui.lit === row) return;
    ui.lit = row;
    ui.tell();
  },

  tell(): void {
    for (const listener of ui.listeners) listener();
  },
};
