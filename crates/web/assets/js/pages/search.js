/** Search: improve a game, or hunt for a new one; hunts run on the server while this page looks on. */

import { chart, colours, short } from '../chart.js';
import { command } from '../command.js';
import { h } from '../dom.js';
import { ask, native, save, served } from '../engine.js';
import { change, on, state, toast } from '../state.js';
import { decimal, reason, said, t } from '../texts.js';
import { thumb } from '../thumb.js';
import { openGame } from './play.js';
import { end, path } from '../tree.js';

const GAMES = ['5T', '5D', '4T', '4D', '6T', '6D'];
/** Games worth learning. */
const TRAINED = ['5D', '5T', '4D', '4T'];
/** How often training runs are looked at, in milliseconds. */
const PAUSE = 3000;

/**
 * @typedef {object} Search
 * @property {{game: string, method: string, parameters: Record<string, string>, seconds: string, threads: string, seed: string, target: string, keep: string|null}} wish
 * @property {any[]} methods
 * @property {any[]} hunts
 * @property {Record<string, any>} games
 * @property {any[]|null} trainings
 * @property {string} trainingGame
 * @property {number} now
 * @property {Map<number, number>} origins how many moves the improved game had, by hunts that were begun here
 * @property {Set<string>} halted training runs that were stopped here
 */
/** @type {Search} */
const first = {
  wish: { game: '5D', method: 'auto', parameters: {}, seconds: '60', threads: '1', seed: '', target: '', keep: null },
  methods: [], hunts: [], games: {}, trainings: null, trainingGame: '5D', now: 0, origins: new Map(), halted: new Set(),
};
state.search = first;

/** @type {EventSource|null} */
let events = null;
/** @type {ReturnType<typeof setTimeout>|undefined} */
let timer;
/** Searches in this page, where there is no server. @type {Map<number, AbortController>} */
const local = new Map();

export async function enter() {
  if (!state.search.methods.length) await loadMethods(state.search.wish.game);
  if (!served) return;
  listen();
  look();
}

export function leave() {
  events?.close();
  events = null;
  clearTimeout(timer);
}

/** Hears of all hunts; the browser connects again by itself. */
function listen() {
  if (events) return;
  events = new EventSource('api/events');
  events.addEventListener('hunt', ({ data }) => learn(JSON.parse(data)));
  events.addEventListener('known', ({ data }) => {
    const ids = JSON.parse(data);
    change(({ search }) => { search.hunts = search.hunts.filter((/** @type {any} */ one) => ids.includes(one.id)); });
  });
}

/** @param {any} news */
function learn(news) {
  change(({ search }) => {
    const known = search.hunts.find((/** @type {any} */ one) => one.id === news.id);
    if (known) Object.assign(known, news);
    else search.hunts.push(news);
    search.hunts.sort((/** @type {any} */ one, /** @type {any} */ other) => other.id - one.id);
  });
  if (news.record) gameOf(news.record.rules).catch(() => {});
}

/** What is known of a game. @param {string} rules */
async function gameOf(rules) {
  if (state.search.games[rules]) return;
  const game = await ask(`games/${rules}`);
  change(({ search }) => { search.games[rules] = game; });
}

/** Looks at the training runs, now and then. */
async function look() {
  clearTimeout(timer);
  try {
    const trainings = await ask('training-runs');
    change(({ search }) => Object.assign(search, { trainings, now: Date.now() / 1000 }));
  } catch { /* A server that is gone for a moment may come back. */ }
  if (state.page === 'search') timer = setTimeout(look, PAUSE);
}

/** @param {string} game */
async function loadMethods(game) {
  const methods = await ask(`games/${game}/methods`);
  change(({ search }) => { search.methods = methods; });
}

/** @param {string} text */
const number = (text) => (text === '' ? undefined : Number(text));

/** The moves that a search for a better game keeps: by default all but the last forty. */
function kept() {
  const moves = path(state.play.tree, end(state.play.tree));
  const { keep } = state.search.wish;
  return moves.slice(0, keep === null ? Math.max(0, moves.length - 40) : Number(keep));
}

