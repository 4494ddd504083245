// The playground in a browser: presets, controls, keys, lessons, addresses, hostile input, access; drawn sets by clicking against the program.
//
//   LINSEP_WASM=…/linsep.wasm LINSEP=…/linsep node tests/playground.test.mjs          LINSEP_NIGHTLY=1: 50 drawn sets instead of 5
//
// Where packages, chromium, the module or the program is missing it ends with 77: skipped.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, test} from 'node:test';
import {fileURLToPath} from 'node:url';

const web = fileURLToPath(new URL('../', import.meta.url));
const wasm = process.env.LINSEP_WASM ?? '';
const browserPath = process.env.LINSEP_CHROMIUM ?? '/usr/bin/chromium';
const missing = [[join(web, 'node_modules/playwright-core'), 'web/node_modules'], [browserPath, 'chromium'], [wasm, 'the module (LINSEP_WASM)'],
  [process.env.LINSEP ?? '', 'the program (LINSEP)']].filter(([path]) => path === '' || !existsSync(path)).map(([, name]) => name);
if (missing.length > 0) {
  process.stdout.write(`Skipped: no ${missing.join(', no ')}\n`);
  process.exit(process.env.NODE_TEST_CONTEXT ? 0 : 77);
}

const {axe, openBrowser, serve} = await import('./browser.mjs');
const {load} = await import('./bundle.mjs');
const {byKeys, byTouch} = await import('./playground_lessons.mjs');
const {choose, goTo, hashOf, middle, open, read, settle, tabTo, typeOver} = await import('./playground_page.mjs');
const {numbers, stateOf} = await import('./preset_numbers.mjs');
const {certify, train, witness} = await import('./program.mjs');
const {encode, decode} = await load(join(web, 'playground/address.ts'));
const {presets, presetState} = await load(join(web, 'playground/presets.ts'));
const {lessons} = await load(join(web, 'playground/lessons.ts'));

const folder = mkdtempSync(join(tmpdir(), 'linsep-playground-'));
const built = spawnSync(process.execPath, [join(web, 'build.mjs'), 'playground', folder, '--wasm', wasm], {encoding: 'utf8'});
assert.equal(built.status, 0, built.stderr);
const server = await serve(folder);
const browser = await openBrowser();
const axeSource = readFileSync(join(web, 'node_modules/axe-core/axe.min.js'), 'utf8');
after(async () => {
  await browser.close();
  await server.close();
  rmSync(folder, {recursive: true, force: true});
});

const four = [{size: 'desktop', dark: false}, {size: 'desktop', dark: true}, {size: 'phone', dark: false}, {size: 'phone', dark: true}];
// By night all four, else two that differ in both, and some tests in one of them.
const nightly = Boolean(process.env.LINSEP_NIGHTLY);
const looks = nightly ? four : [four[0], four[3]];
const byNight = later => ({skip: later && !nightly && 'by night'});
const name = ({size, dark}) => `${size}, ${dark ? 'dark' : 'light'}`;
const visit = async (options, use) => {
  const {page, said, close} = await open(browser, server.address, options);
  try {
    await use(page, said);
    assert.deepEqual(said, []);
  } finally {
    await close();
  }
};

test('only the page’s own files are asked for, and the page has no icon or font elsewhere', async () => {
  server.asked.length = 0;
  await visit({}, async () => undefined);
  assert.deepEqual([...new Set(server.asked)].sort(), ['/', '/linsep.wasm', '/play.css', '/play.js']);
});

