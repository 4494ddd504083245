// The picture document (docs/reference/formats/picture.md) as the page reads it.

export type Cell = number | string | boolean | null;
/** Arrays of one length by name; other keys hold what isn't a column. */
export type Columns = Record<string, Cell[]>;
export type Row = Record<string, Cell>;

export interface Places { x: number[]; y: number[] }
export interface Axis { name: string; low: number; high: number; ticks?: number[] }
export interface Path { kind: string; model: number; closed: boolean; points: Places }

export interface Model {
  name: string; learner?: string; description?: string; formula?: string; mistakes?: number; error?: number; margin?: number;
  norm: number; offset: number; seconds?: number; disagreements?: number; label_at?: {x: number; y: number};
}

export interface Picture {
  about: {
    title: string; kinds: string[]; task?: string; rows?: number; features: number; classes?: string[]; class_names?: string[];
    class_rows?: number[];
  };
  sentences?: {section: string; role: string; text: string}[];
  plane?: {kind: string; x: Axis; y: Axis; equal_scales: boolean};
  points?: {total: number; shown: number; how: string} & Partial<Columns>;
  cells?: {x: number[]; y: number[]; negative: number[]; positive: number[]};
  paths?: Path[];
  half_spaces?: {negative: Places; positive: Places};
  proof?: {
    verdict: string; classifier?: string; witness?: Columns; witness_rows?: number; common_point?: {x: number; y: number}; mistakes_at_least?: number;
    mistakes_at_most?: number; packing?: number[][]; means?: Columns;
  };
  history?: {
    learner?: string; passes_made: number; gap_asked?: number; passes?: Columns; group: number; bars?: Columns;
  };
  bound?: {radius: number; margin: number; mistakes: number; mistakes_text?: string};
  alpha?: {rows: Columns; rest?: string};
  weights?: {heaviest: Columns; rest: number; rest_share: number; norm: number; offset: number};
  distances?: {bins: Columns; margin?: number; norm: number};
  thresholds?: {chosen: number; prevalence: number; area_text?: string; precision_text?: string} & Columns;
  calibration?: {bins: Columns};
  confusion?: {classes: string[]; counts: number[]; left_out?: number};
  residuals?: {bins: Columns; low: number; high: number} & Columns;
  models?: Model[];
}

/** The rows of columns: those of `names`, or all that are arrays as long as the first. */
export function rows(columns: object | undefined, names?: string[]): Row[] {
  const given = (columns ?? {}) as Record<string, unknown>;
  const lists = (names ?? Object.keys(given)).filter((name) => Array.isArray(given[name]));
  const size = lists.length === 0 ? 0 : (given[lists[0]] as Cell[]).length;
  const out: Row[] = [];
  for (let i = 0; i < size; ++i) {
    const row: Row = {};
    for (const name of lists) {
      row[name] = (given[name] as Cell[])[i] ?? null;
    }
    out.push(row);
  }
  return out;
}

/** Six digits, as the tables have them; "–" for nothing. */
export function shown(value: Cell | undefined): string {
  if (value === null || value === undefined) {
    return '–';
  }
  if (typeof value !== 'number') {
    return String(value);
  }
  return Number.isInteger(value) ? value.toLocaleString('en-US') : String(Number(value.toPrecision(6)));
}

export function plural(count: Cell | undefined, one: string, many = `${one}s`): string {
  return `${shown(count)} ${count === 1 ? one : many}`;
}

/** A text cut at 60 characters. */
export function cut(text: string): string {
  const characters = [...text];
  return characters.length > 60 ? `${characters.slice(0, 60).join('')}…` : text;
}

export function className(picture: Picture, label: Cell | undefined): string {
  const at = typeof label === 'number' ? label : -1;
  return cut(picture.about.class_names?.[at] ?? picture.about.classes?.[at] ?? '–');
}

export function headline(picture: Picture, section: string): string {
  return picture.sentences?.find((one) => one.section === section && one.role === 'headline')?.text ?? '';
}
