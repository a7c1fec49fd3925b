import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WHOLE_PICTURE, moveCrop, cropArea, uploadSize } from '#dashboard/screens/page/crop.ts';

const PHOTO = { width: 4_000, height: 3_000 };

it('the whole picture keeps its width and height', () => {
  expect(cropArea(PHOTO, WHOLE_PICTURE)).toEqual({ ...PHOTO, left: 0, top: 0 });
});

it('a square is cropped from the centre', () => {
  expect(cropArea(PHOTO, { ...WHOLE_PICTURE, aspect: 1 })).toEqual({
    width: 3_000,
    height: 3_000,
    left: 500,
    top: 0,
  });
});

it('an upload is at most 1,200 pixels long, and never enlarged', () => {
  expect(uploadSize(PHOTO)).toEqual({ width: 1_200, height: 900 });
  expect(uploadSize({ width: 80, height: 0.2 })).toEqual({ width: 80, height: 1 });
});

it('a crop stays within the picture when it is moved', () => {
  const side = fc.integer({ min: 1, max: 5_000 });
  const step = fc.integer({ min: -9_000, max: 9_000 });
  const crop = fc.record({
    aspect: fc.constantFrom(undefined, 1, 16 / 9),
    zoom: fc.double({ min: 1, max: 4, noNaN: true }),
    x: fc.double({ min: 0, max: 1, noNaN: true }),
    y: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(side, side, crop, step, step, (width, height, cut, right, down) => {
      const size = { width, height };
      const part = cropArea(size, moveCrop(size, cut, [right, down]));
      expect(Math.min(part.left, part.top)).toBeGreaterThanOrEqual(0);
      expect(part.left + part.width).toBeLessThanOrEqual(width + 1e-6);
      expect(part.top + part.height).toBeLessThanOrEqual(height + 1e-6);
    }),
  );
});
