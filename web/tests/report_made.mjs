// Reports that the program makes for the tests, in a folder of their own.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

/** {folder, run(…arguments), url(name), size(name), page(name)}. */
export function reports(program) {
  const folder = mkdtempSync(join(tmpdir(), 'linsep-report-'));
  const run = (...given) => execFileSync(program, given, {cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']});
  return {
    folder, run,
    write: (name, text) => writeFileSync(join(folder, name), text),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    url: (name) => `file://${join(folder, name)}`,
    remove: () => rmSync(folder, {recursive: true}),
  };
}

/** The reports that are looked at, by name. */
export const kReports = ['and', 'xor', 'comparison', 'cells', 'classes', 'regression', 'quasi'];

/** Makes them all: NAME.html. */
export function makeReports({run, write}) {
  const data = ['and', 'xor', 'comparison'];
  for (const name of data) {
    run('generate', name, '-o', `${name}.svm`);
  }
  run('train', 'and.svm', '--learner', 'perceptron', '-o', 'and.json', '--report', 'and.html');
  run('train', 'xor.svm', '--learner', 'perceptron', '--passes', '5', '-o', 'xor.json', '--report', 'xor.html');
  const models = ['perceptron', 'least-squares', 'basic'];
  for (const learner of models) {
    run('train', 'comparison.svm', '--learner', learner, '-o', `${learner}.json`);
  }
  run('report', 'comparison.svm', ...models.flatMap((learner) => ['-m', `${learner}.json`]), '-o', 'comparison.html');
  run('generate', 'noisy', '--rows', '3000', '--features', '30', '-o', 'noisy.svm');
  run('train', 'noisy.svm', '--learner', 'logistic', '-o', 'noisy.json', '--report', 'cells.html');
  run('generate', 'classes', '--rows', '600', '--features', '60', '-o', 'classes.svm');
  run('train', 'classes.svm', '-o', 'classes.json', '--report', 'classes.html');
  write('line.svm', Array.from({length: 40}, (_, i) => `${2 * i + ((i * 7) % 5) - 2} 1:${i}\n`).join(''));
  run('train', 'line.svm', '--learner', 'regression', '--rate', '0.0005', '-o', 'line.json', '--report', 'regression.html');
  write('quasi.svm', '-1 1:0 2:0\n1 1:0 2:1\n-1 1:0 2:2\n1 1:1 2:1\n1 1:2 2:0\n');
  run('report', 'quasi.svm', '-o', 'quasi.html');
}

/** A report in which every name comes from someone who means harm. */
export function makeHostile({run, write}) {
  const bad = '</script><script>document.title="hit"</script><img src=x onerror="document.title=1">\u202e';
  const long = 'y'.repeat(10_000);
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  write('hostile.csv', `${quoted(bad)},${quoted(long)},label\n` +
    [[0, 0, bad], [0, 1, bad], [1, 0, bad], [1, 1, '<b>yes</b>']].map(([a, b, label]) => `${a},${b},${quoted(label)}\n`).join(''));
  run('train', 'hostile.csv', '--label', 'label', '--learner', 'perceptron', '-o', 'hostile.json');
  run('report', 'hostile.csv', '-m', 'hostile.json', '--label', 'label', '--title', bad, '-o', 'hostile.html');
}