test('the numbers of every preset stand on the page', async () => {
  await visit({}, async page => {
    for (const one of numbers) {
      const state = stateOf(one, presetState);
      await goTo(page, await encode({...state, panes: ['data', 'weights', 'bound', 'verdict', 'strips']}));
      const seen = await read(page);
      const what = JSON.stringify(one);
      assert.equal(seen.trouble, '', what);
      if (one.mistakes !== undefined) assert.equal(seen.mistakes, one.mistakes, what);
      // Of a long run only mistakes are kept, and the last pass makes none.
      if (one.passes !== undefined) assert.equal(seen.pass, one.passes - (/mistakes only/.test(seen.where) ? 1 : 0), what);
      if (one.formula !== undefined) assert.equal(seen.formula, one.formula, what);
      if (one.bound !== undefined) assert.equal(seen.atMost, one.bound, what);
      if (one.verdict !== undefined) assert.equal(seen.verdict, one.verdict, what);
      if (one.margin !== undefined) assert.match(seen.short, new RegExp(`margin at least ${one.margin}`), what);
      if (one.alpha !== undefined) assert.deepEqual(seen.alphas, one.alpha, what);
      if (one.witness !== undefined) assert.deepEqual(seen.witness.map(row => [Number(row[0]), row[2]]), witness(state), what);
      if (one.rowsOfProof !== undefined) assert.equal(seen.witness.length, one.rowsOfProof, what);
      if (one.wrong !== undefined) assert.deepEqual(seen.wrong, one.wrong, what);
      if (one.wrongs !== undefined) assert.equal(seen.wrong.length, one.wrongs, what);
      if (one.theta !== undefined) assert.match(seen.formula, new RegExp(`^z = ${one.theta}\\d*·x1 - ${one.offset.slice(1)}`), what);
      if (one.runsAway) assert.match(seen.formula, /e\+2\d·x1/, what);
      if (one.infinite) assert.match(seen.words, new RegExp(one.infinite), what);
    }
  });
});

test('the page opens at visit 0, says what θ, z and y·z are, and offers lesson 1', async () => {
  for (const size of ['desktop', 'phone']) {
    await visit({size}, async page => {
      assert.deepEqual([(await read(page)).visit, (await read(page)).mistakes], [0, 0]);
      const told = page.locator('#start p');
      assert.ok(await told.isVisible());
      for (const sign of [/θ \(theta\) holds a classifier’s weights/, /z = θ·x \+ θ0/, /y·z > 0/]) assert.match(await told.textContent(), sign);
      await page.locator('#first-lesson').click();
      await settle(page);
      assert.match((await read(page)).lesson, /^Lesson 1 of 12/);
      assert.equal(await page.locator('#start').isVisible(), false);
    });
  }
  await visit({hash: '#v=1&d=or'}, async page => {
    assert.equal((await read(page)).mistakes, 9);
    assert.equal(await page.locator('#start p').isVisible(), false);
  });
});

test('one bound, one margin and every z with its owner, on rows whose proof has another classifier', async () => {
  await visit({hash: '#v=1&d=comparison'}, async page => {
    await page.locator('#pane-verdict .check').click();
    await page.waitForFunction(() => /Checked exactly/.test(document.querySelector('#pane-verdict .checked').textContent));
    const text = await page.locator('body').innerText();
    const numbers = (before) => [...new Set([...text.matchAll(new RegExp(`${before} ([\\d.,]*\\d)`, 'g'))].map(one => one[1]))];
    assert.equal(numbers('at most').length, 1, `bounds: ${numbers('at most')}`);
    assert.equal(numbers('margin(?: is)? at least').length, 1, `margins: ${numbers('at least')}`);
    assert.doesNotMatch(text, /margin \d/i);
    for (const [before] of text.matchAll(/[^\n]*(?<!·)z = [\d−][^\n]*/g)) assert.match(before, /^(Shown, after visit \d+|The proof’s own classifier|Rows that are wrong)|z = 0/, before);
    // Of a long run only mistakes are kept: what is told of the last one doesn't read as if the last pass had made it.
    assert.match(await page.locator('#pane-verdict .correction').textContent(),
                 /^The last mistake, at visit \d+: row \d+: y·z = \S+ ≤ 0, .* No later visit found one\. Pass 95 made no mistake: done\.$/);
    const checked = page.locator('#pane-verdict .checked');
    assert.doesNotMatch(await checked.locator('> p').textContent(), /\d{7}/);
    await checked.locator('summary').click();
    assert.match(await checked.locator('ul').innerText(), /geometric margin has a square of at least/);
  });
});

test('long weights of a witness are rounded, and exact behind a click', async () => {
  await visit({hash: '#v=1&d=-0.137,0.211;+0.353,0.467;-0.593,0.719;+0.131,0.877;-0.911,0.173;+0.417,0.299'}, async page => {
    const cells = async () => (await read(page)).witness.map(row => row[2]);
    assert.ok((await cells()).length > 2 && (await cells()).every(cell => /^0\.\d{1,8}$/.test(cell)), String(await cells()));
    await page.locator('#pane-verdict .exact').click();
    assert.ok((await cells()).every(cell => /^\d{3,}$/.test(cell)), String(await cells()));
  });
});

