import type { page } from '#contract/owner/page.ts';
import { utcDay } from '#contract/shared/durations.ts';
import type { PageVisibility } from '#contract/shared/page-visibility.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { lockAccount, requireAccount } from '#db/queries/accounts.ts';
import { findInstance } from '#db/queries/instance.ts';
import { listPageViews } from '#db/queries/page-visits.ts';
import { findPageSuspensionReason } from '#db/queries/public-sites.ts';
import { findSiteVersion, listSiteVersions } from '#db/queries/site-versions.ts';
import {
  findPageVisibility,
  findSiteChoices,
  findSiteConfiguration,
  saveSiteChoices,
  setPageVisibility,
} from '#db/queries/sites.ts';
import type { PageColors, Palette } from '#page/design/palette.ts';
import type { Core } from '#server/core.ts';
import { credentialId } from '#server/platform/caller.ts';
import type { Handlers } from '#server/platform/http/contract/register-contract.ts';
import { serializeTimes } from '#server/platform/http/responses/serialize-times.ts';
import { retryAfter } from '#server/platform/limits/allowances/retry-after.ts';
import type { AllFeatures } from '../define-feature.ts';
import { logEvent } from '../events/log-event.ts';
import type { React } from '../facts.ts';
import type { PageMetrics } from '../metrics/page-metrics.ts';
import { countImport, importPage } from '../page-import/page-import.ts';
import { requireTheme } from './change-site.ts';
import { listThemes } from './club-theme.ts';
import { listedFromOf } from './listed-from.ts';
import { afterSave, restoreSite, saveSite } from './save-site.ts';
import { serializeSite } from './site-response.ts';

type SiteServices = Core & {
  covers?: object | undefined;
  features: AllFeatures;
  metrics: PageMetrics;
  react: React;
};

/** In text, HTML and JSON, but not in the address of a page. */
const CONTENT = /[\s<"]/;

export function pageRoutes(app: SiteServices): Handlers<typeof page> {
  const { config } = app;
  return {
    listPageVersions: async ({ accountId, readDb }) => {
      const versions = await listSiteVersions(readDb, accountId);
      return { versions: versions.map(serializeTimes) };
    },

    getPageVersion: async ({ accountId, readDb, query, refuse }) => {
      const storedVersion = await findSiteVersion(readDb, accountId, query.version);
      if (!storedVersion && query.version !== undefined)
        throw refuse('versionNotFound', { version: query.version });
      const configuration = storedVersion ?? (await findSiteConfiguration(readDb, accountId));
      const site = serializeSite(configuration, await listThemes(app));
      return { version: storedVersion?.version ?? 0, ...site };
    },

    updatePage: async ({ accountId, credential, db, body: { version, ...update } }) => {
      const newestVersion = await saveSite(db, accountId, { version, update });
      if (newestVersion !== version)
        await afterSave(db, app, { accountId, by: credentialId(credential) });
      return { success: true, version: newestVersion };
    },

    restorePageVersion: async ({ accountId, credential, db, body }) => {
      const { newestVersion, isChanged } = await restoreSite(db, accountId, body.version);
      if (isChanged) await afterSave(db, app, { accountId, by: credentialId(credential) });
      return { success: true, version: newestVersion };
    },

    getPageVisibility: async ({ accountId, readDb }) => {
      if ((await findPageSuspensionReason(readDb, accountId)) !== null)
        return { visible: false, members: false };
      return serializeVisibility(await findPageVisibility(readDb, accountId));
    },

    updatePageVisibility: async ({ accountId, credential, db, body, refuse }) => {
      const visibility = body.visible ? 'public' : body.members ? 'members' : 'hidden';
      if (visibility === 'members' && config.PAGES_URL !== undefined)
        throw refuse('membersPageUnavailable');
      await lockAccount(db, accountId);
      if (visibility !== 'hidden' && (await findPageSuspensionReason(db, accountId)) !== null)
        throw refuse('pageSuspended');
      const { visible: enabled, members } = serializeVisibility(visibility);
      if (await setPageVisibility(db, accountId, visibility)) {
        const detail = { enabled, members, by: credentialId(credential) };
        await logEvent(db, app, { accountId, type: 'page_visibility_changed', detail });
      }
      return { visible: enabled, members };
    },

    getFrontPage: ({ accountId, readDb }) => readFrontPage(app, readDb, accountId),

    updateFrontPage: async ({ accountId, db, body: { visible } }) => {
      await saveSiteChoices(db, accountId, { on_front_page: visible });
      return { visible };
    },

    getPageViews: async ({ accountId, readDb, query }) => {
      const [days, { created_at }] = await Promise.all([
        listPageViews(readDb, accountId, { until: utcDay(), days: query.days }),
        requireAccount(readDb, accountId),
      ]);
      const from = listedFromOf(created_at, config);
      const listed_from = from > new Date() ? from.toISOString() : null;
      return { days, listed_from };
    },

    previewPage: async ({ accountId, readDb, body }) => {
      await requireTheme(readDb, accountId, body);
      const { previewPage } = await import('./preview.ts');
      const { html, colors } = await previewPage(readDb, app, { accountId, update: body });
      return { html, colors: serializeColors(colors) };
    },

    importPage: async ({ accountId, body, refuse }) => {
      const source = body.source.trim();
      if (!CONTENT.test(source)) throw refuse('sourceIsAddress');
      const waitMs = countImport(accountId);
      if (waitMs !== undefined) throw refuse('importRateLimited', retryAfter(waitMs));
      const importedPage = await importPage(source);
      if (!importedPage) throw refuse('sourceUnreadable');
      return importedPage;
    },
  };
}

async function readFrontPage(
  { config }: Pick<Core, 'config'>,
  readDb: ReadDatabase,
  accountId: string,
) {
  const { on_front_page: visible } = await findSiteChoices(readDb, accountId);
  const instance = await findInstance(readDb);
  const available = config.HOME_URL === undefined || instance.directory !== 'off';
  return { visible, available };
}

function serializeVisibility(visibility: PageVisibility) {
  return { visible: visibility === 'public', members: visibility === 'members' };
}

function serializeColors(colors: PageColors) {
  const { light, dark } =
    'single' in colors ? { light: colors.single, dark: colors.single } : colors;
  return { light: serializePalette(light.normal), dark: serializePalette(dark.normal) };
}

function serializePalette({ bg, ink, button, text, accent }: Palette) {
  return {
    background_color: bg,
    primary_color: ink,
    button_color: button,
    text_color: text,
    accent_color: accent,
  };
}
