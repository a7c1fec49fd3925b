import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const compiler = `${root}node_modules/.bin/tsc`;

/** Mistakes in one statement each, and a part of the compiler's message. */
const MISTAKES: [mistake: string, code: string, message: string][] = [
  [
    'a misspelled field',
    `await update({ blocks: [{ type: 'link', url: 'https://example.com', titel: 'Shop' }] });`,
    `'titel' does not exist in type 'LinkBlockUpdate'. Did you mean to write 'title'?`,
  ],
  [
    'a misspelled kind',
    `await update({ blocks: [{ type: 'lnk', url: 'https://example.com' }] });`,
    `Type '"lnk"' is not assignable to type`,
  ],
  [
    'a missing field',
    `await update({ blocks: [{ type: 'link', title: 'Shop' }] });`,
    `Property 'url' is missing in type '{ type: "link"; title: string; }' but required in type 'LinkBlockUpdate'.`,
  ],
  [
    'a field of another kind',
    `await update({ blocks: [{ type: 'text', content: 'Hello!', caption: 'Mugs' }] });`,
    `'caption' does not exist in type 'TextBlockUpdate'.`,
  ],
  [
    'a value of another type',
    `await update({ blocks: [{ type: 'metric', project: 'p', days: '30' }] });`,
    `Type 'string' is not assignable to type 'number'.`,
  ],
  [
    'reading a misspelled field',
    `for (const block of blocks) if (block.type === 'link') console.log(block.titel);`,
    `Property 'titel' does not exist on type 'LinkBlock'. Did you mean 'title'?`,
  ],
  [
    'comparing with a misspelled kind',
    `for (const block of blocks) if (block.type === 'lnk') console.log(block);`,
    `and '"lnk"' have no overlap.`,
  ],
  [
    'a misspelled error code',
    `if (error instanceof APIError && error.code === 'displayNameTakn') console.log(error);`,
    `have no overlap`,
  ],
  [
    'an empty chat message',
    `await hooks.sendChatWebhook({ webhookUrl: 'https://discord.com', payload: {} });`,
    `Type '{}' is not assignable to type 'ChatMessage'.`,
  ],
  [
    'a misspelled value of a block',
    `await update({ blocks: [{ type: 'link', url: 'https://example.com', size: 'thrid' }] });`,
    `Type '"thrid"' is not assignable to type`,
  ],
];

const CORRECT = `
await update({ blocks: [...blocks, { type: 'link', url: 'https://example.com', title: 'Shop' }] });
await update({ blocks: blocks.filter(({ type }) => type !== 'divider') });
await update({
  blocks: blocks.map((block) => (block.type === 'link' ? { ...block, title: 'Shop' } : block)),
});
await update({ blocks: [{ type: otherKind('poll'), answers: ['Tea', 'Coffee'] }] });
const links: BlockUpdate[] = ['a', 'b'].map((url) => ({ type: 'link', url }));
await update({ blocks: links });
await update({ ...(await site.getSiteConfiguration()).site, theme_id: themes.ember });
await owner.keys.createKey({ label: 'Shop', scope: 'read' });
const embeds = [{ title: 'Open studio' }];
await hooks.sendChatWebhook({ webhookUrl: 'https://discord.com', payload: { embeds } });
if (error instanceof APIError && error.code === 'displayNameTaken') console.log(error.field);
for (const block of blocks) {
  if (block.type === 'link') console.log(block.url.length, block.title);
  else if (block.type === otherKind('poll')) console.log(block['answers']);
  else if (block.type === otherKind('album')) console.log(block['covers']);
}
`;

const HEADER = `import { APIError, type BlockUpdate, Nameplate, otherKind, themes } from '${root}client/src/index.ts';
import { ownerOf } from '${root}client/src/owner.ts';
const client = new Nameplate();
const { hooks, site } = client;
const owner = ownerOf(client);
const error: unknown = undefined;
const update: typeof site.updateSiteConfiguration = (body) => site.updateSiteConfiguration(body);
const { blocks } = await site.getSiteConfiguration();
`;

describe('the compiler', () => {
  const folder = mkdtempSync(join(tmpdir(), 'type-errors-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const messages = new Map<string, string>();
  beforeAll(() => {
    const programs = { ...Object.fromEntries(MISTAKES.map(([, code], i) => [i, code])), CORRECT };
    for (const [name, code] of Object.entries(programs))
      writeFileSync(`${folder}/${name}.mts`, HEADER + code);
    const compilerOptions = { rootDir: '/', typeRoots: [`${root}node_modules/@types`] };
    const config = {
      extends: `${root}tsconfig.json`,
      compilerOptions,
      include: ['.'],
      exclude: [],
    };
    writeFileSync(`${folder}/tsconfig.json`, JSON.stringify(config));
    const { stdout } = spawnSync(compiler, ['-p', folder, '--pretty', 'false'], { cwd: folder });
    for (const [, name = '', message = ''] of String(stdout).matchAll(
      /^(\w+)\.mts\(\d+,\d+\): (error .*(?:\n .*)*)/gm,
    ))
      messages.set(name, (messages.get(name) ?? '') + message);
  });

  it.each(MISTAKES.map((mistake, index) => [...mistake, index] as const))(
    'names %s',
    (_mistake, _code, message, index) => {
      expect(messages.get(String(index))).toContain(message);
    },
  );

  it('accepts correct programs', () => {
    expect(messages.get('CORRECT')).toBeUndefined();
  });
});
