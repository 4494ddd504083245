// The report's page in a browser: LINSEP names the program that makes the reports.
import assert from 'node:assert/strict';
import {existsSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {axe, kSizes, launch, missing, open} from './report_browser.mjs';
import {kReports, makeHostile, makeReports, reports} from './report_made.mjs';

const program = process.env.LINSEP;
const why = missing() || (program && existsSync(program) ? '' : 'LINSEP does not name the program');
if (why !== '') {
  process.stdout.write(`skipped: ${why}\n`);
  process.exit(77);
}

let browser;
let made;
before(async () => {
  made = reports(program);
  makeReports(made);
  makeHostile(made);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  made?.remove();
});

const drawn = (page) => page.waitForSelector('html.drawn', {state: 'attached'});
/** Opens a report, runs `act`, and expects that nothing was printed, thrown or asked for. */
async function visit(name, act, options = {}) {
  const {page, faults, close} = await open(browser, made.url(`${name}.html`), options);
  try {
    if (options.javaScriptEnabled !== false) {
      await drawn(page);
    }
    await act(page);
    assert.deepEqual(faults, []);
  } finally {
    await close();
  }
}
const readout = (page, section) => page.locator(`#${section} .plot .readout`).first().textContent();

test('every report draws its charts, wide and light or narrow and dark in turn (by night in every way), without a word on the console or a serious finding of axe', async () => {
  const nightly = Boolean(process.env.LINSEP_NIGHTLY);
  for (const [turn, name] of kReports.entries()) {
    for (const [at, size] of Object.values(kSizes).entries()) {
      for (const [dark, colorScheme] of ['light', 'dark'].entries()) {
        if (!nightly && (at !== turn % 2 || dark !== turn % 2)) continue;
        await visit(name, async (page) => {
          const figures = await page.locator('figure[data-chart]').count();
          const charts = await page.locator('figure[data-chart]:has(.chart svg)').count();
          assert.equal(charts, figures, `${name}: figures without a chart`);
          assert.equal(await page.locator('.plots .note').count(), 0, `${name}: a chart could not be drawn`);
          assert.equal(await page.locator('h1').count(), 1);
          const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(over <= 0, `${name} is ${over} px wider than its window`);
          assert.deepEqual(await axe(page), [], `${name} ${size.width} ${colorScheme}`);
        }, {viewport: size, colorScheme});
      }
    }
  }
});

test('axe finds nothing serious with everything opened and switched over', async () => {
  for (const name of ['and', 'xor', 'comparison', 'cells']) {
    await visit(name, async (page) => {
      await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
      for (const chip of await page.locator('.chip').all()) {
        await chip.click();
      }
      await page.locator('.bar button').first().click();
      assert.deepEqual(await axe(page), [], name);
    });
  }
});

test('sentences and tables are there without JavaScript', async () => {
  await visit('and', async (page) => {
    assert.match(await page.locator('#sentence').textContent(), /\S/);
    await page.locator('#space details.numbers summary').click();
    assert.equal(await page.locator('#space table tbody tr').count(), 4);
    assert.ok(await page.locator('noscript').count() >= 1);
    assert.match(await page.locator('main').textContent(), /Charts need JavaScript/);
  }, {javaScriptEnabled: false});
});

test('arrow keys read a chart mark by mark, aloud, and Escape leaves it', async () => {
  await visit('and', async (page) => {
    await page.locator('#space .chart').focus();
    await page.keyboard.press('ArrowRight');
    const first = await readout(page, 'space');
    assert.match(first, /^Row \d, class -?1: x1 = 0, x2 = \d, y·z = /);
    assert.equal(await page.locator('.live[role=status]').textContent(), first);
    for (let i = 0; i < 5; ++i) {
      await page.keyboard.press('ArrowRight');
    }
    assert.match(await readout(page, 'space'), /x1 = 1/);
    await page.keyboard.press('Escape');
    assert.equal(await page.evaluate(() => document.activeElement === document.body), true);

    await page.locator('#mistakes .chart').first().focus();
    await page.keyboard.press('Home');
    assert.match(await readout(page, 'mistakes'), /^Pass 1: \d+ mistakes?$/);
    await page.keyboard.press('End');
    assert.match(await readout(page, 'mistakes'), /: 0 mistakes$/);
  });
});

test('the running total of mistakes stands below the bars, pass below pass', async () => {
  for (const viewport of Object.values(kSizes)) {
    await visit('and', async (page) => {
      // The labels of the lower axis are those furthest down.
      const labels = (chart) => page.locator('#mistakes .chart').nth(chart).locator('.role-axis-label text').evaluateAll((all) => {
        const places = all.map((one) => [one.textContent, one.getBoundingClientRect()]);
        const lowest = Math.max(...places.map(([, box]) => box.bottom));
        return places.filter(([, box]) => box.bottom > lowest - 4).map(([text, box]) => [text, Math.round((box.left + box.right) / 2)]);
      });
      const [bars, sum] = [new Map(await labels(0)), new Map(await labels(1))];
      for (const pass of ['1', '9']) {
        assert.ok(Math.abs(bars.get(pass) - sum.get(pass)) <= 1, `pass ${pass}: bar at ${bars.get(pass)}, total at ${sum.get(pass)}`);
      }
    }, {viewport});
  }
});

/** Texts of a chart that reach beyond their cell, the rectangles of its `mark-rect`. */
const overflowing = (page, chart) => page.locator(chart).evaluate((box) => {
  const cells = [...box.querySelectorAll('.mark-rect path')].map((one) => one.getBoundingClientRect());
  const inside = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  return [...box.querySelectorAll('.role-mark.mark-text text, .role-mark.mark-symbol path')].filter((one) => one.getBoundingClientRect().width > 0)
    .filter((one) => !cells.some((cell) => inside(one.getBoundingClientRect(), cell))).map((one) => one.textContent || one.getAttribute('d'));
});

test('numbers and squares of a confusion matrix stay in their cells', async () => {
  for (const viewport of Object.values(kSizes)) {
    for (const [name, chart] of [['cells', '#threshold .chart.matrix'], ['long', '#threshold .chart.matrix'], ['classes', '#confusion .chart'], ['many', '#confusion .chart']]) {
      await visit(name, async (page) => assert.deepEqual(await overflowing(page, chart), [], `${name} ${viewport.width}`), {viewport});
    }
  }
});

test('a sentence stands once among title and headings', async () => {
  for (const name of kReports) {
    await visit(name, async (page) => {
      const heads = await page.locator('#sentence, h2').evaluateAll((all) => all.map((one) => (one.querySelector('.name') ? one.lastChild : one).textContent.trim()));
      const summary = heads[0];
      for (const [index, head] of heads.entries()) {
        assert.equal(heads.indexOf(head), index, `${name}: ${head}`);
        assert.ok(index === 0 || !`. ${summary} `.includes(`. ${head} `), `${name}: ${head}`);
      }
    });
  }
});

test('each chart is one tab stop with a name', async () => {
  await visit('and', async (page) => {
    assert.equal(await page.locator('.chart :is(a, button, input, [tabindex])').count(), 0);
    for (const chart of await page.locator('.chart').all()) {
      assert.equal(await chart.getAttribute('role'), 'img');
      assert.match(await chart.getAttribute('aria-label'), /\S{3}/);
    }
  });
});

test('pointing at a mark reads it', async () => {
  await visit('and', async (page) => {
    await page.locator('#space').scrollIntoViewIfNeeded();
    const mark = page.locator('#space .chart .mark-symbol path').first();
    const box = await mark.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match(await readout(page, 'space'), /^Row /);
  });
});

test('chips take parts of the data space away and bring them back', async () => {
  await visit('xor', async (page) => {
    const marks = () => page.locator('#space .chart svg path[d]:not([d=""])').count();
    const before = await marks();
    const chip = page.locator('#space .chip', {hasText: 'witness'});
    await chip.click();
    assert.equal(await chip.getAttribute('aria-pressed'), 'false');
    assert.ok(await marks() < before, 'the diamond is gone');
    await chip.click();
    assert.equal(await marks(), before);
  });
});

test('the slider moves three charts and says what the threshold does', async () => {
  await visit('cells', async (page) => {
    const slider = page.locator('#threshold-slider');
    const matrix = () => page.locator('#threshold .chart.matrix text').allTextContents();
    const own = await matrix();
    await slider.focus();
    await page.keyboard.press('End');
    assert.match(await slider.getAttribute('aria-valuetext'), /: 0 of /);
    assert.ok((await matrix()).includes('0'));
    await page.keyboard.press('Home');
    const all = await page.locator('#threshold output').textContent();
    assert.match(all, /(\d[\d,]*) of \1 found/);
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await page.locator('#threshold output').textContent(), all);
    await page.getByRole('button', {name: 'The model’s own'}).click();
    assert.deepEqual(await matrix(), own);
    assert.match(await page.locator('#threshold output').textContent(), /own threshold/);
  });
});