/** Starts a hunt, on the server or here. @param {any} game @param {Record<string, any>} more */
async function start(game, more) {
  if (served) {
    return (await ask('hunts', { game, ...more })).id;
  }
  const id = local.size + 1;
  const stop = new AbortController();
  local.set(id, stop);
  const began = performance.now();
  const hunt = { id, game: game.rules, method: 'auto', behind: 'auto', status: 'running', best: 0, playouts: 0, playout: 'playouts', seconds: 0, time: more.seconds ?? null, threads: 1, seed: 0, from: game.moves.length, lasts: false, history: /** @type {any[]} */ ([]), record: /** @type {any} */ (null) };
  learn(hunt);
  while (!stop.signal.aborted && (!more.seconds || hunt.seconds < more.seconds)) {
    const found = await ask('continue', game, { seconds: 2 }, { signal: stop.signal }).catch((error) => { if (!stop.signal.aborted) toast(reason(error), { kind: 'bad' }); return null; });
    if (!found) break;
    hunt.seconds = (performance.now() - began) / 1000;
    if (found.score > hunt.best) Object.assign(hunt, { best: found.score, record: { ...game, moves: found.moves }, history: [...hunt.history, [hunt.seconds, found.score]] });
    learn({ ...hunt });
  }
  learn({ ...hunt, status: stop.signal.aborted ? 'stopped' : 'done' });
  return id;
}

on({
  'search-wish': ({ name }, event) => {
    const { value } = /** @type {HTMLInputElement} */ (event?.target);
    change(({ search }) => {
      search.wish[/** @type {string} */ (name)] = value;
      if (name === 'method') search.wish.parameters = {};
    });
    return name === 'game' ? loadMethods(value) : undefined;
  },
  'search-parameter': ({ name }, event) => change(({ search }) => {
    const { value } = /** @type {HTMLInputElement} */ (event?.target);
    if (value) search.wish.parameters[/** @type {string} */ (name)] = value;
    else delete search.wish.parameters[/** @type {string} */ (name)];
  }),
  improve: async () => {
    const { rules, start: from } = state.play;
    const played = path(state.play.tree, end(state.play.tree)).length;
    const id = await start(native(rules, from, kept()), { method: 'auto', seconds: number(state.search.wish.seconds) });
    change(({ search }) => { search.origins.set(id, played); });
  },
  'hunt-start': async () => {
    const { wish } = state.search;
    await start(native(wish.game, 'cross', []), { method: wish.method, parameters: wish.parameters, seconds: number(wish.seconds), threads: number(wish.threads), seed: number(wish.seed), target: number(wish.target) });
  },
  'training-game': (_, event) => change(({ search }) => { search.trainingGame = /** @type {HTMLSelectElement} */ (event?.target).value; }),
  'training-start': async () => {
    await ask('training-runs', { game: state.search.trainingGame });
    await look();
  },
  'training-stop': async ({ name = '' }) => {
    await ask(`training-runs/${encodeURIComponent(name)}/stop`, '');
    state.search.halted.add(name);
    await look();
  },
  'training-resume': async ({ name = '' }) => {
    await ask(`training-runs/${encodeURIComponent(name)}/resume`, '');
    state.search.halted.delete(name);
    await look();
  },
  'hunt-stop': ({ id }) => (served ? ask(`hunts/${id}/stop`, '') : local.get(Number(id))?.abort()),
  'hunt-resume': ({ id }) => ask(`hunts/${id}/resume`, '', { seconds: state.search.wish.seconds || 60 }),
  'hunt-forget': ({ id }) => (served ? ask(`hunts/${id}`, undefined, {}, { method: 'DELETE' }) : change(({ search }) => { search.hunts = search.hunts.filter((/** @type {any} */ one) => String(one.id) !== id); })),
  'hunt-play': async ({ id }) => {
    const hunt = state.search.hunts.find((/** @type {any} */ one) => String(one.id) === id);
    await openGame(await record(id), 'search', hunt?.from ?? 0);
  },
  'hunt-save': async ({ id }) => save(new Blob([JSON.stringify(await record(id), null, 1)], { type: 'application/json' }), `morpion-${id}.json`),
});

