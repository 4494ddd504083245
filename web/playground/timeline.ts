// The timeline: steps, play, a slider over all visits, and where the run is.
import {player, step, type Step} from './steps';
import type {Results, State, Store} from './state';
import {html, put, show, svg, write} from './svg';
import {moment, number, position} from './view';

const buttons: [Step | 'play', string, string, string][] = [
  ['start', '', 'To the start', 'Home'], ['row-back', 'row', 'Back one row', '←'], ['row', 'row', 'One row', '→'],
  ['mistake', 'mistake', 'To the next mistake', 'Shift →'], ['pass', 'pass', 'To the end of the pass', 'Page Down'],
  ['play', 'play', 'Play', 'Space'], ['end', '', 'To the end', 'End'],
];

/** Drawn, since not every font has these signs. */
const signs: Record<string, string> = {
  start: 'M2 2V12M12 2L5 7L12 12Z', end: 'M12 2V12M2 2L9 7L2 12Z', 'row-back': 'M11 2L4 7L11 12Z', row: 'M4 2L11 7L4 12Z', play: 'M4 2L11 7L4 12Z',
  pause: 'M4 2V12M10 2V12', mistake: 'M1 2L7 7L1 12ZM8 2L14 7L8 12Z', pass: 'M1 2L7 7L1 12ZM8 2L14 7L8 12Z',
};

function sign(name: string): SVGSVGElement {
  return svg('svg', {class: 'sign', viewBox: '0 0 15 14', width: 15, height: 14, 'aria-hidden': 'true'}, svg('path', {d: signs[name] ?? ''}));
}

export class Timeline {
  private made = new Map<string, HTMLButtonElement>();
  private slider = html('input', {type: 'range', min: 0, max: 0, value: 0, class: 'visits', 'aria-label': 'Visit'});
  private where = html('output', {class: 'where'});
  private speed = html('input', {type: 'range', min: 1, max: 60, value: player.speed, class: 'speed', 'aria-label': 'Events a second'});
  private speedText = html('span', {class: 'speed-text'});

  constructor(private place: HTMLElement, store: Store) {
    const steps = html('div', {class: 'steps', role: 'group', 'aria-label': 'Steps'});
    for (const [name, text, label, key] of buttons) {
      const button = html('button', {type: 'button', 'data-step': name, 'aria-label': label, title: `${label} (${key})`}, sign(name), text);
      button.addEventListener('click', () => {
        if (name === 'play') return player.toggle(store);
        player.stop();
        step(store, name);
      });
      this.made.set(name, button);
      steps.append(button);
    }
    this.slider.addEventListener('input', () => {
      player.stop();
      const at = Number(this.slider.value);
      store.set({k: at === Number(this.slider.max) ? null : at, weights: null}, 'view');
    });
    this.speed.addEventListener('input', () => player.setSpeed(store, Number(this.speed.value)));
    place.append(steps, this.slider, this.where, html('label', {class: 'speed-label'}, this.speed, this.speedText));
    player.listeners.push(() => this.playing());
    this.playing();
  }

  private playing(): void {
    const button = this.made.get('play')!;
    button.replaceChildren(sign(player.playing ? 'pause' : 'play'), player.playing ? 'pause' : 'play');
    put(button, 'aria-label', player.playing ? 'Pause' : 'Play');
    write(this.speedText, `${player.speed} a second`);
    if (Number(this.speed.value) !== player.speed) this.speed.value = String(player.speed);
  }

  update(state: State, results: Results): void {
    const visit = moment(state, results);
    const last = visit?.last ?? 0, at = position(state, results);
    put(this.slider, 'max', String(last));
    if (this.slider.value !== String(at)) this.slider.value = String(at);
    const text = visit ? `visit ${visit.visit} of ${results.events!.visits} · pass ${visit.pass}${state.regression ? '' : ` · mistake ${visit.mistakes}`}` :
        'This learner finishes in one step';
    write(this.where, text + (results.events?.mistakesOnly ? ' · mistakes only' : ''));
    put(this.slider, 'aria-valuetext', visit ? `${text}; y·z ${number(visit.before)}` : text);
    for (const [name, button] of this.made) {
      button.disabled = !visit || last === 0 || (at === 0 && (name === 'start' || name === 'row-back')) ||
          (at === last && (name === 'end' || name === 'row' || name === 'mistake' || name === 'pass'));
    }
    this.slider.disabled = !visit || last === 0;
    show(this.place.querySelector('.speed-label')!, !!visit);
  }
}
