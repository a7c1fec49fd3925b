import { initContract } from '@ts-rest/core';
import { account } from './account.ts';
import { emailForwarding } from './email-forwarding.ts';
import { hooks } from './hooks.ts';
import { site } from './site.ts';
import { stats } from './stats.ts';

/** The public endpoints, by area. */
export const contract = initContract().router({ account, site, emailForwarding, stats, hooks });

export type { Block } from './block.ts';
export type { CustomTheme } from './custom-theme.ts';
