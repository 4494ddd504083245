// One visual language: a class is a colour and a shape, everywhere.
import type {Cell, Picture} from './document.ts';

export const kPlus = 'M-1.3,0L1.3,0M0,-1.3L0,1.3';
const kShapes = ['circle', kPlus, 'triangle-up', 'square', 'diamond', 'triangle-down'];
const kColors = ['var(--first)', 'var(--second)', 'var(--third)', 'var(--fourth)'];
export const kDashes = [[1, 0], [9, 5], [3, 4], [1, 3]];

export function shapeOf(label: Cell | undefined): string {
  return typeof label === 'number' && label >= 0 ? kShapes[label % kShapes.length] : 'circle';
}

export function colorOf(picture: Picture, label: Cell | undefined): string {
  if (typeof label !== 'number' || label < 0) {
    return 'var(--muted)';
  }
  if ((picture.about.classes?.length ?? 2) <= 2) {
    return label === 1 ? 'var(--pos)' : 'var(--neg)';
  }
  return kColors[label % kColors.length];
}

/** Of classifier `index` of a comparison. */
export function lineOf(index: number): {color: string; dash: number[]} {
  return {color: kColors[index % kColors.length], dash: kDashes[index % kDashes.length]};
}

const kHatches: [string, string][] = [['pos', '--pos'], ['neg', '--neg'], ['ink', '--muted']];
export const hatch = (name: string): string => `url(#hatch-${name})`;

/** Patterns that `hatch` names, as an element that takes no place; saved pictures get them too. */
export function hatches(): SVGSVGElement {
  const svg = make('svg', {width: '0', height: '0', 'aria-hidden': 'true', class: 'patterns'});
  const defs = make('defs', {});
  for (const [name, color] of kHatches) {
    const pattern = make('pattern', {id: `hatch-${name}`, width: '6', height: '6', patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)'});
    pattern.append(make('rect', {width: '6', height: '6', fill: 'var(--ground)'}),
      make('rect', {width: '3', height: '6', fill: `var(${color})`}));
    defs.append(pattern);
  }
  svg.append(defs);
  return svg as SVGSVGElement;
}

export function make(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  return element;
}

/** A mark of 20 × 20 for a legend: a shape or a line. */
export function swatch(kind: {shape?: string; color: string; dash?: number[]; width?: number; fill?: string}): SVGElement {
  const svg = make('svg', {viewBox: '-10 -10 20 20', width: '20', height: '20', 'aria-hidden': 'true', class: 'swatch'});
  if (kind.shape === undefined) {
    svg.append(make('line', {x1: '-9', x2: '9', y1: '0', y2: '0', stroke: kind.color, 'stroke-width': String(kind.width ?? 2),
      'stroke-dasharray': kind.dash && kind.dash[1] > 0 ? kind.dash.join(' ') : 'none'}));
    return svg;
  }
  const paths: Record<string, string> = {
    circle: 'M-5,0A5,5,0,1,0,5,0A5,5,0,1,0,-5,0', [kPlus]: 'M-6,0L6,0M0,-6L0,6', diamond: 'M0,-7L6,0L0,7L-6,0Z',
    square: 'M-6,-6H6V6H-6Z', ring: 'M-8,0A8,8,0,1,0,8,0A8,8,0,1,0,-8,0', barred: 'M-8,0A8,8,0,1,0,8,0A8,8,0,1,0,-8,0M-7,7L7,-7',
    'triangle-up': 'M0,-6L6,5L-6,5Z', 'triangle-down': 'M0,6L6,-5L-6,-5Z',
  };
  svg.append(make('path', {d: paths[kind.shape] ?? paths.circle, fill: kind.fill ?? 'none', stroke: kind.color,
    'stroke-width': String(kind.width ?? 2)}));
  return svg;
}
