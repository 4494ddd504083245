// Moving through a run: to a row, a mistake, a pass, an end; and playing it.
import type {Store} from './state';
import {position} from './view';

export type Step = 'start' | 'row-back' | 'row' | 'mistake-back' | 'mistake' | 'pass-back' | 'pass' | 'end';

/** Where a step leads from the present position. */
export function target(store: Store, step: Step): number {
  const events = store.results.events;
  const at = position(store.state, store.results);
  if (!events || events.count === 0) return 0;
  const last = events.count - 1;
  const field = (i: number, f: number) => events.values[i * events.stride + f]!;
  switch (step) {
    case 'start': return 0;
    case 'end': return last;
    case 'row-back': return Math.max(0, at - 1);
    case 'row': return Math.min(last, at + 1);
    case 'mistake':
    case 'mistake-back': {
      const by = step === 'mistake' ? 1 : -1;
      for (let i = at + by; i > 0 && i <= last; i += by) if (field(i, 5) > 0) return i;
      return by > 0 ? last : 0;
    }
    case 'pass': {
      // To the end of this pass, or of the next where it is at its end.
      const pass = field(Math.min(at + 1, last), 1);
      let i = Math.min(at + 1, last);
      while (i < last && field(i + 1, 1) === pass) i++;
      return i;
    }
    case 'pass-back': {
      const pass = field(at, 1);
      let i = at;
      while (i > 0 && field(i, 1) === pass) i--;
      return i;
    }
  }
}

/** Takes the step. A classifier that was set by hand gives way to the run's. */
export function step(store: Store, what: Step): void {
  const to = target(store, what);
  const last = Math.max(0, (store.results.events?.count ?? 1) - 1);
  store.set({k: to === last ? null : to, weights: null}, 'view');
}

/** Plays the run: `speed` events a second, from the start again where it is at its end. */
export const player = {
  playing: false,
  speed: 4,
  timer: 0 as number | ReturnType<typeof setInterval>,
  listeners: [] as (() => void)[],

  toggle(store: Store): void {
    if (player.playing) return player.stop();
    const last = Math.max(0, (store.results.events?.count ?? 1) - 1);
    if (last === 0) return;
    if (position(store.state, store.results) >= last) step(store, 'start');
    player.playing = true;
    player.run(store);
    player.tell();
  },

  stop(): void {
    clearInterval(player.timer);
    player.playing = false;
    player.tell();
  },

  setSpeed(store: Store, speed: number): void {
    player.speed = Math.min(60, Math.max(1, speed));
    if (player.playing) player.run(store);
    player.tell();
  },

  run(store: Store): void {
    clearInterval(player.timer);
    player.timer = setInterval(() => {
      step(store, 'row');
      if (store.state.k === null) player.stop();
    }, 1000 / player.speed);
  },

  tell(): void {
    for (const listener of player.listeners) listener();
  },
};
