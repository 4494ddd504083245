// θ and θ0 set by hand: one number each, in place of a run's.
import {isDecimal} from './address';
import {say} from './live';
import type {State, Store} from './state';

type Weights = NonNullable<State['weights']>;

function numbered(weights: Weights, index: number, text: string): Weights {
  if (index === weights.theta.length) return {...weights, offset: text};
  return {...weights, theta: weights.theta.map((one, i) => i === index ? text : one)};
}

/** Fills `el` with an input for each weight and the offset; hidden where no classifier is set by hand. */
export function mountWeights(el: HTMLElement, store: Store): void {
  el.classList.add('by-hand');
  el.setAttribute('role', 'group');
  el.setAttribute('aria-label', 'The classifier, set by hand');
  let inputs: HTMLInputElement[] = [];

  const change = (index: number): void => {
    const input = inputs[index]!;
    const good = isDecimal(input.value.trim().replace('−', '-'));
    input.setAttribute('aria-invalid', String(!good));
    if (!good) return say(`${input.value.slice(0, 40)} isn't a number`);
    if (store.state.weights) store.set({weights: numbered(store.state.weights, index, input.value.trim().replace('−', '-'))}, 'setting');
  };

  const build = (weights: Weights): void => {
    el.replaceChildren();
    inputs = [...weights.theta, weights.offset].map((_, index) => {
      const label = document.createElement('label');
      label.textContent = index === weights.theta.length ? 'θ0 = ' : weights.theta.length === 1 ? 'θ = ' : `θ${index + 1} = `;
      const input = document.createElement('input');
      input.type = 'text';
      input.inputMode = 'text';
      input.size = 6;
      input.autocomplete = 'off';
      input.dataset['weight'] = String(index);
      input.addEventListener('input', () => change(index));
      label.append(input);
      el.append(label);
      return input;
    });
  };

  const look = (): void => {
    const weights = store.state.weights;
    const shown = weights !== null && store.state.map === 'none';
    el.hidden = !shown;
    if (!shown) return;
    if (inputs.length !== weights.theta.length + 1) build(weights);
    [...weights.theta, weights.offset].forEach((text, index) => {
      const input = inputs[index]!;
      if (document.activeElement !== input) {
        input.value = text;
        input.removeAttribute('aria-invalid');
      }
    });
  };
  store.subscribe(look);
  look();
}
