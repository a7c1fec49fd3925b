import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { limitedText } from '../../../contract/text.ts';
import { AccountReference } from './accounts.ts';
import { errors } from './errors.ts';

const c = initContract();

const KEY_ID = 'A key id begins with np_; keys list shows it.';
const LABEL = 'A label is a text of 1 to 200 characters.';

/** The id of a key: the half before the dot. */
export const KeyId = z.string(KEY_ID).regex(/^np_[A-Za-z0-9]{1,64}$/, KEY_ID);

/** What a key is for, in the words of its owner. */
export const KeyLabel = limitedText(200, LABEL).regex(/\S/, LABEL);

export const Key = z.object({
  key_id: z.string(),
  label: z.string().nullable(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
});
export type Key = z.infer<typeof Key>;

/** The keys of an account (specification, Authentication). */
export const keys = c.router(
  {
    createKey: {
      method: 'POST',
      path: '/keys/create',
      summary: 'Make a key',
      body: z.object({ account: AccountReference, label: KeyLabel.optional() }),
      responses: { 200: z.object({ key_id: z.string(), api_key: z.string() }), ...errors },
      metadata: { failure: 'The key could not be created.' },
    },
    listKeys: {
      method: 'GET',
      path: '/keys/list',
      summary: 'List the keys of an account, oldest first, without their secrets',
      query: z.object({ account: AccountReference }),
      responses: { 200: z.array(Key), ...errors },
      metadata: { failure: 'The keys could not be listed.' },
    },
    revokeKey: {
      method: 'POST',
      path: '/keys/revoke',
      summary: 'Revoke a key for good',
      body: z.object({ key_id: KeyId }),
      responses: {
        200: z.object({ key_id: z.string(), revoked_at: z.iso.datetime() }),
        ...errors,
      },
      metadata: { failure: 'The key could not be revoked.' },
    },
  },
  { strictStatusCodes: true },
);
