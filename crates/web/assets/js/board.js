/**
 * The board: squared paper, ink, and a pen that knows no rules.
 *
 * It draws a picture, says which of the moves it was given a pointer means, and nothing else. Only
 * what differs from the picture before is drawn again. Much larger pictures go to a canvas.
 */

import { choose, ends, handles, key, movesAt, reachOf, same, spotAt } from './aim.js';
import { boxOf, fit, over, pan, pixelOf, pointAt, sees, zoom } from './camera.js';
import { svg } from './dom.js';

/** @typedef {import('./types.js').Dot} Dot */
/** @typedef {import('./types.js').Line} Line */
/** @typedef {import('./types.js').Move} Move */
/** @typedef {import('./types.js').Picture} Picture */
/** @typedef {import('./camera.js').Camera} Camera */

/**
 * What a board reports.
 * @typedef {object} Pen
 * @property {(move: Move) => void} [play] this move is meant
 * @property {(dot: Dot, at: Dot) => void} [miss] nothing can be played here; `at` in pixels of the board
 * @property {(number: number) => void} [pick] the dot of this move was tapped
 * @property {(move: Move|null, count: number, how: 'keys'|'fan'|'pointer') => void} [aim] what the pointer or the keys are on, and among how many
 * @property {(dot: Dot) => void} [tap] any point; then nothing else is reported
 * @property {(act: (picture: Picture) => void) => void} [turn] does something once all before it is done, on the picture of then
 */

/** Pictures with more marks are drawn on a canvas. */
const MARKS = 3000;
/** Where the handles are: for a mouse between two dots, for a finger around it in pixels. */
const [HOVER, FINGER] = [0.36, 46];
/** A finger that moves less has not moved. */
const STILL = 12;

/** The colour of a move by its age: blue ink first, then green, at last red. @param {number} index @param {number} all */
export function ink(index, all) {
  return `hsl(${Math.round(222 - 205 * index / Math.max(1, all - 1))} 62% var(--ink-light))`;
}

export class Board {
  /** @param {HTMLElement} host @param {Pen} [pen] @param {{top?: number, bottom?: number}} [settings] */
  constructor(host, pen = {}, settings = {}) {
    this.host = host;
    this.pen = pen;
    this.settings = settings;
    /** @type {Picture} */
    this.picture = { start: [], moves: [], length: 5 };
    /** @type {Camera} */
    this.camera = { x: 4.5, y: 4.5, unit: 40 };
    /** Whether whoever looks has chosen what to see. */
    this.moved = false;
    this.shown = { width: 0, height: 0 };
    /** @type {{spot: Dot, move: Move|null, open: boolean}|null} */
    this.aimed = null;
    /** @type {Map<number, {x: number, y: number, sx: number, sy: number, spot: Dot|null, touch: boolean, dragged: boolean}>} */
    this.pointers = new Map();
    /** What of the picture is drawn. @type {Dot[]|undefined} */
    this.drawnStart = undefined;
    /** @type {Map<string, string>|undefined} */
    this.drawnTints = undefined;
    /** @type {number|undefined} */
    this.drawnBad = undefined;
    /** How many moves the scale of colours has. */
    this.scale = 0;
    /** What the camera was last fitted to. */
    this.fitted = '';
    const id = `grid-${Math.random().toString(36).slice(2, 8)}`;
    this.svg = /** @type {SVGSVGElement} */ (svg('svg', { class: 'board', 'aria-hidden': 'true' }));
    const pattern = svg('pattern', { id, width: 5, height: 5, patternUnits: 'userSpaceOnUse' });
    pattern.append(svg('path', { class: 'fine', d: 'M1 0V5M2 0V5M3 0V5M4 0V5M0 1H5M0 2H5M0 3H5M0 4H5' }), svg('path', { class: 'bold', d: 'M0 0V5M5 0V5M0 0H5M0 5H5' }));
    const defs = svg('defs', {});
    defs.append(pattern);
    this.paper = svg('rect', { class: 'paper', fill: `url(#${id})` });
    // What is styled has the class of its group: a copy of it, as in the loupe, is seen without what is around it.
    this.ink = svg('g', { id: `${id}-ink`, class: 'ink' });
    /** @type {Record<string, SVGElement>} */
    this.layers = Object.fromEntries(['lines', 'start', 'spots', 'dots', 'numbers', 'marks', 'labels'].map((name) => [name, svg('g', { class: name })]));
    this.ink.append(...Object.values(this.layers));
    this.preview = svg('g', { class: 'preview' });
    this.svg.append(defs, this.paper, this.ink, this.preview);
    this.canvas = document.createElement('canvas');
    this.canvas.className = 'board-canvas';
    this.canvas.hidden = true;
    this.loupe = /** @type {SVGSVGElement} */ (svg('svg', { class: 'loupe', hidden: '' }));
    this.loupePreview = svg('g', { class: 'preview' });
    this.loupe.append(svg('rect', { class: 'paper-plain', x: -9999, y: -9999, width: 19998, height: 19998 }), svg('use', { href: `#${id}-ink` }), this.loupePreview);
    this.build();
    this.resizer = new ResizeObserver(() => this.resize());
    this.resizer.observe(host);
    this.resize();
  }

