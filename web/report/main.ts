// The report's page: charts from the document, and buttons. Everything that can be read is there without this script.
import {button, copy, element, sortable} from './controls.ts';
import type {Picture} from './document.ts';
import {hatches} from './marks.ts';
import {confusion, least, proof, residuals, weights, witnessButtons} from './model.ts';
import {alpha, mistakes, progress} from './run.ts';
import {calibration, distances, threshold} from './scores.ts';
import {Section} from './section.ts';
import {comparison, space} from './space.ts';

function themeButton(): HTMLButtonElement {
  const root = document.documentElement;
  const dark = (): boolean => root.dataset.theme === 'dark' || (root.dataset.theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches);
  const label = (): string => (dark() ? 'Light' : 'Dark');
  return button(label(), (self) => {
    root.dataset.theme = dark() ? 'light' : 'dark';
    self.textContent = label();
  });
}

function pageButtons(): void {
  document.querySelector('[data-buttons]')?.append(themeButton(), button('Print', () => window.print()));
  const sentence = document.getElementById('sentence');
  sentence?.after(element('p', {class: 'controls'}, button('Copy sentence', (self) => void copy(sentence.textContent ?? '', self))));
  for (const code of document.querySelectorAll<HTMLElement>('#made dd code')) {
    code.after(button('Copy', (self) => void copy(code.textContent ?? '', self), {'aria-label': 'Copy the command'}));
  }
}

function contents(): void {
  const list = document.querySelector<HTMLDetailsElement>('.contents details');
  const narrow = matchMedia('(max-width: 1079px)');
  const set = (): void => {
    if (list) {
      list.open = !narrow.matches;
    }
  };
  set();
  narrow.addEventListener('change', set);
  list?.addEventListener('click', (event) => {
    if (narrow.matches && event.target instanceof HTMLAnchorElement) {
      list.open = false;
    }
  });
}

function printing(): void {
  const opened: HTMLDetailsElement[] = [];
  addEventListener('beforeprint', () => {
    for (const one of document.querySelectorAll<HTMLDetailsElement>('details.numbers:not([open])')) {
      one.open = true;
      opened.push(one);
    }
  });
  addEventListener('afterprint', () => {
    for (const one of opened.splice(0)) {
      one.open = false;
    }
  });
}

function begin(): void {
  const source = document.getElementById('document');
  const picture = JSON.parse(source?.textContent ?? '{}') as Picture;
  document.documentElement.classList.add('script');
  document.body.append(hatches());
  pageButtons();
  contents();
  printing();
  const sections: [string, (section: Section) => void][] = [
    ['comparison', comparison], ['space', space], ['proof', proof], ['least', least], ['distances', distances], ['threshold', threshold],
    ['calibration', calibration], ['confusion', confusion], ['residuals', residuals], ['progress', progress], ['mistakes', mistakes],
    ['rows', alpha], ['weights', weights],
  ];
  for (const [id, draw] of sections) {
    Section.draw(id, picture, draw);
  }
  const table = document.querySelector<HTMLTableElement>('#comparison table');
  if (table) {
    sortable(table);
  }
  witnessButtons();
  document.documentElement.classList.add('drawn');
}

begin();
