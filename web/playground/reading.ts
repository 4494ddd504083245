// Rows from text that was pasted or dropped: CSV or svmlight. What is wrong is said with its line and column; no DOM here.
import {isDecimal, mostRows} from './address';
import type {Row} from './state';

export type Read = {rows: Row[], features: number, names: string[], regression: boolean, note: string};
export type Wanted = {regression?: boolean, names?: string[]};

export class ReadError extends Error {
  constructor(line: number, column: number, words: string) {
    super(`Line ${line}, column ${column}: ${words}.`);
  }
}

const most = 2_000_000;
const shown = (text: string): string => `"${text.length > 40 ? text.slice(0, 40) + '…' : text}"`;

type Line = {number: number, text: string};
type Cell = {text: string, column: number};

function linesOf(text: string): Line[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/).map((one, index) => ({number: index + 1, text: one})).filter(one => one.text.trim() !== '');
}

/** Cells of a line of CSV, with the character column each begins at. Quotes as in RFC 4180, within one line. */
function cellsOf(line: Line, separator: string): Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  const text = line.text;
  for (;;) {
    const begin = at;
    let value = '';
    while (text[at] === ' ') ++at;
    if (text[at] === '"') {
      ++at;
      for (;; ++at) {
        if (at >= text.length) throw new ReadError(line.number, begin + 1, 'a quote is not closed');
        if (text[at] !== '"') value += text[at];
        else if (text[at + 1] === '"') value += text[at++];
        else break;
      }
      ++at;
      while (text[at] === ' ') ++at;
      if (at < text.length && text[at] !== separator) throw new ReadError(line.number, at + 1, 'text after a closing quote');
    } else {
      const end = text.indexOf(separator, at);
      value = text.slice(at, end < 0 ? text.length : end).trim();
      at = end < 0 ? text.length : end;
    }
    cells.push({text: value, column: begin + 1});
    if (at >= text.length) return cells;
    ++at;
  }
}

function separatorOf(line: string): string {
  const count = (one: string): number => line.split(one).length;
  return ['\t', ';', ','].reduce((best, one) => count(one) > count(best) ? one : best, ',');
}

const plus = new Set(['+', '+1', '1', '1.0', '+1.0', 'true', 'yes', 'positive', 'pos']);
const minus = new Set(['-', '−', '-1', '−1', '0', '-1.0', '0.0', 'false', 'no', 'negative', 'neg']);

/** Two classes from words: known ones by their meaning, others by the order of the alphabet, the later one positive. */
function classesOf(labels: (Cell & {line: number})[]): (text: string) => 1 | -1 {
  const different = [...new Set(labels.map(one => one.text))].sort();
  if (different.length > 2) {
    const third = labels.find(one => one.text === different[2])!;
    throw new ReadError(third.line, third.column, `${shown(third.text)} is a third class; the playground has two`);
  }
  const known = different.every(one => plus.has(one.toLowerCase()) || minus.has(one.toLowerCase()));
  const sides = new Set(different.map(one => plus.has(one.toLowerCase())));
  if (known && (different.length < 2 || sides.size === 2)) return text => plus.has(text.toLowerCase()) ? 1 : -1;
  return text => text === different[different.length - 1] && different.length === 2 ? 1 : -1;
}

function value(cell: Cell, line: number): string {
  const text = cell.text.replace(/^−/, '-');
  if (!isDecimal(text)) throw new ReadError(line, cell.column, text === '' ? 'a number is missing' : `${shown(cell.text)} isn't a number`);
  return text;
}

function chosen(names: string[], wanted: string[] | undefined, width: number): number[] {
  if (!wanted || wanted.length === 0) return Array.from({length: Math.min(2, width)}, (_, index) => index);
  return wanted.map(name => {
    const at = names.indexOf(name);
    if (at < 0) throw new ReadError(1, 1, `no feature is called ${shown(name)}`);
    return at;
  });
}

function noteOf(rows: number, total: number, used: string[], width: number): string {
  const which = width > used.length ? ` Features: ${used.join(', ')} of ${width}.` : '';
  return `${rows === total ? `${rows} rows.` : `The first ${rows} of ${total} rows.`}${which}`;
}

function target(cell: Cell, line: number): number {
  return Number(value(cell, line));
}