test('XOR: the weight space says that no θ is right on every row', async () => {
  await visit({hash: '#v=1&d=xor'}, async page => {
    assert.match(await page.locator('#pane-weights .hint').textContent(), /no θ is right on every row/);
    await goTo(page, '#v=1&d=and');
    assert.match(await page.locator('#pane-weights .hint').textContent(), /^Hatched: right on every row/);
  });
});

test('a phone’s tabs are words', async () => {
  await visit({size: 'phone', hash: '#v=1&d=and'}, async page =>
    assert.deepEqual(await page.locator('#tabs button').allTextContents(), ['data', 'weight', 'mistakes', 'proof', 'rows']));
});

test('a phone’s verdict fits its line', async () => {
  for (const preset of presets) {
    await visit({size: 'phone', hash: `#v=1&d=${preset.name}`}, async page =>
      assert.ok(await page.locator('.line-verdict').evaluate(line => line.scrollWidth <= line.clientWidth), `${preset.name}: cut off`));
  }
});

test('a regression has no classes to add', async () => {
  const shown = page => page.locator('.tools button:visible').allTextContents();
  await visit({hash: '#v=1&d=and'}, async page => {
    assert.deepEqual(await shown(page), ['+', '○', 'move', 'remove']);
    await page.locator('.tools button', {hasText: '○'}).click();
    await page.selectOption('#preset', 'a-line');
    await settle(page);
    assert.deepEqual(await shown(page), ['add', 'move', 'remove']);
    assert.equal(await page.locator('.tools [aria-checked=true]').textContent(), 'add');
    await page.selectOption('#preset', 'and');
    await settle(page);
    assert.deepEqual(await shown(page), ['+', '○', 'move', 'remove']);
  });
});

test('a regression opened by its address shows targets upwards, every mark whole, and no pane blank', async () => {
  for (const hash of ['#v=1&d=a-line', '#v=1&d=-1:0,0;-1:0,1;-1:1,0;1:1,1&reg=1&l=regression&r=0.1', '#v=1&d=1.5:1;2:3;40:-7&reg=1']) {
    await visit({hash}, async page => {
      assert.equal((await read(page)).trouble, '', hash);
      assert.deepEqual(await page.locator('.plane-data .axis-name').allTextContents(), ['x1', 'y'], hash);
      const frame = await page.locator('.plane-data .back').boundingBox();
      for (const mark of await page.locator('.points .point .shape').all()) {
        const box = await mark.boundingBox();
        assert.ok(box.x >= frame.x && box.y >= frame.y && box.x + box.width <= frame.x + frame.width && box.y + box.height <= frame.y + frame.height, `${hash}: cut in half`);
      }
      for (const pane of await page.locator('.pane:visible').all()) assert.ok((await pane.innerText()).length > 20 || await pane.locator('.point').count() > 0, hash);
      assert.match((await read(page)).formula, /^z = /);
    });
  }
});

