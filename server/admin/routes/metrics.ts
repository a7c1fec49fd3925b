import { addAbortSignal, Readable } from 'node:stream';
import { listMetrics, projectExists } from '../../../db/queries/metrics.ts';
import type { Handlers } from '../../http/adapter.ts';
import { RequestError } from '../../service/request-error.ts';
import type { AdminContext } from '../context.ts';
import type { adminContract } from '../contract/index.ts';
import { writeRecords } from '../export-format.ts';

export const metricsRoutes: Handlers<typeof adminContract.metrics, AdminContext> = {
  exportMetrics: async ({ query, db, stopping }) => {
    const { project: projectId, format, since, until } = query;
    if (!(await projectExists(db, projectId)))
      throw new RequestError(404, `There is no project ${projectId}.`);
    const pages = listMetrics(db, { projectId, since, until });
    const stream = Readable.from(writeRecords(pages, format), { objectMode: false });
    return { status: 200, body: addAbortSignal(stopping, stream) };
  },
};
