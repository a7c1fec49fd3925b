/** Width and height in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Cut-out of a picture: how near, and around which point, in parts of the picture. */
export interface Crop {
  /** Width by height; undefined for that of the picture. */
  aspect: number | undefined;
  /** 1 shows as much as there is room for. */
  zoom: number;
  x: number;
  y: number;
}

export const WHOLE: Crop = { aspect: undefined, zoom: 1, x: 0.5, y: 0.5 };

/** The longest side of what is uploaded: that of the largest size of a picture. */
const LONGEST = 1_200;

/** The part of a picture that is cut out, within the picture. */
export function partOf(
  { width, height }: Size,
  { aspect = width / height, zoom, x, y }: Crop,
): Size & { left: number; top: number } {
  const part = {
    width: Math.min(width, height * aspect) / zoom,
    height: Math.min(height, width / aspect) / zoom,
  };
  return {
    ...part,
    left: within(x * width - part.width / 2, width - part.width),
    top: within(y * height - part.height / 2, height - part.height),
  };
}

/** A crop moved by so many pixels of the picture; it stops at the edges. */
export function moved(size: Size, crop: Crop, [right, down]: readonly [number, number]): Crop {
  const { left, top, width, height } = partOf(size, crop);
  return {
    ...crop,
    x: (within(left + right, size.width - width) + width / 2) / size.width,
    y: (within(top + down, size.height - height) + height / 2) / size.height,
  };
}

/** The size of what is uploaded: that of the part, unless it is larger than a picture is stored. */
export function sizeOfResult({ width, height }: Size): Size {
  const scale = Math.min(1, LONGEST / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

function within(value: number, max: number): number {
  return Math.min(Math.max(0, value), Math.max(0, max));
}
