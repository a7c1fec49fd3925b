import { expect, it } from 'vitest';
import { describeUserAgent } from '#dashboard/components/user-agent.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = 'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';

it.each([
  ['Safari on iPhone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`],
  ['Chrome on iPhone', `${IPHONE} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`],
  ['Firefox on iPhone', `${IPHONE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`],
  ['Edge on iPhone', `${IPHONE} Version/18.0 EdgiOS/142.0.3595.53 Mobile/15E148 Safari/604.1`],
  ['Opera on iPhone', `${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1 OPT/6.1.0`],
  ['Chrome on Android', `${ANDROID} Chrome/142.0.0.0 Mobile Safari/537.36`],
  ['Edge on Android', `${ANDROID} Chrome/142.0.0.0 Mobile Safari/537.36 EdgA/142.0.0.0`],
  ['Opera on Android', `${ANDROID} Chrome/142.0.0.0 Mobile Safari/537.36 OPR/92.0.0.0`],
  [
    'Samsung Internet on Android',
    `${ANDROID} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
  ],
  ['Edge on Windows', `${WINDOWS} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`],
  ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
  ['curl', 'curl/8.14.1'],
])('%s is recognized by its User-Agent header', (name, userAgent) => {
  expect(describeUserAgent(userAgent)).toBe(name);
});
