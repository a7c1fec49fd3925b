import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';
import { sharedChromium } from './support/chromium.ts';

const { server, account } = useServer({ account: true, mailEnabled: true });
let base: string;
beforeAll(async () => {
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const { client, id } = account;
  await client.account.updateDisplayName({ display_name: 'jane-doe' });
  await client.site.toggleSiteVisibility();
  await client.site.updateSiteConfiguration({ blocks: [{ type: 'contact_form' }] });
  await sql`INSERT INTO forwarding_settings (account_id, forwarding_email, forwarding_confirmed)
    VALUES (${id}, 'owner@inbox.example.net', true)
    ON CONFLICT (account_id) DO UPDATE SET forwarding_email = excluded.forwarding_email,
      forwarding_confirmed = true`.execute(server.database.db);
});

it('a visitor without scripts sends a message, corrects a mistake, and goes back', async () => {
  const browser = await sharedChromium();
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(`${base}/@jane-doe`);
  await page.getByLabel('Your email address').fill('ann@visitor');
  await page.getByLabel('Message').fill('Two mugs,\nplease.');
  // Browsers accept addresses without a dot.
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('alert').getByText('Enter your whole email address.').waitFor();
  expect(await page.getByLabel('Message').inputValue()).toBe('Two mugs,\nplease.');
  await page.getByLabel('Your email address').fill('ann@visitor.example');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByRole('heading', { name: 'Sent' }).waitFor();
  await page.getByText('Two mugs, please.').waitFor();
  await page.getByRole('link', { name: 'Back to the page' }).click();
  await page.getByRole('heading', { name: 'jane-doe' }).waitFor();
  const { rows } = await sql`SELECT FROM pgboss.job
    WHERE data->>'kind' = 'message' AND data->>'accountId' = ${account.id}`.execute(
    server.database.db,
  );
  expect(rows).toHaveLength(1);
  await page.close();
});
