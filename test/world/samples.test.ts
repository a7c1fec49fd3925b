import { expect, it } from 'vitest';
import { runSamples } from '../support/run-samples.ts';

// Each language starts about 220 programs or compiles as many.
const TIMEOUT_MS = 20 * 60_000;

it.each(['curl', 'TypeScript', 'Python', 'Go'])(
  'every sample in %s works',
  async (language) => {
    expect(await runSamples(language)).toEqual({});
  },
  TIMEOUT_MS,
);
