// The lesson bar: one sentence, one act, ticked off when it is done. Nothing in it is locked.
import {lessons, nothingSeen} from './lessons';
import type {Seen} from './lessons';
import {say} from './live';
import type {Store} from './state';

/** Opens lesson `number` (1 to 12): its state replaces the present one, and can be undone. */
export function openLesson(store: Store, number: number): void {
  const lesson = lessons[number - 1];
  if (lesson) store.set({...structuredClone(lesson.set), lesson: number}, 'setting');
}

function button(name: string, text: string, label: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button');
  made.type = 'button';
  made.dataset['lesson'] = name;
  made.textContent = text;
  if (label !== text) made.setAttribute('aria-label', label);
  made.addEventListener('click', act);
  return made;
}

function paragraph(name: string): HTMLParagraphElement {
  const made = document.createElement('p');
  made.className = name;
  return made;
}

/** Fills `el` with the bar; it is hidden where no lesson is open. */
export function mountLessons(el: HTMLElement, store: Store): void {
  el.classList.add('lesson');
  el.setAttribute('role', 'region');
  el.setAttribute('aria-label', 'Lesson');
  const title = document.createElement('h2');
  const sentence = paragraph('lesson-sentence');
  const task = paragraph('lesson-task');
  const hint = paragraph('lesson-hint');
  hint.id = 'lesson-hint';
  const nav = document.createElement('div');
  nav.className = 'lesson-nav';
  const go = (by: number) => openLesson(store, (store.state.lesson ?? 0) + by);
  const how = button('how', 'How?', 'How? A hint', () => showHint(hint.hidden));
  how.setAttribute('aria-controls', hint.id);
  const showHint = (shown: boolean): void => {
    hint.hidden = !shown;
    how.setAttribute('aria-expanded', String(shown));
  };
  const previous = button('previous', 'Previous', 'Previous lesson', () => go(-1));
  const again = button('again', 'Again', 'Begin this lesson again', () => go(0));
  const next = button('next', 'Next', 'Next lesson', () => store.state.lesson === lessons.length ? close() : go(1));
  const close = () => {
    store.set({lesson: null}, 'view');
    document.getElementById('panes')?.focus();
  };
  nav.append(how, previous, again, next, button('close', 'Close', 'Close the lessons', close));
  el.append(title, sentence, task, hint, nav);

  let open: number | null = null;
  let seen: Seen = nothingSeen();
  let judging = false;
  let done = false;

  const look = (): void => {
    const state = store.state;
    el.hidden = state.lesson === null;
    if (state.lesson === null) {
      open = null;
      return;
    }
    const lesson = lessons[state.lesson - 1]!;
    if (open !== state.lesson) {
      open = state.lesson;
      seen = nothingSeen();
      done = false;
      showHint(false);
      title.textContent = `Lesson ${open} of ${lessons.length}: ${lesson.title}`;
      sentence.textContent = lesson.sentence;
      hint.textContent = lesson.hint;
      previous.disabled = open === 1;
      next.textContent = open === lessons.length ? 'Finish' : 'Next';
      next.setAttribute('aria-label', open === lessons.length ? 'Finish the lessons' : 'Next lesson');
      showTask(lesson.task);
      if (matchMedia('(max-width: 639px)').matches) document.getElementById(`tab-${lesson.tab}`)?.click();
    }
    if (judging) return;
    judging = true;
    setTimeout(judge, 0);
  };

  const showTask = (text: string): void => {
    el.classList.toggle('lesson-done', done);
    task.textContent = `${done ? '✓ Done: ' : 'To do: '}${text}`;
  };

  /** Looks at the state once the engine's answers are this state's. */
  const judge = (): void => {
    judging = false;
    const {state, results} = store;
    const lesson = state.lesson === null || state.lesson !== open ? undefined : lessons[state.lesson - 1];
    if (!lesson || done || results.busy) return;
    for (const mark of lesson.see?.(state, results) ?? []) seen.marks.add(mark);
    if (!lesson.done(state, results, seen)) return;
    done = true;
    showTask(lesson.task);
    say(`Done: ${lesson.task}`);
  };

  const choose = (event: Event): void => {
    const row = event.target instanceof Element ? event.target.closest('[data-row]')?.getAttribute('data-row') : null;
    if (row === null || row === undefined) return;
    seen.chosen = Number(row) - 1;
    look();
  };
  document.addEventListener('focusin', choose);
  document.addEventListener('click', choose);
  store.subscribe(look);
  look();
}
