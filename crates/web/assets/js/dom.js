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
 * Makes an element have exactly these children.
 * @param {Element} parent
 * @param {(Vnode|string)[]} wanted
 */
export function patch(parent, wanted) {
  const inSvg = parent.namespaceURI === SVG;
  wanted.forEach((child, index) => {
    const old = parent.childNodes[index];
    if (typeof child === 'string') {
      if (old && old.nodeType === Node.TEXT_NODE) {
        if (old.nodeValue !== child) old.nodeValue = child;
      } else {
        place(parent, document.createTextNode(child), old);
      }
      return;
    }
    let element = /** @type {Element} */ (old);
    const fits = old instanceof Element && old.localName === child.name && key(old) === (child.attributes.key ?? null);
    if (!fits) {
      element = inSvg || child.name === 'svg' ? document.createElementNS(SVG, child.name) : document.createElement(child.name);
      place(parent, element, old);
    }
    dress(element, child.attributes);
    patch(element, child.children);
  });
  while (parent.childNodes.length > wanted.length) parent.lastChild?.remove();
}

/** @param {Element} parent @param {Node} node @param {ChildNode|undefined} old */
function place(parent, node, old) {
  if (old) old.replaceWith(node);
  else parent.append(node);
}

/** @param {Element} element */
function key(element) {
  return element.getAttribute('data-key');
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
