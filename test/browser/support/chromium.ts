import { type Browser, chromium } from 'playwright-core';

/** Debian's headless Chromium. It resolves no host but this machine, and calls nobody by itself. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
    ],
  });
  // Long, so that tests fail only if they hang, not because the machine is busy.
  browser.on('context', (context) => context.setDefaultTimeout(120_000));
  return browser;
}

let sharedBrowser: Promise<Browser> | undefined;

/** One browser for all test files in this process. Each test closes its contexts. */
export function sharedChromium(): Promise<Browser> {
  return (sharedBrowser ??= launchChromium());
}
