// Plain JavaScript: it runs before anything that an older Node cannot read.
if (!process.features.typescript) {
  console.error(
    'Nameplate needs Node 22.18 or newer. `npm ci` brings one unless it may run no scripts; `npm rebuild` brings it later.',
  );
  process.exit(1);
}
