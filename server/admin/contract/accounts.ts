import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { UpdateDisplayNameRequest } from '../../../contract/account.ts';
import { errors } from './errors.ts';

const c = initContract();

/** An account, named by its display name or its id. */
export const AccountReference = z
  .string('An account is required.')
  .regex(/\S/, 'An account is required: its display name or its id.')
  .max(255, 'An account is named by its display name or its id.');

/** A display name as it is typed: it is sanitized as the API does it. */
export const DisplayNameInput = UpdateDisplayNameRequest.shape.display_name;

export const Account = z.object({
  account_id: z.uuid(),
  display_name: z.string().nullable(),
  created_at: z.iso.datetime(),
});
export type Account = z.infer<typeof Account>;

/** Accounts, which the API itself neither makes nor deletes. */
export const accounts = c.router(
  {
    createAccount: {
      method: 'POST',
      path: '/accounts/create',
      summary: 'Make an account with a key',
      body: z.object({ display_name: DisplayNameInput.optional() }),
      responses: {
        200: z.object({
          account_id: z.uuid(),
          display_name: z.string().nullable(),
          api_key: z.string(),
        }),
        ...errors,
      },
      metadata: { failure: 'The account could not be created.' },
    },
    listAccounts: {
      method: 'GET',
      path: '/accounts/list',
      summary: 'List all accounts, oldest first',
      responses: { 200: z.array(Account), ...errors },
      metadata: { failure: 'The accounts could not be listed.' },
    },
    findAccount: {
      method: 'GET',
      path: '/accounts/find',
      summary: 'Find an account by its display name or id',
      query: z.object({ account: AccountReference }),
      responses: { 200: Account, ...errors },
      metadata: { failure: 'The account could not be looked up.' },
    },
    deleteAccount: {
      method: 'POST',
      path: '/accounts/delete',
      summary: 'Delete an account with all that it has',
      body: z.object({ account: AccountReference }),
      responses: {
        200: z.object({ account_id: z.uuid(), display_name: z.string().nullable() }),
        ...errors,
      },
      metadata: { failure: 'The account could not be deleted.' },
    },
  },
  { strictStatusCodes: true },
);
