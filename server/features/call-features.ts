import { SETUP_CODES } from '#contract/owner/setup-finding.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import type { ArchiveFile } from '#server/platform/archive-file.ts';
import type { Translator } from '#translations/translator.ts';
import type { AllFeatures, Feature, Merged, RouteGroup } from './define-feature.ts';
import type { React } from './facts.ts';
import type { NewFinding } from './finding.ts';
import { FEATURES } from './index.ts';
import type { Services } from './services.ts';
import type { StoredState } from './setup/setup.ts';

export const ALL_FEATURES: readonly Feature<Services>[] = FEATURES;

export function createReact(app: Services): React {
  return async (trx, fact, detail) => {
    for (const { reactions } of app.features.list) await reactions?.[fact]?.(trx, app, detail);
  };
}

type FindingApp = Merged<
  (typeof FEATURES)[number] extends infer F
    ?
        | (F extends { findings: readonly ((app: infer App, ...rest: never) => unknown)[] }
            ? { merged: App }
            : never)
        | (F extends { toDo: readonly ((app: infer App, ...rest: never) => unknown)[] }
            ? { merged: App }
            : never)
    : never
>;

/** `nameplate check` has only these services. */
export async function listFeatureFindings(
  app: FindingApp,
  stored: StoredState | undefined,
  t: Translator,
  features = ALL_FEATURES,
): Promise<NewFinding[]> {
  const readers = features.flatMap(({ findings = [] }) => findings);
  const findings = await Promise.all(readers.map(async (read) => read(app as Services, stored, t)));
  return findings.filter((finding) => finding !== undefined);
}

/** The list of Home and of the badges in the menu, to which the setup adds. People come first. */
export async function listFeatureToDo(
  app: FindingApp,
  db: ReadDatabase,
  t: Translator,
  features = ALL_FEATURES,
): Promise<NewFinding[]> {
  const readers = features.flatMap(({ toDo = [] }) => toDo);
  const findings = await Promise.all(readers.map(async (read) => read(app as Services, db, t)));
  return findings
    .filter((finding) => finding !== undefined)
    .toSorted((a, b) => SETUP_CODES.indexOf(a.code) - SETUP_CODES.indexOf(b.code));
}

export function collectFeatures(app: Services, list: readonly Feature<Services>[]): AllFeatures {
  const declaredMails = list.flatMap((feature) => feature.mails ?? []);
  return {
    list,
    mails: new Map(declaredMails.map((mail) => [mail.kind, mail])),
    listToDo: (db, t) => listFeatureToDo(app, db, t, list),
    listFindings: (stored, t) => listFeatureFindings(app, stored, t, list),
    listExportFiles: async (db, account) => {
      const files: ArchiveFile[] = [];
      for (const { exportFiles } of list) files.push(...((await exportFiles?.(db, account)) ?? []));
      return files;
    },
  };
}

type HandlersOf<F, Group extends RouteGroup> = F extends { routes: Record<Group, infer Areas> }
  ? {
      merged: {
        [Area in keyof Areas]: Areas[Area] extends (app: never) => infer Created
          ? Created
          : Areas[Area];
      };
    }
  : never;

/** The compiler compares them with the contract. Several features can have handlers of one area. */
export function createRoutes<Group extends RouteGroup>(
  group: Group,
  app: Services,
): Merged<HandlersOf<(typeof FEATURES)[number], Group>> {
  const areas: Record<string, object> = {};
  for (const { routes } of app.features.list)
    for (const [area, handlers] of Object.entries(routes?.[group] ?? {})) {
      const created: object = typeof handlers === 'function' ? handlers(app) : handlers;
      for (const name of Object.keys(created))
        if (Object.hasOwn(areas[area] ?? {}, name)) throw new Error(`${area}.${name} exists twice`);
      areas[area] = { ...areas[area], ...created };
    }
  return areas as never;
}