for (const look of looks) {
  test(`every preset from the menu, ${name(look)}`, byNight(look !== four[0]), async () => {
    await visit(look, async page => {
      for (const preset of presets) {
        await page.selectOption('#preset', preset.name);
        await settle(page);
        const seen = await read(page);
        assert.equal(seen.trouble, '', preset.name);
        assert.notEqual(seen.formula, '', preset.name);
        // The page opened at the start of a run, and stays there until it comes to a learner that has none.
        assert.equal((await hashOf(page)).replace('&k=0', ''), `#v=1&d=${preset.name}`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${preset.name}: wider than the screen`);
      }
    });
  });

  test(`every setting and what it puts in the address, ${name(look)}`, byNight(look !== four[3]), async () => {
    await visit(look, async page => {
      const change = async (preset, control, value, part) => {
        await goTo(page, `#v=1&d=${preset}`);
        if (look.size === 'phone' && await page.locator('#settings.open').count() === 0) await page.locator('#sheet').tap();
        const field = page.locator(`#control-${control}`);
        if (typeof value === 'boolean') await field.setChecked(value);
        else if (await page.locator(`select#control-${control}`).count()) await field.selectOption(value);
        else {
          await field.fill(value);
          await field.press('Enter');
        }
        await settle(page);
        assert.equal((await read(page)).trouble, '', `${control} ${value}`);
        assert.ok((await hashOf(page)).includes(part), `${control} ${value}: ${await hashOf(page)}`);
      };
      for (const learner of ['dual', 'basic', 'least-squares', 'margin']) await change('and', 'learner', learner, `l=${learner}`);
      for (const order of ['shuffled', 'drawn']) await change('and', 'order', order, `o=${order}`);
      await change('and&o=shuffled', 'seed', '7', 's=7');
      await change('and', 'rate', '0.5', 'r=0.5');
      await change('and', 'init', '−1, 2; 0.5', 'i=-1,2&i0=0.5');
      await change('and', 'init', 'basic', 'i=basic');
      for (const map of ['products', 'polynomial:2']) await change('and', 'map', map, `map=${map}`);
      for (const variant of ['averaged', 'voted']) await change('and', 'variant', variant, `var=${variant}`);
      await change('and', 'passes', '5', 'P=5');
      await change('and', 'origin', true, 'org=1');
      await change('and&l=dual', 'kernel', 'gaussian:0.5', 'ker=gaussian:0.5');
      for (const loss of ['squared-hinge', 'logistic']) await change('four-points', 'loss', loss, `loss=${loss}`);
      await change('four-points', 'C', '10', 'C=10');
      await change('four-points', 'hard', true, 'hard=1');
      await change('a-line', 'rule', 'squared', 'rule=squared');
      await change('not', 'x0axis', true, 'x0=1');
    });
  });

  test(`axe finds nothing serious, ${name(look)}`, async () => {
    await visit(look, async page => {
      const found = [];
      const look_at = async what => found.push(...(await axe(page, axeSource)).map(one => `${what}: ${one}`));
      for (const hash of ['#v=1&d=and', '#v=1&d=xor', '#v=1&d=xor&map=products', '#v=1&d=translations', '#v=1&d=not&t=1&w=-2,1', '#v=1&d=and&t=7&pane=data,weights,bound,verdict,rows,gram,command',
        '#v=1&d=four-points', '#v=1&d=a-line', '#v=1&d=', '#v=1&d=nothing']) {
        await goTo(page, hash);
        await look_at(hash);
      }
      await goTo(page, '#v=1&d=and');
      if (look.size === 'phone') {
        for (const tab of ['weights', 'bound', 'verdict', 'rows', 'data']) {
          await page.locator(`#tab-${tab}`).tap();
          await settle(page);
          await look_at(`tab ${tab}`);
        }
        await page.locator('#sheet').tap();
        await look_at('settings');
        await page.locator('#sheet').tap();
      }
      await page.locator('#help').click();
      await look_at('keys');
      assert.deepEqual(found, []);
    });
  });
}

test('every key does what the list of keys says', async () => {
  await visit({hash: '#v=1&d=and&k=0'}, async page => {
    const at = async () => (({visit, pass, mistakes}) => ({visit, pass, mistakes}))(await read(page));
    const press = async key => {
      await page.keyboard.press(key);
      await settle(page);
    };
    assert.deepEqual(await at(), {visit: 0, pass: 0, mistakes: 0});
    await press('ArrowRight');
    assert.equal((await at()).visit, 1);
    await press('ArrowRight');
    await press('ArrowLeft');
    assert.equal((await at()).visit, 1);
    await press('Home');
    await press('Shift+ArrowRight');
    await press('Shift+ArrowRight');
    assert.equal((await at()).mistakes, 2);
    await press('Shift+ArrowLeft');
    assert.equal((await at()).mistakes, 1);
    await press('Home');
    await press('PageDown');
    assert.deepEqual([(await at()).visit, (await at()).pass], [4, 1]);
    await press('PageDown');
    assert.equal((await at()).visit, 8);
    await press('PageUp');
    assert.equal((await at()).visit, 4);
    await press('End');
    assert.deepEqual(await at(), {visit: 36, pass: 9, mistakes: 18});
    await press('Home');
    await press('Space');
    await page.waitForFunction(() => /visit [1-9]/.test(document.querySelector('#timeline .where').textContent));
    await press('Space');
    const stopped = (await at()).visit;
    await page.waitForTimeout(700);
    assert.equal((await at()).visit, stopped);

    const rows = async () => (await decode(await hashOf(page))).state.rows.map(row => `${row.y > 0 ? '+' : '-'}${row.x.join(',')}`);
    await tabTo(page, '.point[data-row="2"]');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label').startsWith('row 2, class −1, (0, 1)')), true);
    await press('ArrowRight');
    await press('Shift+ArrowUp');
    assert.equal((await rows())[1], '-0.05,1.5');
    await press('f');
    assert.equal((await rows())[1], '+0.05,1.5');
    await press('[');
    assert.equal((await rows())[0], '+0.05,1.5');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('data-row')), '1');
    await press(']');
    assert.equal((await rows())[1], '+0.05,1.5');
    await press('Delete');
    assert.equal((await rows()).length, 3);
    await press('z');
    assert.equal((await rows()).length, 4);
    await press('Shift+Z');
    assert.equal((await rows()).length, 3);
    await press('Control+z');
    assert.equal((await rows()).length, 4);
    await press('n');
    assert.equal((await rows()).length, 5);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('data-row')), '5');
    await press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement.closest('.point')), null);
    await press('?');
    assert.equal(await page.locator('dialog[open] tr').count(), 15);
    await press('Escape');
    assert.equal(await page.locator('dialog[open]').count(), 0);
  });
});