test('the numbers in the matrix are the table’s', async () => {
  await visit('cells', async (page) => {
    const row = await page.evaluate(() => {
      const {thresholds} = JSON.parse(document.getElementById('document').textContent);
      const {chosen} = thresholds;
      return ['tp', 'fn', 'fp', 'tn'].map((name) => thresholds[name][chosen].toLocaleString('en-US'));
    });
    const texts = await page.locator('#threshold .chart.matrix text').allTextContents();
    for (const count of row) {
      assert.ok(texts.includes(count), `${count} in ${texts}`);
    }
  });
});

test('the comparison’s table sorts and its lines can be switched off', async () => {
  await visit('comparison', async (page) => {
    const wrong = () => page.locator('#comparison tbody tr td:nth-child(3)').allTextContents();
    const sort = page.locator('#comparison th button', {hasText: 'rows wrong'});
    await sort.click();
    const up = (await wrong()).map(Number);
    assert.deepEqual(up, [...up].sort((a, b) => a - b));
    assert.equal(await page.locator('#comparison th[aria-sort=ascending]').count(), 1);
    await sort.click();
    assert.deepEqual((await wrong()).map(Number), [...up].reverse());
    const names = () => page.locator('#comparison .chart svg text').allTextContents();
    assert.ok((await names()).includes('basic'));
    await page.locator('#comparison .chip', {hasText: 'basic'}).click();
    assert.ok(!(await names()).includes('basic'));
  });
});

