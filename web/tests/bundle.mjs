// Modules of the page for tests in node: TypeScript bundled by esbuild into one module in memory. Without esbuild a test is skipped: code 77.
const esbuild = await import('esbuild').catch(() => null);
if (esbuild === null) {
  process.stdout.write('Skipped: no web/node_modules\n');
  process.exit(process.env.NODE_TEST_CONTEXT ? 0 : 77);
}

export async function load(path) {
  const made = await esbuild.build({entryPoints: [path], bundle: true, write: false, format: 'esm', platform: 'neutral', target: 'es2022', logLevel: 'silent'});
  return import('data:text/javascript;base64,' + Buffer.from(made.outputFiles[0].contents).toString('base64'));
}
