import { LIMITS } from '#contract/shared/limits.ts';
import { field, intParam, idField } from '../fields.ts';
import { queryNumber } from '../query-values.ts';
import { uuid } from '../uuid.ts';

export const listQuery = (afterMessage: string) => ({
  limit: field(
    'limitInvalid',
    queryNumber(intParam(1, LIMITS.listEntries)).default(50),
    'The maximum number of entries to return.',
    50,
  ),
  after: field(
    'cursorInvalid',
    uuid(afterMessage).optional(),
    'A cursor: the `next` of the previous batch. Default: the first batch.',
    '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20',
  ),
});

export const next = idField(
  'The cursor of the next batch: send it as `after`. Null in the last batch.',
  null,
).nullable();