  /** Ends it. */
  destroy() {
    this.resizer.disconnect();
    this.host.replaceChildren();
  }

  build() {
    this.host.classList.add('board-host');
    this.host.replaceChildren(this.canvas, this.svg, this.loupe);
    const { svg: plane } = this;
    plane.addEventListener('pointerdown', (event) => this.down(event));
    plane.addEventListener('pointermove', (event) => this.hover(event));
    plane.addEventListener('pointerup', (event) => this.up(event));
    plane.addEventListener('pointercancel', (event) => this.cancel(event));
    plane.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse' && !this.pointers.size) this.setAim(null); });
    plane.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    plane.addEventListener('contextmenu', (event) => event.preventDefault());
  }

  // What is drawn.

  /** Draws a picture. @param {Picture} picture */
  update(picture) {
    const before = this.picture;
    this.picture = picture;
    const large = picture.start.length + picture.moves.length + (picture.lines?.length ?? 0) > MARKS;
    this.canvas.hidden = !large;
    if (large) {
      for (const layer of Object.values(this.layers)) layer.replaceChildren();
      this.drawnStart = undefined;
    } else {
      this.drawStart(picture);
      this.drawMoves(before, picture);
      this.drawDrawing(picture);
    }
    this.svg.classList.toggle('lit', picture.lit ?? false);
    this.drawSpots(picture);
    if (this.aimed && !movesAt(picture.legal ?? [], this.aimed.spot).length) this.setAim(null);
    this.look();
    if (large) this.paint();
    this.drawLabels(picture);
    if (picture.hint && picture.hint !== before.hint) this.setAim({ spot: picture.hint.new, move: picture.hint, open: false }, true);
  }

  /** @param {Picture} picture */
  drawLabels({ labels = [] }) {
    this.layers.labels.replaceChildren(...labels.map(({ at: [x, y], text }) => {
      const label = svg('text', { class: 'label', x, y });
      label.textContent = text;
      return label;
    }));
  }

  /** @param {Picture} picture */
  drawStart({ start, tints }) {
    if (this.drawnStart === start && this.drawnTints === tints) return;
    this.drawnStart = start;
    this.drawnTints = tints;
    this.layers.start.replaceChildren(...start.map(([cx, cy]) => {
      const tint = tints?.get(`${cx},${cy}`);
      const dot = svg('circle', { class: 'start', cx, cy, r: 0.19 });
      if (tint) dot.style.fill = tint;
      return dot;
    }));
  }

