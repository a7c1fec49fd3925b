import {
  INSTANCE_REFUSALS,
  type UpdateInstanceRequest,
  type instance,
} from '#contract/owner/instance.ts';
import { logoPath } from '#contract/shared/instance.ts';
import type { ReadDatabase, Transaction } from '#db/connections/handles.ts';
import { findDisplayName } from '#db/queries/display-names.ts';
import {
  findInstance,
  type InstanceChange,
  type InstanceRow,
  saveInstance,
} from '#db/queries/instance.ts';
import { findOurPage } from '#db/queries/public-sites.ts';
import type { Core } from '#server/core.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { createRefuser } from '#server/platform/refusal.ts';
import { translatorFor } from '#server/platform/text/language.ts';
import type { AllFeatures } from '../define-feature.ts';
import { readMemberName } from '../keepers/change-keepers.ts';
import { copyPicture } from '../pictures/copy-picture.ts';
import { writeLegalDrafts } from './legal-drafts.ts';

const refuse = createRefuser(INSTANCE_REFUSALS);

export function instanceRoutes(app: Core & { features: AllFeatures }): Handlers<typeof instance> {
  const { instanceStore, origin } = app;
  const serializeInstance = async (
    db: ReadDatabase,
    { logo_id, dark_logo_id, cover_id, our_page_id, ...row }: InstanceRow,
  ) => ({
    ...row,
    our_page: (our_page_id && (await findDisplayName(db, our_page_id))) ?? null,
    logo_url: logo_id && origin() + logoPath(logo_id),
    dark_logo_url: dark_logo_id && origin() + logoPath(dark_logo_id),
    cover_url: cover_id && origin() + logoPath(cover_id),
  });
  return {
    getInstance: async ({ readDb }) => ({
      instance: await serializeInstance(readDb, await findInstance(readDb)),
    }),

    getLegalDrafts: async ({ query: { language }, getTranslator }) => {
      await instanceStore.refresh();
      const t = language === undefined ? getTranslator() : translatorFor(language);
      return writeLegalDrafts(app, t);
    },

    updateInstance: async ({ accountId, db, body, audit }) => {
      const { logo_url, dark_logo_url, cover_url, our_page, ...fields } = body;
      audit({ detail: { fields: Object.keys(body) } });
      const row = await saveInstance(db, {
        ...fields,
        ...(fields.color && { color: fields.color.toLowerCase() }),
        our_page_id: our_page === '' ? null : our_page && (await findOurPageId(db, our_page)),
        ...(await buildPictureChange(db, accountId, { logo_url, dark_logo_url, cover_url })),
      });
      await instanceStore.set(row);
      return { instance: await serializeInstance(db, row) };
    },
  };
}

async function findOurPageId(db: ReadDatabase, input: string): Promise<string> {
  const name = readMemberName(input);
  const { our_page_id } = await findInstance(db);
  // What a response contains can be sent back, even if the page is hidden now.
  if (our_page_id && (await findDisplayName(db, our_page_id)) === name) return our_page_id;
  const page = await findOurPage(db, { name });
  if (!page) throw refuse('ourPageNotFound', { name });
  return page.account_id;
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
