// The SQLite binding kills the process without a word below Node-API 10, which 22.12 still has:
// the level is tested, not the version.
if (Number(process.versions.napi ?? 0) < 10) {
  console.error(
    `Palimpsest needs Node.js 22.14 or newer (Node-API 10); this is ${process.version}. ` +
      'Run "npm ci" without --omit=optional to get the pinned Node, or install a newer one.',
  );
  process.exitCode = 2;
}
