// Many calls of `linsep` by one shell: starting a process from node takes longer than what it does.
import {spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

import {program, skip} from './engine.mjs';

const quoted = word => `'${word.replaceAll("'", "'\\''")}'`;

/** Lines "y a b" as svmlight text. */
export function svmlight(text) {
  return text.trim().split('\n').map(line => {
    const [label, ...values] = line.trim().split(/\s+/);
    const name = label === '+' ? '+1' : label === '-' ? '-1' : label;
    return [name, ...values.map((value, j) => `${j + 1}:${value}`)].join(' ');
  }).join('\n') + '\n';
}

/** sets: [{text, calls: [[verb, option…]…]}]. For each set and call {code, out, err, proof}; `-o proof.json` is read as `proof`. */
export function runAll(sets) {
  if (!existsSync(program)) skip(`${program} is missing`);
  const folder = mkdtempSync(join(tmpdir(), 'linsep-wasm-'));
  const script = [];
  sets.forEach(({text, calls}, i) => {
    mkdirSync(join(folder, String(i)));
    writeFileSync(join(folder, String(i), 'data.svm'), svmlight(text));
    script.push(`cd ${quoted(join(folder, String(i)))}`);
    calls.forEach(([verb, ...options], k) => {
      script.push(`mkdir ${k}; ${quoted(program)} ${verb} data.svm ${options.map(quoted).join(' ')} >${k}/out 2>${k}/err; echo $? >${k}/code`);
      script.push(`if [ -f proof.json ]; then mv proof.json ${k}/proof; fi`);
    });
  });
  const run = spawnSync('sh', [], {input: script.join('\n') + '\n', stdio: ['pipe', 'inherit', 'inherit']});
  if (run.status !== 0) throw new Error(`the shell ended with ${run.status}`);
  const read = (i, k, name) => {
    const path = join(folder, String(i), String(k), name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  const answers = sets.map(({calls}, i) => calls.map((_, k) => (
    {code: Number(read(i, k, 'code')), out: read(i, k, 'out'), err: read(i, k, 'err'), proof: read(i, k, 'proof')})));
  rmSync(folder, {recursive: true});
  return answers;
}
