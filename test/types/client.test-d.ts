import { APIError, type BlockUpdate, Nameplate, otherKind, themes } from '#client/index.ts';
import { ownerOf } from '#client/owner.ts';

// The compiler checks this file: each line below a @ts-expect-error must not compile.

const client = new Nameplate();
const { hooks, site } = client;
declare const error: unknown;
const update: typeof site.updateSiteConfiguration = (body) => site.updateSiteConfiguration(body);
const { blocks } = await site.getSiteConfiguration();
const url = 'https://example.com';

// @ts-expect-error: a misspelled field
await update({ blocks: [{ type: 'link', url, titel: 'Shop' }] });
// @ts-expect-error: a misspelled kind
await update({ blocks: [{ type: 'lnk', url }] });
// @ts-expect-error: a missing field
await update({ blocks: [{ type: 'link', title: 'Shop' }] });
// @ts-expect-error: a field of another kind
await update({ blocks: [{ type: 'text', content: 'Hello!', caption: 'Mugs' }] });
// @ts-expect-error: a value of another type
await update({ blocks: [{ type: 'metric', project: 'p', days: '30' }] });
// @ts-expect-error: a misspelled value
await update({ blocks: [{ type: 'link', url, size: 'thrid' }] });
// @ts-expect-error: reading a misspelled field
for (const block of blocks) if (block.type === 'link') console.log(block.titel);
// @ts-expect-error: comparing with a misspelled kind
void ('lnk' satisfies (typeof blocks)[0]['type']);
// @ts-expect-error: a misspelled error code
void ('displayNameTakn' satisfies APIError['code']);
// @ts-expect-error: an empty chat message
await hooks.sendChatWebhook({ webhookUrl: 'https://discord.com', payload: {} });

await update({ blocks: [...blocks, { type: 'link', url, title: 'Shop' }] });
await update({ blocks: blocks.filter(({ type }) => type !== 'divider') });
await update({
  blocks: blocks.map((block) => (block.type === 'link' ? { ...block, title: 'Shop' } : block)),
});
await update({ blocks: [{ type: otherKind('poll'), answers: ['Tea', 'Coffee'] }] });
const links: BlockUpdate[] = ['a', 'b'].map((address) => ({ type: 'link', url: address }));
await update({ blocks: links });
await update({ ...(await site.getSiteConfiguration()).site, theme_id: themes.ember });
await ownerOf(client).keys.createKey({ label: 'Shop', scope: 'read' });
const embeds = [{ title: 'Open studio' }];
await hooks.sendChatWebhook({ webhookUrl: 'https://discord.com', payload: { embeds } });
if (error instanceof APIError && error.code === 'displayNameTaken') console.log(error.field);
for (const block of blocks) {
  if (block.type === 'link') console.log(block.url.length, block.title);
  else if (block.type === otherKind('poll')) console.log(block['answers']);
  else if (block.type === otherKind('album')) console.log(block['covers']);
}
