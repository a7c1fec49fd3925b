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

export const WHOLE_PICTURE: Crop = { aspect: undefined, zoom: 1, x: 0.5, y: 0.5 };

/** The longest side of what is uploaded: that of the largest size of a picture. */
const MAX_SIDE_PX = 1_200;

/** The part of a picture that is cut out, within the picture. */
export function cropArea(
  { width, height }: Size,
  { aspect = width / height, zoom, x, y }: Crop,
): Size & { left: number; top: number } {
  const part = {
    width: Math.min(width, height * aspect) / zoom,
    height: Math.min(height, width / aspect) / zoom,
  };
  return {
    ...part,
    left: clamp(x * width - part.width / 2, width - part.width),
    top: clamp(y * height - part.height / 2, height - part.height),
  };
}

/** A crop moved by so many pixels of the picture; it stops at the edges. */
export function moveCrop(size: Size, crop: Crop, [right, down]: readonly [number, number]): Crop {
  const { left, top, width, height } = cropArea(size, crop);
  return {
    ...crop,
    x: (clamp(left + right, size.width - width) + width / 2) / size.width,
    y: (clamp(top + down, size.height - height) + height / 2) / size.height,
  };
}

/** The size of what is uploaded: that of the part, unless it is larger than a picture is stored. */
export function uploadSize({ width, height }: Size): Size {
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(width, height));
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(0, value), Math.max(0, max));
}
