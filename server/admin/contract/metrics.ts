import { Readable } from 'node:stream';
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { errors } from './errors.ts';

const c = initContract();

const TIME =
  'A time is ISO 8601: 2026-01-31T09:30:00Z, 2026-01-31T10:30:00+01:00, or 2026-01-31 for midnight UTC.';

/** A point in time; a date alone is its midnight. Becomes UTC. */
export const Time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], TIME)
  .transform((time) => {
    if (time.endsWith('Z')) return time;
    return time.includes('T') ? new Date(time).toISOString() : `${time}T00:00:00Z`;
  })
  .refine((time) => /^(?!0000)\d{4}-/.test(time), TIME);

export const ProjectId = z
  .string()
  .regex(
    /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
    'A project id is a UUID; projects list shows it.',
  );

export const ExportFormat = z.enum(['ndjson', 'csv', 'json'], 'The format is ndjson, csv or json.');
export type ExportFormat = z.infer<typeof ExportFormat>;

/** The metrics of a project, which the API itself only takes in. */
export const metrics = c.router(
  {
    exportMetrics: {
      method: 'GET',
      path: '/metrics/export',
      summary: 'Stream the metrics of a project, oldest first, one record a line',
      query: z.object({
        project: ProjectId,
        format: ExportFormat.default('ndjson'),
        since: Time.optional(),
        until: Time.optional(),
      }),
      responses: {
        200: c.otherResponse({
          contentType: 'application/octet-stream',
          body: z.instanceof(Readable),
        }),
        ...errors,
      },
      metadata: { failure: 'The metrics could not be exported.' },
    },
  },
  { strictStatusCodes: true },
);
