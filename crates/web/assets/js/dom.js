/**
 * Pages as data, and the document made to look like them.
 *
 * `h` describes an element; `patch` changes the document where it differs, so that what has the
 * focus keeps it. Nothing is ever parsed as HTML: text stays text.
 */

/** @typedef {{name: string, attributes: Record<string, any>, children: (Vnode|string)[]}} Vnode */

const SVG = 'http://www.w3.org/2000/svg';

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
 * Makes an element have exactly these children. What is only moved on by something new before it, or
 * by something gone, stays the same element.
 * @param {Element} parent
 * @param {(Vnode|string)[]} wanted
 */
export function patch(parent, wanted) {
  wanted.forEach((child, index) => {
    let old = parent.childNodes[index];
    if (!old || !fits(old, child)) {
      const later = [...parent.childNodes].slice(index + 1).find((other) => fits(other, child));
      if (later && named(child)) {
        while (parent.childNodes[index] !== later) parent.childNodes[index].remove();
        old = later;
      } else {
        const made = make(parent, child);
        const stays = old && named(old) && wanted.slice(index + 1).some((other) => fits(old, other));
        if (stays) old.before(made);
        else if (old) old.replaceWith(made);
        else parent.append(made);
        old = made;
      }
    }
    if (typeof child === 'string') {
      if (old.nodeValue !== child) old.nodeValue = child;
    } else {
      dress(/** @type {Element} */ (old), child.attributes);
      patch(/** @type {Element} */ (old), child.children);
    }
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild?.remove();
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

/** @param {ChildNode|Vnode|string} child */
function named(child) {
  if (typeof child === 'string') return false;
  return (child instanceof Element || !(child instanceof Node)) && name(/** @type {any} */ (child)) !== null;
}

/** @param {Element} parent @param {Vnode|string} child */
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
