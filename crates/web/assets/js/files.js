/** What is dropped, pasted or opened: a game, a link, a picture, a formula, or a proof. */

import { served } from './engine.js';
import { change, toast } from './state.js';
import { reason, sentence, t } from './texts.js';
import { verify } from './pages/play.js';

/** Larger games are refused before they are read, and larger proofs before they are sent. */
const LARGEST = 8 << 20;
export const LARGEST_PROOF = 24 << 20;
/** What the verifier reads at most, unpacked. */
const LARGEST_TEXT = 128 << 20;
/** What is said of a text that somebody may have typed. */
const TYPED = new Set(['read-line', 'read-needs-game']);
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
    return toast(`${name ? name + reason(error) : sentence(error)}${TYPED.has(code) ? ` ${t('typed-sample')}` : ''}`, { kind: 'bad' });
  }
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
