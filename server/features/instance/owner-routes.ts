import {
  INSTANCE_REFUSALS,
  type UpdateInstanceRequest,
  type instance,
} from '#contract/owner/instance.ts';
import { logoPath } from '#contract/shared/instance.ts';
import type { Transaction } from '#db/connections/handles.ts';
import {
  findInstance,
  type InstanceChange,
  type InstanceRow,
  saveInstance,
} from '#db/queries/instance.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import type { AllFeatures } from '../define-feature.ts';
import { copyPicture } from '../pictures/copy-picture.ts';
import { writeLegalDrafts } from './legal-drafts.ts';

const refuse = createRefuser(INSTANCE_REFUSALS);

export function instanceRoutes(app: Core & { features: AllFeatures }): Handlers<typeof instance> {
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

async function buildPictureChange(
  trx: Transaction,
  accountId: string,
  body: Pick<UpdateInstanceRequest, 'logo_url' | 'dark_logo_url' | 'cover_url'>,
): Promise<InstanceChange> {
  const current = await findInstance(trx);
  const change: InstanceChange = {};
  for (const { field, column, size, code } of PICTURES) {
    const url = body[field];
    if (url === undefined) continue;
    const currentId = current[`${column}_id`];
    const copy = await copyPicture(trx, { accountId, url, currentId, size });
    if (!copy) throw refuse(code);
    if (copy === 'same') continue;
    change[`${column}_id`] = copy.id;
    change[column] = copy.file;
  }
  return change;
}