  /** @param {Picture} before @param {Picture} now */
  drawMoves(before, { moves, length, numbers = true, bad }) {
    const { lines, dots, numbers: digits } = this.layers;
    if (before.length !== length || this.drawnBad !== bad) [lines, dots, digits].forEach((layer) => layer.replaceChildren());
    this.drawnBad = bad;
    let common = 0;
    while (common < moves.length && common < dots.childElementCount && common < before.moves.length && (moves[common] === before.moves[common] || same(moves[common], before.moves[common]))) common += 1;
    const fresh = moves.length - common;
    for (const layer of [lines, dots, digits]) while (layer.childElementCount > common) layer.lastChild?.remove();
    // The scale of colours changes only now and then, so that a move draws one line and not all.
    const scale = Math.max(40, Math.ceil(moves.length / 20) * 20);
    const recolour = scale !== this.scale || bad !== undefined;
    for (let index = recolour ? 0 : common; index < moves.length; index += 1) {
      const { new: [cx, cy], line } = moves[index];
      if (index >= common) {
        const [[x1, y1], [x2, y2]] = ends(line, length);
        const from = Math.hypot(cx - x1, cy - y1) > Math.hypot(cx - x2, cy - y2);
        lines.append(svg('path', { class: 'line', pathLength: 1, d: from ? `M${x1} ${y1}L${x2} ${y2}` : `M${x2} ${y2}L${x1} ${y1}` }));
        dots.append(svg('circle', { class: 'dot', cx, cy, r: 0.3 }));
        const text = svg('text', { class: index < 99 ? 'number' : 'number long', x: cx, y: cy });
        text.textContent = String(index + 1);
        digits.append(text);
      }
      const colour = bad === undefined || index + 1 < bad ? ink(index, scale) : index + 1 === bad ? 'var(--warn)' : 'var(--faint)';
      /** @type {SVGElement} */ (lines.children[index]).style.stroke = colour;
      /** @type {SVGElement} */ (dots.children[index]).style.stroke = colour;
    }
    this.scale = scale;
    this.ink.classList.toggle('numbered', numbers);
    for (const old of this.svg.querySelectorAll('.fresh, .last')) old.classList.remove('fresh', 'last');
    const last = moves.length - 1;
    if (last >= 0 && bad === undefined) {
      lines.children[last].classList.add('last');
      dots.children[last].classList.add('last');
      if (fresh === 1 && before.moves.length === common && before.moves !== moves) [lines, dots].forEach((layer) => layer.children[last].classList.add('fresh'));
    }
  }

  /** Lines without an order, and what is wrong with them. @param {Picture} picture */
  drawDrawing({ lines = [], length, stuck, missing = [], start }) {
    const there = new Set(start.map(String));
    /** @type {SVGElement[]} */
    const made = [];
    lines.forEach((line, index) => {
      const [[x1, y1], [x2, y2]] = ends(line, length);
      made.push(svg('path', { class: `line drawn ${stuck?.has(index) ? 'stuck' : ''}`, d: `M${x1} ${y1}L${x2} ${y2}` }));
    });
    for (const line of lines) {
      const [[x, y], [x2, y2]] = ends(line, length);
      for (let step = 0; step < length; step += 1) {
        const [cx, cy] = [x + (x2 - x) / (length - 1) * step, y + (y2 - y) / (length - 1) * step];
        if (!there.has(`${cx},${cy}`)) {
          there.add(`${cx},${cy}`);
          made.push(svg('circle', { class: 'dot small', cx, cy, r: 0.16 }));
        }
      }
    }
    missing.forEach(([cx, cy]) => made.push(svg('circle', { class: 'missing', cx, cy, r: 0.27 })));
    this.layers.marks.replaceChildren(...made);
  }

  /** @param {Picture} picture */
  drawSpots({ legal = [], showLegal = true, hint }) {
    const seen = new Map();
    for (const { new: dot } of legal) seen.set(String(dot), { dot, count: (seen.get(String(dot))?.count ?? 0) + 1 });
    const hinted = hint ? svg('circle', { class: 'hint', cx: hint.new[0], cy: hint.new[1], r: 0.42 }) : null;
    const spots = showLegal ? [...seen.values()].map(({ dot: [cx, cy], count }) => svg('circle', { class: count > 1 ? 'spot many' : 'spot', cx, cy, r: 0.2 })) : [];
    this.layers.spots.replaceChildren(...spots, ...(hinted ? [hinted] : []));
  }

