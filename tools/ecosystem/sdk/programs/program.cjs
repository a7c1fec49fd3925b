const sdk = require('@nameplate/client');
const webhooks = require('@nameplate/client/webhooks');
const { inspect } = require('node:util');

void import('./use-client.mjs').then(async ({ useClient, useWebhooks }) => {
  await useClient(sdk, { ...JSON.parse(process.env.SDK_CHECK_SETTINGS), inspect });
  await useWebhooks(webhooks);
});
