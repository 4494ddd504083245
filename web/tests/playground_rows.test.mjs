// Rows that are pasted or dropped: what is read, what is refused and where, and hostile text that stays text.
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {load} from './bundle.mjs';

const folder = fileURLToPath(new URL('../playground/', import.meta.url));
const {readRows, writeCsv} = await load(folder + 'reading.ts');

const rows = (text, wanted) => readRows(text, wanted).rows;
const refused = (text, words, wanted) => assert.throws(() => readRows(text, wanted), error => (assert.match(error.message, words), true));

test('CSV: the class first, then the features, decimals as typed', () => {
  assert.deepEqual(rows('-1,0,0\n1,1.50,-.5\n'), [{y: -1, x: ['0', '0']}, {y: 1, x: ['1.50', '-.5']}]);
  assert.deepEqual(rows('class,x1,x2\r\nno,1,2\r\nyes,3,4\r\n'), [{y: -1, x: ['1', '2']}, {y: 1, x: ['3', '4']}]);
  assert.deepEqual(rows('a;b;class\n1;2;+\n3;4;-'), [{y: 1, x: ['1', '2']}, {y: -1, x: ['3', '4']}]);
  assert.deepEqual(rows('"setosa","1","2"\n"virginica",3,4'), [{y: -1, x: ['1', '2']}, {y: 1, x: ['3', '4']}]);
  assert.deepEqual(rows('1\t5\n0\t6'), [{y: 1, x: ['5']}, {y: -1, x: ['6']}]);
});

test('the first two features, or named ones', () => {
  const text = 'class,a,b,c\n1,1,2,3\n0,4,5,6';
  assert.deepEqual(readRows(text).note, '2 rows. Features: a, b of 3.');
  assert.deepEqual(rows(text, {names: ['c', 'a']})[1], {y: -1, x: ['6', '4']});
  refused(text, /no feature is called "d"/, {names: ['d']});
  assert.deepEqual(rows('+1 1:0.5 7:2 # a note\n-1 2:1\n', {names: ['x7', 'x2']}), [{y: 1, x: ['2', '0']}, {y: -1, x: ['0', '1']}]);
});

test('svmlight, and targets of a regression', () => {
  assert.deepEqual(rows('# made by hand\n+1 1:1 2:2\n-1 2:3\n'), [{y: 1, x: ['1', '2']}, {y: -1, x: ['0', '3']}]);
  assert.deepEqual(rows('1.1,1\n2.9,2', {regression: true}), [{y: 1.1, x: ['1']}, {y: 2.9, x: ['2']}]);
});

test('errors name line and column', () => {
  refused('1,2,3\n0,4,x', /^Line 2, column 5: "x" isn't a number\.$/);
  refused('1,2,3\n0,4', /^Line 2, column 1: 2 values; the first line has 3\.$/);
  refused('1,2,3\n0,4,', /^Line 2, column 5: a number is missing\.$/);
  refused('1,2\n0,NaN', /^Line 2, column 3: "NaN" isn't a number/);
  refused('1,2\n0,1e999', /^Line 2, column 3: "1e999" isn't a number/);
  refused('a,1\nb,2\nc,3', /^Line 3, column 1: "c" is a third class/);
  refused('+1 1:1\n-1 1:1 1:2', /^Line 2, column 8: feature 1 is given twice/);
  refused('+1 1:1\n-1 one', /^Line 2, column 4: "one" isn't index:value/);
  refused('', /there is no row/);
  refused('class,x1,x2\n', /there is no row below the names/);
  refused('1,"2', /^Line 1, column 3: a quote is not closed/);
});

test('500 rows at most, said; long and hostile texts are refused or read as text', () => {
  const many = Array.from({length: 700}, (_, index) => `${index % 2},${index},1`).join('\n');
  assert.equal(rows(many).length, 500);
  assert.equal(readRows(many).note, 'The first 500 of 700 rows.');
  refused('1,' + 'x'.repeat(1e5), /^Line 1, column 3: "x{40}…" isn't a number/);
  refused('1,NaN\n0,2', /^Line 1, column 3: "NaN" isn't a number/);
  refused('1,2\n0,' + 'x'.repeat(1e5), /^Line 2, column 3: "x{40}…" isn't a number/);
  refused('<img src=x onerror=alert(1)>', /one value/);
  assert.equal(rows('1,1e300\n0,-1e300')[0].x[0], '1e300');
});

test('what is saved is read again', () => {
  const own = [{y: 1, x: ['0.10', '2']}, {y: -1, x: ['-3', '4e-1']}];
  assert.deepEqual(rows(writeCsv(own, 2, false)), own);
  const line = [{y: 1.5, x: ['1']}, {y: -2, x: ['2']}];
  assert.deepEqual(rows(writeCsv(line, 1, true), {regression: true}), line);
});