  /** Everything on the canvas. */
  paint() {
    const { canvas, picture: { start, moves, lines = [], length, tints }, camera } = this;
    const context = canvas.getContext('2d');
    if (!context || canvas.hidden) return;
    const dense = devicePixelRatio || 1;
    const { width, height } = this.shown;
    if (canvas.width !== Math.round(width * dense) || canvas.height !== Math.round(height * dense)) {
      canvas.width = Math.round(width * dense);
      canvas.height = Math.round(height * dense);
    }
    const style = getComputedStyle(this.host);
    const unit = camera.unit * dense;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(unit, 0, 0, unit, canvas.width / 2 - camera.x * unit, canvas.height / 2 - camera.y * unit);
    const light = style.getPropertyValue('--ink-light').trim() || '42%';
    // Whatever the distance, a line or a dot is seen.
    const pixel = 1 / camera.unit;
    context.lineWidth = Math.max(0.12, pixel);
    context.lineCap = 'round';
    const stroke = (/** @type {Line} */ line) => {
      const [[x1, y1], [x2, y2]] = ends(line, length);
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      context.stroke();
    };
    context.strokeStyle = style.getPropertyValue('--quiet');
    lines.forEach(stroke);
    moves.forEach((move, index) => {
      context.strokeStyle = ink(index, moves.length).replace('var(--ink-light)', light);
      stroke(move.line);
    });
    const disc = (/** @type {Dot} */ [x, y], /** @type {number} */ r) => {
      context.beginPath();
      context.arc(x, y, Math.max(r, pixel), 0, 7);
      context.fill();
    };
    const plain = style.getPropertyValue('--ink');
    // A canvas does not know the variables of the style sheet.
    const colours = new Map([...new Set(tints?.values())].map((tint) => [tint, style.getPropertyValue(tint.slice(4, -1))]));
    for (const dot of start) {
      context.fillStyle = colours.get(tints?.get(String(dot)) ?? '') ?? plain;
      disc(dot, 0.24);
    }
    context.fillStyle = style.getPropertyValue('--pen');
    moves.forEach(({ new: dot }) => disc(dot, 0.2));
  }

  // What is seen.

