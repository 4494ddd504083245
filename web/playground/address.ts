// The address of a state: `#v=1&d=and&k=23`. Fields that have their preset's value (or the default, where rows aren't a preset's) are
// left out, decimals stay as typed, and what can't be read is named in an error: nothing is guessed.
//
// d: a preset's name, or rows "-0,0;+1,1" (class, then values), or "1.1:1;2.9:2" in a regression (target:values). f: how many features,
// where no row says it. z: rows deflated and written in base64url, above 100 rows. Other fields: see `fields` below.

import {findPreset, presetState} from './presets';
import {defaults} from './state';
import type {Row, State} from './state';

export type Decoded = {state: State, error?: undefined} | {error: string, state?: undefined};

export const mostRows = 500;
const mostFeatures = 16;
const mostPlainRows = 100;
const mostText = 1_000_000;
const decimal = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?$/;

class AddressError extends Error {}

/** A finite decimal, short enough to be one. */
export function isDecimal(text: string): boolean {
  return text.length <= 40 && decimal.test(text) && Number.isFinite(Number(text));
}

function shown(text: string): string {
  return `"${text.length > 60 ? text.slice(0, 60) + '…' : text}"`;
}

function number(text: string, what: string): string {
  if (!isDecimal(text)) throw new AddressError(`${what} is ${shown(text)}, which isn't a number`);
  return text;
}

function count(text: string, what: string, low: number, high: number): number {
  const value = Number(text);
  if (!/^\d{1,10}$/.test(text) || value < low || value > high) {
    throw new AddressError(`${what} is ${shown(text)}, which isn't a whole number from ${low} to ${high}`);
  }
  return value;
}

function word<T extends string>(text: string, what: string, words: readonly T[]): T {
  if (!words.includes(text as T)) throw new AddressError(`${what} ${shown(text)} isn't known: it is one of ${words.join(', ')}`);
  return text as T;
}

function flag(text: string, what: string): boolean {
  return word(text, what, ['0', '1'] as const) === '1';
}

type Field = {key: string, write(state: State): string, read(text: string): Partial<State>};

function field<K extends keyof State>(key: string, name: K, write: (value: State[K]) => string, read: (text: string) => State[K]): Field {
  return {key, write: state => write(state[name]), read: text => ({[name]: read(text)})};
}

function words<K extends keyof State>(key: string, name: K, what: string, known: readonly (State[K] & string)[]): Field {
  return field(key, name, value => String(value), text => word(text, what, known) as State[K]);
}

const numbers = (text: string, what: string): string[] => text.split(',').map(one => number(one, what));

export const learners = ['perceptron', 'dual', 'basic', 'least-squares', 'margin', 'regression'] as const;
export const orders = ['given', 'shuffled', 'drawn'] as const;
export const maps = ['none', 'products', 'polynomial:2'] as const;
export const variants = ['last', 'averaged', 'voted'] as const;
/** As the core's list of losses has them, without those of all classes together (tests/style/test_losses.py). */
export const losses = ['hinge', 'squared-hinge', 'logistic'] as const;
export const rules = ['signed', 'squared'] as const;

const fields: Field[] = [
  field('reg', 'regression', value => value ? '1' : '0', text => flag(text, 'reg')),
  words('l', 'learner', 'the learner', learners),
  words('o', 'order', 'the order', orders),
  field('s', 'seed', String, text => count(text, 'the seed', 0, 4294967295)),
  field('r', 'rate', value => value, text => number(text, 'the rate')),
  field('i', 'init', value => value.join(','), text => text === 'basic' ? ['basic'] : numbers(text, 'the start')),
  field('i0', 'initOffset', value => value, text => number(text, "the start's offset")),
  words('map', 'map', 'the map', maps),
  field('org', 'origin', value => value ? '1' : '0', text => flag(text, 'org')),
  words('var', 'variant', 'the variant', variants),
  field('P', 'passes', String, text => count(text, 'the number of passes', 1, 100000)),
  field('C', 'C', value => value, text => number(text, 'C')),
  words('loss', 'loss', 'the loss', losses),
  field('hard', 'hard', value => value ? '1' : '0', text => flag(text, 'hard')),
  words('rule', 'rule', 'the rule', rules),
  field('ker', 'kernel', value => value, readKernel),
  field('k', 'k', value => value === null ? 'end' : String(value), text => text === 'end' ? null : count(text, 'the visit', 0, 10000000)),
  field('w', 'weights', writeWeights, readWeights),
  field('x', 'window', value => value === null ? 'auto' : value.join(','), readWindow),
  field('pane', 'panes', value => value.join(','), readPanes),
  field('keep', 'keepSlice', value => value ? '1' : '0', text => flag(text, 'keep')),
  field('x0', 'x0axis', value => value ? '1' : '0', text => flag(text, 'x0')),
  field('t', 'lesson', value => value === null ? 'none' : String(value), text => text === 'none' ? null : count(text, 'the lesson', 1, 12)),
];

