/** What is dropped, pasted or opened: a game, a link, a picture, a formula, or a proof. */

import { ask, served } from './engine.js';
import { act, change, on, state, toast } from './state.js';
import { reason, sentence, t } from './texts.js';
import { treeOf } from './tree.js';
import { begin } from './pages/play.js';
import { enter, openLink } from './pages/play-links.js';

/** Larger games are refused before they are read, and larger proofs before they are sent. */
const LARGEST = 8 << 20;
export const LARGEST_PROOF = 24 << 20;
/** What the verifier reads at most, unpacked. */
const LARGEST_TEXT = 128 << 20;
/** How much of a file says what it is. */
const HEAD = 4096;

/** Takes a file or a text. @param {File|string} what */
export async function take(what) {
  change((state) => Object.assign(state, { toast: null, help: false, play: Object.assign(state.play, { sheet: false }) }));
  try {
    const name = typeof what === 'string' ? null : what.name;
    const file = new Blob([what]);
    const packed = await isPacked(file);
    const head = await textOf(packed ? through(file, new DecompressionStream('gzip')) : file.stream(), HEAD);
    if (isProof(head)) return await takeProof(file, packed, name);
    if (file.size > LARGEST) return tooLarge(LARGEST, name);
    const text = packed ? await textOf(through(file, new DecompressionStream('gzip')), LARGEST) : null;
    // A formula belongs elsewhere.
    if (/^\s*(c .*\n)*p cnf /.test(head)) {
      const hard = await import('./pages/hard.js');
      location.hash = '#hard';
      return await hard.take(text ?? await file.text());
    }
    return await verify(text ?? what, name);
  } catch (error) {
    const name = typeof what === 'string' ? '' : what.name + t('colon');
    const { code } = /** @type {any} */ (error);
    // What a page is told by its banner needs no second message.
    if (code === 'offline') return undefined;
    const says = name ? name + reason(error) : sentence(error);
    return toast(code === 'read-line' ? withSample(says) : says, { kind: 'bad' });
  }
}

/** A reason, and what games look like that somebody types. @param {string} says */
function withSample(says) {
  return `${says.replace(/\.?$/, '.')} ${t('typed-sample')}`;
}

/** Sends a proof to the verifier, packed. @param {Blob} file @param {boolean} packed @param {string|null} name */
async function takeProof(file, packed, name) {
  if (file.size > (packed ? LARGEST_PROOF : LARGEST_TEXT)) return tooLarge(packed ? LARGEST_PROOF : LARGEST_TEXT, name);
  const sent = packed || !served || file.size < LARGEST ? file : await new Response(through(file, new CompressionStream('gzip'))).blob();
  if (sent.size > LARGEST_PROOF) return tooLarge(LARGEST_PROOF, name);
  const proofs = await import('./pages/proofs.js');
  location.hash = '#proofs';
  return proofs.take(sent, name);
}

/** @param {number} most @param {string|null} name */
function tooLarge(most, name) {
  const file = name && /^[\w.-]+$/.test(name) ? name : 'FILE';
  return toast(t('file-too-large', most >> 20, file), { kind: 'bad' });
}

/** @param {Blob} file */
async function isPacked(file) {
  const [one, two] = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return one === 0x1f && two === 0x8b;
}

/** Whether a file of this beginning calls itself a proof; whether it is one the verifier says. @param {string} head */
export function isProof(head) {
  const format = /^\s*\{/.test(head) ? /"format"\s*:\s*"morpion-([a-z]+)\/\d/.exec(head) : /^\uFEFF?morpion-([a-z]+)\/\d/.exec(head);
  return format !== null && format[1] !== 'game';
}

/** @param {Blob} file @param {CompressionStream|DecompressionStream} stream */
function through(file, stream) {
  return file.stream().pipeThrough(/** @type {any} */ (stream));
}

/** The text of a stream, up to so many bytes. @param {ReadableStream<Uint8Array>} stream @param {number} most */
async function textOf(stream, most) {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let [text, read] = ['', 0];
  while (read < most) {
    // What can be read before the damage says what it is.
    const { done, value } = await reader.read().catch((error) => { if (!text) throw error; return { done: true, value: new Uint8Array() }; });
    if (done) return text + decoder.decode();
    read += value.length;
    text += decoder.decode(value, { stream: true });
  }
  reader.cancel().catch(() => {});
  return text;
}

/** What is known of a file goes to the board. @param {string|Blob} body @param {string|null} file */
async function verify(body, file) {
  const link = typeof body === 'string' ? /#[ge]\/([^\s"'<>]+)/.exec(body)?.[1] : undefined;
  if (link) return openLink(link);
  const found = await ask('verify', new Blob([body])).catch(async (error) => {
    if (error.code !== 'read-needs-game') throw error;
    return { ...await ask('verify', new Blob([body]), { game: state.play.rules }), guessed: true };
  });
  const { rules, start, moves } = found.record ?? {};
  const good = found.verdict === 'legal' || found.verdict === 'ordered';
  await act('to-play');
  if (good) await begin(rules, start, { tree: treeOf(moves, 'imported') });
  else if (!state.play.dots.length) await enter('', false);
  const other = found.other_order ? await ordered(found) : null;
  const says = good ? t('legal-says', found.game, found.moves, found.left)
    : reason({ code: found.fault, error: found.reason ?? '' });
  change((all) => {
    all.toast = null;
    all.play.verdict = {
      verdict: found.verdict, game: found.game, moves: found.moves, left: found.left, file, otherOrder: other,
      text: found.guessed ? `${says} ${t('guessed', found.game)}` : !good && found.format === 'text' && !found.board ? withSample(says) : says,
      bad: good || found.verdict === 'stuck' ? undefined : found.move ?? undefined,
      board: !good && found.board ? { start: found.board.start, moves: moves ?? [], length: found.board.length } : null,
      lines: found.lines ?? [], stuck: new Set((found.stuck ?? []).map((/** @type {any} */ one) => one.line - 1)),
      missing: (found.stuck ?? []).flatMap((/** @type {any} */ one) => one.missing),
    };
  });
  return undefined;
}

/** The same lines in an order in which they can be played. @param {any} found @returns {Promise<import('./types.js').GameRecord|null>} */
async function ordered({ record }) {
  const drawing = { format: 'morpion-game/1', rules: record.rules, start: record.start, lines: record.moves.map((/** @type {import('./types.js').Move} */ move) => move.line) };
  const again = await ask('verify', new Blob([JSON.stringify(drawing)])).catch(() => null);
  return again?.verdict === 'ordered' ? again.record : null;
}

on({
  'take-order': async () => {
    const { verdict } = state.play;
    if (verdict?.otherOrder) await begin(verdict.otherOrder.rules, verdict.otherOrder.start, { tree: treeOf(verdict.otherOrder.moves, 'imported') });
  },
});
