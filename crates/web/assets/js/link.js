/** Games inside addresses: deflated JSON in base64url, after `#play/`. */

/** The most bytes that an address may inflate to. */
const LIMIT = 2_000_000;

/** @param {object} game */
export async function pack(game) {
  const text = new Blob([JSON.stringify(game)]).stream();
  const bytes = await collect(text.pipeThrough(new CompressionStream('deflate-raw')), LIMIT);
  let letters = '';
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** @param {string} packed @returns {Promise<any>} */
export async function unpack(packed) {
  const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const text = await collect(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')), LIMIT);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
}

/** @param {ReadableStream<Uint8Array>} stream @param {number} limit */
async function collect(stream, limit) {
  const reader = stream.getReader();
  /** @type {BlobPart[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) throw new Error('too long');
    parts.push(/** @type {BlobPart} */ (value));
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