/** @param {string|undefined} id */
async function record(id) {
  return served ? (await ask(`hunts/${id}`)).record : state.search.hunts.find((/** @type {any} */ one) => String(one.id) === id).record;
}

/** The same search on the command line. @param {any} hunt */
function asCommand(hunt) {
  const given = Object.entries(hunt.parameters ?? {}).map(([name, value]) => ` -p ${name}=${value}`).join('');
  const from = hunt.from ? ` --from game.json --keep ${hunt.from}` : '';
  return `morpion search ${hunt.game}${from} --method ${hunt.method}${given} --for ${Math.round(hunt.time ?? 60)}s --threads ${hunt.threads} --seed ${hunt.seed} -o best.json`;
}

/** @param {import('../state.js').State} state */
export function render({ search, play }) {
  const { wish, hunts, methods } = search;
  const played = path(play.tree, end(play.tree)).length;
  const keeps = kept().length;
  const method = methods.find((/** @type {any} */ one) => one.name === wish.method);
  const field = (/** @type {string} */ name, /** @type {Record<string, any>} */ more = {}) =>
    h('label', { class: 'field' }, t(`wish-${name}`), h('input', { type: 'number', min: 0, 'data-change': 'search-wish', 'data-name': name, id: `hunt-${name}`, value: wish[name], ...more }));
  return h('div', { class: 'stack' },
    h('h1', {}, t('search-title')), h('p', { class: 'quiet' }, t(served ? 'search-says' : 'search-says-here')),
    h('div', { class: 'two-columns' },
      h('form', { class: 'card stack', 'data-submit': 'improve', id: 'improve' },
        h('h2', {}, t('improve-title')), h('p', { class: 'quiet' }, played ? t('improve-says', play.rules, played) : t('improve-none')),
        played > 0 && h('label', { class: 'field' }, t('keep-first', keeps, played), h('input', { type: 'range', min: 0, max: played, value: keeps, 'data-input': 'search-wish', 'data-name': 'keep' })),
        h('div', { class: 'row' }, h('button', { class: 'main', id: 'improve-start' }, played ? t('improve') : t('search-new')))),
      h('form', { class: 'card stack', 'data-submit': 'hunt-start', novalidate: true },
        h('h2', {}, t('new-search')),
        h('div', { class: 'form of-game' },
          h('label', { class: 'field' }, t('game'), h('select', { 'data-change': 'search-wish', 'data-name': 'game', id: 'hunt-game', value: wish.game }, GAMES.map((name) => h('option', { value: name }, t('game-name', name))))),
          field('seconds', { placeholder: t('until-stopped') })),
        served && h('details', {}, h('summary', {}, t('expert')),
          h('div', { class: 'form' },
            h('label', { class: 'field' }, t('wish-method'), h('select', { 'data-change': 'search-wish', 'data-name': 'method', id: 'hunt-method', value: wish.method }, methods.map((/** @type {any} */ { name }) => h('option', { value: name }, name)))),
            field('threads', { min: 1 }), field('seed', { placeholder: t('random') }), field('target', { placeholder: t('none') }),
            (method?.parameters ?? []).map((/** @type {any} */ one) => h('label', { class: 'field' }, one.name,
              h('input', { type: 'number', step: 'any', min: one.min, max: one.max, placeholder: one.default, value: wish.parameters[one.name] ?? '', 'data-change': 'search-parameter', 'data-name': one.name }), h('small', {}, said(one.meaning))))),
          method && h('p', { class: 'small quiet', id: 'method-says' }, said(method.summary), ' ', h('i', {}, said(method.source)))),
        h('div', { class: 'row' }, h('button', { class: 'main', id: 'hunt-start' }, t('hunt-start'))))),
    together(search),
    h('div', { class: 'hunts', id: 'hunts' }, hunts.map((/** @type {any} */ one) => card(one, search))),
    hunts.length === 0 && h('p', { class: 'quiet' }, t('no-hunts')),
    served && trainingsView(search));
}

