import { type DefaultTreeAdapterTypes as Tree, parse } from 'parse5';
import type { Block } from '#contract/block.ts';
import type { PageSettings } from '#contract/shared/page-settings-block.ts';
import { mapSiteTexts } from '#contract/shared/site-fields.ts';
import type { MessageResponse, PublicSite } from '#page/public-site.ts';
import { renderShare } from '#page/render-share.ts';
import { renderSite } from '#page/render-site.ts';

const ID = '0b7c2f4e-2f6a-4b3e-8c7d-5a1e9d3f6b20';

export const RENDER_CONTEXT = {
  url: 'https://example.org/@jane-doe',
  now: new Date('2026-11-20T12:00:00Z'),
};

/** A site with only a display name. */
export const EMPTY_SITE: PublicSite = {
  name: 'jane-doe',
  ...mapSiteTexts(() => null),
  avatar_url: null,
  theme_id: null,
  custom_theme: null,
  settings: null,
  blocks: [],
  isTruncated: false,
  mailAddress: undefined,
  takesMessages: true,
  isNew: false,
  changedAt: new Map(),
  pageMetrics: new Map(),
};

/** Creates a stored block. All blocks have the same id. */
export function block(type: string, fields: Record<string, unknown> = {}): Block {
  return { id: ID, type, enabled: true, ...fields };
}

export function pageSettings(fields: object): PageSettings {
  return { id: ID, position: 0, fields: { ...fields } };
}

/** Renders a site and parses the document. */
export function renderPage(
  site: Partial<PublicSite>,
  abuseContact?: string,
  messageResponse?: MessageResponse,
): Page {
  const context = { ...RENDER_CONTEXT, messageResponse };
  const { html } = renderSite({ ...EMPTY_SITE, ...site }, context, { abuseContact });
  return new Page(html);
}

/** Renders the share page of a site. */
export function renderSharePage(site: Partial<PublicSite>, abuseContact?: string): Page {
  return new Page(renderShare({ ...EMPTY_SITE, ...site }, RENDER_CONTEXT, { abuseContact }).html);
}

/** A parsed HTML document. */
export class Page {
  readonly html: string;
  readonly elements: Tree.Element[];
  /** Code and line of each HTML parse error. */
  readonly parseErrors: string[] = [];

  constructor(html: string) {
    this.html = html;
    const document = parse(html, {
      onParseError: ({ code, startLine }) => void this.parseErrors.push(`${code} ${startLine}`),
    });
    this.elements = listElements(document);
  }

  findAll(name: string): Tree.Element[] {
    return this.elements.filter(({ tagName }) => tagName === name);
  }

  /** Text of the `main` element, with whitespace collapsed. */
  get text(): string {
    return readText(this.findAll('main')[0]!).replace(/\s+/g, ' ').trim();
  }
}

export function attribute(element: Tree.Element, name: string): string | undefined {
  return element.attrs.find((candidate) => candidate.name === name)?.value;
}

export function readText(node: Tree.Node): string {
  if (node.nodeName === '#text') return (node as Tree.TextNode).value;
  return 'childNodes' in node ? node.childNodes.map(readText).join('') : '';
}

function listElements(node: Tree.Node): Tree.Element[] {
  const descendants = 'childNodes' in node ? node.childNodes.flatMap(listElements) : [];
  return 'tagName' in node ? [node, ...descendants] : descendants;
}
