/** An empty color is the default. White text is readable on all of them. */
export const ENAMELS = [
  ['', 'Bottle green'],
  ['#1f5b96', 'Harbor blue'],
  ['#b8322c', 'Signal red'],
  ['#7e2f35', 'Oxblood'],
  ['#6a3f86', 'Plum'],
  ['#14707d', 'Petrol'],
  ['#56616e', 'Slate'],
  ['#7a5236', 'Cocoa'],
  ['#33342f', 'Ink'],
] as const;
