import { it } from 'vitest';

it('passes beside a promise that nobody looks after', () => {
  void Promise.reject(new Error('rejected unseen'));
});
