import { insertProject, listProjects } from '../../../db/queries/stats.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Handlers } from '../../http/adapter.ts';
import type { AdminContext } from '../context.ts';
import type { adminContract } from '../contract/index.ts';
import { findAccountOrRefuse } from './find-account.ts';

export const projectsRoutes: Handlers<typeof adminContract.projects, AdminContext> = {
  createProject: async ({ body, db }) => {
    const project = await inTransaction(db, async (trx) => {
      const { account_id } = await findAccountOrRefuse(trx, body.account);
      return insertProject(trx, account_id, body.name);
    });
    return { status: 200, body: { ...project, created_at: project.created_at.toISOString() } };
  },

  listProjects: async ({ query, db }) => {
    const projects = await inTransaction(db, async (trx) => {
      const { account_id } = await findAccountOrRefuse(trx, query.account);
      return listProjects(trx, account_id);
    });
    return {
      status: 200,
      body: projects.map((project) => ({
        ...project,
        created_at: project.created_at.toISOString(),
      })),
    };
  },
};
