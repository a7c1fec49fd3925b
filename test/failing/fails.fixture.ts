import { expect, it } from 'vitest';

it('fails', () => {
  expect('seen').toBe('expected');
});