  resize() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (!width || !height || (width === this.shown.width && height === this.shown.height)) return;
    this.shown = { width, height };
    this.look(true);
    this.paint();
  }

  room() {
    const { top = 0, bottom = 0 } = this.settings;
    return { ...this.shown, top, bottom };
  }

  box() {
    const { start, moves, legal = [], lines = [], length, coming = [] } = this.picture;
    const dots = [...start, ...moves.map((move) => move.new), ...legal.map((move) => move.new), ...coming.map((move) => move.new), ...lines.flatMap((line) => ends(line, length))];
    if (this.picture.free) dots.push([-3, -3], [12, 12]);
    return boxOf(dots) ?? { left: 0, top: 0, right: 9, bottom: 9 };
  }

  /** Shows all of the picture again. */
  fit() {
    this.moved = false;
    this.look(true);
    this.paint();
  }

  /** Follows the picture, unless whoever looks has gone somewhere. @param {boolean} [again] */
  look(again = false) {
    const { width, height } = this.shown;
    if (!width || !height) return;
    const box = this.box();
    // While a start is drawn, the paper lies still.
    const size = this.picture.free ? 'free' : `${this.picture.start.length}:${this.picture.length}`;
    if (!this.moved && (again || size !== this.fitted || !sees(this.camera, box, this.room()))) this.camera = fit(box, this.room(), 1.3);
    if (size !== this.fitted) this.moved = false;
    this.fitted = size;
    this.frame();
  }

  frame() {
    const { camera: { x, y, unit }, shown: { width, height } } = this;
    const [w, hgt] = [width / unit, height / unit];
    this.svg.setAttribute('viewBox', `${x - w / 2} ${y - hgt / 2} ${w} ${hgt}`);
    for (const [name, value] of [['x', x - w / 2 - 5], ['y', y - hgt / 2 - 5], ['width', w + 10], ['height', hgt + 10]]) this.paper.setAttribute(String(name), String(value));
    this.svg.style.setProperty('--pixel', `${1 / unit}px`);
    this.svg.classList.toggle('tiny', unit < 13);
    this.svg.classList.toggle('far', unit < 4);
  }

  /** @param {number} factor */
  zoomBy(factor, px = this.shown.width / 2, py = this.shown.height / 2) {
    this.moved = true;
    this.camera = zoom(this.camera, this.shown, factor, px, py);
    this.frame();
    this.paint();
    this.drawAim();
  }

  // What a pointer means.

  /** @param {PointerEvent|WheelEvent} event @returns {Dot} in pixels of the board */
  place(event) {
    const { left, top } = this.svg.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  /** @param {Dot} pixel */
  at(pixel) {
    return pointAt(this.camera, this.shown, ...pixel);
  }

  /** The moves that can be aimed at. */
  legal() {
    return this.pen.play ? this.picture.legal ?? [] : [];
  }

  /** How far from a new dot a pointer may be, with a few pixels for fingers. */
  reach() {
    return Math.max(0.75, Math.min(1.4, 18 / this.camera.unit));
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button > 0) return;
    const [x, y] = this.place(event);
    const spot = this.pen.tap ? null : spotAt(this.legal(), this.at([x, y]), this.reach());
    try { this.svg.setPointerCapture(event.pointerId); } catch { /* A pointer made by a script. */ }
    const touch = event.pointerType !== 'mouse';
    this.pointers.set(event.pointerId, { x, y, sx: x, sy: y, spot, touch, dragged: false });
    if (this.pointers.size > 1) {
      this.setAim(null);
      for (const pointer of this.pointers.values()) Object.assign(pointer, { spot: null, dragged: true });
    } else if (touch && !this.aimed?.open) {
      this.follow([x, y], spot, true);
    }
  }

  /** @param {PointerEvent} event */
  hover(event) {
    const pixel = this.place(event);
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) {
      if (event.pointerType === 'mouse' && !this.pen.tap && !this.aimed?.open) this.follow(pixel, spotAt(this.legal(), this.at(pixel), this.reach()), false);
      return;
    }
    const [dx, dy] = [pixel[0] - pointer.x, pixel[1] - pointer.y];
    if (this.pointers.size === 2) {
      const [one, two] = [...this.pointers.values()];
      const before = Math.hypot(one.x - two.x, one.y - two.y);
      [pointer.x, pointer.y] = pixel;
      const after = Math.hypot(one.x - two.x, one.y - two.y);
      this.camera = pan(this.camera, dx / 2, dy / 2);
      this.zoomBy(after / Math.max(1, before), (one.x + two.x) / 2, (one.y + two.y) / 2);
      return;
    }
    [pointer.x, pointer.y] = pixel;
    const far = Math.hypot(pixel[0] - pointer.sx, pixel[1] - pointer.sy);
    if (pointer.spot) {
      this.follow(pixel, pointer.spot, pointer.touch || far > STILL);
    } else if (pointer.dragged || far > 6) {
      pointer.dragged = true;
      this.moved = true;
      this.camera = pan(this.camera, dx, dy);
      this.frame();
      this.paint();
      this.drawAim();
    }
  }

  /** @param {PointerEvent} event */
  up(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!pointer) return;
    const pixel = this.place(event);
    const still = Math.hypot(pixel[0] - pointer.sx, pixel[1] - pointer.sy) < STILL;
    this.loupe.setAttribute('hidden', '');
    if (this.aimed?.open && !pointer.dragged) return this.fromFan(pixel);
    if (pointer.dragged) return undefined;
    const point = this.at(pixel);
    if (this.pen.tap) return this.pen.tap([Math.round(point[0]), Math.round(point[1])]);
    const slid = pointer.spot && !still ? this.aimed?.move ?? null : null;
    const hovered = pointer.spot ? this.aimed : null;
    this.setAim(null);
    return this.inTurn(() => this.tapped(point, slid, hovered?.move ?? null, pointer.touch));
  }

  /** Does something on the picture that all before it leads to: taps may come faster than answers. @param {() => void} act */
  inTurn(act) {
    const now = (/** @type {Picture|undefined} */ picture) => {
      if (picture) this.update(picture);
      act();
    };
    if (this.pen.turn) this.pen.turn(now);
    else now(undefined);
  }

  /** @param {PointerEvent} event */
  cancel(event) {
    this.pointers.delete(event.pointerId);
    this.loupe.setAttribute('hidden', '');
    this.setAim(null);
  }

  /**
   * A tap at a point of the plane: `slid` is the move that was slid to, `seen` the one that was
   * shown then.
   * @param {Dot} point @param {Move|null} slid @param {Move|null} seen @param {boolean} touch
   */
  tapped([x, y], slid, seen, touch) {
    const spot = slid?.new ?? spotAt(this.legal(), [x, y], this.reach());
    const moves = movesAt(this.legal(), spot);
    const there = (/** @type {Move|null} */ move) => moves.find((one) => same(one, move));
    const move = there(slid) ?? (touch && moves.length > 1 ? null : there(seen))
      ?? (moves.length < 2 || !touch ? choose(moves, [x - (spot?.[0] ?? x), y - (spot?.[1] ?? y)], this.picture.length, HOVER) : null);
    if (move) return this.pen.play?.(move);
    // Not said which: the lines wait for a second tap.
    if (spot && moves.length > 1) return this.setAim({ spot, move: there(seen) ?? moves[0], open: true });
    const dot = spot ?? /** @type {Dot} */ ([Math.round(x), Math.round(y)]);
    const number = this.picture.moves.findIndex((one) => one.new[0] === dot[0] && one.new[1] === dot[1]);
    if (number >= 0 && this.pen.pick && Math.hypot(x - dot[0], y - dot[1]) < 0.45) return this.pen.pick(number + 1);
    return this.pen.miss?.(dot, pixelOf(this.camera, this.shown, dot));
  }

  /** A tap while the lines through a dot wait for a choice. @param {Dot} pixel */
  fromFan(pixel) {
    const { spot, move: first } = /** @type {{spot: Dot, move: Move|null}} */ (this.aimed);
    const [x, y] = pixelOf(this.camera, this.shown, spot);
    const moves = movesAt(this.legal(), spot);
    const away = /** @type {Dot} */ ([pixel[0] - x, pixel[1] - y]);
    const distance = Math.hypot(...away);
    const { length } = this.picture;
    const edge = FINGER * (reachOf(handles(moves, length, true)) + 0.7);
    const move = distance < STILL ? first : distance < edge ? choose(moves, away, length, FINGER, true) : null;
    this.setAim(null);
    if (move) this.inTurn(() => this.pen.play?.(move));
  }

  /** Aims at a dot, and by the way from it at one of its lines. @param {Dot} pixel @param {Dot|null} spot @param {boolean} finger */
  follow(pixel, spot, finger) {
    if (!spot) return this.setAim(null);
    const moves = movesAt(this.legal(), spot);
    const [x, y] = pixelOf(this.camera, this.shown, spot);
    const radius = finger ? FINGER : HOVER * this.camera.unit;
    const away = /** @type {Dot} */ ([pixel[0] - x, pixel[1] - y]);
    const kept = this.aimed && String(this.aimed.spot) === String(spot) ? this.aimed.move : null;
    // Close to the dot a pointer says nothing about the line.
    const move = Math.hypot(...away) < radius * 0.28 ? kept ?? moves[0] : choose(moves, away, this.picture.length, radius, finger);
    this.setAim({ spot, move: move ?? null, open: false });
    if (finger) this.magnify(pixel, spot);
    return undefined;
  }

  /** Another line through the dot that is aimed at. @param {number} by */
  cycle(by) {
    if (!this.aimed) return false;
    const moves = movesAt(this.legal(), this.aimed.spot);
    if (moves.length < 2) return false;
    const at = moves.findIndex((move) => same(move, this.aimed?.move));
    this.setAim({ ...this.aimed, move: moves[(at + by + moves.length) % moves.length] }, true);
    return true;
  }

  /** Aims at the next dot, by keyboard. @param {number} by */
  next(by) {
    const spots = [...new Map(this.legal().map((move) => [String(move.new), move.new])).values()];
    if (!spots.length) return;
    spots.sort((one, other) => one[1] - other[1] || one[0] - other[0]);
    const at = spots.findIndex((dot) => String(dot) === String(this.aimed?.spot));
    const spot = spots[(at + by + spots.length + (at < 0 && by < 0 ? 1 : 0)) % spots.length];
    this.setAim({ spot, move: movesAt(this.legal(), spot)[0], open: false }, true);
  }

  /** Plays what is aimed at. */
  confirm() {
    const move = this.aimed?.move;
    this.setAim(null);
    if (move) this.pen.play?.(move);
    return Boolean(move);
  }

  /** Goes to a line that is out of sight. @param {Move} move */
  reveal(move) {
    const box = boxOf(ends(move.line, this.picture.length));
    if (!box || sees(this.camera, box, this.room())) return;
    this.camera = over(this.camera, box, this.room());
    this.frame();
    this.paint();
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    if (!event.ctrlKey && this.cycle(event.deltaY > 0 ? 1 : -1)) return;
    this.zoomBy(Math.exp(-Math.max(-90, Math.min(90, event.deltaY)) / 300), ...this.place(event));
  }

  /** @param {{spot: Dot, move: Move|null, open: boolean}|null} aimed @param {boolean} [keys] */
  setAim(aimed, keys = false) {
    const was = this.aimed;
    this.aimed = aimed;
    if (!aimed && !was) return;
    if (aimed && was && same(aimed.move, was.move) && String(aimed.spot) === String(was.spot) && aimed.open === was.open) return;
    if (keys && aimed?.move) this.reveal(aimed.move);
    this.drawAim();
    this.pen.aim?.(aimed?.move ?? null, aimed ? movesAt(this.legal(), aimed.spot).length : 0, keys ? 'keys' : aimed?.open ? 'fan' : 'pointer');
  }

  drawAim() {
    const { aimed, picture: { length } } = this;
    if (!aimed?.move) {
      this.preview.replaceChildren();
      return;
    }
    const moves = movesAt(this.legal(), aimed.spot);
    /** @type {SVGElement[]} */
    const made = [];
    const path = (/** @type {Move} */ move, /** @type {string} */ name) => {
      const [[x1, y1], [x2, y2]] = ends(move.line, length);
      return svg('path', { class: name, d: `M${x1} ${y1}L${x2} ${y2}` });
    };
    for (const move of moves) if (!same(move, aimed.move)) made.push(path(move, 'other'));
    made.push(path(aimed.move, 'wish'));
    const [cx, cy] = aimed.spot;
    if (aimed.open) {
      const radius = FINGER / this.camera.unit;
      const seen = new Set();
      const shown = handles(moves, length, true).filter(({ move }) => !seen.has(key(move)) && seen.add(key(move)));
      made.push(svg('circle', { class: 'fan', cx, cy, r: radius * (reachOf(shown) + 0.45) }));
      // No handle lies on another.
      const gaps = shown.flatMap((one) => shown.map((other) => (one === other ? 1 : Math.hypot(one.at[0] - other.at[0], one.at[1] - other.at[1]))));
      const size = Math.min(20, FINGER * Math.min(1, ...gaps) / 2 - 0.5);
      for (const { move, at } of shown) {
        const [hx, hy] = [cx + at[0] * radius, cy + at[1] * radius];
        const [dx, dy] = [ends(move.line, length)[1][0] - move.line[0][0], ends(move.line, length)[1][1] - move.line[0][1]];
        const [ux, uy] = [dx / Math.hypot(dx, dy) * size * 0.6 / this.camera.unit, dy / Math.hypot(dx, dy) * size * 0.6 / this.camera.unit];
        made.push(svg('circle', { class: 'handle', cx: hx, cy: hy, r: size / this.camera.unit }), svg('path', { class: 'handle-mark', d: `M${hx - ux} ${hy - uy}L${hx + ux} ${hy + uy}` }));
      }
    }
    made.push(svg('circle', { class: 'wish-dot', cx, cy, r: 0.3 }));
    this.preview.replaceChildren(...made);
    this.loupePreview.replaceChildren(...made.filter((one) => /wish|other/.test(one.getAttribute('class') ?? '')).map((one) => one.cloneNode(true)));
  }

  /** What is under the finger, above it. @param {Dot} pixel @param {Dot} spot */
  magnify([x, y], [cx, cy]) {
    const unit = Math.max(34, this.camera.unit * 1.5);
    const half = 66 / unit;
    this.loupe.setAttribute('viewBox', `${cx - half} ${cy - half} ${2 * half} ${2 * half}`);
    this.loupe.style.left = `${Math.max(70, Math.min(this.shown.width - 70, x))}px`;
    this.loupe.style.top = `${y > 170 ? y - 110 : y + 110}px`;
    this.loupe.removeAttribute('hidden');
  }
}
