import { NewerSchemaError } from '../../../db/migrate.ts';
import type { Handlers } from '../../http/adapter.ts';
import { RequestError } from '../../service/request-error.ts';
import type { AdminContext } from '../context.ts';
import type { adminContract } from '../contract/index.ts';

export const migrationsRoutes: Handlers<typeof adminContract.migrations, AdminContext> = {
  migrate: async ({ migrate }) => {
    try {
      return { status: 200, body: { migrations: await migrate() } };
    } catch (error) {
      if (error instanceof NewerSchemaError) throw new RequestError(409, error.message);
      throw error;
    }
  },
};