function readCsv(lines: Line[], wanted: Wanted): Read {
  const separator = separatorOf(lines[0]!.text);
  const first = cellsOf(lines[0]!, separator);
  // A line of names has no number in it; a number that is badly written is not a name.
  const named = first.length > 1 && first.every(cell => /[^\d.+−-]/.test(cell.text) && !isDecimal(cell.text) && !/^[+-]?(nan|inf|infinity)$/i.test(cell.text));
  const labelAt = named ? Math.max(0, first.findIndex(cell => ['class', 'label', 'y', 'target'].includes(cell.text.toLowerCase()))) : 0;
  const others = (cells: Cell[]): Cell[] => cells.filter((_, index) => index !== labelAt);
  const width = first.length - 1;
  if (width < 1) throw new ReadError(lines[0]!.number, 1, 'a row has its class first and then its features; this line has one value');
  const names = named ? others(first).map(cell => cell.text) : Array.from({length: width}, (_, index) => `x${index + 1}`);
  const body = named ? lines.slice(1) : lines;
  const columns = chosen(names, wanted.names, width);
  const parts = body.slice(0, mostRows).map(line => {
    const cells = cellsOf(line, separator);
    if (cells.length !== width + 1) throw new ReadError(line.number, 1, `${cells.length} values; the first line has ${width + 1}`);
    const values = others(cells);
    return {label: {...cells[labelAt]!, line: line.number}, x: columns.map(column => value(values[column]!, line.number))};
  });
  const side = wanted.regression ? null : classesOf(parts.map(part => part.label));
  const rows = parts.map(part => ({y: side ? side(part.label.text) : target(part.label, part.label.line), x: part.x}));
  return {rows, features: columns.length, names: columns.map(column => names[column]!), regression: wanted.regression ?? false,
          note: noteOf(rows.length, body.length, columns.map(column => names[column]!), width)};
}

function readSvmlight(lines: Line[], wanted: Wanted): Read {
  let width = 0;
  const body = lines.filter(line => !line.text.trimStart().startsWith('#'));
  const parts = body.slice(0, mostRows).map(line => {
    const words = [...line.text.replace(/#.*$/, '').matchAll(/\S+/g)];
    const values = new Map<number, string>();
    for (const word of words.slice(1)) {
      const column = word.index + 1;
      const colon = word[0].indexOf(':');
      const name = word[0].slice(0, colon);
      if (colon < 0 || !/^[1-9]\d{0,8}$/.test(name)) throw new ReadError(line.number, column, `${shown(word[0])} isn't index:value`);
      if (values.has(Number(name))) throw new ReadError(line.number, column, `feature ${name} is given twice`);
      values.set(Number(name), value({text: word[0].slice(colon + 1), column: column + colon + 1}, line.number));
      width = Math.max(width, Number(name));
    }
    return {label: {text: words[0]![0], column: words[0]!.index + 1, line: line.number}, values};
  });
  const columns = wanted.names?.length ? wanted.names.map(name => Number(name.replace(/^x/, ''))) : width === 1 ? [1] : [1, 2];
  const bad = columns.findIndex(column => !(column >= 1 && column <= width));
  if (bad >= 0 && wanted.names?.length) throw new ReadError(1, 1, `no feature is called ${shown(wanted.names[bad]!)}`);
  const side = wanted.regression ? null : classesOf(parts.map(part => part.label));
  const rows = parts.map(part => ({y: side ? side(part.label.text) : target(part.label, part.label.line), x: columns.map(column => part.values.get(column) ?? '0')}));
  const names = columns.map(column => `x${column}`);
  return {rows, features: columns.length, names, regression: wanted.regression ?? false, note: noteOf(rows.length, body.length, names, Math.max(width, 1))};
}

/** Rows of CSV (class first, or a column called class, label, y or target) or of svmlight: the first two features, or the named ones. */
export function readRows(text: string, wanted: Wanted = {}): Read {
  if (text.length > most) throw new ReadError(1, 1, `the text has more than ${most} characters`);
  const lines = linesOf(text);
  const first = lines.find(line => !line.text.trimStart().startsWith('#'));
  if (!first) throw new ReadError(1, 1, 'there is no row');
  const svmlight = /^\s*\S+(\s+\d+:\S+)+\s*(#.*)?$/.test(first.text);
  const read = svmlight ? readSvmlight(lines, wanted) : readCsv(lines, wanted);
  if (read.rows.length === 0) throw new ReadError(first.number, 1, 'there is no row below the names');
  return read;
}

/** The rows as CSV: class (or y) first, then the features. */
export function writeCsv(rows: Row[], features: number, regression: boolean): string {
  const head = [regression ? 'y' : 'class', ...Array.from({length: features}, (_, index) => `x${index + 1}`)].join(',');
  return [head, ...rows.map(row => [regression ? row.y : row.y > 0 ? '1' : '-1', ...row.x].join(','))].join('\n') + '\n';
}
