import { intParam, idField } from '../fields.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { queryNumber } from '../query-number.ts';
import { invalidField } from '../refusal.ts';
import { uuid } from '../uuid.ts';

const LIMIT_MESSAGE = `limit must be a whole number from 1 to ${LIMITS.listEntries}.`;

export const listQuery = (afterMessage: string) => ({
  limit: queryNumber(intParam(1, LIMITS.listEntries, LIMIT_MESSAGE))
    .default(50)
    .meta({ description: 'The maximum number of entries to return.', examples: [50] }),
  after: uuid(afterMessage)
    .optional()
    .meta({
      description: 'A cursor: the `next` of the previous batch. Default: the first batch.',
      examples: ['0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20'],
    }),
});

export const next = idField(
  'The cursor of the next batch: send it as `after`. Null in the last batch.',
  null,
).nullable();

export const LIMIT_REFUSALS = {
  limitInvalid: invalidField('limit', 'The limit is not valid.', LIMIT_MESSAGE),
};

export const UNKNOWN_CURSOR_CONDITION = 'There is no entry with this id.';
