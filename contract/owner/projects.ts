import { LIMITS } from '#contract/shared/limits.ts';
import { defineOwnerEndpoints } from '../define-endpoints.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { PROJECT_ID } from '../examples.ts';
import { field, objectSchema } from '../fields.ts';
import { refusal, notFound } from '../refusal.ts';
import { SuccessResponse } from '../result-fields.ts';
import { Project, ProjectsResponse } from '../stats.ts';
import { oneLine } from '../text.ts';
import { uuid } from '../uuid.ts';

const name = field(
  'projectNameInvalid',
  oneLine(LIMITS.projectName),
  'The name of the project.',
  'Shop',
);

export const projectId = field(
  'projectIdMissing',
  uuid('must be the id of one of your projects.'),
  'The id of one of your projects.',
  PROJECT_ID,
);

const ProjectResponse = objectSchema('ProjectResponse', 'The project.', { project: Project });

export const PROJECT_LIMIT_REFUSALS = {
  projectLimitReached: refusal(
    400,
    'The account reached its limit of projects (`PROJECTS_PER_ACCOUNT`).',
    'This account has reached its limit of {limit} projects. Delete one first.',
    { limit: 100 },
  ),
};

export const PROJECT_REFUSALS = {
  projectNotFound: notFound('project'),
};

export const projects = defineOwnerEndpoints('projects', AUTHENTICATED_DEFAULTS, {
  listProjects: {
    method: 'GET',
    summary: 'List the projects',
    description: 'Returns the projects of the account, oldest first, like `getProjects`.',
    response: ProjectsResponse,
    listField: 'projects',
    failure: 'The projects could not be fetched.',
  },
  getProject: {
    method: 'GET',
    summary: 'Read a project',
    description: 'Returns a project of the account.',
    query: { project_id: projectId },
    response: ProjectResponse,
    failure: 'The project could not be fetched.',
    refusals: PROJECT_REFUSALS,
  },
  createProject: {
    method: 'POST',
    summary: 'Create a project',
    description: 'Creates a project that metrics can be sent to.',
    body: {
      name,
    },
    response: ProjectResponse,
    failure: 'The project could not be created.',
    refusals: PROJECT_LIMIT_REFUSALS,
  },
  updateProject: {
    method: 'POST',
    summary: 'Rename a project',
    description: 'Changes the name of a project. Its id stays the same.',
    body: {
      project_id: projectId,
      name,
    },
    response: ProjectResponse,
    failure: 'The project could not be renamed.',
    idempotent: true,
    refusals: PROJECT_REFUSALS,
  },
  deleteProject: {
    method: 'POST',
    summary: 'Delete a project',
    description:
      'Deletes a project permanently. It accepts no more metrics, keys for this project only are deleted, and its stored metrics are removed within an hour.',
    body: {
      project_id: projectId,
    },
    response: SuccessResponse,
    recentLogin: true,
    failure: 'The project could not be deleted.',
    destructive: true,
    idempotent: true,
    refusals: PROJECT_REFUSALS,
  },
});
