// Bundles what linsep draws in a browser.
//
//   node web/build.mjs report OUT                    OUT/report.js, report.css, licences.txt and bundle.cc, which the program
//                                                    contains (src/picture/page/bundle.h)
//   node web/build.mjs playground OUT --wasm FILE    OUT/index.html, play.js, play.css, linsep.wasm: for a server
//   node web/build.mjs play OUT --wasm FILE          OUT itself, the same in one HTML file, which also opens from a disk
//
// OUT and FILE may be relative to the current folder. The same sources and packages give the same bytes. Nothing is fetched.
import {createHash} from 'node:crypto';
import {copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {gzipSync} from 'node:zlib';
import {build} from 'esbuild';
import {compile} from 'vega-lite';

const web = dirname(fileURLToPath(import.meta.url));
const specs = join(web, '../src/picture/specs');

/** The light colours of web/shared/palette.css by name: what saved pictures have in place of variables. */
function lightPalette() {
  const light = /:root \{(.*?)\n\}/s.exec(readFileSync(join(web, 'shared/palette.css'), 'utf8'))[1];
  return Object.fromEntries([...light.matchAll(/(--[a-z]+): (#[0-9a-f]+);/g)].map((found) => [found[1], found[2]]));
}

/** `linsep:palette`, and `linsep:specs`: the templates of src/picture/specs as {name: {lite, vega}}; `vega` is compiled here,
 * not in the browser. */
const specsPlugin = {
  name: 'specs',
  setup(builder) {
    builder.onResolve({filter: /^linsep:palette$/}, () => ({path: 'palette', namespace: 'palette'}));
    builder.onLoad({filter: /.*/, namespace: 'palette'}, () => ({contents: JSON.stringify(lightPalette()), loader: 'json'}));
    builder.onResolve({filter: /^linsep:specs$/}, () => ({path: 'specs', namespace: 'specs'}));
    builder.onLoad({filter: /.*/, namespace: 'specs'}, () => {
      const all = {};
      const config = JSON.parse(readFileSync(join(specs, 'config.json'), 'utf8'));
      for (const file of readdirSync(specs).filter((name) => name.endsWith('.vl.json')).sort()) {
        const lite = {...JSON.parse(readFileSync(join(specs, file), 'utf8')), config};
        const said = [];
        const logger = {level: () => logger, error: (...words) => (said.push(words), logger),
          warn: (...words) => (said.push(words), logger), info: () => logger, debug: () => logger};
        const {spec} = compile(lite, {logger});
        if (said.length > 0) {
          throw new Error(`${file}: ${said.map((words) => words.join(' ')).join('; ')}`);
        }
        all[file.slice(0, -'.vl.json'.length)] = {lite, vega: spec};
      }
      return {contents: `export default ${JSON.stringify(all)}`, loader: 'js'};
    });
  },
};

async function bundle(entry, out, write = true) {
  return build({
    entryPoints: [entry], outfile: out, write, bundle: true, minify: true, format: 'iife', target: ['es2022'], legalComments: 'none',
    metafile: true, logLevel: 'warning', plugins: [specsPlugin], absWorkingDir: web, nodePaths: [join(web, 'node_modules')],
    preserveSymlinks: true,
    // Browsers have fetch and fs is never there: what vega would load a file with.
    define: {'process.env.NODE_ENV': '"production"'},
  });
}

/** Names, versions, licences and their texts of the packages that are in the bundle. */
function licences(metafile) {
  const names = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const input of Object.keys(output.inputs)) {
      const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
      if (found && output.inputs[input].bytesInOutput > 0) {
        names.add(found[1]);
      }
    }
  }
  const texts = new Map();
  for (const name of [...names].sort()) {
    const folder = join(web, 'node_modules', name);
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `${about.license}`;
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${about.version} (${about.license})`]);
  }
  return [...texts].map(([text, who]) => `${who.join(', ')}\n\n${text}\n`).join('\n');
}

/** A function of bundle.h that gives `text`. The literal is cut into lines that compilers and readers can bear. */
function literal(name, text) {
  const bytes = Buffer.from(text, 'utf8');
  const lines = [];
  for (let begin = 0; begin < bytes.length; begin += 4096) {
    let line = '';
    for (const byte of bytes.subarray(begin, begin + 4096)) {
      const c = String.fromCharCode(byte);
      line += byte === 10 ? '\\n' : c === '"' || c === '\\' ? `\\${c}` :
        byte < 32 || byte > 126 || c === '?' ? `\\${byte.toString(8).padStart(3, '0')}` : c;
    }
    lines.push(`    "${line}"`);
  }
  return `std::string_view ${name}() {\n  static constexpr char kText[] =\n${lines.join('\n') || '    ""'};\n` +
    '  return {kText, sizeof(kText) - 1};\n}\n';
}

/** What stands inside a page: text that would end its own element is refused. */
function insertable(script, style) {
  if (/<\/script|<!--/i.test(script) || /<\//.test(style)) {
    throw new Error('the bundle would end its own element');
  }
}

async function report(out) {
  mkdirSync(out, {recursive: true});
  const made = await bundle(join(web, 'report/main.ts'), join(out, 'report.js'));
  const style = await build({entryPoints: [join(web, 'report/report.css')], outfile: join(out, 'report.css'), bundle: true,
    minify: true, logLevel: 'warning', absWorkingDir: web});
  if (style.errors.length > 0) {
    throw new Error('report.css');
  }
  const script = readFileSync(join(out, 'report.js'), 'utf8').trimEnd();
  const css = readFileSync(join(out, 'report.css'), 'utf8').trimEnd();
  insertable(script, css);
  const texts = licences(made.metafile);
  writeFileSync(join(out, 'licences.txt'), texts);
  writeFileSync(join(out, 'bundle.cc'),
    '// Made by web/build.mjs.\n#include "picture/page/bundle.h"\n\nnamespace linsep::bundle {\n\n' +
    [['script', script], ['style', css], ['licences', texts]].map(([name, text]) => literal(name, text)).join('\n') +
    '\n}  // namespace linsep::bundle\n');
}

const styleOptions = {entryPoints: [join(web, 'playground/play.css')], bundle: true, minify: true, logLevel: 'warning', absWorkingDir: web};

async function playground(out, wasm) {
  mkdirSync(out, {recursive: true});
  copyFileSync(join(web, 'playground/index.html'), join(out, 'index.html'));
  await bundle(join(web, 'playground/main.ts'), join(out, 'play.js'));
  await build({...styleOptions, outfile: join(out, 'play.css')});
  copyFileSync(wasm, join(out, 'linsep.wasm'));
}

/** The page in one file. Its policy allows this script, this style and a worker from a blob, and no address at all. */
async function play(out, wasm) {
  const made = await bundle(join(web, 'playground/main.ts'), out, false);
  if (licences(made.metafile) !== '') throw new Error('play.html has a package of others, and must have its licence too');
  const script = made.outputFiles[0].text.trimEnd();
  const style = (await build({...styleOptions, outfile: out, write: false})).outputFiles[0].text.trimEnd();
  insertable(script, style);
  const sha = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  let page = readFileSync(join(web, 'playground/index.html'), 'utf8');
  const put = (pattern, text) => {
    if (page.match(pattern) === null) throw new Error(`index.html has no ${pattern}`);
    page = page.replace(pattern, () => text);
  };
  put(/(?<="Content-Security-Policy" content=")[^"]*/, `default-src 'none'; script-src ${sha(script)} 'wasm-unsafe-eval'; worker-src blob:; ` +
    `style-src ${sha(style)}; img-src data:; base-uri 'none'; form-action 'none'`);
  put(/<link rel="stylesheet" href="play.css">/, `<style>${style}</style>`);
  put(/<script src="play.js" defer><\/script>\n/, '');
  put(/(?=<\/body>)/, `<script type="text/plain" id="linsep-module">${gzipSync(readFileSync(wasm), {level: 9}).toString('base64')}</script>\n` +
    `<script id="linsep-script">${script}</script>\n`);
  mkdirSync(dirname(out), {recursive: true});
  writeFileSync(out, page);
}

const [what, out, option, value] = process.argv.slice(2);
if (what === 'report' && out !== undefined && option === undefined) {
  await report(resolve(out));
} else if ((what === 'playground' || what === 'play') && out !== undefined && option === '--wasm' && value !== undefined) {
  if (!existsSync(value)) {
    process.stderr.write(`${relative('.', value)}: no such file\n`);
    process.exit(1);
  }
  await (what === 'play' ? play : playground)(resolve(out), value);
} else {
  process.stderr.write('Usage: node web/build.mjs report OUT | playground OUT --wasm FILE | play OUT --wasm FILE\n');
  process.exit(2);
}
