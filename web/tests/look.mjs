// Pictures of pages compared by what a reader would notice: a pane that is missing, a box that overflows, another colour; not by pixels,
// which another version of the browser draws otherwise.
//
// A kept picture has one pixel for each 8 × 8 pixels of the page, their mean colour. A block is the same where some place within 2 px of it in the
// new picture has that colour, within a tolerance; so text that moved by a pixel or has other edges counts as the same. Pictures differ
// where their sizes do (by more than a block in height), or where more than `kMostOfTile` of the blocks of some tile differ.
import {PNG} from 'pngjs';

export const kBlock = 8;
const kShifts = [-2, -1, 0, 1, 2].flatMap((dx) => [-2, -1, 0, 1, 2].map((dy) => [dx, dy])) // px, the nearest first
  .sort((one, other) => Math.hypot(...one) - Math.hypot(...other));
const kColour = 14; // of 255, in any channel
const kTile = 16; // blocks
export const kMostOfTile = 0.0625;

/** Sums of colours over everything above and to the left, so that the mean of any rectangle is four reads. */
class Sums {
  constructor({width, height, data}) {
    Object.assign(this, {width, height, channels: [0, 1, 2].map(() => new Float64Array((width + 1) * (height + 1)))});
    this.channels.forEach((sums, c) => {
      for (let y = 0; y < height; ++y) {
        let row = 0;
        for (let x = 0; x < width; ++x) {
          row += data[4 * (y * width + x) + c];
          sums[(y + 1) * (width + 1) + x + 1] = sums[y * (width + 1) + x + 1] + row;
        }
      }
    });
  }

  /** The mean of a channel over a block that begins at (x, y), as far as it is within the picture. */
  mean(channel, x, y) {
    const left = Math.max(0, Math.min(x, this.width - 1)), top = Math.max(0, Math.min(y, this.height - 1));
    const right = Math.max(left + 1, Math.min(x + kBlock, this.width)), bottom = Math.max(top + 1, Math.min(y + kBlock, this.height));
    const sums = this.channels[channel], row = this.width + 1;
    return (sums[bottom * row + right] - sums[bottom * row + left] - sums[top * row + right] + sums[top * row + left]) / ((right - left) * (bottom - top));
  }
}

/** A screenshot (a PNG's bytes) as it is kept: a PNG of a pixel a block. */
export function reduced(screenshot) {
  const sums = new Sums(PNG.sync.read(screenshot));
  const small = new PNG({width: Math.ceil(sums.width / kBlock), height: Math.ceil(sums.height / kBlock)});
  for (let j = 0; j < small.height; ++j) {
    for (let i = 0; i < small.width; ++i) {
      const at = 4 * (j * small.width + i);
      small.data.set([...[0, 1, 2].map((c) => Math.round(sums.mean(c, i * kBlock, j * kBlock))), 255], at);
    }
  }
  return PNG.sync.write(small, {colorType: 2, filterType: 4});
}

/** {worst: the greatest share of differing blocks in a tile, at: where, in px of the page; size: in words where sizes differ, else ""}. */
export function compared(screenshot, kept) {
  const now = new Sums(PNG.sync.read(screenshot)), then = PNG.sync.read(kept);
  const [width, height] = [Math.ceil(now.width / kBlock), Math.ceil(now.height / kBlock)];
  const size = width !== then.width || Math.abs(height - then.height) > 1 ?
    `${now.width} × ${now.height} px instead of about ${then.width * kBlock} × ${then.height * kBlock}` : '';
  const same = (i, j) => {
    const at = 4 * (j * then.width + i);
    const near = (c, dx, dy) => Math.abs(now.mean(c, i * kBlock + dx, j * kBlock + dy) - then.data[at + c]) <= kColour;
    return kShifts.some(([dx, dy]) => near(0, dx, dy) && near(1, dx, dy) && near(2, dx, dy));
  };
  const [columns, rows] = [Math.min(width, then.width), Math.min(height, then.height)];
  let worst = 0, at = [0, 0];
  for (let top = 0; top < rows; top += kTile) {
    for (let left = 0; left < columns; left += kTile) {
      let all = 0, differ = 0;
      for (let j = top; j < Math.min(top + kTile, rows); ++j) {
        for (let i = left; i < Math.min(left + kTile, columns); ++i, ++all) differ += same(i, j) ? 0 : 1;
      }
      // A sliver of a tile at an edge counts as the whole one that it is part of.
      const share = differ / Math.max(all, kTile * kTile / 2);
      if (share > worst) [worst, at] = [share, [left * kBlock, top * kBlock]];
    }
  }
  return {worst, at, size};
}

/** Whether a screenshot looks like the kept picture. */
export const looksSame = (found) => found.size === '' && found.worst <= kMostOfTile;
