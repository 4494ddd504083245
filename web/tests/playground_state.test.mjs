// Presets and addresses without a browser: address → state → address, drawn states, and every field broken.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {load} from './bundle.mjs';

const folder = fileURLToPath(new URL('../playground/', import.meta.url));
const {encode, decode, losses} = await load(folder + 'address.ts');
const {presets, presetState} = await load(folder + 'presets.ts');

/** Numbers from 0 to 1 that are the same in every run. */
function draws(seed) {
  let at = seed >>> 0;
  return () => {
    at = (at + 0x6d2b79f5) >>> 0;
    let t = Math.imul(at ^ (at >>> 15), 1 | at);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = (draw, list) => list[Math.floor(draw() * list.length)];
const numeral = draw => pick(draw, ['0', '1', '-1', '0.50', '-.5', '1e-3', '12.', '+2', '007', String(draw() * 20 - 10), (draw() * 4).toFixed(2)]);

function drawnState(draw) {
  const preset = draw() < 0.4 ? pick(draw, presets).name : null;
  const state = presetState(preset ?? 'and');
  if (preset === null) {
    state.preset = null;
    state.features = draw() < 0.3 ? 1 : 2;
    state.regression = draw() < 0.1;
    const rows = draw() < 0.1 ? 0 : draw() < 0.2 ? 101 + Math.floor(draw() * 399) : 1 + Math.floor(draw() * 100);
    const values = () => Array.from({length: state.features}, () => numeral(draw));
    state.rows = Array.from({length: rows}, () => ({y: state.regression ? Number(numeral(draw)) : draw() < 0.5 ? 1 : -1, x: values()}));
    state.init = draw() < 0.5 ? Array(state.features).fill('0') : draw() < 0.2 ? ['basic'] : values();
  }
  const change = (key, make) => { if (draw() < 0.4) state[key] = make(); };
  change('learner', () => pick(draw, ['perceptron', 'dual', 'basic', 'least-squares', 'margin']));
  if (state.regression) state.learner = 'regression';
  change('order', () => pick(draw, ['given', 'shuffled', 'drawn']));
  change('seed', () => Math.floor(draw() * 4294967296));
  change('rate', () => numeral(draw));
  change('initOffset', () => numeral(draw));
  change('map', () => pick(draw, ['none', 'products', 'polynomial:2']));
  change('origin', () => draw() < 0.5);
  change('variant', () => pick(draw, ['last', 'averaged', 'voted']));
  change('passes', () => 1 + Math.floor(draw() * 1000));
  change('C', () => numeral(draw));
  change('loss', () => pick(draw, losses));
  change('hard', () => draw() < 0.5);
  change('rule', () => pick(draw, ['signed', 'squared']));
  change('kernel', () => pick(draw, ['linear', 'polynomial', 'gaussian']));
  change('k', () => draw() < 0.2 ? null : Math.floor(draw() * 5000));
  change('weights', () => draw() < 0.2 ? null : {theta: Array.from({length: state.features}, () => numeral(draw)), offset: numeral(draw)});
  change('window', () => [-draw(), draw() + 1, -draw() * 1e-9, draw() * 1e9 + 1]);
  change('panes', () => pick(draw, [[], ['data'], ['data', 'weights'], ['weights', 'bound', 'verdict', 'lift', 'strips']]));
  change('keepSlice', () => draw() < 0.5);
  change('x0axis', () => draw() < 0.5);
  change('lesson', () => draw() < 0.2 ? null : 1 + Math.floor(draw() * 12));
  return state;
}

test('an empty address is AND', async () => {
  for (const empty of ['', '#']) assert.deepEqual((await decode(empty)).state, presetState('and'));
});

test('addresses read as the design writes them', async () => {
  assert.equal(await encode(presetState('and')), '#v=1&d=and');
  assert.equal(await encode({...presetState('and'), k: 23, lesson: 3}), '#v=1&d=and&k=23&t=3');
  const own = (await decode('#v=1&d=-0,0;-0,1;-1,0;+1,1.50&o=shuffled&s=2&r=.5&x=-1,2,-1,2&pane=data,weights')).state;
  assert.deepEqual(own.rows[3], {y: 1, x: ['1', '1.50']});
  assert.equal(own.order, 'shuffled');
  assert.equal(own.rate, '.5');
  assert.deepEqual(own.window, [-1, 2, -1, 2]);
  assert.equal(await encode(own), '#v=1&d=-0,0;-0,1;-1,0;+1,1.50&o=shuffled&s=2&r=.5&x=-1,2,-1,2&pane=data,weights');
});

test('every preset has its own address, and settings that it sets are left out', async () => {
  assert.equal(presets.length, 16);
  for (const preset of presets) {
    const state = presetState(preset.name);
    assert.equal(await encode(state), `#v=1&d=${preset.name}`);
    assert.deepEqual((await decode(`#v=1&d=${preset.name}`)).state, state);
    assert.ok(state.rows.every(row => row.x.length === state.features), preset.name);
  }
  assert.equal(await encode({...presetState('four-points'), learner: 'perceptron'}), '#v=1&d=four-points&l=perceptron');
});

test('500 drawn states come back from their addresses, and the addresses from the states', async () => {
  const draw = draws(17);
  for (let index = 0; index < 500; ++index) {
    const state = drawnState(draw);
    const address = await encode(state);
    const back = await decode(address);
    assert.equal(back.error, undefined, address.slice(0, 300));
    assert.deepEqual(back.state, state, address.slice(0, 300));
    assert.equal(await encode(back.state), address);
  }
});

test('above 100 rows they are packed', async () => {
  const rows = Array.from({length: 101}, (_, index) => ({y: index % 2 ? 1 : -1, x: [String(index), '0.10']}));
  const own = {...presetState('and'), preset: null, rows};
  assert.match(await encode(own), /^#v=1&z=[A-Za-z0-9_-]+$/);
  assert.match(await encode({...own, rows: rows.slice(0, 100)}), /^#v=1&d=-0,0\.10;/);
});

const broken = {
  'd=and': /no version/, 'v=2&d=and': /version is "2"/, 'v=1&d=andd': /preset "andd"/, 'v=1&d=and&q=1': /word "q"/, 'v=1&k': /"k" has no value/,
  'v=1&d=and&d=or': /"d" is given twice/, 'v=1&d=-0,0&z=eJw': /twice, by d and by z/, 'v=1&d=0,0': /row 1 .* begins with its class/,
  'v=1&d=-0,x': /value of row 1 is "x"/, 'v=1&d=-0,0;+1': /row 2 has 1 values, row 1 has 2/, 'v=1&d=-0,NaN': /"NaN", which isn't a number/,
  'v=1&d=-0,1e999': /"1e999", which isn't a number/, 'v=1&d=-0,': /isn't a number/, 'v=1&d=<b>': /row 1 is "<b>"/, 'v=1&d=%': /can't be decoded/,
  'v=1&z=***': /base64url/, 'v=1&z=eJwAAAA': /z is incomplete/, 'v=1&d=1:1&reg=2': /reg "2" isn't known/, 'v=1&d=+1&reg=1': /target:values/,
  'v=1&d=1x:1&reg=1': /target of row 1 is "1x"/, 'v=1&d=and&reg=1': /doesn't fit/, 'v=1&d=&f=17': /f is "17"/, 'v=1&d=and&f=3': /rows have 2 features/,
  'v=1&d=and&l=svm': /learner "svm" isn't known: it is one of perceptron/, 'v=1&d=and&o=up': /order "up"/, 'v=1&d=and&s=-1': /seed is "-1"/,
  'v=1&d=and&s=1.5': /seed/, 'v=1&d=and&r=fast': /rate is "fast"/, 'v=1&d=and&i=0': /start has 1 numbers for 2 features/, 'v=1&d=and&i=0,zero': /the start is "zero"/,
  'v=1&d=and&i0=': /start's offset is ""/, 'v=1&d=and&map=cubes': /map "cubes"/, 'v=1&d=and&org=yes': /org "yes"/, 'v=1&d=and&var=first': /variant "first"/,
  'v=1&d=and&P=0': /passes is "0"/, 'v=1&d=and&P=1e9': /passes/, 'v=1&d=and&C=lots': /C is "lots"/, 'v=1&d=and&loss=ramp': /loss "ramp"/, 'v=1&d=and&hard=2': /hard "2"/,
  'v=1&d=and&rule=cubed': /rule "cubed"/, 'v=1&d=and&ker=<i>': /kernel "<i>"/, 'v=1&d=and&k=-1': /visit is "-1"/, 'v=1&d=and&w=1': /w has 1 numbers/,
  'v=1&d=and&w=1,2,y': /weight is "y"/, 'v=1&d=and&x=1,2,3': /four numbers/, 'v=1&d=and&x=2,1,0,1': /low and high/, 'v=1&d=and&pane=ceiling': /pane "ceiling"/,
  'v=1&d=and&l=regression': /needs rows with targets, as target:values, and reg=1/, 'v=1&d=a-line&l=basic': /learner basic needs rows of classes/,
  'v=1&d=and&keep=no': /keep "no"/, 'v=1&d=and&x0=no': /x0 "no"/, 'v=1&d=and&t=13': /lesson is "13"/, 'v=1&d=and&t=0': /lesson is "0"/,
};

test('rows with targets are learned by a regression, also where the address names no learner', async () => {
  const {state} = await decode('#v=1&d=1.5:1;2:3&reg=1');
  assert.equal(state.learner, 'regression');
  assert.equal(await encode(state), '#v=1&d=1.5:1;2:3&reg=1&l=regression');
});

test('what is wrong with an address is named', async () => {
  for (const [hash, words] of Object.entries(broken)) {
    const back = await decode('#' + hash);
    assert.match(back.error ?? `read as ${JSON.stringify(back.state)}`, words, hash);
    assert.ok(back.error.startsWith("The address can't be read: ") && back.error.length < 300, back.error);
  }
});

test('rows beyond 500, texts of 10⁵ characters and packed bombs are refused', async () => {
  assert.match((await decode('#v=1&d=' + Array(501).fill('+1,1').join(';'))).error, /501 rows: at most 500/);
  assert.match((await decode('#v=1&d=' + 'a'.repeat(1e5))).error, /preset "a{60}…" isn't known/);
  assert.match((await decode('#v=1&d=+' + '1'.repeat(1e5) + ',1')).error, /isn't a number/);
  const many = {...presetState('and'), preset: null, rows: Array.from({length: 30000}, () => ({y: 1, x: ['0'.repeat(39), '1']}))};
  assert.match((await decode(await encode(many))).error, /more than 1000000 characters/);
});
