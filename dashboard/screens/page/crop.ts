import { LIMITS } from '#contract/shared/limits.ts';

export interface Size {
  width: number;
  height: number;
}

/** `x` and `y` are the center, as fractions of the picture. */
export interface Crop {
  /** Width divided by height. Undefined keeps the aspect ratio of the picture. */
  aspectRatio: number | undefined;
  /** 1 is the largest area with this aspect ratio. */
  zoom: number;
  x: number;
  y: number;
}

export const WHOLE_PICTURE: Crop = { aspectRatio: undefined, zoom: 1, x: 0.5, y: 0.5 };

export function cropArea(
  { width, height }: Size,
  { aspectRatio = width / height, zoom, x, y }: Crop,
): Size & { left: number; top: number } {
  const area = {
    width: Math.min(width, height * aspectRatio) / zoom,
    height: Math.min(height, width / aspectRatio) / zoom,
  };
  return {
    ...area,
    left: clamp(x * width - area.width / 2, width - area.width),
    top: clamp(y * height - area.height / 2, height - area.height),
  };
}

/** Moves the crop by pixels of the picture, but not beyond its edges. */
export function moveCrop(size: Size, crop: Crop, [right, down]: readonly [number, number]): Crop {
  const { left, top, width, height } = cropArea(size, crop);
  return {
    ...crop,
    x: (clamp(left + right, size.width - width) + width / 2) / size.width,
    y: (clamp(top + down, size.height - height) + height / 2) / size.height,
  };
}

/** Size of the uploaded picture: the area, scaled down to what the server stores. */
export function uploadSize({ width, height }: Size): Size {
  const scale = Math.min(1, LIMITS.pictureWidth / width, LIMITS.pictureHeight / height);
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(0, value), Math.max(0, max));
}
