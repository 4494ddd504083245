// Drawn sets of rows: the module in node and the program give the same objects, proofs and errors, every number as text.
//   node tests/wasm/equality.mjs [SETS [FIRST SEED]]
import {runAll} from './command_line.mjs';
import {countNumbers, difference, withTexts} from './compare.mjs';
import {certifyWords, Draw, drawQuestion, drawRows, drawSpec, trainWords} from './drawn.mjs';
import {loaded} from './engine.mjs';

const count = Number(process.argv[2] ?? (process.env['LINSEP_NIGHTLY'] ? 1000 : 60));
const firstSeed = Number(process.argv[3] ?? 1);
const trainings = 4, batch = 50;

const {Engine, EngineError, bytes} = await loaded();
const engine = await Engine.load(bytes);
const told = {sets: 0, calls: 0, numbers: 0, errors: 0, proofs: 0, verdicts: {}, learners: {}};
const faults = [];

/** What the program's object says of times and files is its own. */
function comparable(object) {
  for (const name of ['seconds', 'model', 'certificate', 'proof']) delete object[name];
  return object;
}

/** The module's object with numbers as text, or its error. */
function asked(call) {
  try {
    call();
    return {object: withTexts(engine.text), error: ''};
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return {object: withTexts(engine.text), error: error.message};
  }
}

/** The difference between what the program printed and the module's answer. */
function compared(said, got) {
  ++told.calls;
  if ((said.code !== 0) !== (got.error !== '')) return `the program ended with ${said.code}: ${said.err}; the module: ${got.error || 'no error'}`;
  if (said.out.trim()) {
    const object = comparable(withTexts(said.out));
    told.numbers += countNumbers(object);
    const found = difference(object, got.object);
    if (found) return found;
  }
  if (got.error) {
    ++told.errors;
    if (!said.err.includes(got.error.split('\n')[0])) return `errors: ${said.err} and ${got.error}`;
  }
  return null;
}

function certifyFault(said, question) {
  let answer = null;
  const got = asked(() => { answer = engine.certify(question); });
  const found = compared(said, got);
  if (found || !answer) return found;
  told.verdicts[answer.verdict] = (told.verdicts[answer.verdict] ?? 0) + 1;
  if (!said.proof) return answer.proof === '' ? null : 'a proof that the program has not';
  ++told.proofs;
  if (said.proof.trim() !== answer.proof.trim()) return 'the proofs differ';
  const checked = engine.verify(answer.proof);
  return checked.valid ? null : `the proof is refused: ${checked.reason}`;
}

function setFaults(set, said) {
  const found = [];
  engine.rows(set.text, set.features, set.regression);
  set.calls.forEach((words, k) => {
    const asks = set.asks[k];
    if (words[0] === 'train') told.learners[asks.learner] = (told.learners[asks.learner] ?? 0) + 1;
    const fault = words[0] === 'train' ? compared(said[k], asked(() => engine.train(asks))) : certifyFault(said[k], asks);
    if (fault) found.push(`${words.join(' ')}\n${fault}\n${set.text}`);
  });
  return found;
}

for (let begin = 0; begin < count; begin += batch) {
  const sets = [];
  for (let i = begin; i < Math.min(count, begin + batch); i++) {
    const draw = new Draw(firstSeed + i), rows = drawRows(draw), asks = [], calls = [];
    // The program refuses to train on rows of one class, which people draw on a page before those of the other.
    const oneClass = !rows.regression && new Set(rows.text.trim().split('\n').map(line => line[0])).size === 1;
    for (let k = 0; k < (oneClass ? 0 : trainings); k++) {
      asks.push(drawSpec(draw, rows));
      calls.push(trainWords(asks.at(-1)));
    }
    if (!rows.regression) {
      asks.push(drawQuestion(draw));
      calls.push(certifyWords(asks.at(-1)));
    }
    sets.push({...rows, asks, calls, seed: firstSeed + i});
  }
  const said = runAll(sets);
  sets.forEach((set, i) => {
    ++told.sets;
    for (const fault of setFaults(set, said[i])) faults.push(`set ${set.seed}: ${fault}`);
  });
}

for (const fault of faults.slice(0, 10)) console.log(`${fault}\n`);
console.log(JSON.stringify({...told, faults: faults.length}));
process.exit(faults.length === 0 ? 0 : 1);
