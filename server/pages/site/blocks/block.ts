import type { Fields } from '../fields.ts';
import type { Html } from '../html.ts';
import type { PublicSite, Showing } from '../public-site.ts';

/** Renders a block; undefined if it has nothing that can be shown. */
export type RenderBlock = (block: Fields, site: PublicSite, showing: Showing) => Html | undefined;