function readKernel(text: string): string {
  if (!/^(linear|polynomial|gaussian)([:,][a-z]*=?-?[0-9.]+)*$/.test(text) || text.length > 60) {
    throw new AddressError(`the kernel ${shown(text)} isn't known: it is one of linear, polynomial, gaussian`);
  }
  return text;
}

function writeWeights(weights: State['weights']): string {
  return weights === null ? 'none' : [...weights.theta, weights.offset].join(',');
}

function readWeights(text: string): State['weights'] {
  if (text === 'none') return null;
  const all = numbers(text, 'a weight');
  return {theta: all.slice(0, -1), offset: all[all.length - 1]!};
}

function readWindow(text: string): State['window'] {
  if (text === 'auto') return null;
  const ends = numbers(text, 'the window').map(Number);
  if (ends.length !== 4 || !(ends[0]! < ends[1]!) || !(ends[2]! < ends[3]!)) {
    throw new AddressError(`the window x is ${shown(text)}: it needs four numbers, low and high of each axis`);
  }
  return ends as State['window'];
}

export const paneNames = ['data', 'weights', 'bound', 'verdict', 'lift', 'strips', 'gram', 'rows', 'command'] as const;

function readPanes(text: string): string[] {
  return text === '' ? [] : text.split(',').map(one => word(one, 'the pane', paneNames));
}

/** Rows as an address has them. */
export function writeRows(rows: Row[], regression: boolean): string {
  return rows.map(row => (regression ? `${row.y}:` : row.y > 0 ? '+' : '-') + row.x.join(',')).join(';');
}

function readRow(text: string, index: number, regression: boolean): Row {
  const what = `row ${index + 1}`;
  if (regression) {
    const colon = text.indexOf(':');
    if (colon < 0) throw new AddressError(`${what} is ${shown(text)}: in a regression a row is target:values`);
    return {y: Number(number(text.slice(0, colon), `the target of ${what}`)), x: numbers(text.slice(colon + 1), `a value of ${what}`)};
  }
  const sign = text[0];
  if (sign !== '+' && sign !== '-') throw new AddressError(`${what} is ${shown(text)}: a row begins with its class, + or -`);
  return {y: sign === '+' ? 1 : -1, x: numbers(text.slice(1), `a value of ${what}`)};
}

function readRows(text: string, regression: boolean): Row[] {
  if (text === '') return [];
  const parts = text.split(';');
  if (parts.length > mostRows) throw new AddressError(`${parts.length} rows: at most ${mostRows} are shown`);
  const rows = parts.map((part, index) => readRow(part, index, regression));
  const features = rows[0]!.x.length;
  if (features > mostFeatures) throw new AddressError(`row 1 has ${features} features: at most ${mostFeatures} are shown`);
  rows.forEach((row, index) => {
    if (row.x.length !== features) throw new AddressError(`row ${index + 1} has ${row.x.length} values, row 1 has ${features}`);
  });
  return rows;
}

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  // What the writer says of a broken stream is said by the reader as well.
  writer.write(bytes as BufferSource).catch(() => undefined);
  writer.close().catch(() => undefined);
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.readable.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    parts.push(next.value);
    size += next.value.length;
    if (size > mostText) {
      reader.cancel().catch(() => undefined);
      throw new AddressError(`the rows in z have more than ${mostText} characters`);
    }
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function deflate(text: string): Promise<string> {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream('deflate'));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

async function inflate(text: string): Promise<string> {
  if (!/^[A-Za-z0-9_-]*$/.test(text)) throw new AddressError("z has a character that isn't base64url");
  try {
    const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    const bytes = Uint8Array.from(binary, character => character.charCodeAt(0));
    return new TextDecoder('utf-8', {fatal: true}).decode(await through(bytes, new DecompressionStream('deflate')));
  } catch (error) {
    if (error instanceof AddressError) throw error;
    throw new AddressError('z is incomplete: its rows could not be unpacked');
  }
}

/** What fields are compared with: the preset's state, or the defaults with a start of zeros for these features. */
function base(preset: string | null, features: number): State {
  const known = preset === null ? undefined : presetState(preset);
  return known ?? {...defaults(), preset: null, rows: [], features, init: Array<string>(features).fill('0')};
}

