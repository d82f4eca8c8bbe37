/**
 * Pages as data, and the document made to look like them.
 *
 * `h` describes an element; `patch` changes the document where it differs, so that what has the
 * focus keeps it. Nothing is ever parsed as HTML: text stays text. An element with `data-own` keeps
 * its own children: a board lives there.
 */

/** @typedef {{name: string, attributes: Record<string, any>, children: (Vnode|string)[]}} Vnode */

const SVG = 'http://www.w3.org/2000/svg';

/** What an element was last made to look like: the same description again changes nothing. @type {WeakMap<ChildNode, Vnode>} */
const drawn = new WeakMap();

/**
 * Describes an element. Children that are null or false are left out, lists are flattened.
 * @param {string} name
 * @param {Record<string, any>} [attributes]
 * @param {...any} children
 * @returns {Vnode}
 */
export function h(name, attributes = {}, ...children) {
  const flat = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
  return { name, attributes, children: flat.map((child) => (typeof child === 'object' ? child : String(child))) };
}

/**
 * Makes an element have exactly these children, in time linear in their number. What has a name
 * (a key or an id) stays the same element wherever it goes.
 * @param {Element} parent
 * @param {(Vnode|string)[]} wanted
 */
export function patch(parent, wanted) {
  const names = new Set(wanted.map((child) => (typeof child === 'string' ? null : name(child))));
  /** @type {Map<string, ChildNode>|null} */
  let known = null;
  let node = parent.firstChild;
  for (const child of wanted) {
    // What is gone goes first, so that what follows need not be moved.
    while (node && isNamed(node) && !names.has(name(/** @type {Element} */ (node)))) node = dropped(node);
    /** @type {ChildNode|null} */
    let own = node && fits(node, child) ? node : null;
    if (!own && node && typeof child !== 'string' && name(child) !== null) {
      known ??= named(node);
      const found = known.get(/** @type {string} */ (name(child)));
      if (found && fits(found, child)) own = found;
    }
    if (own && own === node) node = node.nextSibling;
    else if (own) parent.insertBefore(own, node);
    else parent.insertBefore(own = make(parent, child), node);
    if (typeof child === 'string') {
      if (own.nodeValue !== child) own.nodeValue = child;
    } else if (drawn.get(own) !== child) {
      drawn.set(own, child);
      dress(/** @type {Element} */ (own), child.attributes);
      if (child.attributes['data-own'] === undefined) patch(/** @type {Element} */ (own), child.children);
    }
  }
  while (node) node = dropped(node);
}

/** Takes a node away. @param {ChildNode} node the one after it */
function dropped(node) {
  const next = node.nextSibling;
  node.remove();
  return next;
}

/** The siblings from here on that have names. @param {ChildNode} node */
function named(node) {
  const found = new Map();
  for (let other = /** @type {ChildNode|null} */ (node); other; other = other.nextSibling) {
    if (isNamed(other)) found.set(name(/** @type {Element} */ (other)), other);
  }
  return found;
}

/** Whether a node can be made to look like this. @param {ChildNode} node @param {Vnode|string} child */
function fits(node, child) {
  if (typeof child === 'string') return node.nodeType === Node.TEXT_NODE;
  return node instanceof Element && node.localName === child.name && name(node) === name(child);
}

/** The identity of an element among its siblings: its key, or its id. @param {Element|Vnode} element @returns {string|null} */
function name(element) {
  if (element instanceof Element) return element.getAttribute('data-key') ?? element.getAttribute('id');
  const { key, id } = element.attributes;
  return key === undefined ? id ?? null : String(key);
}

/** @param {ChildNode} node */
function isNamed(node) {
  return node instanceof Element && name(node) !== null;
}

/** @param {Element} parent @param {Vnode|string} child @returns {ChildNode} */
function make(parent, child) {
  if (typeof child === 'string') return document.createTextNode(child);
  const inSvg = parent.namespaceURI === SVG || child.name === 'svg';
  return inSvg ? document.createElementNS(SVG, child.name) : document.createElement(child.name);
}

/** @param {Element} element @param {Record<string, any>} attributes */
function dress(element, attributes) {
  const names = new Set();
  for (const [given, value] of Object.entries(attributes)) {
    const name = given === 'key' ? 'data-key' : given;
    if (value === null || value === undefined || value === false) continue;
    names.add(name);
    const text = value === true ? '' : String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    if (name === 'value' && 'value' in element && element.value !== text) element.value = text;
    if (name === 'checked' && 'checked' in element) element.checked = true;
  }
  for (const { name } of [...element.attributes]) {
    // Whether details are open is up to whoever looks at them.
    if (!names.has(name) && name !== 'open') {
      element.removeAttribute(name);
      if (name === 'checked' && 'checked' in element) element.checked = false;
    }
  }
  // A select has its value only once its options are there.
  if (element.localName === 'select' && attributes.value !== undefined) {
    queueMicrotask(() => {
      if (/** @type {HTMLSelectElement} */ (element).value !== String(attributes.value)) {
        /** @type {HTMLSelectElement} */ (element).value = String(attributes.value);
      }
    });
  }
}

/** A new SVG element. @param {string} name @param {Record<string, any>} attributes */
export function svg(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
