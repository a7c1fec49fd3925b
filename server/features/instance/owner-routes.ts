import { hash } from 'node:crypto';
import {
  INSTANCE_REFUSALS,
  type UpdateInstanceRequest,
  type instance,
} from '#contract/owner/instance.ts';
import { logoPath } from '#contract/shared/instance.ts';
import { parseStoredPicture } from '#contract/shared/pictures.ts';
import type { Transaction } from '#db/connections/handles.ts';
import {
  findInstance,
  type InstanceChange,
  type InstanceRow,
  saveInstance,
} from '#db/queries/instance.ts';
import { findPictureFile } from '#db/queries/pictures.ts';
import type { Core } from '#server/core.ts';
import { COMMAND_LINE_ID } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import { writeLegalDrafts } from './legal-drafts.ts';

const refuse = createRefuser(INSTANCE_REFUSALS);

export function instanceRoutes(app: Core): Handlers<typeof instance> {
  const { instanceStore, origin } = app;
  const serializeInstance = ({ logo_id, dark_logo_id, cover_id, ...row }: InstanceRow) => ({
    ...row,
    logo_url: logo_id && origin() + logoPath(logo_id),
    dark_logo_url: dark_logo_id && origin() + logoPath(dark_logo_id),
    cover_url: cover_id && origin() + logoPath(cover_id),
  });
  return {
    getInstance: async ({ readDb }) => ({
      instance: serializeInstance(await findInstance(readDb)),
    }),

    getLegalDrafts: async ({ query: { language }, getTranslator }) => {
      await instanceStore.refresh();
      const t = language === undefined ? getTranslator() : translatorFor(language);
      return writeLegalDrafts(app, t);
    },

    updateInstance: async ({ accountId, db, body, audit }) => {
      const { logo_url, dark_logo_url, cover_url, ...fields } = body;
      audit({ detail: { fields: Object.keys(body) } });
      const row = await saveInstance(db, {
        ...fields,
        ...(fields.color && { color: fields.color.toLowerCase() }),
        ...(await buildPictureChange(db, accountId, { logo_url, dark_logo_url, cover_url })),
      });
      await instanceStore.set(row);
      return { instance: serializeInstance(row) };
    },
  };
}

const PICTURES = [
  { field: 'logo_url', column: 'logo', size: 512, code: 'logoNotFound' },
  { field: 'dark_logo_url', column: 'dark_logo', size: 512, code: 'darkLogoNotFound' },
  { field: 'cover_url', column: 'cover', size: 1200, code: 'coverNotFound' },
] as const;

/** Copies the pictures, so that they do not depend on the operator's account. */
async function buildPictureChange(
  trx: Transaction,
  accountId: string,
  body: Pick<UpdateInstanceRequest, 'logo_url' | 'dark_logo_url' | 'cover_url'>,
): Promise<InstanceChange> {
  const current = await findInstance(trx);
  const change: InstanceChange = {};
  for (const { field, column, size, code } of PICTURES) {
    const url = body[field];
    const currentId = current[`${column}_id`];
    if (url === undefined) continue;
    if (url && currentId && URL.parse(url)?.pathname === logoPath(currentId)) continue;
    const picture = parseStoredPicture(url);
    const owner = accountId === COMMAND_LINE_ID ? undefined : accountId;
    const file =
      picture && (await findPictureFile(trx, { accountId: owner, id: picture.id, size }));
    if (url !== null && !file) throw refuse(code);
    change[`${column}_id`] = file ? createLogoId(file, picture) : null;
    change[column] = file ?? null;
  }
  return change;
}

/** Contains the hash of the file, so that its URL can be cached forever. */
function createLogoId(file: Buffer, { width, height }: { width: number; height: number }): string {
  return `${hash('sha256', file, 'base64url').slice(0, 22)}-${width}x${height}`;
}
