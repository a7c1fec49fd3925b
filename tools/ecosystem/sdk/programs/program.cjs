const sdk = require('@nameplate/client');
const { inspect } = require('node:util');

void import('./use-client.mjs').then(({ useClient }) =>
  useClient(sdk, { ...JSON.parse(process.env.SDK_CHECK_SETTINGS), inspect }),
);
