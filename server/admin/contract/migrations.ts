import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { errors } from './errors.ts';

const c = initContract();

/** The schema of the database. */
export const migrations = c.router(
  {
    migrate: {
      method: 'POST',
      path: '/migrations/run',
      summary: 'Bring the database to the schema of this version',
      body: z.object({}),
      responses: { 200: z.object({ migrations: z.array(z.string()) }), ...errors },
      metadata: { failure: 'The database could not be migrated.' },
    },
  },
  { strictStatusCodes: true },
);
