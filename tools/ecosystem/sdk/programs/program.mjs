import * as sdk from '@nameplate/client';
import { env } from 'node:process';
import { inspect } from 'node:util';
import { useClient } from './use-client.mjs';

await useClient(sdk, { ...JSON.parse(env.SDK_CHECK_SETTINGS), inspect });
