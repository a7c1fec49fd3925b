import type { FastifyInstance } from 'fastify';
import { BRAND_ICONS, type BrandIcon } from '#contract/shared/icons.ts';
import drawings from '#page/icons/drawings.json' with { type: 'json' };
import { securityHeaders } from '#server/platform/http/responses/headers.ts';
import { PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { createRefuser } from '#server/platform/refusal.ts';

const refuse = createRefuser(PAGE_REFUSALS);
const HEADERS = { 'cache-control': 'public, max-age=86400', ...securityHeaders() };
/** `--sunk` of the dashboard, in light and in dark. */
const BACKGROUNDS = ['#f1efea', '#262724'] as const;
/** Low, because the icons are decorative and should keep the color that people know. */
const MIN_CONTRAST = 2;
/** Logos in black have no color to keep. Services show them almost white on dark backgrounds. */
const BLACK = /^#(?:[0-3].){3}$/;
const MIN_BLACK_CONTRAST = 9;

export function registerIconRoutes(server: FastifyInstance): void {
  server.get<{ Params: { file: string } }>('/dashboard/icons/:file', async (request, reply) => {
    const [name, extension] = request.params.file.split('.') as [BrandIcon, string?];
    if (!Object.hasOwn(BRAND_ICONS, name) || extension !== 'svg') throw refuse('assetNotFound');
    const { readableColor } = await import('#page/design/colors.ts');
    const color = drawings.colors[name];
    const minContrast = BLACK.test(color) ? MIN_BLACK_CONTRAST : MIN_CONTRAST;
    const colors = BACKGROUNDS.map((background) => readableColor(color, [background], minContrast));
    return reply
      .headers(HEADERS)
      .type('image/svg+xml')
      .send(
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" style="color-scheme:light dark;color:light-dark(${colors.join()});fill:currentcolor">${drawings.brands[name]}</svg>`,
      );
  });
}
