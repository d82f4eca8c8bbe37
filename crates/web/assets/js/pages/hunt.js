/** Hunting: searches that run on the server while this page looks on. */

import { change, on, state } from '../api.js';
import { board } from '../board.js';
import { chart, short } from '../chart.js';
import { h } from '../dom.js';
import { ask, native } from '../server.js';
import { said, t } from '../texts.js';
import { path } from '../tree.js';
import { begin } from './play.js';

const GAMES = ['5T', '5D', '4T', '4D', '6T', '6D'];

state.hunt = {
  wish: { game: '5D', method: 'auto', parameters: {}, seconds: '60', threads: '1', seed: '', target: '', mine: false },
  methods: [],
  known: {},
  hunts: [],
  boards: {},
};

/** @type {EventSource|null} */
let events = null;

export async function enter() {
  listen();
  if (!state.hunt.methods.length) await loadMethods(state.hunt.wish.game);
}

export function leave() {
  events?.close();
  events = null;
}

/** Hears of all hunts; the browser connects again by itself. */
function listen() {
  if (events) return;
  events = new EventSource('/api/events');
  events.addEventListener('hunt', ({ data }) => {
    const news = JSON.parse(data);
    change(({ hunt }) => {
      const known = hunt.hunts.find((/** @type {any} */ one) => one.id === news.id);
      if (known) Object.assign(known, news);
      else hunt.hunts.push(news);
      hunt.hunts.sort((/** @type {any} */ one, /** @type {any} */ other) => other.id - one.id);
    });
    if (news.record) prepare(news);
  });
  events.addEventListener('known', ({ data }) => {
    const ids = JSON.parse(data);
    change(({ hunt }) => { hunt.hunts = hunt.hunts.filter((/** @type {any} */ one) => ids.includes(one.id)); });
  });
}

/** What the board of a hunt needs besides the moves. @param {any} hunt */
async function prepare({ record }) {
  const { rules, start } = record;
  if (start !== 'cross' || state.hunt.boards[rules]) return;
  const game = await ask(`games/${rules}`);
  change(({ hunt }) => { hunt.boards[rules] = game; });
}

/** @param {string} game */
async function loadMethods(game) {
  const methods = await ask(`games/${game}/methods`);
  change(({ hunt }) => { hunt.methods = methods; });
}

on({
  'hunt-wish': ({ name }, event) => {
    const target = /** @type {HTMLInputElement} */ (event?.target);
    change(({ hunt }) => {
      hunt.wish[/** @type {string} */ (name)] = target.type === 'checkbox' ? target.checked : target.value;
      if (name === 'method') hunt.wish.parameters = {};
    });
    if (name === 'game') return loadMethods(target.value);
    return undefined;
  },
  'hunt-parameter': ({ name }, event) => change(({ hunt }) => {
    const { value } = /** @type {HTMLInputElement} */ (event?.target);
    if (value) hunt.wish.parameters[/** @type {string} */ (name)] = value;
    else delete hunt.wish.parameters[/** @type {string} */ (name)];
  }),
  'hunt-start': async () => {
    const { wish } = state.hunt;
    const number = (/** @type {string} */ text) => (text === '' ? undefined : Number(text));
    const { rules, start, tree } = state.play;
    const game = wish.mine ? native(rules, start, path(tree)) : native(wish.game, 'cross', []);
    const { method, parameters } = wish;
    await ask('hunts', { game, method, parameters, seconds: number(wish.seconds), threads: number(wish.threads), seed: number(wish.seed), target: number(wish.target) });
  },
  'hunt-stop': ({ id }) => ask(`hunts/${id}/stop`, ''),
  'hunt-resume': ({ id }) => ask(`hunts/${id}/resume?seconds=${state.hunt.wish.seconds || 60}`, ''),
  'hunt-forget': ({ id }) => ask(`hunts/${id}`, undefined, { method: 'DELETE' }),
  'hunt-play': async ({ id }) => {
    const { record } = await ask(`hunts/${id}`);
    await begin(record.rules, record.start, record.moves);
    location.hash = '#play';
  },
});

/** @param {any} state */
export function render({ hunt, play }) {
  return h('div', { class: 'stack' },
    h('h1', {}, t('hunt-title')), h('p', { class: 'quiet' }, t('hunt-says')),
    form(hunt, play),
    h('div', { class: 'hunts', id: 'hunts' }, hunt.hunts.map((/** @type {any} */ one) => card(one, hunt.boards))),
    hunt.hunts.length === 0 && h('p', { class: 'quiet' }, t('no-hunts')));
}

