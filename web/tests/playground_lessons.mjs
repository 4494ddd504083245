// The twelve lessons as a student does them: by keyboard alone, and by touch on a phone.
import {choose, middle, settle, swipe, tabTo, tap, typeOver} from './playground_page.mjs';

const press = async (page, key, times = 1) => {
  for (let time = 0; time < times; ++time) {
    await page.keyboard.press(key);
    await settle(page);
  }
};

/** Each lesson's act by keys. */
export const byKeys = [
  async page => {
    await tabTo(page, '#by-hand input[data-weight="0"]');
    await typeOver(page, '-2', false);
    await page.keyboard.press('Tab');
    await typeOver(page, '1', false);
  },
  async page => {
    await tabTo(page, '.theta-point');
    await press(page, 'Shift+ArrowRight', 4);
    await press(page, 'Shift+ArrowDown', 6);
  },
  async page => { await tabTo(page, '.point[data-row="1"]'); },
  async page => { await press(page, 'Shift+ArrowRight', 2); },
  async page => {
    await tabTo(page, '#control-init');
    await typeOver(page, '-1, -1');
    await typeOver(page, '0');
    await tabTo(page, '.point[data-row="1"]');
    await press(page, ']', 2);
  },
  async page => {
    await tabTo(page, '[data-fold=gram]');
    await press(page, 'Enter');
    await tabTo(page, '#control-learner');
    await choose(page, 'dual');
    await tabTo(page, '#timeline button');
    await press(page, 'End');
  },
  async page => { await press(page, 'End'); },
  async page => {
    await tabTo(page, '.point[data-row="4"]');
    await press(page, 'Shift+ArrowLeft');
    await press(page, 'Shift+ArrowDown');
    await press(page, 'Shift+ArrowLeft');
  },
  async page => {
    await tabTo(page, '#control-learner');
    await choose(page, 'least-squares');
  },
  async page => {
    await tabTo(page, '#control-map');
    await choose(page, 'products');
    await tabTo(page, '#timeline button:not([disabled])');
    await press(page, 'End');
  },
  async page => {
    for (const row of [5, 6]) {
      await tabTo(page, `#rows tr[data-row="${row}"] input[data-column="0"]`);
      await typeOver(page, '8');
    }
    await tabTo(page, '#control-learner');
    for (const learner of ['least-squares', 'perceptron']) await choose(page, learner);
  },
  async page => {
    await tabTo(page, '.point[data-row="2"]');
    await press(page, 'Delete');
  },
];

const tab = (page, name) => tap(page, `#tab-${name}`);

async function setting(page, name, value) {
  const open = await page.locator('#settings.open').count();
  if (!open) await tap(page, '#sheet');
  await page.locator(`#control-${name}`).scrollIntoViewIfNeeded();
  if (await page.locator(`select#control-${name}`).count()) {
    // The list of a select is the system's own: a finger's choice in it can only be stood in for.
    await page.selectOption(`#control-${name}`, value);
  } else {
    await tap(page, `#control-${name}`);
    await typeOver(page, value);
  }
  await settle(page);
  await tap(page, '#sheet');
}

/** Where a place in data space is on the screen, from two rows whose places are known. */
async function placeOf(page, x, y) {
  const known = await page.evaluate(() => [...document.querySelectorAll('.points .point')].map(point => {
    const box = point.querySelector('.hit').getBoundingClientRect();
    const numbers = point.getAttribute('aria-label').replace(/−/g, '-').match(/\(([^)]*)\)/)[1].split(',').map(Number);
    return {x: box.x + box.width / 2, y: box.y + box.height / 2, at: numbers};
  }));
  const along = (axis, screen) => {
    for (const one of known) {
      for (const other of known) if (one.at[axis] !== other.at[axis]) return [one, (other[screen] - one[screen]) / (other.at[axis] - one.at[axis])];
    }
    throw new Error('rows don’t tell the scale');
  };
  const [a, scaleX] = along(0, 'x');
  const [b, scaleY] = along(1, 'y');
  return [a.x + (x - a.at[0]) * scaleX, b.y + (y - b.at[1]) * scaleY];
}

async function typeInto(page, query, text) {
  await tap(page, query);
  await typeOver(page, text);
}

/** Each lesson's act by touch, at a phone's size. */
export const byTouch = [
  async page => {
    await typeInto(page, '#by-hand input[data-weight="0"]', '-2');
    await typeInto(page, '#by-hand input[data-weight="1"]', '1');
  },
  async page => {
    await tab(page, 'weights');
    const from = await middle(page, '.theta-point .hit');
    const box = await page.locator('#place-weights svg').boundingBox();
    // The hatch lies to the right and below: θ0 > 0 and θ < −θ0.
    await swipe(page, from, [box.x + box.width * 0.62, box.y + box.height * 0.8]);
  },
  async page => {
    await tab(page, 'data');
    await tap(page, '#tools button[aria-label="Only move rows"]');
    await tap(page, '.point[data-row="1"] .hit');
  },
  async page => {
    await tap(page, '#timeline [data-step=mistake]');
    await tap(page, '#timeline [data-step=mistake]');
  },
  async page => {
    await setting(page, 'init', '-1, -1');
    await setting(page, 'init', '0');
    await tab(page, 'rows');
    await tap(page, '#rows tr[data-row="1"] [data-act=down]');
    await tap(page, '#rows tr[data-row="2"] [data-act=down]');
  },
  async page => {
    await tab(page, 'rows');
    await tap(page, '[data-fold=gram]');
    await tab(page, 'data');
    await setting(page, 'learner', 'dual');
  },
  async page => {
    for (let step = 0; step < 60 && !await page.locator('#timeline [data-step=mistake]').isDisabled(); ++step) await tap(page, '#timeline [data-step=mistake]');
  },
  async page => {
    await tab(page, 'data');
    const from = await middle(page, '.point[data-row="4"] .hit');
    await swipe(page, from, await placeOf(page, 0.2, 0.3));
  },
  async page => { await setting(page, 'learner', 'least-squares'); },
  async page => { await setting(page, 'map', 'products'); },
  async page => {
    await tab(page, 'rows');
    for (const row of [5, 6]) await typeInto(page, `#rows tr[data-row="${row}"] input[data-column="0"]`, '8');
    for (const learner of ['least-squares', 'perceptron']) await setting(page, 'learner', learner);
  },
  async page => {
    await tab(page, 'data');
    await tap(page, '#tools button[aria-label="Remove rows"]');
    await tap(page, '.point[data-row="2"] .hit');
  },
];