/** The colours of the curves by their hunts, for each game. @type {Map<string, Map<number, number>>} */
const shown = new Map();

/** All searches of a game on one chart, with the record. @param {Search} search */
function together({ hunts, games }) {
  const rules = [...new Set(hunts.map((one) => one.game))].filter((name) => hunts.some((one) => one.game === name && one.history?.length));
  return rules.map((name) => {
    const drawn = hunts.filter((one) => one.game === name && one.history?.length).slice(0, 4);
    const own = colours(shown.get(name) ?? new Map(), drawn.map(({ id }) => id));
    shown.set(name, own);
    const curves = drawn.map((one) => ({ name: `c${own.get(one.id)}`, points: /** @type {[number, number][]} */ ([...one.history, [one.seconds, one.best]]) }));
    const record = games[name]?.in_print?.moves;
    const low = Math.min(...curves.flatMap(({ points }) => points.map(([, y]) => y)));
    return h('figure', { class: 'card', key: `chart-${name}`, id: `chart-${name}` }, h('figcaption', { class: 'small' }, h('b', {}, name, t('colon')), drawn.map((one) => h('span', { class: `legend c${own.get(one.id)}` }, `#${one.id} ${one.method}`)), record && t('record-line', record)),
      chart({ curves, steps: true, record, label: t('score-time'), across: 's', least: Math.max(0, low - 5), wide: true }));
  });
}

/** @param {any} hunt @param {Search} search */
function card(hunt, { games, origins }) {
  const running = hunt.status === 'running';
  const known = hunt.record && (hunt.record.start === 'cross' ? games[hunt.record.rules] : { start: hunt.record.start, length: parseInt(hunt.record.rules, 10) });
  const rate = hunt.seconds > 0 ? hunt.playouts / hunt.seconds : 0;
  const button = (/** @type {string} */ name) => h('button', { key: name, 'data-do': `hunt-${name}`, 'data-id': hunt.id }, t(`hunt-${name}`));
  return h('article', { class: 'card hunt', key: hunt.id, 'data-status': hunt.status, 'data-best': hunt.best },
    h('header', {}, h('h2', {}, `#${hunt.id} ${hunt.game} · ${hunt.method === hunt.behind ? hunt.method : `${hunt.method} (${hunt.behind})`}`),
      h('span', { class: `tag ${running ? '' : hunt.status === 'failed' ? 'bad' : 'good'}` }, t(`status-${hunt.status}`))),
    h('div', { class: 'numbers' }, figure(hunt.best, t('moves-word', hunt.best)), served && figure(short(hunt.playouts), said(hunt.playout)), served && figure(short(rate), t('per-second-word')),
      figure(`${short(hunt.seconds)} s`, hunt.time ? t('of-seconds', short(hunt.time)) : t('no-limit'))),
    hunt.from > 0 && h('p', { class: 'small quiet improves' }, t('hunt-from', hunt.from, origins.get(hunt.id))),
    hunt.reason && h('p', { class: 'notice bad' }, said(hunt.reason)),
    known && thumb({ start: known.start, length: known.length, moves: hunt.record.moves }),
    served && h('details', { class: 'small' }, h('summary', {}, t('as-command')), command(asCommand(hunt)), hunt.from > 0 && h('p', { class: 'quiet' }, t('game-json'))),
    h('div', { class: 'row', key: 'tools' }, running ? button('stop') : [served && hunt.status !== 'failed' && button('resume'), hunt.record && button('play'), hunt.record && button('save'), button('forget')]));
}

