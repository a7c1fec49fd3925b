import { DEFAULT_INSTANCE_NAME, type LegalDocument, legalUrls } from '#contract/shared/instance.ts';
import { type PlateColors, plateColors } from '#contract/shared/plate-colors.ts';
import type { ReadDatabase } from '#db/connections/handles.ts';
import { EMPTY_INSTANCE, findInstance, type InstanceRow } from '#db/queries/instance.ts';
import type { Html } from '#page/html/html.ts';
import type { PageInstance } from '#page/render-site.ts';

/** How long a change on another server may stay unseen. */
const CACHE_TTL_MS = 3_000;

export interface Instance extends InstanceRow {
  displayName: string;
  /** Undefined for the default colors. */
  plate: PlateColors | undefined;
  welcomeHtml: Html | undefined;
  legalHtml: Record<LegalDocument, Html | undefined>;
}

/** The identity of the installation, cached, so that pages need no query of their own. */
export class InstanceStore {
  readonly #readDb: ReadDatabase;
  #current: Instance = { ...EMPTY_INSTANCE, ...NO_DERIVED_FIELDS };
  #version = 0;
  #checkedAt = -Infinity;
  #refreshing: Promise<void> | undefined;

  constructor(readDb: ReadDatabase) {
    this.#readDb = readDb;
  }

  get current(): Instance {
    return this.#current;
  }

  /** Increases whenever the identity changes. */
  get version(): number {
    return this.#version;
  }

  /** Keeps the cached identity if the database fails. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#checkedAt < CACHE_TTL_MS) return;
    this.#refreshing ??= findInstance(this.#readDb)
      .then((row) => this.set(row))
      .catch(() => undefined)
      .finally(() => {
        this.#checkedAt = performance.now();
        this.#refreshing = undefined;
      });
    await this.#refreshing;
  }

  async set(row: InstanceRow): Promise<void> {
    const isChanged = Object.entries(row).some(
      ([field, value]) => this.#current[field as keyof InstanceRow] !== value,
    );
    if (isChanged) {
      this.#current = await createInstance(row);
      this.#version += 1;
    }
    this.#checkedAt = performance.now();
  }
}

const NO_DERIVED_FIELDS = {
  displayName: DEFAULT_INSTANCE_NAME,
  plate: undefined,
  welcomeHtml: undefined,
  legalHtml: { imprint: undefined, privacy: undefined, terms: undefined },
};

/** Loads Markdown only if it is needed, so that the server starts fast. */
export async function createInstance(row: InstanceRow): Promise<Instance> {
  const { welcome, imprint, privacy, terms } = row;
  const instance = {
    ...row,
    ...NO_DERIVED_FIELDS,
    displayName: row.name ?? DEFAULT_INSTANCE_NAME,
    plate: row.color === null ? undefined : plateColors(row.color),
  };
  if (!(welcome ?? imprint ?? privacy ?? terms)) return instance;
  const { renderDocument } = await import('#page/html/markdown.ts');
  const render = (text: string | null) => (text === null ? undefined : renderDocument(text));
  return {
    ...instance,
    welcomeHtml: render(welcome),
    legalHtml: { imprint: render(imprint), privacy: render(privacy), terms: render(terms) },
  };
}

/** Returns the data for the footers of members' pages; undefined if there is none. */
export function toPageInstance(instance: Instance, homeOrigin: string): PageInstance | undefined {
  const { name } = instance;
  const { imprint_url: imprintUrl, privacy_url: privacyUrl } = legalUrls(instance, homeOrigin);
  if (name === null && imprintUrl === null && privacyUrl === null) return undefined;
  return { name, homeUrl: `${homeOrigin}/`, imprintUrl, privacyUrl };
}
