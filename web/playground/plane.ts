// What the two planes share: an SVG that fills its place, axes with the engine's ticks, a clip, the size in pixels.
import type {GeometryAnswer, Window} from '../shared/engine';
import {put, Scale, svg, write} from './svg';
import {number} from './view';

const edge = {left: 40, right: 10, top: 10, bottom: 34};

export class Plane {
  readonly root: SVGSVGElement;
  readonly scene: SVGGElement;
  readonly back: SVGRectElement;
  private axes: SVGGElement;
  private xName: SVGTextElement;
  private yName: SVGTextElement;
  private clip: SVGRectElement;
  private drawn = '';
  scale: Scale = new Scale({x_low: -1, x_high: 1, y_low: -1, y_high: 1}, 0, 0, 100, 100);
  width = 400;
  height = 400;

  constructor(readonly place: HTMLElement, readonly name: string, resized: () => void) {
    this.clip = svg('rect');
    this.back = svg('rect', {class: 'back'});
    this.axes = svg('g', {class: 'axes', 'aria-hidden': 'true'});
    this.scene = svg('g', {'clip-path': `url(#clip-${name})`});
    this.xName = svg('text', {class: 'axis-name', 'text-anchor': 'end'});
    this.yName = svg('text', {class: 'axis-name', 'text-anchor': 'start'});
    const hatch = svg('pattern', {id: `hatch-${name}`, width: 8, height: 8, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)'},
                      svg('line', {class: 'hatch', x1: 0, y1: 0, x2: 0, y2: 8}));
    this.root = svg('svg', {class: `plane plane-${name}`, role: 'group'},
                    svg('defs', {}, svg('clipPath', {id: `clip-${name}`}, this.clip), hatch),
                    this.back, this.axes, this.scene, this.xName, this.yName);
    place.append(this.root);
    this.measure();
    new ResizeObserver(() => {
      if (this.measure()) resized();
    }).observe(place);
  }

  /** Width over height of the drawing area. */
  get aspect(): number {
    return (this.width - edge.left - edge.right) / (this.height - edge.top - edge.bottom);
  }

  private measure(): boolean {
    const width = Math.max(160, Math.round(this.place.clientWidth)), height = Math.max(160, Math.round(this.place.clientHeight));
    if (width === this.width && height === this.height) return false;
    this.width = width;
    this.height = height;
    return true;
  }

  /** Puts the axes where the window is; nothing is drawn again where nothing has changed. */
  fit(answer: {window: Window, x_ticks: number[], y_ticks: number[]}, xName: string, yName: string): void {
    const width = this.width - edge.left - edge.right, height = this.height - edge.top - edge.bottom;
    this.scale = new Scale(answer.window, edge.left, edge.top, width, height);
    write(this.xName, xName);
    write(this.yName, yName);
    const key = JSON.stringify([this.width, this.height, answer.window, answer.x_ticks, answer.y_ticks]);
    if (key === this.drawn) return;
    this.drawn = key;
    put(this.root, 'viewBox', `0 0 ${this.width} ${this.height}`);
    for (const rect of [this.clip, this.back]) {
      put(rect, 'x', String(edge.left));
      put(rect, 'y', String(edge.top));
      put(rect, 'width', String(width));
      put(rect, 'height', String(height));
    }
    this.axes.replaceChildren();
    const line = (d: string, zero: boolean) => svg('path', {d, class: zero ? 'grid zero' : 'grid'});
    for (const tick of answer.x_ticks) {
      const x = this.scale.x(tick);
      this.axes.append(line(`M${x.toFixed(2)} ${edge.top}V${edge.top + height}`, tick === 0),
                       svg('text', {x: x.toFixed(2), y: edge.top + height + 15, 'text-anchor': 'middle'}, number(tick)));
    }
    for (const tick of answer.y_ticks) {
      const y = this.scale.y(tick), named = y > edge.top + 16;
      this.axes.append(line(`M${edge.left} ${y.toFixed(2)}H${edge.left + width}`, tick === 0),
                       svg('text', {x: edge.left - 6, y: (y + 4).toFixed(2), 'text-anchor': 'end'}, named ? number(tick) : ''));
    }
    put(this.xName, 'x', String(edge.left + width));
    put(this.xName, 'y', String(edge.top + height + 30));
    put(this.yName, 'x', '4');
    put(this.yName, 'y', String(edge.top + 9));
  }

  /** The pointer's place in the SVG's own pixels. */
  at(event: {clientX: number, clientY: number}): [number, number] {
    const box = this.root.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width * this.width, (event.clientY - box.top) / box.height * this.height];
  }
}

/** A sentence in place of a plane. */
export function instead(place: HTMLElement, answer: GeometryAnswer | undefined, otherwise: string): string {
  const text = answer?.text || otherwise;
  const note = place.querySelector<HTMLElement>('.instead');
  if (note) write(note, text);
  return text;
}
