// Firefox as the system has it, for tests: started with a profile of its own and driven by Marionette, the protocol that it brings along.
// A message is its length, a colon and JSON: [0, number, command, parameters], answered by [1, number, error, result].
// Playwright drives patched builds of Firefox, and of an ordinary one only those with newer commands than a Debian has.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as pause} from 'node:timers/promises';

export const firefoxPath = process.env.LINSEP_FIREFOX ?? '/usr/bin/firefox-esr';
const kSeconds = 90;

/** Messages of a stream; `send` gives the result of a command or throws its error. */
class Marionette {
  #socket;
  #held = Buffer.alloc(0);
  #number = 0;
  #waiting = new Map();

  constructor(socket) {
    this.#socket = socket;
    socket.on('data', bytes => this.#take(Buffer.concat([this.#held, bytes])));
    socket.on('close', () => { for (const {failed} of this.#waiting.values()) failed(new Error('Firefox has gone')); });
    socket.on('error', () => undefined);
  }

  send(command, parameters = {}) {
    const text = Buffer.from(JSON.stringify([0, ++this.#number, command, parameters]));
    this.#socket.write(`${text.length}:`);
    this.#socket.write(text);
    return new Promise((done, failed) => this.#waiting.set(this.#number, {done, failed}));
  }

  close() {
    this.#socket.destroy();
  }

  #take(bytes) {
    for (;;) {
      const colon = bytes.indexOf(':');
      const end = colon < 0 ? Infinity : colon + 1 + Number(bytes.subarray(0, colon));
      if (bytes.length < end) break;
      const message = JSON.parse(bytes.subarray(colon + 1, end).toString());
      bytes = bytes.subarray(end);
      if (!Array.isArray(message)) continue;  // the greeting
      const [, number, error, result] = message;
      const {done, failed} = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (error) failed(new Error(`${error.error}: ${error.message}`));
      else done(result);
    }
    this.#held = bytes;
  }
}

/** `goto(address)`; `evaluate(body)`: what the function body returns, or its promise comes to; `waitFor(body)`: until that is true. */
export async function openFirefox() {
  const profile = mkdtempSync(join(tmpdir(), 'linsep-firefox-'));
  writeFileSync(join(profile, 'user.js'), ['"marionette.port", 0', '"browser.shell.checkDefaultBrowser", false', '"app.update.enabled", false',
    '"datareporting.policy.dataSubmissionEnabled", false', '"toolkit.telemetry.reportingpolicy.firstRun", false', '"network.captive-portal-service.enabled", false',
    '"network.connectivity-service.enabled", false', '"browser.startup.page", 0', '"ui.prefersReducedMotion", 1']
    .map(each => `user_pref(${each});\n`).join(''));
  const child = spawn(firefoxPath, ['--headless', '--no-remote', '--marionette', '--profile', profile], {stdio: 'ignore', env: {...process.env, HOME: profile}});
  const gone = once(child, 'exit');
  const portFile = join(profile, 'MarionetteActivePort');
  let marionette;
  const close = async () => {
    marionette?.close();
    child.kill('SIGKILL');
    await gone;
    rmSync(profile, {recursive: true, force: true, maxRetries: 5});
  };
  try {
    for (let tries = 0; !existsSync(portFile) || readFileSync(portFile, 'utf8') === ''; ++tries) {
      if (tries > kSeconds * 10 || child.exitCode !== null) throw new Error('Firefox does not start');
      await pause(100);
    }
    const socket = connect(Number(readFileSync(portFile, 'utf8')), '127.0.0.1');
    await once(socket, 'connect');
    marionette = new Marionette(socket);
    await marionette.send('WebDriver:NewSession', {capabilities: {alwaysMatch: {timeouts: {script: kSeconds * 1000, pageLoad: kSeconds * 1000}}}});
  } catch (error) {
    await close();
    throw error;
  }
  const evaluate = async body => (await marionette.send('WebDriver:ExecuteScript', {script: body, args: []})).value;
  const waitFor = async body => {
    for (let tries = 0; !await evaluate(body); ++tries) {
      if (tries > kSeconds * 10) throw new Error(`Not within ${kSeconds} s: ${body}`);
      await pause(100);
    }
  };
  return {goto: address => marionette.send('WebDriver:Navigate', {url: address}), evaluate, waitFor, close};
}
