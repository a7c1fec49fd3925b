import { t } from '#dashboard/translate.ts';
/** An empty color is the default. White text is readable on all of them. */
export const ENAMELS = [
  ['', t('Bottle green')],
  ['#1f5b96', t('Harbor blue')],
  ['#b8322c', t('Signal red')],
  ['#7e2f35', t('Oxblood')],
  ['#6a3f86', t('Plum')],
  ['#14707d', t('Petrol')],
  ['#56616e', t('Slate')],
  ['#7a5236', t('Cocoa')],
  ['#33342f', t('Ink')],
] as const;
