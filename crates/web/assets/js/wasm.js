/** A WebAssembly module of `crates/wasm`: questions in, answers out. */

const ERROR = 2 ** 31;

/** @typedef {{memory: WebAssembly.Memory, input: (bytes: number) => number, ask: (path: number, query: number) => number, output: () => number}} Exports */

export class Module {
  /** @param {WebAssembly.Module} compiled */
  constructor(compiled) {
    this.compiled = compiled;
    this.exports = this.start();
  }

  /** Loads a module; null where there is none. @param {string} address @returns {Promise<Module|null>} */
  static async load(address) {
    if (typeof WebAssembly !== 'object') return null;
    const response = await fetch(address);
    // By its bytes: hosts may send a wrong type. A server without modules sends nothing.
    const bytes = response.ok ? await response.arrayBuffer() : null;
    return bytes?.byteLength ? new Module(await WebAssembly.compile(bytes)) : null;
  }

  start() {
    return /** @type {Exports} */ (/** @type {unknown} */ (new WebAssembly.Instance(this.compiled, {}).exports));
  }

  /** @param {string} path @param {Record<string, any>} query @param {Uint8Array} body @returns {{failed: boolean, json: any, file?: Uint8Array}} */
  ask(path, query, body) {
    try {
      const encoder = new TextEncoder();
      const [route, options] = [encoder.encode(path), encoder.encode(JSON.stringify(query))];
      const { exports } = this;
      const at = exports.input(route.length + options.length + body.length);
      // The memory may have grown: its buffer is read anew each time.
      const room = new Uint8Array(exports.memory.buffer, at);
      room.set(route);
      room.set(options, route.length);
      room.set(body, route.length + options.length);
      const length = exports.ask(route.length, options.length) >>> 0;
      const failed = length >= ERROR;
      const bytes = new Uint8Array(exports.memory.buffer, exports.output(), failed ? length - ERROR : length);
      const line = path.startsWith('convert/') && !failed ? bytes.indexOf(10) : -1;
      const json = JSON.parse(new TextDecoder().decode(line < 0 ? bytes : bytes.subarray(0, line)));
      return { failed, json, ...(line < 0 ? {} : { file: bytes.slice(line + 1) }) };
    } catch (error) {
      // After a panic nothing of an instance can be trusted.
      this.exports = this.start();
      return { failed: true, json: { code: 'failed', error: String(error) } };
    }
  }
}
