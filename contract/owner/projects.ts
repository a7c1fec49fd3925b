import { defineEndpoints } from '../define-endpoints.ts';
import { RECENT_LOGIN_REFUSALS } from '../recent-login.ts';
import { LIMITS } from '#contract/shared/limits.ts';
import { PROJECT_ID_MESSAGE } from '../metric-params.ts';
import { successResponse } from '../result-fields.ts';
import { invalidField, refusal, notFound } from '../refusal.ts';
import { Project } from '../stats.ts';
import { AUTHENTICATED_DEFAULTS } from '../endpoint-defaults.ts';
import { oneLine } from '../text.ts';
import { uuid } from '../uuid.ts';
import { objectSchema } from '../fields.ts';

const NAME_MESSAGE = 'A project name is one line of 1 to 200 characters.';

const ProjectName = oneLine(LIMITS.projectName, NAME_MESSAGE);

const name = ProjectName.meta({ description: 'The name of the project.', examples: ['Shop'] });

export const projectId = uuid(PROJECT_ID_MESSAGE).meta({
  description: 'The id of one of your projects.',
  examples: ['3f0c6a0e-6b57-4f0b-9a51-8a2d1f0e7c11'],
});

const CreateProjectRequest = objectSchema('CreateProjectRequest', 'The project to create.', {
  name,
});

const RenameProjectRequest = objectSchema('RenameProjectRequest', 'The project and its new name.', {
  project_id: projectId,
  name,
});

const DeleteProjectRequest = objectSchema('DeleteProjectRequest', 'The project to delete.', {
  project_id: projectId,
});

const { id: _id, ...projectFields } = Project.shape;

const OwnProject = objectSchema('OwnProject', 'A project of the account.', {
  project_id: projectId,
  ...projectFields,
});

const ProjectResponse = objectSchema('ProjectResponse', 'The project.', { project: OwnProject });

const DeleteProjectResponse = successResponse('DeleteProjectResponse', 'The project was deleted.');

export const PROJECT_LIMIT_REFUSALS = {
  projectLimitReached: refusal(
    400,
    'The account reached its limit of projects (`PROJECTS_PER_ACCOUNT`).',
    'This account has reached its limit of {limit} projects. Delete one first.',
    { limit: 100 },
  ),
};

export const PROJECT_REFUSALS = {
  projectIdMissing: invalidField(
    'project_id',
    'The project ID is missing or not valid.',
    PROJECT_ID_MESSAGE,
  ),
  projectNotFound: notFound('project'),
};

const nameMissing = invalidField('name', 'The name is missing or not valid.', NAME_MESSAGE);

/** `GET /stats/get-projects`, in the public contract, lists the projects. Their `id` is the `project_id` here. */
export const projects = defineEndpoints(AUTHENTICATED_DEFAULTS, {
  createProject: {
    method: 'POST',
    path: '/owner/projects/create-project',
    summary: 'Create a project',
    description: 'Creates a project that metrics can be sent to.',
    body: CreateProjectRequest,
    responses: { 200: ProjectResponse },
    metadata: {
      failure: 'The project could not be created.',
      refusals: { projectNameInvalid: nameMissing, ...PROJECT_LIMIT_REFUSALS },
    },
  },
  renameProject: {
    method: 'POST',
    path: '/owner/projects/rename-project',
    summary: 'Rename a project',
    description: 'Changes the name of a project. Its id stays the same.',
    body: RenameProjectRequest,
    responses: { 200: ProjectResponse },
    metadata: {
      failure: 'The project could not be renamed.',
      idempotent: true,
      refusals: { ...PROJECT_REFUSALS, projectNameInvalid: nameMissing },
    },
  },
  deleteProject: {
    method: 'POST',
    path: '/owner/projects/delete-project',
    summary: 'Delete a project',
    description:
      'Deletes a project permanently. It accepts no more metrics, and its stored metrics are removed within an hour.',
    body: DeleteProjectRequest,
    responses: { 200: DeleteProjectResponse },
    metadata: {
      failure: 'The project could not be deleted.',
      destructive: true,
      idempotent: true,
      refusals: { ...PROJECT_REFUSALS, ...RECENT_LOGIN_REFUSALS },
    },
  },
});
