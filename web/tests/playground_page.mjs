// The playground as a visitor meets it: opened at an address, read by what is written on it, used by keys, clicks and touch.
import {complaints} from './browser.mjs';

export const sizes = {desktop: {width: 1280, height: 800}, phone: {width: 390, height: 844}};

export async function open(browser, address, {size = 'desktop', dark = false, hash = '', touch = size === 'phone'} = {}) {
  const context = await browser.newContext({viewport: sizes[size], colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce', hasTouch: touch, isMobile: touch,
    acceptDownloads: true});
  const page = await context.newPage();
  page.setDefaultTimeout(90000);
  const said = complaints(page, address);
  await page.goto(address + hash);
  await page.waitForFunction(() => document.documentElement.dataset.ready !== undefined);
  await settle(page);
  return {page, said, close: () => context.close()};
}

/** Until the engine has answered and the answer is drawn. */
export async function settle(page) {
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(done, 0)), 0))));
  await page.waitForFunction(() => document.documentElement.dataset.busy !== 'yes');
}

export async function goTo(page, hash) {
  const asked = await page.evaluate(to => {
    const before = location.hash;
    location.hash = to;
    return location.hash === before ? null : location.hash;
  }, hash);
  // The address is read in a later turn of the page.
  if (asked !== null) await page.waitForFunction(read => document.documentElement.dataset.read === read, asked);
  await settle(page);
}

const plain = text => (text ?? '').replace(/[−]/g, '-').replace(/\s+/g, ' ').trim();

/** What stands on the page, minus signs as the program writes them. */
export async function read(page) {
  const seen = await page.evaluate(() => {
    const text = query => document.querySelector(query)?.textContent ?? '';
    return {
      formula: text('#formula'), where: text('#timeline .where'), bound: text('#title-bound'), verdict: text('#pane-verdict .badge'), short: text('#pane-verdict .short'),
      alpha: text('#alpha'), words: text('#pane-verdict .words'), trouble: document.querySelector('#trouble:not([hidden])')?.textContent ?? '', command: text('#command'),
      witness: [...document.querySelectorAll('.witness-table:not([hidden]) tbody tr')].map(row => [...row.children].map(cell => cell.textContent)),
      points: [...document.querySelectorAll('.points .point')].map(point => point.getAttribute('aria-label')),
      task: text('.lesson-task'), lesson: text('#lessons h2'),
    };
  });
  const where = /visit (\d+) of (\d+) · pass (\d+) · mistake (\d+)/.exec(seen.where);
  return {
    ...seen, formula: plain(seen.formula), short: plain(seen.short), words: plain(seen.words), verdict: plain(seen.verdict).toLowerCase().replace(/^\S+ /, ''),
    visit: where ? Number(where[1]) : null, visits: where ? Number(where[2]) : null, pass: where ? Number(where[3]) : null, mistakes: where ? Number(where[4]) : null,
    atMost: /allows at most (\S+)/.exec(seen.bound)?.[1] ?? null,
    alphas: (/^α = ([\d ]+)/.exec(seen.alpha)?.[1] ?? '').trim().split(' ').filter(Boolean).map(Number),
    wrong: seen.points.flatMap((label, index) => /, wrong,/.test(label ?? '') ? [index + 1] : []),
  };
}

/** The address once the page has written it. */
export async function hashOf(page) {
  await settle(page);
  await page.waitForFunction(() => document.documentElement.dataset.address === 'written');
  return page.evaluate(() => location.hash);
}

/** Presses Tab until what is focused matches; a visitor without a pointer has no other way. */
export async function tabTo(page, query, key = 'Tab') {
  for (let pressed = 0; pressed < 400; ++pressed) {
    if (await page.evaluate(wanted => document.activeElement?.matches(wanted) ?? false, query)) return pressed;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab never comes to ${query}`);
}

/** Types over what stands in the field that has the focus. */
export async function typeOver(page, text, enter = true) {
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
  if (enter) await page.keyboard.press('Enter');
  await settle(page);
}

/** Chooses an option of a select that has the focus, with arrow keys. */
export async function choose(page, value) {
  const [at, to] = await page.evaluate(wanted => {
    const select = document.activeElement;
    return [select.selectedIndex, [...select.options].findIndex(one => one.value === wanted)];
  }, value);
  if (to < 0) throw new Error(`no option ${value}`);
  for (let step = 0; step < Math.abs(to - at); ++step) await page.keyboard.press(to > at ? 'ArrowDown' : 'ArrowUp');
  await settle(page);
}

/** The middle of what is seen of an element. */
export async function middle(page, query) {
  const box = await page.locator(query).first().boundingBox();
  if (!box) throw new Error(`${query} isn't seen`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

export async function tap(page, query) {
  await page.locator(query).first().scrollIntoViewIfNeeded();
  await page.touchscreen.tap(...await middle(page, query));
  await settle(page);
}

/** A finger down on one place and up on another. */
export async function swipe(page, from, to, steps = 8) {
  const session = await page.context().newCDPSession(page);
  const point = (x, y) => ({touchPoints: [{x, y, radiusX: 4, radiusY: 4, force: 1}]});
  await session.send('Input.dispatchTouchEvent', {type: 'touchStart', ...point(...from)});
  for (let step = 1; step <= steps; ++step) {
    const share = step / steps;
    await session.send('Input.dispatchTouchEvent', {type: 'touchMove', ...point(from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share)});
    await page.waitForTimeout(16);
  }
  await session.send('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
  await session.detach();
  await settle(page);
}
