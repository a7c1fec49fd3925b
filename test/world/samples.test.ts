import { expect, it } from 'vitest';
import { runSamples } from '../support/run-samples.ts';

it.each(['curl', 'TypeScript', 'Python', 'Go'])('every sample in %s works', async (language) => {
  expect(await runSamples(language)).toEqual({});
});