test('buttons, chips, slider, tools and folds', async () => {
  await visit({hash: '#v=1&d=and&k=0'}, async page => {
    const click = async query => {
      await page.locator(query).click();
      await settle(page);
    };
    for (const [step, visitNow] of [['row', 1], ['row-back', 0], ['mistake', 1], ['pass', 4], ['end', 36], ['start', 0]]) {
      await click(`#timeline [data-step=${step}]`);
      assert.equal((await read(page)).visit, visitNow, step);
    }
    await page.locator('#timeline .visits').fill('23');
    await settle(page);
    assert.deepEqual([(await read(page)).visit, (await read(page)).pass], [23, 6]);
    assert.match(await hashOf(page), /k=23/);
    for (const pane of ['data', 'weights', 'bound', 'verdict']) {
      await click(`#pane-chips [data-pane=${pane}]`);
      assert.equal(await page.locator(`#pane-${pane}`).isVisible(), false, pane);
      await click(`#pane-chips [data-pane=${pane}]`);
      assert.equal(await page.locator(`#pane-${pane}`).isVisible(), true, pane);
    }
    await click('#pane-verdict .check');
    await page.waitForFunction(() => /Checked exactly/.test(document.querySelector('#pane-verdict .checked').textContent));
    await click('#pane-weights .keep-slice');
    assert.match(await hashOf(page), /keep=1/);
    await click('[data-fold=gram]');
    assert.equal(await page.locator('#gram tbody td').count(), 16);
    await click('[data-fold=command]');
    assert.match((await read(page)).command, /^linsep train data\.svm/);
    await click('#theme');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    const before = (await decode(await hashOf(page))).state.rows.length;
    for (const [tool, rows] of [['Add positive rows', 1], ['Add negative rows', 2]]) {
      await click(`#tools [aria-label="${tool}"]`);
      const box = await page.locator('#place-data .back').boundingBox();
      // At the left edge, away from the rows.
      await page.mouse.click(box.x + 6, box.y + box.height * (rows === 1 ? 0.35 : 0.75));
      await settle(page);
      assert.equal((await decode(await hashOf(page))).state.rows.length, before + rows);
    }
    assert.deepEqual((await decode(await hashOf(page))).state.rows.slice(-2).map(row => row.y), [1, -1]);
    await click('#tools [aria-label="Remove rows"]');
    await page.mouse.click(...await middle(page, '.point[data-row="6"] .hit'));
    await settle(page);
    assert.equal((await decode(await hashOf(page))).state.rows.length, before + 1);
    await click('#undo');
    assert.equal((await decode(await hashOf(page))).state.rows.length, before + 2);
    await click('#redo');
    assert.equal((await decode(await hashOf(page))).state.rows.length, before + 1);
  });
});

test('the rows table does all that the pointer does', async () => {
  await visit({hash: '#v=1&d=and&pane=data,verdict,rows'}, async page => {
    const rows = async () => (await decode(await hashOf(page))).state.rows.map(row => `${row.y > 0 ? '+' : '-'}${row.x.join(',')}`).join(' ');
    const cell = (row, column) => page.locator(`#rows tr[data-row="${row}"] [data-column="${column}"]`);
    await cell(1, '1').fill('0.250');
    assert.equal(await rows(), '-0,0.250 -0,1 -1,0 +1,1');
    await cell(1, '1').fill('zero');
    assert.equal(await page.locator('#rows .error').textContent(), 'Line 1, column 3: "zero" isn\'t a number.');
    assert.equal(await rows(), '-0,0.250 -0,1 -1,0 +1,1');
    await page.keyboard.press('Tab');
    assert.equal(await cell(1, '1').inputValue(), 'zero');
    await cell(1, '1').fill('1e-2');
    assert.equal(await page.locator('#rows .error').textContent(), '');
    await cell(2, 'y').click();
    assert.equal(await rows(), '-0,1e-2 +0,1 -1,0 +1,1');
    await cell(2, 'y').press('-');
    await page.locator('#rows tr[data-row="4"] [data-act=up]').click();
    assert.equal(await rows(), '-0,1e-2 -0,1 +1,1 -1,0');
    await page.locator('#rows [data-act=add]').click();
    await page.locator('#rows tr[data-row="1"] [data-act=remove]').click();
    assert.equal(await rows(), '-0,1 +1,1 -1,0 -0,0');
    for (let row = 4; row > 0; --row) await page.locator(`#rows tr[data-row="${row}"] [data-act=remove]`).click();
    await settle(page);
    assert.equal((await read(page)).trouble, '');
    assert.match((await read(page)).verdict, /rows/);
    await page.locator('#rows [data-act=add]').click();
    await settle(page);
    assert.equal((await read(page)).points.length, 1);
  });
});

