import fc from 'fast-check';
import { expect, it } from 'vitest';
import { WHOLE_PICTURE, moveCrop, cropArea, uploadSize } from '#dashboard/screens/page/crop.ts';

const PHOTO = { width: 4_000, height: 3_000 };

it('the whole picture keeps its width and height', () => {
  expect(cropArea(PHOTO, WHOLE_PICTURE)).toEqual({ ...PHOTO, left: 0, top: 0 });
});

it('a square is cropped from the center', () => {
  expect(cropArea(PHOTO, { ...WHOLE_PICTURE, aspectRatio: 1 })).toEqual({
    width: 3_000,
    height: 3_000,
    left: 500,
    top: 0,
  });
});

it('an upload is scaled down to 1,200 pixels, and never enlarged', () => {
  expect(uploadSize(PHOTO)).toEqual({ width: 1_200, height: 900 });
  expect(uploadSize({ width: 80, height: 0.2 })).toEqual({ width: 80, height: 1 });
});

it('a crop stays within the picture when it is moved', () => {
  const side = fc.integer({ min: 1, max: 5_000 });
  const offset = fc.integer({ min: -9_000, max: 9_000 });
  const crop = fc.record({
    aspectRatio: fc.constantFrom(undefined, 1, 16 / 9),
    zoom: fc.double({ min: 1, max: 4, noNaN: true }),
    x: fc.double({ min: 0, max: 1, noNaN: true }),
    y: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(
      side,
      side,
      crop,
      offset,
      offset,
      (width, height, initialCrop, moveRight, moveDown) => {
        const size = { width, height };
        const area = cropArea(size, moveCrop(size, initialCrop, [moveRight, moveDown]));
        expect(Math.min(area.left, area.top)).toBeGreaterThanOrEqual(0);
        expect(area.left + area.width).toBeLessThanOrEqual(width + 1e-6);
        expect(area.top + area.height).toBeLessThanOrEqual(height + 1e-6);
      },
    ),
  );
});
