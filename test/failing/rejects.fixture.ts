import { it } from 'vitest';

it('passes, but leaves an unhandled rejection', () => {
  void Promise.reject(new Error('rejected without a handler'));
});
