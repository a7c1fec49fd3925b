import type { LightMyRequestResponse } from 'fastify';
import type { UpdateSiteConfigurationRequest } from '#client/index.ts';
import type { TestAccount, TestApp } from './test-app.ts';

export const BROWSER_USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

let pageCount = 0;

/** Gives an account a display name and a visible page. */
export async function publishPage(
  { client }: Pick<TestAccount, 'client'>,
  name: string,
  site?: UpdateSiteConfigurationRequest,
): Promise<void> {
  await client.account.updateDisplayName({ display_name: name });
  if (site) await client.site.updateSiteConfiguration(site);
  await client.site.toggleSiteVisibility();
}

/** Creates an account with a visible page, by default under a new name. */
export async function createPage(
  server: Pick<TestApp, 'createAccount'>,
  site?: UpdateSiteConfigurationRequest,
  name = `potter-${(pageCount += 1)}`,
) {
  const account = await server.createAccount();
  await publishPage(account, name, site);
  return { account, name };
}

/** The part of a response that is the same for each request. */
export function toComparable({ statusCode, headers, rawPayload }: LightMyRequestResponse) {
  const { 'x-request-id': _id, date: _date, ...rest } = headers;
  return { status: statusCode, headers: rest, body: rawPayload };
}
