import type { z } from 'zod';
import type { Block } from '../../../contract/block.ts';
import type { SiteConfigurationResponse } from '../../../contract/site.ts';

export type { Block };

/** A site as it is edited. */
export type Site = Omit<z.infer<typeof SiteConfigurationResponse>['site'], 'themes'> & {
  blocks: Block[];
};
