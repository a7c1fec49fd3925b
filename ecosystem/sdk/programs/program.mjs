import * as sdk from '@nameplate/client';
import { env } from 'node:process';
import { inspect } from 'node:util';
import { exercise } from './exercise.mjs';

await exercise(sdk, { ...JSON.parse(env.EXERCISE), inspect });
