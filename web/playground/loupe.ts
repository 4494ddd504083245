// A magnifier above the finger while a point is dragged: the finger hides what it moves.
import type {Plane} from './plane';
import {put, show, svg, write} from './svg';

const radius = 44, zoom = 2;
const made = new WeakMap<Plane, {root: SVGGElement, view: SVGGElement, text: SVGTextElement}>();

/** Shows what lies under (x, y), in the plane's pixels, and where that is; null takes it away. */
export function loupe(plane: Plane, x: number | null, y: number | null, label = ''): void {
  let one = made.get(plane);
  if (x === null || y === null) {
    if (one) show(one.root, false);
    return;
  }
  if (!one) {
    plane.scene.id = `scene-${plane.name}`;
    const clip = svg('clipPath', {id: `loupe-${plane.name}`}, svg('circle', {r: radius}));
    const text = svg('text', {class: 'loupe-text', 'text-anchor': 'middle', y: radius - 8});
    const view = svg('g', {}, svg('use', {href: `#${plane.scene.id}`}));
    const root = svg('g', {class: 'loupe', 'aria-hidden': 'true'}, clip, svg('circle', {class: 'loupe-ground', r: radius}),
                     svg('g', {'clip-path': `url(#loupe-${plane.name})`}, view), svg('circle', {class: 'loupe-rim', r: radius}), text);
    plane.root.append(root);
    one = {root, view, text};
    made.set(plane, one);
  }
  show(one.root, true);
  write(one.text, label);
  const above = y - radius - 40 > radius ? y - radius - 40 : y + radius + 40;
  put(one.root, 'transform', `translate(${Math.min(Math.max(x, radius), plane.width - radius).toFixed(1)} ${above.toFixed(1)})`);
  put(one.view, 'transform', `scale(${zoom}) translate(${(-x).toFixed(1)} ${(-y).toFixed(1)})`);
}
