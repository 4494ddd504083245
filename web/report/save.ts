// What is saved: SVG, CSV and Vega-Lite specs, each whole in itself and in light colours.
import palette from 'linsep:palette';
import type {Cell, Row} from './document.ts';
import {hatches} from './marks.ts';

export function inLight(text: string): string {
  return text.replace(/var\((--[a-z]+)\)/g, (whole, name: string) => palette[name] ?? whole);
}

export function save(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** RFC 4180; a cell that a spreadsheet would take for a formula gets an apostrophe. */
export function csv(rows: Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cell = (value: Cell | undefined): string => {
    const text = value === null || value === undefined ? '' : String(value);
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [names.map(cell), ...rows.map((row) => names.map((name) => cell(row[name])))].map((line) => `${line.join(',')}\r\n`).join('');
}

/** An SVG file from what Vega writes: a ground, light colours and the patterns it refers to. */
export function wholeSvg(text: string): string {
  const patterns = text.includes('url(#hatch-') ? hatches().innerHTML : '';
  return inLight(text.replace(/(<svg[^>]*>)/, `$1${patterns}<rect width="100%" height="100%" fill="var(--ground)"/>`));
}
