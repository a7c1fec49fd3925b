// Plain JavaScript: it runs before anything that an older Node cannot read.
if (!process.features.typescript || typeof AsyncDisposableStack === 'undefined') {
  console.error(
    'Nameplate needs Node 24 or newer. `npm ci` brings one unless it is told to omit optional packages or scripts.',
  );
  process.exit(1);
}
