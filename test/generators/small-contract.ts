import { z } from 'zod';
import { defineEndpoints } from '#contract/define-endpoints.ts';
import { refusal } from '#contract/refusal.ts';

const Stone = z
  .object({
    name: z
      .string('name is required.')
      .meta({ description: 'Its name.', maxLength: 20, examples: ['Pebble'] }),
    weight: z
      .number('weight must be a number or null.')
      .nullish()
      .meta({ description: 'In grams.', examples: [12] }),
  })
  .meta({ id: 'Stone', description: 'A stone.' });

const Stored = z
  .object({ count: z.int().meta({ description: 'How many there are.' }) })
  .meta({ id: 'Stored', description: 'The stone is stored.' });

/** One read and one write, so that tests can compare the complete generated output. */
export const contract = {
  stones: defineEndpoints(
    {
      access: 'write',
      requestRefusals: { busy: refusal(503, 'It is busy.', 'Try again in a moment.') },
      writeRefusals: { malformed: refusal(400, 'It is not JSON.', 'The body is not JSON.') },
      writeHeaders: { 'x-note': z.string().optional().meta({ description: 'A note.' }) },
    },
    {
      countStones: {
        method: 'GET',
        path: '/stones',
        summary: 'Count the stones',
        description: 'Returns how many there are.',
        responses: { 200: Stored },
        metadata: { failure: 'The stones could not be counted.' },
      },
      storeStone: {
        method: 'POST',
        path: '/stones',
        summary: 'Store a stone',
        description: 'Stores a stone.',
        body: Stone,
        responses: { 200: Stored },
        metadata: {
          failure: 'The stone could not be stored.',
          refusals: {
            stoneTaken: refusal(409, 'Another has it.', '{name} is taken.', { name: 'Pebble' }),
          },
        },
      },
    },
  ),
};