/** The address of a state, from `#` on. */
export async function encode(state: State): Promise<string> {
  const preset = state.preset !== null && findPreset(state.preset) ? state.preset : null;
  const parts = ['v=1'];
  if (preset !== null) parts.push(`d=${preset}`);
  else if (state.rows.length > mostPlainRows) parts.push(`z=${await deflate(writeRows(state.rows, state.regression))}`);
  else parts.push(`d=${writeRows(state.rows, state.regression)}`);
  if (preset === null && state.rows.length === 0) parts.push(`f=${state.features}`);
  const from = base(preset, state.features);
  for (const one of fields) {
    const text = one.write(state);
    if (text !== one.write(from)) parts.push(`${one.key}=${encodeURIComponent(text).replace(/%2C/g, ',').replace(/%3A/g, ':')}`);
  }
  return '#' + parts.join('&');
}

function pairs(hash: string): Map<string, string> {
  const given = new Map<string, string>();
  for (const part of hash.replace(/^#/, '').split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    if (equals < 0) throw new AddressError(`${shown(part)} has no value`);
    const key = part.slice(0, equals);
    if (given.has(key)) throw new AddressError(`${shown(key)} is given twice`);
    given.set(key, part.slice(equals + 1));
  }
  for (const [key, text] of given) {
    try {
      given.set(key, decodeURIComponent(text));
    } catch {
      throw new AddressError(`the value of ${shown(key)} can't be decoded: ${shown(text)}`);
    }
  }
  return given;
}

/** Where rows and what fields are compared with come from. */
async function start(given: Map<string, string>): Promise<State> {
  const d = given.get('d');
  const z = given.get('z');
  if (d !== undefined && z !== undefined) throw new AddressError('rows are given twice, by d and by z');
  if (d === undefined && z === undefined) return base('and', 2);
  if (d !== undefined && /^[a-z]/i.test(d)) {
    const known = presetState(d);
    if (!known) throw new AddressError(`the preset ${shown(d)} isn't known`);
    return known;
  }
  const regression = given.has('reg') && flag(given.get('reg')!, 'reg');
  const rows = readRows(z === undefined ? d! : await inflate(z), regression);
  const features = rows.length > 0 ? rows[0]!.x.length : given.has('f') ? count(given.get('f')!, 'f', 1, mostFeatures) : 2;
  const from = base(null, features);
  return {...from, rows, regression, learner: regression ? 'regression' : from.learner};
}

function check(state: State): void {
  const basic = state.init.length === 1 && state.init[0] === 'basic';
  if (!basic && state.init.length !== state.features) {
    throw new AddressError(`the start has ${state.init.length} numbers for ${state.features} features`);
  }
  if (state.weights !== null && state.weights.theta.length !== state.features) {
    throw new AddressError(`w has ${state.weights.theta.length + 1} numbers: it needs one per feature, then the offset`);
  }
  if (state.preset !== null && state.regression !== presetState(state.preset)!.regression) {
    throw new AddressError(`reg doesn't fit the rows of the preset ${state.preset}`);
  }
  if (state.regression !== (state.learner === 'regression')) {
    throw new AddressError(state.regression ? `the learner ${state.learner} needs rows of classes, without reg=1` :
        'the learner regression needs rows with targets, as target:values, and reg=1');
  }
}

/** The state of an address, or what is wrong with it. An empty address is the page's first state. */
export async function decode(hash: string): Promise<Decoded> {
  try {
    if (hash.length > mostText) throw new AddressError(`it has more than ${mostText} characters`);
    const given = pairs(hash);
    if (given.size === 0) return {state: base('and', 2)};
    const version = given.get('v');
    if (version === undefined) throw new AddressError('it has no version (v=1)');
    if (version !== '1') throw new AddressError(`its version is ${shown(version)}; this page reads version 1`);
    const state = await start(given);
    for (const [key, text] of given) {
      if (['v', 'd', 'z', 'f', 'reg'].includes(key)) continue;
      const one = fields.find(each => each.key === key);
      if (!one) throw new AddressError(`the word ${shown(key)} isn't known`);
      Object.assign(state, one.read(text));
    }
    if (given.has('reg')) state.regression = flag(given.get('reg')!, 'reg');
    if (given.has('f') && count(given.get('f')!, 'f', 1, mostFeatures) !== state.features) {
      throw new AddressError(`f is ${shown(given.get('f')!)}, but rows have ${state.features} features`);
    }
    check(state);
    return {state};
  } catch (error) {
    if (error instanceof AddressError) return {error: `The address can't be read: ${error.message}.`};
    throw error;
  }
}
