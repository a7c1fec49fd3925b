import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { Project } from '../../../contract/stats.ts';
import { limitedText } from '../../../contract/text.ts';
import { AccountReference } from './accounts.ts';
import { errors } from './errors.ts';

const c = initContract();

const NAME = 'A project name is a text of 1 to 200 characters.';

export const ProjectName = limitedText(200, NAME).regex(/\S/, NAME);

/** Projects, which metrics are sent to. */
export const projects = c.router(
  {
    createProject: {
      method: 'POST',
      path: '/projects/create',
      summary: 'Make a project',
      body: z.object({ account: AccountReference, name: ProjectName }),
      responses: { 200: Project, ...errors },
      metadata: { failure: 'The project could not be created.' },
    },
    listProjects: {
      method: 'GET',
      path: '/projects/list',
      summary: 'List the projects of an account, oldest first',
      query: z.object({ account: AccountReference }),
      responses: { 200: z.array(Project), ...errors },
      metadata: { failure: 'The projects could not be listed.' },
    },
  },
  { strictStatusCodes: true },
);
