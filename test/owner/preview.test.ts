import { expect, it } from 'vitest';
import { UpdateSiteConfigurationRequest } from '#contract/site.ts';
import { previewPage } from '#server/features/sites/preview.ts';
import { SUCCESS, FULL_SITE, readSite, updateSite } from '../endpoints/support/site.ts';
import { readBlockExamples } from '../pages/support/block-examples.ts';
import { eventually } from '../support/eventually.ts';
import { createPage } from '../support/publish-page.ts';
import type { TestAccount } from '../support/test-app.ts';
import { useServer } from '../support/use-server.ts';

const ORIGIN = 'https://example.org';

const ABUSE_CONTACT = 'abuse@example.org';
const { server } = useServer({ PUBLIC_URL: ORIGIN, ABUSE_CONTACT, mailEnabled: true });

async function renderPreview({ id }: TestAccount, change: unknown): Promise<string> {
  const { html } = await previewPage(server.db, server.nameplate, {
    accountId: id,
    update: UpdateSiteConfigurationRequest.parse(change),
  });
  return html;
}

it("a preview shows one field's number even while another's is being queried", async () => {
  const account = await server.createAccount();
  const project = await server.createProject(account);
  await account.client.stats.ingestMetrics({ projectId: project, payload: { a: 17, b: 42 } });
  const previewMetric = (field: string) =>
    renderPreview(account, { blocks: [{ type: 'metric', project, field, aggregate: 'sum' }] });
  const [first, second] = await Promise.all([previewMetric('a'), previewMetric('b')]);
  expect(first).toMatch(/>17</);
  expect(second).toMatch(/>42</);
});

it('a preview equals the page after the change, byte for byte', async () => {
  const site = { bio: 'Potter in Lisbon.', theme_id: FULL_SITE.theme_id };
  const { account } = await createPage(server, site, 'jane-doe');
  const project = await server.createProject(account);
  await account.client.stats.ingestMetrics({ projectId: project, payload: { visitors: 42 } });
  // A page waits only briefly for a number that is not cached.
  await updateSite(account, { blocks: [{ type: 'metric', project, field: 'visitors' }] });
  await eventually(
    () => server.app.inject('/@jane-doe'),
    ({ body }) => body.includes('<b>42</b>'),
  );
  const examples = readBlockExamples().flatMap(({ blocks }) => blocks);
  const requests = [
    { mood: '🌞', display_name: "Jane's <pots>", avatar_url: 'https://example.com/a.png' },
    {
      theme_id: '',
      custom_theme: { background_color: '#101418', font_family: 'Lora' },
      avatar_url: '',
      blocks: [
        // Countdowns and events depend on the current time.
        ...examples.filter(({ type }) => type !== 'countdown' && type !== 'event'),
        { type: 'text', content: 'Not yet.', enabled: false },
        { type: 'metric', project, field: 'visitors' },
      ],
    },
  ];
  for (const request of requests) {
    const before = await readSite(account);
    const previewHtml = await renderPreview(account, request);
    expect(await readSite(account)).toEqual(before);
    expect(await updateSite(account, request)).toEqual(SUCCESS);
    const page = await server.app.inject('/@jane-doe');
    // The preview has no ping URLs, because its clicks are not counted.
    expect(page.body.replaceAll(' ping="/@jane-doe/click"', '')).toBe(previewHtml);
  }
  expect(await renderPreview(account, {})).toContain('<b>42</b>');
});

it('a preview works without a display name or a site, and shows no data of others', async () => {
  const [account, otherAccount] = [await server.createAccount(), await server.createAccount()];
  const project = await server.createProject(otherAccount, 'Theirs');
  const metric = { projectId: project, payload: { visitors: 42 } };
  await otherAccount.client.stats.ingestMetrics(metric);
  const previewHtml = await renderPreview(account, { blocks: [{ type: 'metric', project }] });
  expect(previewHtml).toContain('<h1 class="p-name" dir="auto">your-name</h1>');
  expect(previewHtml).not.toContain('<section');
});
