import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { queryNumber } from '../query-number.ts';
import { invalidField } from '../refusal.ts';
import { uuid } from '../uuid.ts';

const LIMIT = `limit must be a whole number from 1 to ${LIMITS.listed}.`;

/** Query fields of a list; `after` is the sentence for a cursor that is none. */
export const listQuery = (after: string) => ({
  limit: queryNumber(z.int(LIMIT).min(1, LIMIT).max(LIMITS.listed, LIMIT))
    .default(50)
    .meta({ description: 'Maximum number of entries.', examples: [50] }),
  after: uuid(after)
    .optional()
    .meta({
      description: 'Cursor: the `next` of the previous batch. Default: the first batch.',
      examples: ['0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20'],
    }),
});

/** Cursor of the next batch. */
export const next = uuid()
  .nullable()
  .meta({ description: 'The value of `after` for more; null if this is all.', examples: [null] });

/** Refusal of a limit. */
export const LIMIT_REFUSALS = {
  limitInvalid: invalidField('limit', 'The limit is not valid.', LIMIT),
};

/** Case of a refused cursor, for all lists. */
export const CURSOR_CONDITION = 'There is no such entry in the list.';
