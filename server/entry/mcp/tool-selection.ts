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

  listTools(caller: Pick<Caller, 'scope' | 'moreScopes'>): Tool[] {
    return [...this.#operations.values()]
      .filter((operation) => this.has(operation) && mayCallerCall(caller, operation.route))
      .map(({ tool }) => tool);
  }
}

export function listAreas(operations: Operations): string[] {
  return [...new Set([...operations.values()].map(({ area }) => area))];
}

/** Says what replaced a removed tool or area, else suggests a similar name. */
export function explainUnknownTool(name: string, names: readonly string[]): string {
  const removal = removalOf(name.replace('_', '.'));
  return removal === undefined ? didYouMean(name, names) : ` ${removal}`;
}
