import { initContract } from '@ts-rest/core';
import { events } from './events.ts';
import { forwarding } from './forwarding.ts';
import { page } from './page.ts';
import { login, session } from './session.ts';

/** The endpoints of the owner contract that nobody is asked for a key or a session at. */
export const openContract = initContract().router({ session: login });

/** All others of the owner contract, by area: what an owner does beside the eleven endpoints. */
export const keyedContract = initContract().router({ session, page, events, forwarding });
