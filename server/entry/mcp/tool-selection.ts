import type { Tool } from '@modelcontextprotocol/server';
import { removalOf } from '#contract/removals.ts';
import { mayCallerCall } from '#contract/scope.ts';
import type { Caller } from '#server/platform/caller.ts';
import { didYouMean } from '#server/platform/text/did-you-mean.ts';
import type { Operation } from './operations.ts';

const DEFAULT_TOOLS: ReadonlySet<string> = new Set([
  'account_getDisplayName',
  'account_checkDisplayName',
  'account_updateDisplayName',
  'page_getPageVersion',
  'page_listPageVersions',
  'page_updatePage',
  'page_restorePageVersion',
  'page_updatePageVisibility',
  'page_importPage',
  'site_getSiteStatus',
  'pictures_listPictures',
  'visitors_queryVisitors',
  'emailForwarding_emailForwardingToggle',
  'forwarding_getForwarding',
  'stats_getProjects',
  'projects_createProject',
  'stats_ingestMetrics',
  'metrics_getMetricFields',
  'metrics_queryMetrics',
  'events_listEvents',
]);
const ALL = 'all';

export type ToolCaller = Pick<Caller, 'scope' | 'moreScopes' | 'credential'>;
type Operations = ReadonlyMap<string, Operation>;

/** The default tools, plus those added in the URL. */
export class ToolSelection {
  readonly #operations: Operations;
  readonly #added: ReadonlySet<string>;

  /** `query` is the `tools` parameter: comma-separated areas and tool names, or `all`. */
  constructor(operations: Operations, query: unknown) {
    this.#operations = operations;
    const names = [query ?? []].flat().join(',').split(',');
    this.#added = new Set(names.map((name) => name.trim()).filter((name) => name !== ''));
  }

  get unknownNames(): string[] {
    const areas = listAreas(this.#operations);
    return [...this.#added].filter(
      (name) => name !== ALL && !areas.includes(name) && !this.#operations.has(name),
    );
  }

  has({ name, area }: Operation): boolean {
    return [name, area, ALL].some((added) => this.#added.has(added)) || DEFAULT_TOOLS.has(name);
  }

  listTools(caller: ToolCaller): Tool[] {
    return [...this.#operations.values()]
      .filter((operation) => this.has(operation) && mayUse(caller, operation))
      .map(({ tool }) => tool);
  }
}

/** Connected apps cannot do what needs a recent login, or leave a key behind. */
function mayUse(caller: ToolCaller, { name, route }: Operation): boolean {
  const isForApps = !route.metadata.recentLogin && name !== 'keys_createKey';
  return mayCallerCall(caller, route) && (isForApps || caller.credential.kind !== 'grant');
}

export function listAreas(operations: Operations): string[] {
  return [...new Set([...operations.values()].map(({ area }) => area))];
}

/** Says what replaced a removed tool or area, else suggests a similar name. */
export function explainUnknownTool(name: string, names: readonly string[]): string {
  const removal = removalOf(name.replace('_', '.'));
  return removal === undefined ? didYouMean(name, names) : ` ${removal}`;
}