/** @param {any} hunt @param {any} play */
function form({ wish, methods }, play) {
  const method = methods.find((/** @type {any} */ one) => one.name === wish.method);
  const field = (/** @type {string} */ name, /** @type {Record<string, any>} */ more = {}) =>
    h('label', { class: 'field' }, t(`wish-${name}`), h('input', { type: 'number', min: 0, 'data-change': 'hunt-wish', 'data-name': name, id: `hunt-${name}`, value: wish[name], ...more }));
  const played = path(play.tree).length;
  return h('form', { class: 'card stack', 'data-submit': 'hunt-start', novalidate: true },
    h('div', { class: 'form' },
      h('label', { class: 'field' }, t('game'), h('select', { 'data-change': 'hunt-wish', 'data-name': 'game', id: 'hunt-game', value: wish.game, disabled: wish.mine },
        GAMES.map((name) => h('option', { value: name }, t('game-name', name))))),
      h('label', { class: 'field' }, t('wish-method'), h('select', { 'data-change': 'hunt-wish', 'data-name': 'method', id: 'hunt-method', value: wish.method },
        methods.map((/** @type {any} */ { name }) => h('option', { value: name }, name)))),
      field('seconds', { placeholder: t('until-stopped') }),
      field('threads', { min: 1 })),
    method && h('p', { class: 'small quiet' }, said(method.summary), ' ', h('i', {}, said(method.source))),
    h('details', {}, h('summary', {}, t('more-settings')),
      h('div', { class: 'form' },
        field('seed', { placeholder: t('drawn') }), field('target', { placeholder: t('none') }),
        (method?.parameters ?? []).map((/** @type {any} */ parameter) => h('label', { class: 'field' }, parameter.name,
          h('input', { type: 'number', step: 'any', min: parameter.min, max: parameter.max, placeholder: parameter.default, value: wish.parameters[parameter.name] ?? '', 'data-change': 'hunt-parameter', 'data-name': parameter.name }),
          h('small', {}, said(parameter.meaning)))),
        h('label', { class: 'row all', id: 'hunt-mine' }, h('input', { type: 'checkbox', class: 'box', checked: wish.mine, 'data-change': 'hunt-wish', 'data-name': 'mine' }), t('from-mine', play.rules, played)))),
    h('div', { class: 'row' }, h('button', { class: 'main', id: 'hunt-start' }, t('hunt-start'))));
}

/** @param {any} hunt @param {any} boards */
function card(hunt, boards) {
  const running = hunt.status === 'running';
  const game = hunt.record && (hunt.record.start === 'cross' ? boards[hunt.record.rules] : { start: hunt.record.start, length: parseInt(hunt.record.rules, 10) });
  const points = [...(hunt.history ?? []), [hunt.seconds, hunt.best]];
  const rate = hunt.seconds > 0 ? hunt.playouts / hunt.seconds : 0;
  const button = (/** @type {string} */ name, kind = '') => h('button', { class: kind, key: name, 'data-do': `hunt-${name}`, 'data-id': hunt.id }, t(`hunt-${name}`));
  return h('article', { class: 'card hunt', key: hunt.id, 'data-status': hunt.status, 'data-best': hunt.best },
    h('header', {}, h('h2', {}, `${hunt.game} · ${hunt.method === hunt.behind ? hunt.method : `${hunt.method} (${hunt.behind})`}`),
      h('span', { class: `tag ${running ? '' : hunt.status === 'failed' ? 'bad' : 'good'}` }, t(`status-${hunt.status}`))),
    h('div', { class: 'numbers' },
      number(hunt.best, t('moves-word', hunt.best)), number(short(hunt.playouts), said(hunt.playout)),
      number(short(rate), t('per-second-word')), number(`${short(hunt.seconds)} s`, hunt.time ? t('of-seconds', short(hunt.time)) : t('no-limit'))),
    hunt.reason && h('p', { class: 'notice bad' }, said(hunt.reason)),
    game && board({ start: game.start, length: game.length, moves: hunt.record.moves }, { key: 'board', role: 'img', 'aria-label': t('best-game', hunt.best) }),
    points.length > 1 && chart({ points, steps: true, label: t('score-time'), across: 's', least: Math.max(0, Math.min(...points.map(([, y]) => y)) - 3) }),
    h('p', { class: 'small quiet' }, t('seed-threads', hunt.seed, hunt.threads)),
    !running && hunt.status !== 'failed' && h('p', { class: 'small quiet' }, t(hunt.lasts ? 'hunt-lasts' : 'hunt-ends')),
    h('div', { class: 'row', key: 'tools' }, running ? button('stop') : [hunt.status !== 'failed' && button('resume'), button('play'), button('forget')]));
}

function number(/** @type {any} */ value, /** @type {string} */ word) {
  return h('div', {}, h('b', {}, value), h('span', { class: 'small quiet' }, word));
}
