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

/** The reports that are looked at, by name: each makes NAME.html. */
const kMakers = {
  and({run}) {
    run('generate', 'and', '-o', 'and.svm');
    run('train', 'and.svm', '--learner', 'perceptron', '-o', 'and.json', '--report', 'and.html');
  },
  xor({run}) {
    run('generate', 'xor', '-o', 'xor.svm');
    run('train', 'xor.svm', '--learner', 'perceptron', '--passes', '5', '-o', 'xor.json', '--report', 'xor.html');
  },
  comparison({run}) {
    run('generate', 'comparison', '-o', 'comparison.svm');
    const models = ['perceptron', 'least-squares', 'basic'];
    for (const learner of models) {
      run('train', 'comparison.svm', '--learner', learner, '-o', `${learner}.json`);
    }
    run('report', 'comparison.svm', ...models.flatMap((learner) => ['-m', `${learner}.json`]), '-o', 'comparison.html');
  },
  cells({run}) {
    run('generate', 'noisy', '--rows', '3000', '--features', '30', '-o', 'noisy.svm');
    run('train', 'noisy.svm', '--learner', 'logistic', '-o', 'noisy.json', '--report', 'cells.html');
  },
  classes({run}) {
    run('generate', 'classes', '--rows', '600', '--features', '60', '-o', 'classes.svm');
    run('train', 'classes.svm', '-o', 'classes.json', '--report', 'classes.html');
  },
  regression({run, write}) {
    write('line.svm', Array.from({length: 40}, (_, i) => `${2 * i + ((i * 7) % 5) - 2} 1:${i}\n`).join(''));
    run('train', 'line.svm', '--learner', 'regression', '--rate', '0.0005', '-o', 'line.json', '--report', 'regression.html');
  },
  quasi({run, write}) {
    write('quasi.svm', '-1 1:0 2:0\n1 1:0 2:1\n-1 1:0 2:2\n1 1:1 2:1\n1 1:2 2:0\n');
    run('report', 'quasi.svm', '-o', 'quasi.html');
  },
  /** Counts of five digits, and names of classes that need room. */
  long({run, write}) {
    const value = (i) => (i * 7919) % 1000;
    write('long.csv', 'x,who\n' + Array.from({length: 30000}, (_, i) =>
      `${value(i)},${value(i) + (i % 11) * 60 > 600 ? 'readmitted within a year' : 'not readmitted'}\n`).join(''));
    run('train', 'long.csv', '--label', 'who', '-o', 'long.json', '--quiet');
    run('report', 'long.csv', '-m', 'long.json', '--label', 'who', '-o', 'long.html');
  },
  /** Nine classes of a thousand rows each. */
  many({run, write}) {
    write('many.svm', Array.from({length: 9000}, (_, i) =>
      `${i % 9} 1:${Math.cos(i % 9) + (i % 13) / 12} 2:${Math.sin(i % 9) + (i % 17) / 16}\n`).join(''));
    run('train', 'many.svm', '-o', 'many.json', '--quiet');
    run('report', 'many.svm', '-m', 'many.json', '-o', 'many.html');
  },
};
export const kReports = Object.keys(kMakers);

/** Makes them all, or those of these names. */
export function makeReports(folder, names = kReports) {
  for (const name of names) {
    kMakers[name](folder);
  }
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
