import fc from 'fast-check';

// The same examples in every run. To try others, set FAST_CHECK_SEED.
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 1) });
