/** Common typos and the intended domain. Some typo domains exist to collect misdirected mail. */
export const MISSPELLED_DOMAINS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'gmial.com': 'gmail.com',
    'gmai.com': 'gmail.com',
    'gamil.com': 'gmail.com',
    'gnail.com': 'gmail.com',
    'gmail.con': 'gmail.com',
    'googlemial.com': 'googlemail.com',
    'gmx.dee': 'gmx.de',
    'hotmial.com': 'hotmail.com',
    'hotmai.com': 'hotmail.com',
    'hotmail.con': 'hotmail.com',
    'outlok.com': 'outlook.com',
    'outlook.con': 'outlook.com',
    'yahooo.com': 'yahoo.com',
    'yahoo.con': 'yahoo.com',
    't-onlin.de': 't-online.de',
  }),
);
