import { SETUP_CODES } from '#contract/owner/setup-finding.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import type { ArchiveFile } from '#server/platform/archive-file.ts';
import { type Config, ConfigError } from '#server/platform/settings/config.ts';
import { settingNameOf } from '#server/platform/settings/feature-settings.ts';
import { didYouMean } from '#server/platform/text/did-you-mean.ts';
import type { Translator } from '#translations/translator.ts';
import type { AllFeatures, Feature, Merged, RouteGroup } from './define-feature.ts';
import type { React } from './facts.ts';
import type { NewFinding } from './finding.ts';
import { FEATURES } from './index.ts';
import type { AllServices, Services } from './services.ts';
import type { StoredState } from './setup/stored-state.ts';

export const ALL_FEATURES: readonly Feature<AllServices>[] = FEATURES;

const INVALID = 'Invalid settings: FEATURES_OFF';

/** Throws a `ConfigError` unless all features that `FEATURES_OFF` names can be left out. */
export function listFeatures({
  FEATURES_OFF: off,
}: Pick<Config, 'FEATURES_OFF'>): readonly Feature<AllServices>[] {
  const settingName = ({ name }: Pick<Feature, 'name'>) => settingNameOf(name);
  const isOff = (feature: Pick<Feature, 'name'>) => off.includes(settingName(feature));
  for (const name of off) {
    const feature = ALL_FEATURES.find((known) => settingName(known) === name);
    const optional = ALL_FEATURES.filter((known) => known.optional).map(settingName);
    const advice = didYouMean(name, optional) || ` It may name ${optional.join(', ')}.`;
    if (!feature) throw new ConfigError(`${INVALID}: there is no feature ${name}.${advice}`);
    if (!feature.optional) throw new ConfigError(`${INVALID}: ${name} cannot be left out.`);
  }
  const on = ALL_FEATURES.filter((feature) => !isOff(feature));
  for (const feature of on) {
    const missing = feature.needs?.find(isOff);
    if (missing)
      throw new ConfigError(
        `${INVALID}: ${settingName(feature)} needs ${settingName(missing)}. Leave out both or neither.`,
      );
  }
  return on;
}

/** Areas of which each operation belongs to a feature that is off. */
export function listAreasOff(off: readonly string[]): string[] {
  const areasOf = (features: readonly Feature<AllServices>[]) =>
    features.flatMap(({ routes = {} }) => Object.values(routes).flatMap(Object.keys));
  const isOff = ({ name }: Pick<Feature, 'name'>) => off.includes(settingNameOf(name));
  const on = areasOf(ALL_FEATURES.filter((feature) => !isOff(feature)));
  return areasOf(ALL_FEATURES.filter(isOff)).filter((area) => !on.includes(area));
}

export function listFeaturesOff({ off }: Pick<AllFeatures, 'off'>) {
  return ALL_FEATURES.filter(({ name }) => off.some((other) => other === name));
}

/** Access ends, and a closed account loses its data, also in features that are off. */
export function createReact(app: Services): React {
  return async (trx, fact, detail) => {
    const features =
      fact === 'accountClosed' || fact === 'sessionsEnded' ? ALL_FEATURES : app.features.list;
    for (const { reactions } of features)
      await reactions?.[fact]?.(trx, app as AllServices, detail);
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
  const findings = await Promise.all(
    readers.map(async (read) => read(app as AllServices, stored, t)),
  );
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
  const findings = await Promise.all(readers.map(async (read) => read(app as AllServices, db, t)));
  return sortFindings(findings);
}

function sortFindings(findings: readonly (NewFinding | undefined)[]): NewFinding[] {
  return findings
    .filter((finding) => finding !== undefined)
    .toSorted((a, b) => SETUP_CODES.indexOf(a.code) - SETUP_CODES.indexOf(b.code));
}

export function collectFeatures(
  app: AllServices,
  list: readonly Feature<AllServices>[],
): AllFeatures {
  // Also those that waited in the queue when their feature was left out.
  const declaredMails = ALL_FEATURES.flatMap((feature) => feature.mails ?? []);
  return {
    list,
    off: FEATURES.flatMap((feature) =>
      'optional' in feature && !list.some(({ name }) => name === feature.name)
        ? [feature.name]
        : [],
    ),
    mails: new Map(declaredMails.map((mail) => [mail.kind, mail])),
    listToDo: (db, t) => listFeatureToDo(app, db, t, list),
    listOwnToDo: async (db, owner, t) => {
      const readers = list.flatMap(({ ownToDo = [] }) => ownToDo);
      return sortFindings(await Promise.all(readers.map(async (read) => read(db, owner, t))));
    },
    listFindings: (stored, t) => listFeatureFindings(app, stored, t, list),
    listExportFiles: async (db, account) => {
      const files: ArchiveFile[] = [];
      for (const { exportFiles } of ALL_FEATURES)
        files.push(...((await exportFiles?.(db, account)) ?? []));
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
  // Handlers are merged by area and name, as the type says. `registerContract` skips what is off.
  return areas as never;
}
