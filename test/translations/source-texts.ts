import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BLOCK_RULE_MESSAGES } from '#contract/block.ts';
import { EMBEDS_TOO_LONG_ERROR } from '#contract/chat-message.ts';
import { listRoutes } from '#contract/define-endpoints.ts';
import { contract } from '#contract/index.ts';
import { ownerContract } from '#contract/owner/index.ts';
import type { Refusals } from '#contract/refusal.ts';
import { ALERT_ERRORS } from '#server/features/alerts/alert-message.ts';
import { DELIVERY_ERRORS } from '#server/features/connections/send-delivery.ts';
import { DOMAIN_PROBLEMS } from '#server/features/domains/domain-problem.ts';
import { PROVIDER_ERRORS } from '#server/features/forwarding/forwarding-provider.ts';
import { NON_ENDPOINT_REFUSALS, PAGE_REFUSALS } from '#server/platform/http/responses/refusals.ts';
import { extractTexts } from '#translations/texts.ts';

const { internalError, urlInvalid, misdirectedRequest } = NON_ENDPOINT_REFUSALS;

const ROOT = new URL('../../', import.meta.url).pathname;

/** The English texts that files in some folders translate with `t`. */
export function readSourceTexts(folders: readonly string[]): Set<string> {
  return new Set(
    folders.flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) => extractTexts(readFileSync(join(ROOT, folder, file), 'utf8'))),
    ),
  );
}

/** All texts of `translations/`: those in the code, and the error messages of the contracts. */
export async function sourceTexts(): Promise<Iterable<string>> {
  const texts = readSourceTexts(['contract', 'dashboard', 'server']);
  const refusals: Refusals[] = [PAGE_REFUSALS, { internalError, urlInvalid, misdirectedRequest }];
  for (const endpoint of listRoutes(contract, ownerContract)) {
    if ('body' in endpoint) collectMessages(endpoint.body, texts);
    collectMessages(endpoint.query, texts);
    refusals.push(endpoint.metadata.sharedRefusals, endpoint.metadata.refusals);
  }
  for (const { message, field } of refusals.flatMap((area) => Object.values(area)))
    texts.add(message.replace(new RegExp(`^${field} `), '').replace(', or null.', '.'));
  for (const message of Object.values(BLOCK_RULE_MESSAGES)) texts.add(message);
  for (const messages of [DOMAIN_PROBLEMS, ALERT_ERRORS, DELIVERY_ERRORS, PROVIDER_ERRORS])
    for (const message of Object.values(messages)) texts.add(message);
  return texts.add(EMBEDS_TOO_LONG_ERROR);
}

/** Adds the messages of a zod schema, its fields and its checks. */
function collectMessages(value: unknown, texts: Set<string>, seen = new Set()): void {
  if (typeof value !== 'object' || value === null || seen.has(value)) return;
  seen.add(value);
  const { _zod: internals } = value as { _zod?: { def: object } };
  const definition = internals?.def ?? value;
  if ('error' in definition && typeof definition.error === 'function') {
    const message: unknown = definition.error({ code: 'custom' });
    if (typeof message === 'string') texts.add(message);
  }
  for (const part of Object.values(definition)) collectMessages(part, texts, seen);
}