test('weights: 20, or all that the document has', async () => {
  await visit('cells', async (page) => {
    const more = page.locator('#weights .choice input');
    const bars = () => page.locator('#weights .chart .mark-rect path').count();
    const few = await bars();
    await more.nth(1).check();
    assert.equal(await bars(), few + 10);
  });
});

test('a row of the proof is marked in the data space', async () => {
  await visit('xor', async (page) => {
    await page.locator('#proof button.row').first().click();
    assert.match(await page.locator('.live[role=status]').textContent(), /^Marked in the data space: Row /);
  });
});

test('light and dark can be switched, and the page keeps its sentence on the clipboard’s way', async () => {
  await visit('and', async (page) => {
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(await ground(), 'rgb(255, 255, 255)');
    await page.getByRole('button', {name: 'Dark'}).click();
    assert.equal(await ground(), 'rgb(18, 22, 28)');
    await page.getByRole('button', {name: 'Light'}).click();
    assert.equal(await ground(), 'rgb(255, 255, 255)');
    await page.getByRole('button', {name: 'Copy sentence'}).click();
    await page.waitForFunction(() => document.querySelector('.live').textContent === 'Copied');
  });
});

test('what is saved stands for itself', async () => {
  await visit('and', async (page) => {
    await page.locator('#space details.save summary').click();
    const save = async (name) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.locator('#space details.save button', {hasText: name}).click()]);
      const path = join(made.folder, download.suggestedFilename());
      await download.saveAs(path);
      return made.read(download.suggestedFilename());
    };
    const svg = await save('SVG');
    assert.match(svg, /^<svg/);
    assert.ok(!svg.includes('var(--'), 'colours are written out');
    const csv = (await save('CSV')).trim().split('\r\n');
    assert.equal(csv.length, 5);
    assert.match(csv[0], /^row,x,y,label,margin,role/);
    const spec = JSON.parse(await save('Vega-Lite'));
    assert.match(spec.$schema, /vega-lite/);
    assert.equal(spec.datasets.points.length, 4);
  }, {acceptDownloads: true});
});

test('names that mean harm stay text', async () => {
  await visit('hostile', async (page) => {
    assert.match(await page.title(), /<\/script>/);
    assert.equal(await page.locator('img').count(), 0);
    assert.match(await page.locator('h1').textContent(), /<script>/);
    assert.ok(await page.locator('.chart svg').count() >= 1);
    assert.deepEqual(await axe(page), []);
    for (const text of await page.locator('.chart svg text, #space th, h1').allTextContents()) {
      assert.ok([...text].length <= 61 || !text.includes('yyyy'), 'cut at 60 characters');
    }
  });
});

test('prints on A4: tables open, controls away', async () => {
  await visit('and', async (page) => {
    await page.emulateMedia({media: 'print', colorScheme: 'dark'});
    assert.equal(await page.locator('.contents').isVisible(), false);
    assert.equal(await page.locator('.bar').isVisible(), false);
    assert.equal(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), 'rgb(255, 255, 255)');
    const pdf = await page.pdf({format: 'A4'});
    assert.ok(pdf.length > 10_000);
  });
});

test('text of twice the size and forced colours leave nothing out', async () => {
  await visit('and', async (page) => {
    await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
    await page.waitForTimeout(100);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${over} px too wide`);
  });
  await visit('and', async (page) => {
    const paths = await page.locator('#space .chart svg path').count();
    assert.ok(paths > 4);
    assert.deepEqual(await axe(page), []);
  }, {forcedColors: 'active'});
});

test('reports are small', () => {
  for (const name of kReports) {
    const {size} = statSync(join(made.folder, `${name}.html`));
    assert.ok(size < 1_500_000, `${name}.html has ${size} bytes`);
  }
});
