// The verdict: certify's words, the proof's classifier or its witness, the second checker, and what the visit shown did. Numbers are
// rounded; the exact ones are a click away.
import type {CertifyAnswer} from '../shared/engine';
import {say} from './live';
import type {Results, State, Store} from './state';
import {player} from './steps';
import {byId, html, put, show, write} from './svg';
import {moment, number} from './view';

const signs: Record<string, string> = {separable: '■', 'quasi-separable': '◧', overlapping: '◆', undecided: '?'};

export class VerdictPane {
  private badge: HTMLElement;
  private short: HTMLElement;
  private words: HTMLElement;
  private correction: HTMLElement;
  private witness: HTMLElement;
  private check: HTMLButtonElement;
  private checked: HTMLElement;
  private exact = html('button', {type: 'button', class: 'exact', 'aria-pressed': 'false'}, 'exact weights');
  private line = byId('verdict-line');
  private shown: unknown[] = [];
  private said = '';

  constructor(pane: HTMLElement, private store: Store, check: (proof: string) => void) {
    this.badge = pane.querySelector('.badge')!;
    this.short = pane.querySelector('.short')!;
    this.words = pane.querySelector('.words')!;
    this.correction = pane.querySelector('.correction')!;
    this.witness = pane.querySelector('.witness-table')!;
    this.check = pane.querySelector('.check')!;
    this.checked = pane.querySelector('.checked')!;
    this.check.addEventListener('click', () => {
      const proof = this.store.results.certify?.proof;
      if (proof) check(proof);
    });
    this.exact.addEventListener('click', () => {
      put(this.exact, 'aria-pressed', String(this.exact.getAttribute('aria-pressed') !== 'true'));
      this.proof(this.store.results.certify, this.store.state);
    });
    this.witness.before(this.exact);
  }

  update(state: State, results: Results): void {
    const certify = results.certify;
    const verdict = String(certify?.['verdict'] ?? '');
    this.badge.dataset['verdict'] = verdict || 'none';
    const sign = verdict ? `${signs[verdict] ?? '■'} ${verdict.toUpperCase()}` : state.rows.length ? 'NO VERDICT' : 'NO ROWS';
    write(this.badge, sign);
    const summary = this.summary(state, results);
    write(this.short, summary);
    const wrong = this.wrong(state, results);
    write(this.line.children[0]!, `${sign}${wrong === null ? '' : ` · shown: ${wrong || 'none'} wrong`}`);
    this.line.dataset['verdict'] = this.badge.dataset['verdict'];
    const visit = correctionSentence(state, results);
    if (this.correction.textContent !== visit && this.said && !player.playing && !results.busy) say(visit);
    write(this.correction, visit);
    write(this.line.children[1]!, visit);
    show(this.check, !!certify?.proof);
    const now = [certify, state.regression, state.rows.length === 0];
    if (now.some((one, i) => one !== this.shown[i])) this.proof(certify, state);
    this.shown = now;
    this.second(results);
    if (verdict !== this.said && verdict) {
      if (this.said) say(`Verdict: ${verdict}`);
      this.said = verdict;
    }
  }

  private summary(state: State, results: Results): string {
    const parts: string[] = [];
    const margin = results.certify?.['margin'];
    const value = typeof margin === 'number' ? margin : (margin as {value?: number} | null | undefined)?.value;
    if (typeof value === 'number') parts.push(`margin at least ${number(value)} for some classifier`);
    const wrong = this.wrong(state, results);
    if (wrong !== null) parts.push(wrong ? `the one shown is wrong on ${wrong} rows` : 'the one shown is right on every row');
    return parts.join(' · ');
  }

  /** On how many rows the classifier shown is wrong, in words; '' for none, null where nothing is known. */
  private wrong(state: State, results: Results): string | null {
    const margins = results.geometry['data']?.margins;
    if (!margins || state.regression || margins.length !== state.rows.length) return null;
    const wrong = margins.filter(one => !(one > 0)).length;
    return wrong === 0 ? '' : wrong === margins.length ? `all ${wrong}` : `${wrong} of ${margins.length}`;
  }

