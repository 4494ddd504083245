// Two pictures for browsers without WebAssembly, with the numbers that the command line gives for AND and XOR.
import type {Path, Point} from '../shared/engine';
import {crossPath, diamondPath, html, Scale, svg} from './svg';

type Figure = {caption: string, rows: [1 | -1, Point][], line?: Path, hulls?: [Path, Path], common?: Point};

const drawn: Figure[] = [
  {caption: 'AND: the perceptron stops after 18 mistakes, with z = 3·x1 + 2·x2 − 4; the theory allows at most 51.',
   rows: [[-1, [0, 0]], [-1, [0, 1]], [-1, [1, 0]], [1, [1, 1]]], line: [[1.6, -0.4], [0.4, 1.4]]},
  {caption: 'XOR: no line separates the classes. Both hulls contain (½, ½), and four rows prove it.',
   rows: [[-1, [0, 0]], [1, [0, 1]], [1, [1, 0]], [-1, [1, 1]]], hulls: [[[0, 1], [1, 0]], [[0, 0], [1, 1]]], common: [0.5, 0.5]},
];

export function figures(): HTMLElement[] {
  return drawn.map(({caption, rows, line, hulls, common}) => {
    const scale = new Scale({x_low: -0.4, x_high: 1.4, y_low: -0.4, y_high: 1.4}, 0, 0, 260, 260);
    const root = svg('svg', {class: 'plane', viewBox: '0 0 260 260', width: 260, height: 260, role: 'img', 'aria-label': caption});
    root.append(svg('path', {class: 'grid zero', d: scale.path([[-0.4, 0], [1.4, 0]]) + scale.path([[0, -0.4], [0, 1.4]])}));
    hulls?.forEach((hull, i) => root.append(svg('path', {class: `hull ${i ? 'neg' : 'pos'}`, d: scale.path(hull)})));
    if (line) root.append(svg('path', {class: 'boundary', d: scale.path(line)}));
    for (const [y, [a, b]] of rows) {
      const mark = svg('g', {class: `point ${y > 0 ? 'pos' : 'neg'}`, transform: `translate(${scale.x(a)} ${scale.y(b)})`});
      mark.append(y > 0 ? svg('path', {class: 'shape', d: crossPath(7)}) : svg('circle', {class: 'shape', r: 6}));
      root.append(mark);
    }
    if (common) root.append(svg('path', {class: 'witness', d: diamondPath(8), transform: `translate(${scale.x(common[0])} ${scale.y(common[1])})`}));
    return html('figure', {class: 'figure'}, root, html('figcaption', {}, caption));
  });
}
