// What the state asks of the engine: the learner's options by the command line's names (defaults left out), and the job of a frame.
import type {Kernel, Spec} from '../shared/engine';
import {rowsText, type State} from './state';
import type {Job} from './solve';

/** The learners that visit rows one after another and tell of it. */
export function visitsRows(state: State): boolean {
  return state.learner === 'perceptron' || state.learner === 'dual' || state.learner === 'regression';
}

/** `linear`, `polynomial:DEGREE:CONSTANT` or `gaussian:GAMMA`. */
export function kernelOf(text: string): Kernel {
  const [kind, first, second] = text.split(':');
  if (kind === 'polynomial') return {kind, degree: Number(first || 2), constant: Number(second || 1)};
  if (kind === 'gaussian') return {kind, gamma: Number(first || 0.5)};
  return {kind: 'linear'};
}

function visiting(state: State, options: NonNullable<Spec['options']>): void {
  if (state.passes !== 100) options['passes'] = state.passes;
  if (state.order !== 'given' && state.learner !== 'dual') {
    options['order'] = state.order;
    options['seed'] = state.seed;
  }
}

function start(state: State, options: NonNullable<Spec['options']>): void {
  if (state.init[0] === 'basic') options['init'] = 'basic';
  else if (state.init.some(text => Number(text) !== 0)) options['init'] = state.init.map(Number);
  if (Number(state.initOffset) !== 0 && !state.origin) options['init-offset'] = Number(state.initOffset);
}

export function specOf(state: State): Spec {
  const options: NonNullable<Spec['options']> = {};
  switch (state.learner) {
    case 'perceptron':
      visiting(state, options);
      if (Number(state.rate) !== 1) options['rate'] = Number(state.rate);
      start(state, options);
      if (state.variant !== 'last') options['variant'] = state.variant;
      break;
    case 'dual': {
      visiting(state, options);
      const {kind, ...rest} = kernelOf(state.kernel);
      if (kind !== 'linear') Object.assign(options, {kernel: kind, ...rest});
      break;
    }
    case 'regression':
      visiting(state, options);
      if (Number(state.rate) !== 1) options['rate'] = Number(state.rate);
      options['rule'] = state.rule;
      break;
    case 'margin':
      if (state.hard) options['hard'] = true;
      else {
        options['C'] = Number(state.C);
        // So near to the least objective that six digits of θ are right.
        options['gap'] = 1e-9;
        if (state.loss !== 'hinge') options['loss'] = state.loss;
      }
      break;
    default: break;
  }
  if (state.origin) options['origin'] = true;
  return state.map === 'none' ? {learner: state.learner, options} : {learner: state.learner, options, map: state.map};
}

/** Sizes of the drawing areas in pixels, width over height; what a drag holds still. */
export type Frame = {dataAspect: number, weightsAspect: number, held: State['window']};

/** All that the engine is asked for a state; the worker repeats only what has changed. */
export function jobOf(state: State, frame: Frame): Job {
  const window = frame.held ?? state.window;
  return {
    text: rowsText(state), features: state.features, regression: state.regression, empty: state.rows.length === 0,
    spec: specOf(state), origin: state.origin, map: state.map, bound: state.learner === 'perceptron' || state.learner === 'dual',
    k: state.k, ofModel: state.k === null && (state.variant !== 'last' || !visitsRows(state)),
    weights: state.weights ? {theta: state.weights.theta.map(Number), offset: Number(state.weights.offset)} : null,
    window: window ? {x_low: window[0], x_high: window[1], y_low: window[2], y_high: window[3]} : null,
    dataAspect: frame.dataAspect, weightsAspect: frame.weightsAspect,
    margins: state.learner === 'margin', x0: state.x0axis && state.features === 1, keepSlice: state.keepSlice,
    gram: state.panes.includes('gram') ? kernelOf(state.learner === 'dual' ? state.kernel : 'linear') : null,
  };
}
