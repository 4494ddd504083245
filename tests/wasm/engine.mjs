// The engine as pages use it: web/shared/engine.ts bundled for node, and linsep.wasm.
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath, pathToFileURL} from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const modulePath = process.env['LINSEP_WASM'] ?? join(root, 'build', 'wasm', 'linsep.wasm');
export const program = process.env['LINSEP'] ?? join(root, 'build', 'release', 'linsep');

/** Ends the test as skipped. */
export function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(77);
}

/** web/shared/engine.ts as one script. */
export async function engineText() {
  const esbuild = join(root, 'web', 'node_modules', 'esbuild', 'lib', 'main.js');
  if (!existsSync(esbuild)) skip('web/node_modules is missing: `npm ci` in web/');
  const {buildSync} = (await import(pathToFileURL(esbuild))).default;
  const source = join(root, 'web', 'shared', 'engine.ts');
  const {outputFiles} = buildSync({entryPoints: [source], bundle: true, format: 'esm', write: false});
  return outputFiles[0].text;
}

/** {Engine, EngineError, bytes}. */
export async function loaded() {
  if (!existsSync(modulePath)) skip(`${modulePath} is missing: cmake --preset wasm && cmake --build --preset wasm`);
  const script = Buffer.from(await engineText()).toString('base64');
  return {...await import(`data:text/javascript;base64,${script}`), bytes: readFileSync(modulePath)};
}
