import { listProjectsWithRetention } from '#db/queries/projects.ts';
import type { Core } from '#server/core.ts';
import { jsonFile } from '#server/platform/archive-file.ts';
import { defineFeature } from '../define-feature.ts';
import { projectsRoutes } from './owner-routes.ts';
import { sweepProjects } from './projects.ts';

export const projects = defineFeature({
  name: 'projects',
  routes: { owner: { projects: projectsRoutes } },
  hourly: ({ db }: Pick<Core, 'db'>) => sweepProjects(db),
  accountTables: { projects: 'exported' },
  exportFiles: (db, { accountId }) => [
    jsonFile('projects.json', 'The projects, oldest first, with their retention periods.', () =>
      listProjectsWithRetention(db, accountId),
    ),
  ],
});