for (const [way, acts, look] of [['keyboard', byKeys, {size: 'desktop'}], ['touch', byTouch, {size: 'phone'}]]) {
  test(`all twelve lessons by ${way}`, async () => {
    await visit(look, async page => {
      if (way === 'keyboard') {
        await tabTo(page, '#lesson');
        await choose(page, '1');
      } else {
        if (!await page.locator('#lesson').isVisible()) await page.locator('#sheet').tap();
        await page.selectOption('#lesson', '1');
        if (await page.locator('#settings.open').count()) await page.locator('#sheet').tap();
      }
      for (const [index, act] of acts.entries()) {
        await settle(page);
        const begun = await read(page);
        assert.match(begun.lesson, new RegExp(`^Lesson ${index + 1} of 12`));
        assert.equal(begun.task, `To do: ${lessons[index].task}`);
        await act(page);
        await page.waitForFunction(() => document.querySelector('#lessons.lesson-done') !== null, null, {timeout: 30000})
          .catch(async () => assert.fail(`lesson ${index + 1} isn't done: ${JSON.stringify(await read(page))} ${await hashOf(page)}`));
        assert.equal((await read(page)).trouble, '');
        if (process.env.LINSEP_SHOTS) await page.screenshot({path: join(process.env.LINSEP_SHOTS, `${way}-${index + 1}.png`)});
        const next = '#lessons [data-lesson=next]';
        if (way === 'keyboard') {
          await tabTo(page, next);
          await page.keyboard.press('Enter');
        } else {
          // Two touches in a moment are one gesture.
          await page.waitForTimeout(400);
          await page.locator(next).tap();
        }
      }
      await settle(page);
      assert.equal(await page.locator('#lessons').isVisible(), false);
    });
  });
}

test('lessons are never locked: Next and Previous lead through all of them without an act', async () => {
  await visit({hash: '#v=1&d=not&t=1'}, async page => {
    for (let lesson = 2; lesson <= 12; ++lesson) {
      await page.locator('#lessons button', {hasText: 'Next'}).click();
      await page.waitForTimeout(30);
      await settle(page);
      assert.match((await read(page)).lesson, new RegExp(`^Lesson ${lesson} `));
      assert.match((await read(page)).task, /^To do/, `lesson ${lesson} is done before anything was done`);
    }
    for (let lesson = 11; lesson >= 1; --lesson) await page.locator('#lessons button', {hasText: 'Previous'}).click();
    await settle(page);
    assert.match((await read(page)).lesson, /^Lesson 1 /);
    await page.locator('#lessons button', {hasText: 'Close'}).click();
    assert.equal(await page.locator('#lessons').isVisible(), false);
  });
});

test('address → state → address', async () => {
  const addresses = ['#v=1&d=and&k=23', '#v=1&d=-0,0;-0,1;-1,0;+1,1.50&o=shuffled&s=2&r=.5', '#v=1&d=xor&map=products', '#v=1&d=three-points&i=-1,-1&k=2', '#v=1&d=not&w=-2,1&t=1',
    '#v=1&d=+1;-2&org=1', '#v=1&d=four-points&hard=1', '#v=1&d=1.5:1;2:3&reg=1&l=regression&r=0.01', '#v=1&d=and&x=-1,2,-1,2&pane=data,weights', '#v=1&d=&f=2',
    await encode({...presetState('comparison'), preset: null, k: 7})];
  await visit({}, async page => {
    for (const address of addresses) {
      await goTo(page, address);
      // Packed rows may be packed otherwise by another program; the rows are the same.
      if (address.includes('&z=')) assert.deepEqual((await decode(await hashOf(page))).state, (await decode(address)).state);
      else assert.equal(await hashOf(page), address);
      assert.equal((await read(page)).trouble, '', address);
    }
  });
  for (const address of addresses.slice(0, 3)) {
    await visit({hash: address}, async page => assert.equal(await hashOf(page), address));
  }
});