  private proof(certify: CertifyAnswer | null, state: State): void {
    const printed = certify?.words ?? [];
    const [first = '', ...others] = printed.filter(said);
    const lines = certify ? [first, ...ofProof(certify), ...others] : [state.regression ? 'A regression has targets, not classes: there is nothing to separate.' :
        state.rows.length ? '' : 'Click in the data space to add a row.'];
    this.words.replaceChildren(...lines.filter(Boolean).map(text => html('p', {}, text)));
    const witness = certify?.witness ?? [];
    show(this.witness, witness.length > 0);
    // The words have short fractions of a dozen rows as they are. All have α, by which the weights are to one another.
    const weights = witness.map(({row, share}) => weightOf(printed, row) ?? number(share, 4));
    const long = witness.some(({alpha}, i) => alpha.length > 3 && !/^[½⅓⅔¼¾]$|\//.test(weights[i]!));
    show(this.exact, long);
    const exact = long && this.exact.getAttribute('aria-pressed') === 'true';
    const body = witness.slice(0, 40).map(({row, alpha}, i) => {
      const y = state.rows[row - 1]?.y ?? 0;
      const cells = [String(row), y > 0 ? '+ 1' : '○ −1', exact ? alpha : weights[i]!];
      return html('tr', {class: y > 0 ? 'pos' : 'neg'}, ...cells.map(text => html('td', {}, text)));
    });
    const rest = witness.length > 40 ? [html('tr', {}, html('td', {colspan: 3}, `and ${witness.length - 40} more`))] : [];
    this.witness.replaceChildren(
      html('caption', {}, 'Witness'),
      html('thead', {}, html('tr', {}, ...['row', 'class', exact ? 'α' : 'weight'].map(text => html('th', {scope: 'col'}, text)))),
      html('tbody', {}, ...body, ...rest));
  }

  private second(results: Results): void {
    const {checked} = results;
    show(this.checked, !!checked);
    if (!checked) return;
    const text = checked.valid ? `Checked exactly by a second checker: ${checked.proven.filter(isShort).join('; ') || 'valid'}.` : `Refused: ${checked.reason}`;
    this.checked.classList.toggle('bad', !checked.valid);
    if (this.checked.firstElementChild?.textContent === text) return;
    const rest = checked.valid ? checked.proven.filter(one => !isShort(one)) : [];
    const exact = html('details', {}, html('summary', {}, 'exact numbers'), html('p', {}, 'Of the proof’s classifier:'),
                       html('ul', {}, ...rest.map(one => html('li', {}, one))));
    this.checked.replaceChildren(html('p', {}, text), ...(rest.length ? [exact] : []));
    say(text);
  }
}

/** Sentences of `certify` that are about the rows: not their number, which is seen, nor the time, nor the table, which is made anew, nor what
 * `ofProof` says with its owner; the bound on mistakes has its own pane, where it is that of the largest margin. */
function said(line: string): boolean {
  return line.trim() !== '' && !/^(data\.svm: |z = |Geometric margin |Starting from θ = 0)/.test(line) && !/^ {2}(row|and|\d)/.test(line) && !/ s\. /.test(line);
}

/** The classifier that proves the rows separable, and its margin: it needn't be the one that is shown. */
function ofProof(certify: CertifyAnswer): string[] {
  const {separator, margin} = certify;
  if (!separator) return [];
  const clears = typeof margin === 'number' ? ` Its margin is at least ${number(margin)}: no row is nearer to its boundary.` : '';
  return [`The proof’s own classifier: ${separator.formula}.${clears}`];
}

/** What the checker proved, where it says it without long numbers. */
function isShort(sentence: string): boolean {
  return !/\d\/\d|\d{7}|at (most|least) [\d.]+$|at most [\d.]+ mistakes/.test(sentence);
}

/** The exact weight of a row as `certify` prints it in its table: "  2    1      ½". */
function weightOf(printed: string[], row: number): string | undefined {
  return printed.map(line => /^ {2}(\d+) +\S+ +(\S+)$/.exec(line)).find(found => found?.[1] === String(row))?.[2];
}

/** What the visit shown did: "row 3: y·z = 0 ≤ 0, so θ −= (1, 0) and θ0 −= 1". */
export function correctionSentence(state: State, results: Results): string {
  if (state.weights) return 'θ was set by hand. The timeline goes back to the run.';
  const visit = moment(state, results), words = stopped(state, results);
  if (!visit) return words;
  if (visit.index === 0) {
    const zero = visit.theta.every(w => w === 0) && visit.offset === 0;
    return zero ? 'The start: θ is 0, so every row lies on the boundary, and counts as wrong.' : 'The start.';
  }
  const row = state.rows[visit.row - 1];
  if (!row) return words;
  const end = visit.index === visit.last && words ? ` ${words}` : '';
  if (state.regression) return `row ${visit.row}: residual ${number(visit.before)}, after its correction ${number(visit.after)}.${end}`;
  const last = results.events?.mistakesOnly && end;
  if (!visit.mistake) return `row ${visit.row}: y·z = ${number(visit.before)} > 0, right: nothing changes.${end}`;
  const by = row.y > 0 ? '+=' : '−=', rate = Number(state.rate) || 1, times = rate === 1 ? '' : `${number(rate)}·`;
  const numbers = row.x.join(', ').replace(/-/g, '−'), place = row.x.length === 1 && state.map === 'none' ? numbers : `(${numbers})`;
  const vector = state.map === 'none' ? place : `φ${place}`;
  const offset = state.origin ? '' : ` and θ0 ${by} ${number(rate)}`;
  const step = state.learner === 'dual' ? `so α${visit.row} += 1` : `so θ ${by} ${times}${vector}${offset}`;
  const told = `row ${visit.row}: y·z = ${number(visit.before)} ≤ 0, ${step}. Now y·z = ${number(visit.after)}.`;
  return last ? `The last mistake, at visit ${visit.visit}: ${told} No later visit found one.${end}` : told + end;
}

/** Why the run ended. */
function stopped(state: State, results: Results): string {
  const train = results.train;
  if (!train || state.k !== null) return '';
  const because = String(train['stopped_because'] ?? ''), passes = Number(train['passes'] ?? 0);
  if (because === 'converged' && results.events && !state.regression) return `Pass ${passes} made no mistake: done.`;
  if (because === 'passes' && results.events) return `Stopped after ${passes} passes.`;
  return '';
}
