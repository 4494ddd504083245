// Elements and paths of SVG and HTML, made and changed by hand. Text goes in as text, never as markup.
import type {Path, Point, Window} from '../shared/engine';

const space = 'http://www.w3.org/2000/svg';

type Attributes = Record<string, string | number | boolean | undefined>;

function fill(element: Element, attributes: Attributes, children: (Node | string)[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children);
}

export function svg<Name extends keyof SVGElementTagNameMap>(
    name: Name, attributes: Attributes = {}, ...children: (Node | string)[]): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(space, name);
  fill(element, attributes, children);
  return element;
}

export function html<Name extends keyof HTMLElementTagNameMap>(
    name: Name, attributes: Attributes = {}, ...children: (Node | string)[]): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

export function byId<Type extends HTMLElement = HTMLElement>(id: string): Type {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no #${id} in the page`);
  return element as Type;
}

/** Sets an attribute where it differs: a write that changes nothing costs a layout all the same. */
export function put(element: Element, name: string, value: string): void {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

export function write(element: Node, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function show(element: Element, on: boolean): void {
  element.toggleAttribute('hidden', !on);
}

/** A pixel that an SVG takes: far outside where the number is too large for one, or none. */
export function pixel(value: number): number {
  return value > 1e6 ? 1e6 : value > -1e6 ? value : -1e6;
}

/** From a plane's coordinates to pixels; y grows upwards in the plane and downwards on the screen. */
export class Scale {
  constructor(readonly window: Window, readonly left: number, readonly top: number, readonly width: number, readonly height: number) {}

  x(value: number): number {
    return pixel(this.left + (value - this.window.x_low) / (this.window.x_high - this.window.x_low) * this.width);
  }

  y(value: number): number {
    return pixel(this.top + this.height - (value - this.window.y_low) / (this.window.y_high - this.window.y_low) * this.height);
  }

  /** The place in the plane under a pixel. */
  back(px: number, py: number): Point {
    const {x_low, x_high, y_low, y_high} = this.window;
    return [x_low + (px - this.left) / this.width * (x_high - x_low), y_low + (this.top + this.height - py) / this.height * (y_high - y_low)];
  }

  /** The largest of 1, 2, 5 × a power of ten that is at most seven pixels: what a drag rounds to. */
  get step(): number {
    const most = 7 * (this.window.x_high - this.window.x_low) / this.width;
    const power = 10 ** Math.floor(Math.log10(most));
    return power * (most / power >= 5 ? 5 : most / power >= 2 ? 2 : 1);
  }

  path(points: Path, closed = false): string {
    if (points.length === 0) return '';
    return 'M' + points.map(([x, y]) => `${this.x(x).toFixed(2)} ${this.y(y).toFixed(2)}`).join('L') + (closed ? 'Z' : '');
  }

  paths(paths: Path[]): string {
    return paths.map(path => this.path(path)).join('');
  }
}

/** A cross and a circle of a radius, the marks of the two classes. */
export function crossPath(radius: number): string {
  return `M${-radius} 0H${radius}M0 ${-radius}V${radius}`;
}

export function diamondPath(radius: number): string {
  return `M0 ${-radius}L${radius} 0L0 ${radius}L${-radius} 0Z`;
}

/** A polygon's head for an arrow that ends at (x, y) and comes from (fromX, fromY), in pixels. */
export function arrowHead(fromX: number, fromY: number, x: number, y: number, size: number): string {
  const length = Math.hypot(x - fromX, y - fromY);
  if (length < 1e-6) return '';
  const ux = (x - fromX) / length, uy = (y - fromY) / length, s = Math.min(size, length);
  const bx = x - ux * s, by = y - uy * s, w = s * 0.45;
  const corners = [[x, y], [bx - uy * w, by + ux * w], [bx + uy * w, by - ux * w]];
  return `M${corners.map(corner => corner.map(v => v.toFixed(2)).join(' ')).join('L')}Z`;
}