const brokenFields = ['v=2&d=and', 'd=and', 'v=1&d=<img src=x onerror=alert(1)>', 'v=1&d=-0,NaN', 'v=1&d=-0,1e999', 'v=1&z=AAAA', 'v=1&d=and&l=<b>', 'v=1&d=and&o=x', 'v=1&d=and&s=x', 'v=1&d=and&r=x',
  'v=1&d=and&i=x', 'v=1&d=and&i0=x', 'v=1&d=and&map=x', 'v=1&d=and&org=x', 'v=1&d=and&var=x', 'v=1&d=and&P=x', 'v=1&d=and&C=x', 'v=1&d=and&loss=x', 'v=1&d=and&hard=x', 'v=1&d=and&rule=x',
  'v=1&d=and&ker=x', 'v=1&d=and&k=x', 'v=1&d=and&w=x', 'v=1&d=and&x=x', 'v=1&d=and&pane=x', 'v=1&d=and&keep=x', 'v=1&d=and&x0=x', 'v=1&d=and&t=x', 'v=1&d=%', 'v=1&d=' + 'a'.repeat(1e5)];

test('an address followed, left and followed again at once is read each time', async () => {
  await visit({hash: '#v=1&d=and'}, async page => {
    assert.equal(await hashOf(page), '#v=1&d=and');
    const first = (await read(page)).formula;
    await goTo(page, '#v=1&d=or');
    await goTo(page, '#v=1&d=and');
    assert.equal((await read(page)).formula, first);
  });
});

