import { PROJECT_ID } from './examples.ts';
import { timeParam } from './fields.ts';
import { forField, refusal } from './refusal.ts';
import { LIMITS } from './shared/limits.ts';
import { limitedText, NOT_BLANK_PATTERN } from './text.ts';

const PROJECT_ID_MESSAGE = 'must be the id of one of your projects.';

export const projectId = limitedText(LIMITS.projectId, PROJECT_ID_MESSAGE)
  .regex(new RegExp(NOT_BLANK_PATTERN), PROJECT_ID_MESSAGE)
  .meta({
    description: 'The id of one of your projects (`getProjects`).',
    examples: [PROJECT_ID],
  });

export const since = timeParam().meta({
  description: 'The start of the range, inclusive (ISO 8601, with a time and Z or an offset).',
  examples: ['2026-01-01T00:00:00Z'],
});
export const until = timeParam().meta({
  description: 'The end of the range, exclusive (ISO 8601, with a time and Z or an offset).',
  examples: ['2026-02-01T00:00:00Z'],
});

export const METRIC_READ_REFUSALS = {
  projectForbidden: forField(
    'project_id',
    refusal(
      403,
      'The project belongs to another account or does not exist. Send its id, not its name: list your projects for their ids.',
      'The project does not belong to you.',
    ),
  ),
  queryTooExpensive: refusal(
    503,
    'Reading the metrics would take longer than five seconds.',
    'There are too many metrics to read at once. Narrow the range.',
  ),
};

export const EXPORT_FORMATS = ['ndjson', 'csv', 'json'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];
