const sdk = require('@nameplate/client');
const { inspect } = require('node:util');

void import('./exercise.mjs').then(({ exercise }) =>
  exercise(sdk, { ...JSON.parse(process.env.EXERCISE), inspect }),
);
