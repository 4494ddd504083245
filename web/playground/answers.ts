// What the engine answers, as types: the shapes that panes, lessons and the address are written against.
// The engine itself is ../shared/engine.ts; nothing here runs.

export type Point = [number, number];
export type Path = Point[];
export type Window = {x_low: number, x_high: number, y_low: number, y_high: number};

export type Spec = {
  learner: string;
  options: Record<string, string | number | boolean | number[]>;
  map?: string;
};

export type Term = {name: string, weight: number};

/** The object of `linsep train --json` and what the page needs beside it. */
export type TrainAnswer = {
  model: {theta: number[], offset: number, formula: string, norm: number, terms: Term[]};
  mistakes_by_row?: number[];
  margins: number[];
  wrong: number[];
  support?: number[];
  command: string;
  [field: string]: unknown;
};

/** Row-major, `stride` numbers a visit: visit, pass, row (from 1), before, after, mistake, offset, norm, θ…; visit 0 is the start. */
export type Events = {
  count: number;
  stride: number;
  features: number;
  mistakesOnly: boolean;
  visits: number;
  values: Float64Array;
};

export type CertifyAnswer = {
  proof: string;
  words: string[];
  witness: {row: number, alpha: string, share: number}[];
  common_point?: number[];
  separator?: {theta: number[], offset: number, formula: string};
  [field: string]: unknown;
};

export type VerifyAnswer = {valid: boolean, reason: string, proven: string[]};
export type BoundAnswer = {radius: number, margin: number, mistakes: number, mistakes_text: string};

export type GeometryRequest = {
  pane: 'data' | 'weights';
  window: Window | null;
  aspect?: number;
  theta: number[];
  offset: number;
  map?: string;
  margins?: boolean;
  hulls?: boolean;
  witness?: boolean;
  /** One feature: the plane (x0, x1) with the rows at x0 = 1. */
  x0?: boolean;
  slice?: 'offset' | 'origin' | 'at';
  scale_offset?: boolean;
};

export type WeightLine = {row: number, ends: Path, good: Point, good_everywhere: boolean, wrong_everywhere: boolean};

export type GeometryAnswer = {
  window: Window;
  x_ticks: number[];
  y_ticks: number[];
  boundary: Path[];
  margin_positive: Path[];
  margin_negative: Path[];
  positive: Path;
  negative: Path;
  tint?: {columns: number, rows: number, positive: (0 | 1)[]};
  theta?: {from: Point, to: Point};
  hulls?: {positive: Path, negative: Path};
  feasible?: Path;
  lines?: WeightLine[];
  point?: Point;
  /** The point that both hulls have in common, or the nearest points of the two. */
  witness_point?: Point;
  nearest?: [Point, Point];
  margins: number[];
  lift?: {points: [number, number, number][], screen: Point[], plane: Path, axes?: [Point, Point][], feet?: Point[]};
  text?: string;
};
