import { env } from 'node:process';
import { inspect } from 'node:util';
import * as sdk from '@nameplate/client';
import * as webhooks from '@nameplate/client/webhooks';
import { useClient, useWebhooks } from './use-client.mjs';

await useClient(sdk, { ...JSON.parse(env.SDK_CHECK_SETTINGS), inspect });
await useWebhooks(webhooks);