function figure(/** @type {any} */ value, /** @type {string} */ word) {
  return h('div', {}, h('b', {}, value), h('span', { class: 'small quiet' }, word));
}

/** @param {Search} search */
function trainingsView({ trainings, now, halted, trainingGame: game }) {
  return h('section', { class: 'stack', id: 'learning' }, h('h2', {}, t('learn-title')), h('p', { class: 'quiet' }, t('learn-says')),
    trainings?.length === 0 && h('p', { id: 'no-trainings' }, t('no-trainings')),
    trainings && h('form', { class: 'row', 'data-submit': 'training-start' },
      h('label', { class: 'row' }, t('game'), h('select', { id: 'training-game', 'data-change': 'training-game', value: game }, TRAINED.map((name) => h('option', { value: name }, name)))),
      h('button', { class: trainings.length ? '' : 'main', id: 'training-start', disabled: trainings.some((one) => one.running) }, t('training-start'))),
    h('div', { class: 'hunts', id: 'trainings' }, (trainings ?? []).map((one) => training(one, now, halted.has(one.name)))));
}

/** @param {any} one @param {number} now @param {boolean} halted whether it was stopped here */
function training({ name, changed, curve, best, running }, now, halted) {
  const last = (/** @type {string} */ column) => curve[column]?.at(-1);
  const along = (/** @type {string} */ column) => (curve[column] ?? []).map((/** @type {number} */ value, /** @type {number} */ index) => [curve.iteration[index], value]);
  const iterations = last('iteration') ?? 0;
  const lowest = Math.min(...(curve.mean ?? []), ...(curve.threshold ?? []));
  return h('article', { class: 'card hunt', key: name, 'data-iterations': iterations, 'data-best': last('best') ?? 0 },
    h('header', {}, h('h2', {}, best ? `${name} · ${best.game}` : name), h('span', { class: `tag ${running ? '' : 'good'}` }, running ? t('status-running') : `${halted ? `${t('status-stopped')} · ` : ''}${t('ago', Math.max(0, Math.round(now - changed)))}`)),
    h('div', { class: 'numbers' }, figure(iterations, t('iterations', iterations)), (curve.mean ?? []).length > 0 && [figure(`${decimal(last('mean'))} ± ${decimal(last('error95'))}`, t('mean-word')), figure(last('best'), t('best-word')), figure(last('threshold'), t('threshold-word'))]),
    (curve.mean ?? []).length > 1 && [
      h('figure', {}, h('figcaption', { class: 'small' }, ['mean', 'best', 'threshold'].map((kind) => h('span', { class: `legend ${kind}` }, t(`${kind}-word`)))),
        chart({ curves: ['mean', 'best', 'threshold'].map((kind) => ({ name: kind, points: along(kind) })), label: t('learning-curve'), across: t('iterations', iterations), least: Math.max(0, Math.floor(lowest) - 3) })),
      h('figure', {}, h('figcaption', { class: 'small' }, h('span', { class: 'legend mean' }, t('policy-loss')), h('span', { class: 'legend best' }, t('value-loss'))),
        chart({ curves: [{ name: 'mean', points: along('policy_loss') }, { name: 'best', points: along('value_loss') }], label: t('losses'), across: t('iterations', iterations) })),
    ],
    best && thumb({ start: best.start, length: best.length, moves: best.moves }),
    best && h('details', { class: 'small' }, h('summary', {}, t('parameters')), h('dl', { class: 'keys' }, h('dt', {}, t('wish-seed')), h('dd', {}, best.seed ?? '–'), Object.entries(best.parameters).map(([parameter, value]) => [h('dt', {}, parameter), h('dd', {}, String(value))]))),
    h('div', { class: 'row' }, h('button', { 'data-do': running ? 'training-stop' : 'training-resume', 'data-name': name }, t(running ? 'hunt-stop' : 'hunt-resume'))),
    !running && h('details', { class: 'small' }, h('summary', {}, t('as-command')), command(`morpion learn resume ${name}`)));
}