test('a broken address is an error in words, whether the page is opened with it or led to it', async () => {
  await visit({}, async page => {
    let good = 'and';
    for (const broken of brokenFields) {
      await goTo(page, '#' + broken);
      const seen = await read(page);
      assert.match(seen.trouble, /^The address can't be read: /, broken.slice(0, 60));
      assert.equal(seen.points.length, 4, 'the last good picture stays');
      assert.equal(await page.locator('main img, main b, #trouble *').count(), 0);
      good = good === 'or' ? 'and' : 'or';
      await goTo(page, `#v=1&d=${good}`);
      assert.equal((await read(page)).trouble, '');
    }
  });
  for (const broken of brokenFields.slice(0, 4)) {
    await visit({hash: '#' + broken}, async page => {
      assert.match((await read(page)).trouble, /^The address can't be read: /, broken);
      assert.equal((await read(page)).points.length, 4);
    });
  }
});

const hostileTexts = ['<img src=x onerror=alert(1)>,1,2\n<b>b</b>,3,4', '1,1e300,1\n0,-1e300,2', '1,NaN,1\n0,1,2', '1,' + '9'.repeat(1e5) + ',2\n0,1,2', 'x'.repeat(1e5), '1,1e-300,0\n0,-1e-300,0',
  'class,<script>alert(1)</script>,"a""b"\n1,2,3\n0,3,4', '\u202e1,2,3\n0,1,2', '+1 1:1 2:1e308\n-1 1:-1 2:-1e308', '1,1,1\n'.repeat(600), '0,0,0\n0,0,0', '\0', '1,1,1'];

for (const size of ['desktop', 'phone']) {
  test(`hostile text in every field is text or an error, ${size}`, byNight(size === 'phone'), async () => {
    await visit({size, hash: '#v=1&d=and&pane=data,weights,bound,verdict,rows'}, async page => {
      if (size === 'phone') await page.locator('#tab-rows').tap();
      for (const text of hostileTexts) {
        await page.locator('#bring textarea').fill(text);
        await page.locator('#bring [data-act=use]').click();
        await settle(page);
        const body = await page.evaluate(() => ({text: document.body.innerText.length, marks: document.querySelectorAll('main img, main b, main script, #bring b, #rows b, #trouble *').length,
          error: document.querySelector('#bring .error').textContent, rows: document.querySelectorAll('.points .point').length}));
        assert.equal(body.marks, 0, text.slice(0, 60));
        assert.ok(body.text > 100 && body.error.length < 400, text.slice(0, 60));
        assert.ok(body.rows > 0 || body.error !== '', text.slice(0, 60));
      }
      await page.locator('#bring textarea').fill('-1,0,0\n-1,0,1\n-1,1,0\n1,1,1');
      await page.locator('#bring [data-act=use]').click();
      await settle(page);
      const after = await read(page);
      assert.deepEqual([after.formula, after.mistakes, after.trouble], ['z = 3·x1 + 2·x2 - 4', 18, '']);
      if (size === 'phone') return;
      for (const control of ['rate', 'init', 'passes']) {
        for (const text of ['<b>1</b>', 'x'.repeat(1e5), 'NaN', '1e999', '', '-1e300']) {
          await page.locator(`#control-${control}`).fill(text);
          await page.locator(`#control-${control}`).press('Enter');
          await settle(page);
          assert.equal(await page.locator('#controls b').count(), 0);
          assert.equal((await read(page)).points.length, 4);
        }
        await page.keyboard.press('Escape');
      }
    });
  });
}

test('rows, picture, proof and report are saved', async () => {
  await visit({hash: '#v=1&d=xor&pane=data,verdict,rows'}, async page => {
    const saved = {};
    for (const kind of ['csv', 'svg', 'proof', 'report']) {
      const waiting = page.waitForEvent('download', {timeout: 30000}).catch(() => null);
      await page.locator(`#bring [data-save=${kind}]`).click();
      const download = await waiting;
      if (download) saved[kind] = readFileSync(await download.path(), 'utf8');
      else saved[kind] = `error: ${await page.locator('#bring .error').textContent()}`;
    }
    assert.equal(saved.csv, 'class,x1,x2\n-1,0,0\n1,0,1\n1,1,0\n-1,1,1\n');
    assert.match(saved.svg, /^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    assert.doesNotMatch(saved.svg, /var\(--/);
    assert.equal(JSON.parse(saved.proof).verdict ?? JSON.parse(saved.proof).claim, 'overlapping');
    assert.match(saved.report, /^<!doctype html>|^error: This page has no report/i);
  });
});

const sets = nightly ? 50 : 5;
test(`${sets} drawn sets, clicked row by row, give the program's numbers`, async () => {
  let seed = Number(process.env.LINSEP_SEED ?? 17);
  const draw = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) / 4294967296;
  await visit({}, async page => {
    for (let set = 0; set < sets; ++set) {
      await goTo(page, '#v=1&d=&f=2&x=-2,2,-2,2');
      const rows = 2 + Math.floor(draw() * 9);
      for (let row = 0; row < rows; ++row) {
        await page.locator(`#tools [aria-label="Add ${draw() < 0.5 ? 'positive' : 'negative'} rows"]`).click();
        const box = await page.locator('#place-data .back').boundingBox();
        await page.mouse.click(box.x + box.width * (0.05 + 0.9 * draw()), box.y + box.height * (0.05 + 0.9 * draw()));
        await settle(page);
      }
      const {state} = await decode(await hashOf(page));
      // A click on a row takes hold of it: then there is one less.
      assert.ok(state.rows.length > 0 && state.rows.length <= rows);
      const seen = await read(page);
      const what = `set ${set}: ${await encode(state)}`;
      assert.equal(seen.trouble, '', what);
      const run = train(state);
      assert.deepEqual([seen.mistakes, seen.pass], [run.mistakes, run.passes], what);
      assert.deepEqual(seen.alphas, run.mistakes_by_row, what);
      const proof = certify(state);
      assert.equal(seen.verdict, proof.verdict, what);
      assert.deepEqual(seen.witness.map(row => [Number(row[0]), row[2]]), witness(state), what);
      if (typeof proof.margin === 'number') assert.ok(seen.short.includes(`margin at least ${Number(proof.margin.toPrecision(6))}`), `${what}: ${seen.short}`);
      const weights = [...run.theta, run.offset];
      const written = [...seen.formula.matchAll(/(^z = |[+-] )(-?)([\d.e+-]+)(·x(\d))?/g)].map(one => [one[5] ? Number(one[5]) - 1 : 2, (one[1] === '- ' || one[2] === '-' ? -1 : 1) * Number(one[3])]);
      for (const [index, value] of written) assert.equal(value, Number(weights[index].toPrecision(6)), what);
      assert.equal(written.filter(([, value]) => value !== 0).length, weights.filter(value => value !== 0).length, what);
    }
  });
});
